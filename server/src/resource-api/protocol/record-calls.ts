import { docType, type RecordType } from '@matricula/contract/record-types'
import { type KeyedRequest, storeWithin } from '../../concurrency/index.ts'
import type {
  AnyDocument,
  Caller,
  RecordEngine,
  RecordRegistry,
  RowStream,
  SentRecord,
} from '../../record-engine/index.ts'
import {
  countRecords,
  createRecord,
  deleteNamed,
  describedType,
  hasOnlyPersonalRoles,
  isOnlyGuardian,
  isTrue,
  type ListRow,
  listRecords,
  mayDo,
  mayDoWith,
  missingRight,
  openList,
  parseListRequest,
  pauseForRows,
  type Reading,
  RecordError,
  readExactly,
  readNamed,
  readRecord,
  requireAll,
  requireRight,
  runRecordMethod,
  shownRecord,
  shownTo,
  updateNamed,
} from '../../record-engine/index.ts'
import { type Arguments, type CallResponse, CallResult } from './call.ts'
import { addMethodDisclosures } from './call-disclosures.ts'
import { storedCreation } from './create-once.ts'
import { expandedRecord, fieldsToExpand, withExpandedLinks } from './expanded-links.ts'
import { type AnyMethod, type StagedCall, type Verb, validArguments } from './record-method.ts'
import type { Target, TypeTarget } from './target.ts'

/** The records behind the protocol. */
export interface Records {
  readonly registry: RecordRegistry
  /** The methods that clients call, by path. */
  readonly methods: ReadonlyMap<string, AnyMethod>
}

/** A call of records: its target and its arguments. */
export interface RecordCall {
  readonly target: Target
  readonly verb: string
  readonly args: Arguments
  /** The fields of the record that is sent. */
  fields(): Arguments
  /** The idempotency key of a creation. */
  readonly keyed?: KeyedRequest | null
}

/** The context of a call. */
export interface Work extends StagedCall {
  readonly records: Records
}

/** Runs a call with the caller's rights, and reports its duration where `debug` is set. */
export async function perform(work: Work, call: RecordCall): Promise<CallResponse> {
  const begun = performance.now()
  const response = await runCall(work, call)
  if (!isTrue(call.args.debug) || !isDebuggable(work, call.target)) return response
  return { ...response, debug: [`Execution time: ${((performance.now() - begun) / 1000).toFixed(3)} sec`] }
}

/** Whether a target takes `debug`: lists, and methods that declare it. */
function isDebuggable({ records }: Work, target: Target): boolean {
  if (target.action !== 'method') return target.action === 'list'
  return Object.hasOwn(records.methods.get(target.method)?.parameters ?? {}, 'debug')
}

async function runCall(work: Work, call: RecordCall): Promise<CallResponse> {
  const { target } = call
  switch (target.action) {
    case 'method':
      return callMethod(work, target.method, { ...call, args: { ...call.args, ...target.named } })
    case 'list':
      return respondWithList(work.reading, target, call.args)
    case 'count':
    case 'meta':
      return { result: await readType(work.reading, target, call.args) }
    case 'read':
      return (
        (await readOutsideTransaction(work, target, call)) ??
        work.transaction((engine) => performOnRecords(engine, target, call))
      )
    default:
      return work.transaction((engine) => performOnRecords(engine, target, call))
  }
}

/** Reads a record by its exact name without a transaction; null where it is not found that way. */
async function readOutsideTransaction(
  work: Work,
  { type, name }: Extract<Target, { name: string }>,
  { args }: RecordCall,
): Promise<CallResponse | null> {
  if (args.run_method !== undefined || isTrue(args.expand_links)) return null
  const document = await readExactly(work.reading, type, name)
  if (document === null) return null
  return { result: shownRecord(work.caller, work.records.registry.require(type).type, document, { nulls: false }) }
}

