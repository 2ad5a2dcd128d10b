import type { RecordType } from '@matricula/contract/record-types'
import type { RecordEngine } from '../../record-engine/index.ts'
import {
  listRecords,
  parsedJson,
  parseListRequest,
  RecordError,
  readFilters,
  shownTo,
} from '../../record-engine/index.ts'
import { addMethodDisclosures } from '../protocol/call-disclosures.ts'
import { requireMayCall } from '../protocol/record-calls.ts'
import {
  type AnyMethod,
  type RecordMethod,
  type StagedCall,
  type StagedMethod,
  stagedMethod,
  validArguments,
} from '../protocol/record-method.ts'

const parameters = {
  doctype: { type: 'string', required: true },
  txt: { type: 'string', about: 'What was typed; all records where it is empty.' },
  query: { type: 'string', about: 'The path of a method that finds the records instead.' },
  filters: { type: 'any' },
  page_length: { type: 'integer', about: 'At most 100; 10 where nothing is said.' },
  start: { type: 'integer' },
  searchfield: { type: 'string', about: 'A further field to look in.' },
  reference_doctype: { type: 'string' },
  ignore_user_permissions: { type: 'any' },
  link_fieldname: { type: 'string' },
  filter_fields: { type: 'any', about: 'Further fields of the rows.' },
  as_dict: { type: 'any' },
} as const

interface Search {
  readonly doctype: string
  readonly query: string | null
  readonly txt: string | null
  readonly filters: unknown
  readonly page_length: number | null
  readonly start: number | null
  readonly searchfield: string | null
  readonly filter_fields: unknown
}

const maxHits = 100
const hitsOfPage = 10

/** The field types that are searched. */
const searchable = new Set(['Data', 'Small Text', 'Text', 'Text Editor', 'Link', 'Select', 'Read Only'])

type Hit = readonly unknown[]

/**
 * The search of link fields. A link field may name one of `methods` with the parameters of a search (a finder) to
 * search instead; it runs with its own rights.
 */
export function searchMethods(methods: readonly AnyMethod[]): readonly StagedMethod[] {
  const finders = new Map(methods.filter(isFinder).map((method) => [method.path, method]))
  const search = (call: StagedCall, { query, ...asked }: Search): Promise<Hit[]> =>
    call.transaction((engine) => (query ? foundBy(finders, engine, query, asked) : found(engine, asked)))
  return [
    stagedMethod({
      path: 'frappe.desk.search.search_link',
      rights: 'of the argument',
      isForStudents: true,
      summary: 'The records that a link field offers for what was typed into it.',
      parameters,
      result: {
        type: 'array',
        description: 'Each with `value`, the name of the record, and `description`, what else it is known by.',
      },
      runInStages: async (call, asked) => (await search(call, asked)).map(suggestion),
    }),
    stagedMethod({
      path: 'frappe.desk.search.search_widget',
      rights: 'of the argument',
      isForStudents: true,
      summary: 'The same as rows: the name of each record, and the fields that it is known by.',
      parameters,
      result: { type: 'array', description: 'Rows, as arrays.' },
      runInStages: search,
    }),
    stagedMethod({
      path: 'frappe.api.v2.search',
      rights: 'of the argument',
      isForStudents: true,
      summary: 'The search of link fields, as version 2 has it at /api/v2/doctype/{doctype}/search.',
      verbs: ['GET'],
      parameters: {
        doctype: parameters.doctype,
        txt: parameters.txt,
        query: parameters.query,
        filters: parameters.filters,
        reference_doctype: parameters.reference_doctype,
        limit: parameters.page_length,
        start: parameters.start,
      },
      result: {
        type: 'array',
        description: 'Each with `value`, the name of the record, `label`, what people call it, and `description`.',
      },
      runInStages: async (call, { limit, ...asked }) => {
        const hits = await search(call, { ...asked, page_length: limit, searchfield: null, filter_fields: null })
        return hits.map((hit) => ({ ...suggestion(hit), label: String(hit[1] || hit[0]) }))
      },
    }),
  ]
}

