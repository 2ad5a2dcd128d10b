import type { RecordType, Right } from '@matricula/contract/record-types'
import { lockTenantExclusive } from '../../concurrency/index.ts'
import type { Caller } from '../model/caller.ts'
import { isTrue, shownValue } from '../model/field-values.ts'
import { withoutHidden } from '../model/hidden-fields.ts'
import { mayDo } from '../model/permissions.ts'
import type { LongMethod, RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getFields, getTableFields } from '../model/record-tables.ts'
import { requireOwnedHere } from '../model/system-of-record.ts'
import { sentText } from '../model/text-argument.ts'
import { pauseForRows } from './many-rows.ts'
import { getTransition } from './record-checks.ts'
import type { RecordEngine } from './record-engine.ts'
import { applyFields, sentStatus } from './record-fields.ts'
import { emptyDocument, rowLocation } from './record-store.ts'
import { requireChangeRights, requireRightToDelete, requireRightToMerge } from './rights/change-rights.ts'
import { ownConditions, requireOwn } from './rights/own-records.ts'
import { type SentRecord, sentStamp, takeSentRecord, toWholeRecord } from './submitted-record.ts'

type Sent = Readonly<Record<string, unknown>>

/**
 * Requests of a caller for one record, with authorization. Every function here returns the record as stored afterwards,
 * and throws `PermissionError`, `DoesNotExistError`, and what the engine and the type's rules throw.
 */

/** Reads a record. */
export async function readRecord(engine: RecordEngine, typeName: string, name: string): Promise<AnyDocument> {
  const type = await requireReadable(engine, typeName, name)
  return withoutHidden(engine.caller, type, await engine.get(type, name))
}

/** The type of a record that the caller may read, whether there is such a record or not. */
export async function requireReadable(engine: RecordEngine, typeName: string, name: string): Promise<RecordType> {
  const { type } = requireStanding(engine, typeName)
  engine.require(type, 'read')
  await requireOwn(engine, type, name)
  return type
}

/** Takes a record as it was sent, saved or not, from a caller who may read it. */
export async function readSentRecord(engine: RecordEngine, typeName: string, fields: Sent): Promise<SentRecord> {
  const { type } = requireStanding(engine, typeName)
  engine.require(type, 'read')
  const sent = await takeSentRecord(engine, typeName, fields)
  await requireOwn(engine, type, sent.document.name)
  return sent
}

/**
 * Creates a record: a draft, or with docstatus 1 a submitted one. A name that was sent is ignored. For a single type it
 * updates the record, as upstream does.
 */
export async function createRecord(engine: RecordEngine, typeName: string, fields: Sent): Promise<AnyDocument> {
  const definition = requireWritable(engine, typeName)
  const { type, rules } = definition
  if (type.kind === 'single') {
    const { name: _, modified: __, ...sent } = fields
    return updateRecord(engine, typeName, type.name, sent)
  }
  engine.require(type, 'create')
  if (sentStatus(fields.docstatus ?? 0) === 1) engine.require(type, 'submit')
  const received = rules.received?.(fields) ?? fields
  await pauseForRows(type, received)
  const asked = emptyDocument(type)
  applyFields(type, asked, received)
  await pauseForRows(type, received)
  await requireChangeRights(engine, definition, null, asked)
  const { name } = await engine.insert(type, received)
  await requireOwn(engine, type, name, 'create')
  const created = await engine.get(type, name)
  await pauseForRows(type, created)
  return shownAfterwards(engine, type, created, new Set())
}

/**
 * Changes the fields that were sent, or those computed from the stored record, which is locked meanwhile. A `modified`
 * that was sent must be the stored one. The docstatus may move from draft to submitted and from submitted to cancelled.
 */