/** Reads a list; version 2 says whether there are more records. */
async function respondWithList(
  reading: Reading,
  { type: typeName, version }: TypeTarget,
  args: Arguments,
): Promise<CallResponse> {
  // `start` is a parameter of version 2 only.
  const parameters = version === 2 || args.start === undefined ? args : { ...args, start: undefined }
  if (version === 1) return { result: await readList(reading, typeName, parameters) }
  // Determined first: a long list is still being read when the response begins.
  const ordered = withDefaultOrder(parameters)
  const counted = await countIncluded(reading, typeName, parameters)
  const has_next_page = await hasNextPage(reading, typeName, ordered)
  return { result: await readList(reading, typeName, ordered), members: { has_next_page, ...counted } }
}

/** In version 2 what changed last stands first, unless records are grouped or computed. */
function withDefaultOrder(parameters: Arguments): Arguments {
  const { order_by, group_by, distinct, fields } = parameters
  const isGiven = [order_by, group_by].some((given) => given !== undefined && given !== null && given !== '')
  const isComputed = fields !== undefined && /[({]/.test(typeof fields === 'string' ? fields : JSON.stringify(fields))
  return isGiven || isComputed || isTrue(distinct) ? parameters : { ...parameters, order_by: 'modified desc' }
}

/** Where the count of a list stops. */
const maxCount = 1000

/** How many records meet the filters of a list, where `include` asks for it: counted up to the maximum. */
async function countIncluded(
  { reader, registry, caller }: Reading,
  typeName: string,
  { include, filters, or_filters }: Arguments,
): Promise<object> {
  if (include === undefined || include === null) return {}
  if (typeof include !== 'string') {
    throw new RecordError('ValidationError', 'The argument include must be names with commas between.')
  }
  const parts = include.split(',').map((part) => part.trim())
  const unknown = parts.find((part) => part !== '' && part !== 'count')
  if (unknown !== undefined) {
    throw new RecordError('ValidationError', `Unknown include part ${unknown.slice(0, 140)}. Known parts: count`)
  }
  if (!parts.includes('count')) return {}
  const count = await countRecords(reader, registry, caller, typeName, { filters, or_filters, limit: maxCount })
  return { count, count_capped: count === maxCount }
}

/** The rows of a list, with linked records where `expand` is set. */
export async function readList(
  reading: Reading,
  typeName: string,
  parameters: Arguments,
): Promise<ListRow[] | RowStream<ListRow>> {
  const { caller, registry, reader } = reading
  const expanded = fieldsToExpand(parameters.expand)
  const request = parseListRequest(registry, caller, typeName, parameters)
  if (expanded.length === 0) return openList(reader, request)
  return withExpandedLinks(reading, registry.getType(typeName), request, expanded)
}

async function hasNextPage(
  { caller, registry, reader }: Reading,
  typeName: string,
  parameters: Arguments,
): Promise<boolean> {
  const { limit, offset } = parseListRequest(registry, caller, typeName, parameters)
  if (limit === 0) return false
  // The extra record that tells of a next page is not shown.
  const { shown: _, ...unnoted } = caller
  const next = { ...parameters, limit_page_length: 1, limit_start: offset + limit }
  return (await listRecords(reader, parseListRequest(registry, unnoted, typeName, next))).length > 0
}

/** Information about a type, with at most one statement. */
async function readType(
  { caller, registry, reader }: Reading,
  { action, type: typeName }: TypeTarget,
  args: Arguments,
): Promise<unknown> {
  switch (action) {
    case 'count':
      return countRecords(reader, registry, caller, typeName, args)
    case 'meta': {
      const type = registry.getType(typeName)
      if (!mayDoWith({ registry, caller }, typeName, 'read')) throw missingRight(type, 'read')
      return shownRecord(caller, docType, describedType(shownTo(caller, type)), { nulls: true })
    }
  }
}

async function performOnRecords(
  engine: RecordEngine,
  target: Exclude<Target, { action: 'method' } | TypeTarget>,
  call: RecordCall,
): Promise<CallResponse> {
  const { args } = call
  const typeName = target.type
  /** Records are sent without nulls here, as upstream does. */
  const shown = (document: AnyDocument) => shownByName(engine, typeName, document, { nulls: false })
  switch (target.action) {
    case 'create':
      return { result: await created(engine, typeName, call, shown) }
    case 'update':
      return { result: await shown((await updateNamed(engine, typeName, target.name, call.fields())).document) }
    case 'delete':
      await deleteNamed(engine, typeName, target.name)
      return { status: 202, result: 'ok' }
    case 'copy':
      return {
        result: getCopy(
          engine.caller,
          engine.registry.getType(typeName),
          await readNamed(engine, typeName, target.name),
        ),
      }
    case 'read':
      if (args.run_method === undefined && isTrue(args.expand_links)) {
        const document = await readNamed(engine, typeName, target.name)
        return { result: await expandedRecord(engine, engine.registry.getType(typeName), document) }
      }
      if (args.run_method === undefined) return { result: await shown(await readNamed(engine, typeName, target.name)) }
      return runMethodOf(engine, target, args.run_method, call)
    case 'runMethod':
      return runMethodOf(engine, target, target.method ?? args.run_method, call)
  }
}

async function created(
  engine: RecordEngine,
  typeName: string,
  { fields, keyed = null }: RecordCall,
  shown: (document: AnyDocument) => Promise<object>,
): Promise<object> {
  if (keyed === null) return shown(await createRecord(engine, typeName, fields()))
  const mayRead = mayDo(engine.caller, engine.registry.getType(typeName), 'read')
  let response: object = {}
  await storeWithin(engine.tx, keyed, async () => {
    const made = await createRecord(engine, typeName, fields())
    response = await shown(made)
    // A caller who may read gets the record in its current state.
    return storedCreation(mayRead ? { name: made.name } : { name: made.name, answered: response })
  })
  return response
}

/** The fields that identify a record or a row. */
const own = ['name', 'owner', 'creation', 'modified', 'modified_by', 'amended_from', 'parent', 'idx']

/** A copy of a record as a draft, for a client to change and post. */
function getCopy(caller: Caller, type: RecordType, document: AnyDocument): object {
  const shown = shownRecord(caller, type, { ...document, docstatus: 0 }, { nulls: false })
  const copied = (value: object): object =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !own.includes(key))
        .map(([key, member]) => [key, Array.isArray(member) ? member.map(copied) : key === 'docstatus' ? 0 : member]),
    )
  return copied(shown)
}

