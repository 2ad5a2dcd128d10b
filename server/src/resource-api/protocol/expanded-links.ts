import type { Field, RecordType } from '@matricula/contract/record-types'
import type { AnyDocument, Reading, RecordEngine } from '../../record-engine/index.ts'
import {
  getTableFields,
  type ListRequest,
  type ListRow,
  listRecords,
  mayDo,
  parseListRequest,
  RecordError,
  type RecordReader,
  readRecord,
  shownRecord,
} from '../../record-engine/index.ts'
import { parseJson } from './json-values.ts'

/** A value with links: a row of a list, a shown record, or a row of one. */
type Holder = Record<string, unknown>

/** A link field in a value. */
interface Named {
  readonly holder: Holder
  readonly key: string
  readonly target: string
  readonly name: string
}

const maxExpanded = 500

/**
 * The fields that `expand` names. Throws `JSONDecodeError` and `FrappeTypeError` for anything but an array of names.
 */
export function fieldsToExpand(sent: unknown): string[] {
  const fields = typeof sent === 'string' && sent !== '' ? parseJson(sent, 'The argument expand') : (sent ?? [])
  if (fields === '') return []
  if (Array.isArray(fields) && fields.every((field) => typeof field === 'string')) return fields
  throw new RecordError('FrappeTypeError', 'The argument expand must be a JSON array of link fields.')
}

/**
 * Replaces links in the rows of a list by the linked records, without their tables; a link to a record that the caller
 * may not read stays a name.
 *
 * @throws RecordError `DataError` for a list that may have more than 500 rows.
 */
export async function withExpandedLinks(
  reading: Omit<Reading, 'reader'> & { readonly reader: RecordReader },
  type: RecordType,
  request: ListRequest,
  expanded: readonly string[],
): Promise<ListRow[]> {
  if (request.limit === 0 || request.limit > maxExpanded) {
    throw new RecordError('DataError', `expand is for lists of at most ${maxExpanded} rows. Send limit_page_length.`)
  }
  const rows = (await listRecords(reading.reader, request)) as Holder[]
  const locations = request.fields.flatMap(({ column, key }, index) => {
    const isExpanded = column !== null && column.recordType === type && expanded.includes(column.name)
    return isExpanded ? [{ field: column.field, key: request.areObjects ? key : String(index) }] : []
  })
  const typeAt = ({ typeField }: Extract<Field, { type: 'Dynamic Link' }>, row: Holder) => row[typeField]
  const named = rows.flatMap((holder) => locations.flatMap(({ field, key }) => namedIn(holder, key, field, typeAt)))
  await replace(reading, named)
  return rows
}

/** Replaces every link of a record and its rows by the linked record, where the caller may read that. */
export async function expandedRecord(engine: RecordEngine, type: RecordType, document: AnyDocument): Promise<object> {
  const shown = shownRecord(engine.caller, type, document, { nulls: false }) as Holder
  const typeAt = ({ typeField }: Extract<Field, { type: 'Dynamic Link' }>, holder: Holder) => holder[typeField]
  const getLinks = (of: RecordType, holder: Holder) =>
    Object.entries(of.fields).flatMap(([key, field]) => namedIn(holder, key, field, typeAt))
  for (const { holder, key, target, name } of getLinks(type, shown)) {
    const linked = engine.registry.find(target)
    if (linked === null || !mayDo(engine.caller, linked.type, 'read')) continue
    const record = await readRecord(engine, target, name).catch(passedOver)
    if (record !== null) holder[key] = shownRecord(engine.caller, linked.type, record, { nulls: true })
  }
  const { registry, caller, tx: reader } = engine
  const inRows = getTableFields(type).flatMap(({ field, rows }) =>
    (shown[field] as Holder[]).flatMap((row) => getLinks(rows, row)),
  )
  await replace({ registry, caller, reader }, inRows)
  return shown
}

function namedIn(
  holder: Holder,
  key: string,
  field: Field,
  typeAt: (field: Extract<Field, { type: 'Dynamic Link' }>, holder: Holder) => unknown,
): Named[] {
  const name = holder[key]
  const target = field.type === 'Link' ? field.target : field.type === 'Dynamic Link' ? typeAt(field, holder) : null
  return typeof name === 'string' && name !== '' && typeof target === 'string' ? [{ holder, key, target, name }] : []
}

/** Replaces names by the fields of the records, with one statement per type. */
async function replace(
  { registry, caller, reader }: Omit<Reading, 'reader'> & { readonly reader: RecordReader },
  named: readonly Named[],
): Promise<void> {
  for (const target of new Set(named.map((each) => each.target))) {
    const type = registry.find(target)?.type
    if (type === undefined || type.kind === 'single' || !mayDo(caller, type, 'read')) continue
    const links = named.filter((each) => each.target === target)
    const names = [...new Set(links.map(({ name }) => name))]
    const request = parseListRequest(registry, caller, target, {
      fields: ['*'],
      filters: [['name', 'in', names]],
      limit_page_length: 0,
    })
    const found = new Map(((await listRecords(reader, request)) as Holder[]).map((record) => [record.name, record]))
    for (const { holder, key, name } of links) holder[key] = found.get(name) ?? name
  }
}

/** A broken link, or one to an unreadable record, stays a name. */
function passedOver(error: unknown): null {
  if (error instanceof RecordError && error.status < 500) return null
  throw error
}