export async function updateRecord(
  engine: RecordEngine,
  typeName: string,
  name: string,
  sent: Sent | ((stored: AnyDocument) => Sent),
): Promise<AnyDocument> {
  const definition = requireWritable(engine, typeName)
  const { type, rules } = definition
  const right = requireSomeChange(engine, type)
  await requireOwn(engine, type, name, right)
  let known: RowNames = new Set()
  const saved = await engine.change(type, name, async (document: AnyDocument) => {
    const before = { ...document }
    const fields = typeof sent === 'function' ? sent(document) : sent
    requireTheirs(definition, engine, document)
    requireSameName(type, document, name, fields)
    known = getRowNames(type, document)
    const { docstatus } = document
    applyFields(type, document, rules.received?.(fields) ?? fields)
    requireMove(engine, type, docstatus, document.docstatus)
    if (fields.modified !== undefined) document.modified = sentStamp(type, document, fields)
    await requireChangeRights(engine, definition, before, document)
  })
  await requireOwn(engine, type, saved.name, right)
  await pauseForRows(type, saved)
  return shownAfterwards(engine, type, saved, known)
}

/**
 * Saves a record as a whole: fields that were not sent become empty. Without a name, or with `__islocal`, it creates
 * one. The `modified` that was read must be sent with it.
 */
export async function saveRecord(engine: RecordEngine, fields: Sent, docstatus?: 1): Promise<AnyDocument> {
  const typeName = sentText('doctype', fields.doctype ?? '')
  const definition = requireWritable(engine, typeName)
  const { type, rules } = definition
  const sent = docstatus === undefined ? fields : { ...fields, docstatus }
  const name = typeof fields.name === 'string' ? fields.name : ''
  if (name === '' || isTrue(fields.__islocal)) return createRecord(engine, typeName, sent)
  const right = requireSomeChange(engine, type)
  await requireOwn(engine, type, name, right)
  let known: RowNames = new Set()
  const saved = await engine.change(type, name, async (document: AnyDocument) => {
    requireTheirs(definition, engine, document)
    known = getRowNames(type, document)
    const whole = toWholeRecord(type, document, rules.received?.(sent) ?? sent)
    requireMove(engine, type, document.docstatus, whole.docstatus)
    await requireChangeRights(engine, definition, document, whole)
    Object.assign(document, whole, { modified: sentStamp(type, document, fields) })
  })
  await requireOwn(engine, type, saved.name, right)
  return shownAfterwards(engine, type, saved, known)
}

/** The rows of a record, by their table fields and names. */
type RowNames = ReadonlySet<string>

function getRowNames(type: RecordType, document: AnyDocument): RowNames {
  const fields = getTableFields(type).map(({ field }) => field)
  return new Set(
    fields.flatMap((field) => (document[field] as AnyDocument[]).map(({ name }) => rowLocation(field, name))),
  )
}

/**
 * A record as stored after a write, for the caller who wrote it. New rows are marked, as in upstream's response.
 */
function shownAfterwards(
  { caller }: RecordEngine,
  type: RecordType,
  document: AnyDocument,
  known: RowNames,
): AnyDocument {
  for (const { field } of getTableFields(type)) {
    for (const row of document[field] as AnyDocument[])
      if (!known.has(rowLocation(field, row.name))) row[newRowMark] = 1
  }
  return withoutHidden(caller, type, document)
}

const newRowMark = '__unsaved'

/** Cancels a submitted record. */
export async function cancelRecord(engine: RecordEngine, typeName: string, name: string): Promise<AnyDocument> {
  const { type } = requireWritable(engine, typeName)
  engine.require(type, 'cancel')
  await requireOwn(engine, type, name, 'cancel')
  return withoutHidden(engine.caller, type, await engine.cancel(type, name))
}

/** Deletes a record. */
export async function deleteRecord(engine: RecordEngine, typeName: string, name: string): Promise<void> {
  const definition = requireWritable(engine, typeName)
  const { type } = definition
  engine.require(type, 'delete')
  await requireOwn(engine, type, name, 'delete')
  // Others may be about to link to it.
  await lockTenantExclusive(engine.tx)
  const document = await engine.find(type, name)
  if (document === null) {
    // Upstream sends no message here.
    throw new RecordError('DoesNotExistError', `${type.name} ${name.slice(0, 140)} not found`, { messages: [] })
  }
  requireTheirs(definition, engine, document)
  await requireRightToDelete(engine, definition, document)
  await engine.remove(type, name)
}