/** A record, or a row of one, as clients read it. Others may have their turn after one of many rows: the commit comes next. */
export async function shownByName(
  engine: RecordEngine,
  typeName: string,
  document: AnyDocument,
  options: { readonly nulls: boolean },
): Promise<object> {
  const type = engine.registry.getType(typeName)
  const shown = shownRecord(engine.caller, type, document, options)
  await pauseForRows(type, document)
  return shown
}

/** Runs a method of a record: with GET for callers who may read it, with POST for those who may write it. */
async function runMethodOf(
  engine: RecordEngine,
  { type: typeName, name, version }: Extract<Target, { name: string }>,
  method: unknown,
  { args, verb }: RecordCall,
): Promise<CallResponse> {
  if (typeof method !== 'string' || method === '') {
    throw new RecordError('FrappeTypeError', 'The argument run_method is missing: name the method of the record.')
  }
  const document = await readRecord(engine, typeName, name)
  if (verb === 'POST') engine.require(engine.registry.require(typeName).type, 'write')
  const { run_method: _, ...rest } = args
  const { result, after } = await runShown(engine, typeName, { document, isNew: false }, method, rest)
  return { result, ...(version === 2 && { documents: [after] }) }
}

/**
 * Runs a method of a record, which may have unsaved changes. Returns the result, with the record as clients read it,
 * and the record: as stored where it was saved, else as sent.
 */