/** Whether a method has the parameters of a search. */
function isFinder(method: AnyMethod): method is RecordMethod {
  return 'run' in method && ['txt', 'page_len', 'filters'].every((name) => Object.hasOwn(method.parameters, name))
}

/** A hit as link fields show it: the name, and the other values as description. */
function suggestion([value, ...others]: Hit): object {
  const texts = others.filter((other) => other !== null && other !== '').map(String)
  return { value, description: [...new Set(texts)].join(', ') }
}

async function foundBy(
  finders: ReadonlyMap<string, RecordMethod>,
  engine: RecordEngine,
  path: string,
  { page_length, ...asked }: Omit<Search, 'query'>,
): Promise<Hit[]> {
  const finder = finders.get(path)
  if (finder === undefined) {
    const paths = [...finders.keys()].join(', ')
    throw new RecordError('ValidationError', `${path.slice(0, 140)} finds no records. A query is one of ${paths}.`)
  }
  requireMayCall(engine.caller, finder)
  const page_len = getHits(page_length)
  const args = validArguments(finder, { ...asked, page_len })
  const hits = (await finder.run(engine, args)) as Hit[]
  addMethodDisclosures(engine.caller, finder, args, hits)
  return hits
}

/** The records whose name or search fields contain the typed text, ordered by its position in the name. */
async function found(engine: RecordEngine, asked: Omit<Search, 'query'>): Promise<Hit[]> {
  const { registry, caller, tx } = engine
  const { type } = registry.require(asked.doctype)
  const typed = asked.txt?.trim() ?? ''
  const known = fieldsKnownBy(shownTo(caller, type), asked.searchfield)
  const own = readFilters('filters', asked.filters, { takesNames: false })
  const request = parseListRequest(
    registry,
    caller,
    type.name,
    {
      fields: [...new Set(['name', ...known, ...furtherFields(asked.filter_fields)])],
      filters: onlyEnabled(type),
      or_filters: typed === '' ? [] : ['name', ...known].map((field) => [field, 'like', `%${typed}%`]),
      limit_page_length: getHits(asked.page_length),
      limit_start: Math.max(asked.start ?? 0, 0),
      as_dict: 0,
    },
    { takesNames: false, further: own, typed },
  )
  return (await listRecords(tx, request)) as Hit[]
}

function getHits(pageLength: number | null): number {
  return Math.min(Math.max(pageLength ?? hitsOfPage, 1), maxHits)
}

/** The title and search fields of a type. Throws `DataError` for a field that nobody can search. */
function fieldsKnownBy(type: RecordType, searchfield: string | null): string[] {
  const named = [type.titleField, ...(type.searchFields ?? []), searchfield || undefined]
  const fields = new Set(named.filter((field) => field !== undefined && field !== 'name')) as Set<string>
  return [...fields].filter((field) => {
    const declared = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined
    if (declared !== undefined && searchable.has(declared.type)) return true
    if (field !== searchfield) return false
    throw new RecordError('DataError', `${type.name} has no field ${field.slice(0, 140)} that can be searched.`)
  })
}

function furtherFields(sent: unknown): string[] {
  const fields = typeof sent === 'string' ? (parsedJson(sent) ?? []) : (sent ?? [])
  if (Array.isArray(fields) && fields.every((field) => typeof field === 'string')) return fields
  throw new RecordError('FrappeTypeError', 'filter_fields must be a JSON array of names.')
}

/** Disabled records are not offered. */
function onlyEnabled({ fields }: RecordType): unknown[] {
  const isSwitch = (name: string) => Object.hasOwn(fields, name) && fields[name]?.type === 'Check'
  return [
    ...(isSwitch('enabled') ? [['enabled', '=', 1]] : []),
    ...(isSwitch('disabled') ? [['disabled', '!=', 1]] : []),
  ]
}
