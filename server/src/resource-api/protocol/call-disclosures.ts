import { type DisclosureSurface, fieldGroupsOfRecords } from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import type { DisclosureLog } from '../../changes/index.ts'
import type { Caller, RecordRegistry } from '../../record-engine/index.ts'
import {
  hasOnlyPersonalRoles,
  peopleNamedIn,
  RecordError,
  readAlternatives,
  ShownRecords,
} from '../../record-engine/index.ts'
import { type Arguments, CallResult, RecordFile, StreamedFile } from './call.ts'
import type { AnyMethod } from './record-method.ts'
import type { Target } from './target.ts'

/** The disclosures of a call: collected while it runs, and logged before its response, or each part of it, is sent. */
export interface CallDisclosures {
  /** The caller, with the collector of shown records. */
  readonly caller: Caller
  /** Logs what was shown since the last call. Returns a promise where the response must wait for it. */
  record(result?: unknown): Promise<void> | undefined
}

/** The actions that change a record, which the audit covers. */
const changing: ReadonlySet<Target['action']> = new Set(['create', 'update', 'delete'])

/**
 * Starts collecting the disclosures of a call; null where nothing is logged: for guests, and for students and
 * guardians, who read about themselves.
 */
export function findDisclosures(
  log: DisclosureLog | undefined,
  registry: RecordRegistry,
  known: Caller,
  { target, verb, args }: { readonly target: Target; readonly verb: string; readonly args: Arguments },
): CallDisclosures | null {
  const isDisclosed = verb !== 'HEAD' && known.kind !== 'guest' && !hasOnlyPersonalRoles(known)
  if (log === undefined || !isDisclosed || changing.has(target.action) || log.isOff(known.tenant.id)) return null
  const shown = new ShownRecords()
  const caller = { ...known, shown }
  let surface: DisclosureSurface = 'resource_api'
  let filter: object | null = null
  return {
    caller,
    record: (result) => {
      if (result instanceof StreamedFile) surface = 'export'
      else if (result instanceof RecordFile) surface = 'download'
      let waiting: Promise<void> | undefined
      for (const { recordType, ids, count } of shown.take()) {
        const fieldGroup = fieldGroupsOfRecords[recordType]
        if (fieldGroup === undefined) continue
        filter ??= findFilter(registry, target, args)
        waiting = log.add({
          context: caller,
          surface,
          operation: target.action === 'method' ? target.method : `resource.${target.action}`,
          disclosed: { recordType, fieldGroup },
          ids,
          count,
          filter,
        })
      }
      return waiting
    },
  }
}

/**
 * Adds the result of a method with statements of its own to the disclosures: under the types of its declared rights, or
 * under the people's type for a method on own records that staff calls.
 */
export function addMethodDisclosures({ shown }: Caller, method: AnyMethod, args: Arguments, result: unknown): void {
  const { rights } = method
  if (shown === undefined || rights === 'public' || rights === 'of the argument') return
  const types = rights === 'own records' ? [method.about ?? 'Student'] : rights.map(({ type }) => type.name)
  const disclosed = new Set(types.filter((type) => fieldGroupsOfRecords[type] !== undefined))
  if (disclosed.size === 0) return
  // A finder returns rows whose first value is the name of a record.
  const isFinder = Object.hasOwn(method.parameters, 'txt') && Array.isArray(result)
  const found = isFinder
    ? result.map((row) => (Array.isArray(row) ? row[0] : row))
    : peopleNamedIn(result instanceof CallResult ? result.result : result)
  const ids = [...peopleNamedIn(args), ...found]
  if (ids.length === 0) return
  for (const type of disclosed) shown.add(type, ids, Array.isArray(result) ? result.length : 1)
}

/** Parameters of lists without personal data. */
const plainParameters = [
  ...[
    'fields',
    'fieldname',
    'group_by',
    'order_by',
    'limit_start',
    'start',
    'limit_page_length',
    'limit',
    'page_length',
  ],
  ...['report_name', 'file_format_type'],
]

/**
 * The arguments of a list or method as logged; null for one record. Filter values are kept only for fields without free
 * text.
 */
function findFilter(registry: RecordRegistry, target: Target, args: Arguments): object | null {
  if (target.action !== 'list' && target.action !== 'method') return null
  const typeName = target.action === 'list' ? target.type : args.doctype
  const type = typeof typeName === 'string' ? registry.find(typeName)?.type : undefined
  const plain = plainParameters.flatMap((name) => (isGiven(args[name]) ? [[name, args[name]]] : []))
  const conditions = { filters: getConditions(type, args.filters), or_filters: getConditions(type, args.or_filters) }
  const given = Object.entries(conditions).filter(([, each]) => each.length > 0)
  const filter = Object.fromEntries([...(type === undefined ? [] : [['doctype', type.name]]), ...plain, ...given])
  return isGiven(args.txt) ? { ...filter, search: args.txt } : filter
}

function getConditions(type: RecordType | undefined, sent: unknown): unknown[] {
  try {
    const read = readAlternatives('filters', sent ?? null, { takesNames: true }).flat()
    return read.map(({ reference: { field, qualifier }, operator, value }) => {
      const isShown = qualifier === null && !operator.includes('like') && isPlain(type, field)
      return [field, operator, isShown ? value : withheld]
    })
  } catch (error) {
    if (error instanceof RecordError) return [withheld]
    throw error
  }
}

const withheld = '(withheld)'

/** The field types whose values are chosen, not free text. */
const plainTypes: ReadonlySet<string> = new Set(['Check', 'Date', 'Datetime', 'Dynamic Link', 'Int', 'Link', 'Select'])
const plainFields: ReadonlySet<string> = new Set(['name', 'parent', 'docstatus', 'creation', 'modified', 'idx'])

function isPlain(type: RecordType | undefined, name: string): boolean {
  const field = type !== undefined && Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
  return plainFields.has(name) || (field !== undefined && plainTypes.has(field.type))
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