export async function runShown(
  engine: RecordEngine,
  typeName: string,
  { document, isNew }: SentRecord,
  method: string,
  args: Arguments,
): Promise<{ readonly result: unknown; readonly after: object }> {
  const { type } = engine.registry.require(typeName)
  const { modified } = document
  const ran = await runRecordMethod(engine, document, typeName, method, args)
  const isRecord = typeof ran === 'object' && ran !== null && 'docstatus' in ran && 'modified' in ran
  const name = isRecord ? (ran as AnyDocument).name : method === 'rename' ? String(ran) : document.name
  const stored = isNew && !isRecord ? null : await engine.get(type, name)
  const isSaved = stored !== null && (stored.modified !== modified || name !== document.name)
  const shown = shownRecord(engine.caller, type, isSaved ? stored : document, { nulls: false })
  const after = stored === null ? { ...shown, __islocal: 1 } : shown
  return { result: isRecord ? after : ran, after }
}

async function callMethod(work: Work, path: string, { verb, args }: RecordCall): Promise<CallResponse> {
  const method = work.records.methods.get(path)
  if (method === undefined) {
    const way = 'GET /api/v2/discovery/method lists the methods that there are, and /docs/records explains them.'
    throw new RecordError('ValidationError', `Failed to get method ${JSON.stringify(path.slice(0, 140))}. ${way}`)
  }
  requireMayCall(work.caller, method)
  requireVerb(path, method, verb)
  const valid = validArguments(method, args)
  const result = await loadResult(work, method, valid)
  addMethodDisclosures(work.caller, method, valid, result)
  return result instanceof CallResult ? result : { result }
}

/** Throws `PermissionError` unless the caller may call a method and has the rights that it declares. */
export function requireMayCall(caller: Caller, method: AnyMethod): void {
  if (caller.kind === 'guest' && method.allowGuest !== true) throw guestError()
  requireForCaller(caller, method)
  if (typeof method.rights === 'string') return
  for (const { type, right, all } of method.rights) {
    if (all === true) requireAll(caller, type, right)
    else requireRight(caller, type, right)
  }
}

/** Whether a caller may call a method, by its declaration. */
export function mayCall(caller: Caller, method: AnyMethod): boolean {
  try {
    requireMayCall(caller, method)
    return true
  } catch (error) {
    if (error instanceof RecordError) return false
    throw error
  }
}

function requireForCaller(caller: Caller, { path, isForStudents, verbs }: AnyMethod): void {
  if (!hasOnlyPersonalRoles(caller)) return
  if (isForStudents !== true) throw new RecordError('PermissionError', `Not permitted: ${path} is for the staff.`)
  const isReading = verbs === undefined || verbs.includes('GET')
  if (isReading || !isOnlyGuardian(caller)) return
  throw new RecordError(
    'PermissionError',
    `Not permitted: ${path} changes something, and guardians only read. Ask the institution to do it.`,
  )
}

const anyVerb: readonly Verb[] = ['GET', 'POST', 'PUT', 'DELETE']

/** Throws `PermissionError` for a verb that a method does not take. */
export function requireVerb(
  path: string,
  { verbs = anyVerb }: { readonly verbs?: readonly Verb[] },
  verb: string,
): void {
  const called = verb === 'HEAD' || verb === 'QUERY' ? 'GET' : verb
  if (verbs.some((each) => each === called)) return
  throw new RecordError('PermissionError', `Not permitted: ${path} takes ${verbs.join(', ')}.`)
}

function loadResult(work: Work, method: AnyMethod, args: Arguments): Promise<unknown> {
  if ('read' in method) return method.read(work.reading, args)
  if ('run' in method) return work.transaction((engine) => method.run(engine, args))
  return method.runInStages(work, args)
}

/** The error for an unauthenticated caller. */
export function guestError(): RecordError {
  return new RecordError('PermissionError', 'Send a key in the Authorization header, or log in.')
}
