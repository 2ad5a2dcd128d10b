import { countRecords, listRecords } from '../query/list-records.ts'
import { parseListRequest } from '../query/list-request.ts'
import { hasOnlyPersonalRoles } from '../query/ownership.ts'
import type { AnyDocument } from '../record-document.ts'
import type { RecordEngine } from '../record-engine.ts'
import { RecordError } from '../record-error.ts'
import type { RecordRegistry } from '../record-registry.ts'
import {
  createRecord,
  deleteRecord,
  readRecord,
  runRecordMethod,
  shownRecord,
  updateRecord,
} from '../record-requests.ts'
import { type Arguments, type CallAnswer, CallResult } from './call.ts'
import { type RecordMethod, type StagedCall, type StagedMethod, type Verb, validArguments } from './record-method.ts'
import type { Target } from './target.ts'
import { metaOf } from './type-meta.ts'

/** The records behind the protocol. */
export interface Records {
  readonly registry: RecordRegistry
  /** The methods that clients call, by path. */
  readonly methods: ReadonlyMap<string, RecordMethod | StagedMethod>
}

/** A call of records: what it asks for and what it brought. */
export interface RecordCall {
  readonly target: Target
  readonly verb: string
  readonly args: Arguments
  /** The fields of the record that is sent. */
  fields(): Arguments
}

/** What a call works with. */
export interface Work extends StagedCall {
  readonly records: Records
}

/** Does what a call asks for, as far as its caller may. */
export async function perform(work: Work, call: RecordCall): Promise<CallAnswer> {
  const { target } = call
  if (target.action === 'method') return callMethod(work, target.method, call)
  return work.transaction((engine) => performOnRecords(engine, target, call))
}

async function performOnRecords(
  engine: RecordEngine,
  target: Exclude<Target, { action: 'method' }>,
  call: RecordCall,
): Promise<CallAnswer> {
  const { args } = call
  const { tx, registry, caller } = engine
  const typeName = target.type
  /** Records are given without nulls here, as upstream does. */
  const shown = (document: AnyDocument) => shownByName(engine, typeName, document, false)
  switch (target.action) {
    case 'list':
      return { result: await listRecords(tx, parseListRequest(registry, caller, typeName, args)) }
    case 'count':
      return { result: await countRecords(tx, registry, caller, typeName, args) }
    case 'meta': {
      const { type } = registry.require(typeName)
      engine.require(type, 'read')
      return { result: metaOf(type) }
    }
    case 'create':
      return { result: shown(await createRecord(engine, typeName, call.fields())) }
    case 'update':
      return { result: shown(await updateRecord(engine, typeName, target.name, call.fields())) }
    case 'delete':
      await deleteRecord(engine, typeName, target.name)
      return { status: 202, result: 'ok' }
    case 'read':
      if (args.run_method === undefined) return { result: shown(await readRecord(engine, typeName, target.name)) }
      return runMethodOf(engine, target, args.run_method, call)
    case 'runMethod':
      return runMethodOf(engine, target, target.method ?? args.run_method, call)
  }
}

/** A record as clients read it, also a row of another one. */
export function shownByName(engine: RecordEngine, typeName: string, document: AnyDocument, nulls: boolean): object {
  const type =
    engine.registry.find(typeName)?.type ?? engine.registry.parentsOf(typeName)[0]?.rows ?? requireType(typeName)
  return shownRecord(type, document, { nulls })
}

function requireType(typeName: string): never {
  throw new RecordError('DoesNotExistError', `There is no record type ${JSON.stringify(typeName.slice(0, 140))}.`)
}

/** Runs a method of a record: with GET for callers who may read it, with POST for those who may write it. */
async function runMethodOf(
  engine: RecordEngine,
  { type: typeName, name, version }: Extract<Target, { name: string }>,
  method: unknown,
  { args, verb }: RecordCall,
): Promise<CallAnswer> {
  if (typeof method !== 'string' || method === '') {
    throw new RecordError('FrappeTypeError', 'The argument run_method is missing: name the method of the record.')
  }
  const document = await readRecord(engine, typeName, name)
  if (verb === 'POST') engine.require(engine.registry.require(typeName).type, 'write')
  const { run_method: _, ...rest } = args
  const ran = await runRecordMethod(engine, document, typeName, method, rest)
  const { result, after } = await afterMethod(engine, typeName, name, ran)
  return { result, ...(version === 2 && { documents: [after] }) }
}

/** What a method of a record gave, in which a record is shown as clients read it, and the record as it is now. */
export async function afterMethod(engine: RecordEngine, typeName: string, name: string, ran: unknown) {
  const { type } = engine.registry.require(typeName)
  const after = shownRecord(type, await engine.get(type, name), { nulls: false })
  const isRecord = typeof ran === 'object' && ran !== null && 'docstatus' in ran && 'modified' in ran
  return { result: isRecord ? after : ran, after }
}

async function callMethod(work: Work, path: string, { verb, args }: RecordCall): Promise<CallAnswer> {
  const method = work.records.methods.get(path)
  if (method === undefined) {
    throw new RecordError('ValidationError', `Failed to get method ${JSON.stringify(path.slice(0, 140))}.`)
  }
  if (work.caller.kind === 'guest' && method.allowGuest !== true) throw guestRefusal()
  if (method.isForStudents !== true && hasOnlyPersonalRoles(work.caller)) {
    throw new RecordError('PermissionError', `Not permitted: ${path} is for the staff.`)
  }
  requireVerb(path, method, verb)
  const valid = validArguments(method, args)
  const result =
    'run' in method
      ? await work.transaction((engine) => method.run(engine, valid))
      : await method.runInStages(work, valid)
  return result instanceof CallResult ? result : { result }
}

/** Refuses with `PermissionError` a call of a method with a verb that it does not take. */
export function requireVerb(path: string, { verbs }: { readonly verbs?: readonly Verb[] }, verb: string): void {
  const called = verb === 'HEAD' ? 'GET' : verb
  if (verbs === undefined || verbs.some((each) => each === called)) return
  throw new RecordError('PermissionError', `Not permitted: ${path} takes ${verbs.join(', ')}.`)
}

/** The refusal of somebody who is not known. */
export function guestRefusal(): RecordError {
  return new RecordError('PermissionError', 'Send a key in the Authorization header, or log in.')
}
