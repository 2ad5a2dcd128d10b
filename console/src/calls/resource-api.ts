import { isShowable, type ShownFile } from './admissions/shown-files.ts'
import { call } from './http.ts'
import { getStoredFileAddress } from './place.ts'

/** A record as the Resource API gives it: empty fields are absent. */
export type Document = Readonly<Record<string, unknown>> & { readonly name: string }

/** A condition on a list: a field, an operator, a value. */
export type Filter = readonly [field: string, operator: string, value: string | number | readonly string[]]

/** What is asked of a list. */
export interface ListQuestion {
  readonly fields: readonly string[]
  readonly filters: readonly Filter[]
  /** Of these one must hold; of several such lists one of each. */
  readonly orFilters: readonly Filter[] | readonly (readonly Filter[])[]
  readonly order: string
  readonly start: number
  readonly length: number
}

const getPath = (type: string, name?: string) =>
  `/api/resource/${encodeURIComponent(type)}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
const method = (name: string) => `/api/method/${name}`

/** The records that meet filters. Throws `CommandError`, as all of these do. */
export async function list(type: string, question: ListQuestion, signal?: AbortSignal): Promise<Document[]> {
  const { body } = await call('GET', getPath(type), {
    query: {
      fields: JSON.stringify(question.fields),
      filters: JSON.stringify(question.filters),
      or_filters: question.orFilters.length === 0 ? undefined : JSON.stringify(question.orFilters),
      order_by: question.order,
      limit_start: question.start,
      limit_page_length: question.length,
    },
    ...(signal !== undefined && { signal }),
  })
  return body.data
}

/** How many they are, exactly. */
export async function count(
  type: string,
  { filters, orFilters }: Pick<ListQuestion, 'filters' | 'orFilters'>,
): Promise<number> {
  const query = {
    doctype: type,
    filters: JSON.stringify(filters),
    or_filters: orFilters.length === 0 ? undefined : JSON.stringify(orFilters),
  }
  return (await call('GET', method('frappe.desk.reportview.get_count'), { query })).body.message
}

/** A value of a field, with how many records have it; null where they have none. */
export interface ValueCount {
  readonly name: string | number | null
  readonly count: number
  /** What the record that the value names is known by. */
  readonly title?: string
}

/** The values of a field among the records that meet filters, the fifty that most have. */
export async function countBy(
  type: string,
  field: string,
  { filters, orFilters }: Pick<ListQuestion, 'filters' | 'orFilters'>,
): Promise<ValueCount[]> {
  const body = {
    doctype: type,
    field,
    current_filters: JSON.stringify(filters),
    or_filters: orFilters.length === 0 ? undefined : JSON.stringify(orFilters),
  }
  return (await call('POST', method('frappe.desk.listview.get_group_by_count'), { body })).body.message
}

/** One record. */
export async function read(type: string, name: string): Promise<Document> {
  return (await call('GET', getPath(type, name))).body.data
}

/** Makes a record. The key is that of the intention: sent again with the same fields, it answers the record that was made with it. */
export async function create(type: string, fields: object, key: string): Promise<Document> {
  return (await call('POST', getPath(type), { body: fields, headers: { 'idempotency-key': key } })).body.data
}

/** Changes some fields; with `modified` only as long as nobody else changed it (`TimestampMismatchError`). */
export async function update(type: string, name: string, fields: object): Promise<Document> {
  return (await call('PUT', getPath(type, name), { body: fields })).body.data
}

/** Deletes a record. */
export async function remove(type: string, name: string): Promise<void> {
  await call('DELETE', getPath(type, name))
}

/** Gives a record another name, in all that link to it; answers the new one. */
export async function rename(type: string, name: string, to: string): Promise<string> {
  const body = { doctype: type, old_name: name, new_name: to, merge: 0 }
  return (await call('POST', method('frappe.client.rename_doc'), { body })).body.message
}

/** A suggestion of a link field: the name of a record, and what else it is known by. */
export interface Suggestion {
  readonly value: string
  readonly description: string
}

/** The records that a link field offers for what was typed. */
export async function suggestions(type: string, typed: string, signal?: AbortSignal): Promise<Suggestion[]> {
  const query = { doctype: type, txt: typed, page_length: 20 }
  const asked = { query, ...(signal !== undefined && { signal }) }
  return (await call('GET', method('frappe.desk.search.search_link'), asked)).body.message
}

/** A file that was attached to a record, or its address elsewhere on the web, of which nothing more is known. */
export interface Attachment {
  readonly name: string
  readonly file_name: string
  readonly file_url: string
  readonly file_type?: string
  readonly file_size?: number
}

/** The files of a record. */
export async function attachments(type: string, name: string): Promise<Attachment[]> {
  const found = await list('File', {
    fields: ['name', 'file_name', 'file_url', 'file_type', 'file_size'],
    filters: [
      ['attached_to_doctype', '=', type],
      ['attached_to_name', '=', name],
    ],
    orFilters: [],
    order: 'creation desc',
    start: 0,
    length: 50,
  })
  return found as unknown as Attachment[]
}

/** An attached file that the institution keeps and that can be looked at in the page; null for any other, of which there is a link at most. */
export function findFile({ name, file_name, file_url, file_type = '', file_size = 0 }: Attachment): ShownFile | null {
  const address = getStoredFileAddress(file_url)
  if (address === null || !isShowable(file_type)) return null
  return { key: name, fileName: file_name, mimeType: file_type, sizeBytes: file_size, address: async () => address }
}

/** Attaches a file to a record, for those alone who may read the record. */
export async function attach(type: string, name: string, file: File): Promise<void> {
  const body = new FormData()
  body.set('file', file, file.name)
  for (const [field, value] of Object.entries({ doctype: type, docname: name, is_private: '1' })) body.set(field, value)
  await call('POST', method('upload_file'), { body })
}

/** The address of a record as PDF, below that of the institution. */
export function printPath(type: string, name: string): string {
  const query = new URLSearchParams({ doctype: type, name, format: 'Standard' })
  return `${method('frappe.utils.print_format.download_pdf')}?${query}`
}
