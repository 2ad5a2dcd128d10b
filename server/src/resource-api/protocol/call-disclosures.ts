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

/** What a call discloses: it is gathered while the call runs, and recorded before its answer, or each part of it, is sent. */
export interface CallDisclosures {
  /** The caller, who carries what it is shown. */
  readonly caller: Caller
  /** Records what was shown since the last time. Answers a promise where the answer has to wait for it. */
  record(result?: unknown): Promise<void> | undefined
}

/** The ways to a record that change it: the audit has who did. */
const changing: ReadonlySet<Target['action']> = new Set(['create', 'update', 'delete'])

/**
 * Prepares to record what a call discloses; null where it discloses nothing: to guests, and to students and guardians, who read what is
 * about themselves.
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
 * Notes what a method showed that reads by statements of its own: of the types to which it declares rights, or of the people themselves where
 * it is about the caller's own and somebody of the staff calls it.
 */
export function noteMethodResult({ shown }: Caller, method: AnyMethod, args: Arguments, result: unknown): void {
  const { rights } = method
  if (shown === undefined || rights === 'public' || rights === 'of the argument') return
  const types = rights === 'own records' ? [method.about ?? 'Student'] : rights.map(({ type }) => type.name)
  const disclosed = new Set(types.filter((type) => fieldGroupsOfRecords[type] !== undefined))
  if (disclosed.size === 0) return
  // What a link field offers comes as rows, of which the first value names a record.
  const isFinder = Object.hasOwn(method.parameters, 'txt') && Array.isArray(result)
  const found = isFinder
    ? result.map((row) => (Array.isArray(row) ? row[0] : row))
    : peopleNamedIn(result instanceof CallResult ? result.result : result)
  const ids = [...peopleNamedIn(args), ...found]
  if (ids.length === 0) return
  for (const type of disclosed) shown.add(type, ids, Array.isArray(result) ? result.length : 1)
}

/** Parameters of lists that say nothing of anybody. */
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

/** How a list or a method was asked; null for one record. Of a filter it keeps the value where the field has no free text. */
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

/** The types of fields whose values are chosen, not typed. */
const plainTypes: ReadonlySet<string> = new Set(['Check', 'Date', 'Datetime', 'Dynamic Link', 'Int', 'Link', 'Select'])
const plainFields: ReadonlySet<string> = new Set(['name', 'parent', 'docstatus', 'creation', 'modified', 'idx'])

function isPlain(type: RecordType | undefined, name: string): boolean {
  const field = type !== undefined && Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
  return plainFields.has(name) || (field !== undefined && plainTypes.has(field.type))
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