/**
 * Renames a record, or merges it into the record of that name, which needs the right to delete it. Returns the name.
 */
export async function renameRecord(
  engine: RecordEngine,
  typeName: string,
  from: string,
  to: string,
  options: { readonly merge: boolean },
): Promise<string> {
  const { type } = requireWritable(engine, typeName)
  engine.require(type, 'write')
  await requireOwn(engine, type, from, 'write')
  if (options.merge) {
    // What is checked here stays so until the transaction ends.
    await lockTenantExclusive(engine.tx)
    await requireRightToMerge(engine, type, from, to)
  }
  return engine.rename(type, from, to, options)
}

/** Methods that every record has upstream, and that clients may not call there either. */
const closedMethods: ReadonlySet<string> = new Set(
  [
    'insert save delete reload validate check_permission run_method load_from_db set_new_name db_set db_insert db_update get set',
    'before_insert after_insert before_validate before_save before_submit before_cancel before_update_after_submit',
    'on_update on_submit on_cancel on_update_after_submit on_trash on_change after_delete before_rename after_rename',
  ].flatMap((names) => names.split(' ')),
)

/**
 * Thrown instead of running a long method in the partition for short work: the caller runs `announce` in a transaction
 * of its own, then the method as long work, and `failed` in another transaction if it fails.
 */
export class TakesLong extends Error {
  readonly announce: (engine: RecordEngine) => Promise<void>
  readonly failed: (engine: RecordEngine, error: unknown) => Promise<void>

  constructor({ announce, failed }: LongMethod, document: AnyDocument, args: Sent) {
    super('the method takes long')
    this.announce = async (engine) => void (await announce?.(document, engine, args))
    this.failed = async (engine, error) => failed?.(document, engine, error)
  }
}

/**
 * Runs a method of a record. `submit`, `cancel` and `rename` are methods of every record. Throws `TakesLong` for a long
 * method unless the engine runs long work.
 */
export async function runRecordMethod(
  engine: RecordEngine,
  document: AnyDocument,
  typeName: string,
  method: string,
  args: Sent,
): Promise<unknown> {
  const definition = requireStanding(engine, typeName)
  engine.require(definition.type, 'read')
  await requireOwn(engine, definition.type, document.name)
  switch (method) {
    case 'submit':
      return updateRecord(engine, typeName, document.name, { docstatus: 1 })
    case 'cancel':
      return cancelRecord(engine, typeName, document.name)
    case 'rename':
      return renameRecord(
        engine,
        typeName,
        document.name,
        sentText('The argument name', args.name ?? args.new_name ?? ''),
        { merge: isTrue(args.merge ?? 0) },
      )
  }
  const found = Object.hasOwn(definition.methods, method) ? definition.methods[method] : undefined
  if (typeof found === 'function') return found(document, engine, args)
  if (found !== undefined) {
    if (!engine.isLong) throw new TakesLong(found, document, args)
    return found.run(document, engine, args)
  }
  const isClosed = closedMethods.has(method)
  throw new RecordError(
    isClosed ? 'PermissionError' : 'DoesNotExistError',
    `${definition.type.name} has no method ${JSON.stringify(method.slice(0, 140))}${isClosed ? ' that may be called' : ''}.`,
  )
}

/**
 * A record as a caller reads it, with nothing in the fields that are hidden from it: the standard fields, the type's
 * own in their order, `doctype`, and the tables. Without nulls as the resource addresses give it, with them as
 * `frappe.client` does.
 */
export function shownRecord(
  caller: Caller,
  type: RecordType,
  document: AnyDocument,
  options: { readonly nulls: boolean },
): object {
  caller.shown?.addRecord(type, document)
  return withFields(type, withoutHidden(caller, type, document), options)
}

function withFields(type: RecordType, document: AnyDocument, options: { readonly nulls: boolean }): object {
  const { name, owner, creation, modified, modified_by, docstatus, idx } = document
  const shown: Record<string, unknown> = { name, owner, creation, modified, modified_by, docstatus, idx }
  for (const [field, declared] of getFields(type)) {
    if (declared.type === 'Table') continue
    const value = shownValue(declared, document[field])
    if (value !== null || options.nulls) shown[field] = value
  }
  for (const field of ofRows) {
    if (document[field] !== undefined) shown[field] = document[field]
  }
  shown.doctype = type.name
  for (const { field, rows } of getTableFields(type)) {
    shown[field] = (document[field] as AnyDocument[]).map((row) => withFields(rows, row, options))
  }
  if (document[newRowMark] !== undefined) shown[newRowMark] = document[newRowMark]
  return shown
}

/** What a row has beside the fields of its type. */
const ofRows = ['parent', 'parentfield', 'parenttype'] as const

/** Throws `PermissionError` for a change of a record that the caller may not change. */
function requireTheirs({ mayChange, type }: RecordDefinition, engine: RecordEngine, document: AnyDocument): void {
  if (mayChange === null || mayChange(engine.caller, document)) return
  throw new RecordError('PermissionError', `${type.name} ${document.name} is changed by its author alone.`)
}

/** Whether the caller may change every record of a type, and so may lock any. */
export function mayChangeAll(engine: RecordEngine, definition: RecordDefinition): boolean {
  const { type, isWrittenByService, mayChange } = definition
  if (isWrittenByService || mayChange !== null || !mayDo(engine.caller, type, 'write')) return false
  return ownConditions(engine, definition, 'write').length === 0
}

function requireStanding(engine: RecordEngine, typeName: string): RecordDefinition {
  const definition = engine.registry.find(typeName)
  if (definition !== null) return definition
  const [parent] = engine.registry.getParents(typeName)
  if (parent === undefined) return engine.registry.require(typeName)
  throw new RecordError(
    'PermissionError',
    `${typeName} is a row of ${parent.owner.type.name}. Read and write it there.`,
  )
}

function requireWritable(engine: RecordEngine, typeName: string): RecordDefinition {
  const definition = requireStanding(engine, typeName)
  requireOwnedHere(engine.caller, definition.type)
  if (!definition.isWrittenByService) return definition
  throw new RecordError('PermissionError', `${typeName} is written by the service alone.`)
}

function requireSameName(type: RecordType, document: AnyDocument, asked: string, { name }: Sent): void {
  if (name === undefined || name === null || [document.name, asked].includes(sentText('name', name))) return
  throw new RecordError(
    'ValidationError',
    `The name of ${type.name} ${document.name} is changed by frappe.client.rename_doc.`,
  )
}

/**
 * The right by which a caller may change records of a type: write, else submit or cancel. Throws `PermissionError`
 * where it has none, before a record is locked.
 */
function requireSomeChange(engine: RecordEngine, type: RecordType): Right {
  const changes = ['write', 'submit', 'cancel'] as const
  const found = changes.find((right) => mayDo(engine.caller, type, right))
  if (found === undefined) engine.require(type, 'write')
  return found ?? 'write'
}

function requireMove(engine: RecordEngine, type: RecordType, from: number, to: number): void {
  const transition = type.kind === 'single' ? 'save' : getTransition(from, to)
  engine.require(type, transition === 'save' ? 'write' : transition === 'cancel' ? 'cancel' : 'submit')
}

/** Whether the caller has a right to the records of a type, or to the record that a row belongs to. */
export function mayDoWith(
  { registry, caller }: Pick<RecordEngine, 'registry' | 'caller'>,
  typeName: string,
  right: Right,
): boolean {
  const definition = registry.find(typeName)
  if (definition !== null) return mayDo(caller, definition.type, right)
  return registry.getParents(typeName).some(({ owner }) => mayDo(caller, owner.type, right))
}
