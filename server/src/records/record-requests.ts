import type { RecordType } from '@matricula/contract/record-types'
import { sql } from '../database/index.ts'
import { emptyValue, isTrue, shownValue, takenValue } from './field-values.ts'
import { mayDo } from './permissions.ts'
import { ownershipCondition } from './query/ownership.ts'
import { transitionOf } from './record-checks.ts'
import type { RecordDefinition } from './record-definition.ts'
import type { AnyDocument } from './record-document.ts'
import type { RecordEngine } from './record-engine.ts'
import { RecordError } from './record-error.ts'
import { applyFields } from './record-fields.ts'
import { emptyDocument } from './record-store.ts'

type Sent = Readonly<Record<string, unknown>>

/**
 * What a caller asks of one record, with the rights that it takes. Every function here answers the record as it is stored
 * afterwards, and throws what the engine and the type's rules throw beside `PermissionError` and `DoesNotExistError`.
 */

/** Reads a record. */
export async function readRecord(engine: RecordEngine, typeName: string, name: string): Promise<AnyDocument> {
  const { type } = requireStanding(engine, typeName)
  engine.require(type, 'read')
  await requireOwn(engine, type, name)
  return engine.get(type, name)
}

/** Makes a record: a draft, or with docstatus 1 a submitted one. A name that was sent is passed over. */
export async function createRecord(engine: RecordEngine, typeName: string, fields: Sent): Promise<AnyDocument> {
  const { type, rules } = requireWritable(engine, typeName)
  engine.require(type, 'create')
  if (Number(fields.docstatus ?? 0) === 1) engine.require(type, 'submit')
  const { name } = await engine.insert(type, rules.received?.(fields) ?? fields)
  await requireOwn(engine, type, name)
  return engine.get(type, name)
}

/**
 * Changes the fields that were sent. A `modified` that was sent must be the stored one. The docstatus may move from draft to
 * submitted and from submitted to cancelled.
 */
export async function updateRecord(
  engine: RecordEngine,
  typeName: string,
  name: string,
  fields: Sent,
): Promise<AnyDocument> {
  const parent = engine.registry.find(typeName) === null ? await findParent(engine, typeName, name) : null
  if (parent !== null) return updateRow(engine, parent, name, fields)
  const { type, rules } = requireWritable(engine, typeName)
  await requireOwn(engine, type, name)
  const document = await engine.getLocked(type, name)
  requireSameName(type, document, fields)
  const stored = document.docstatus
  applyFields(type, document, rules.received?.(fields) ?? fields)
  requireMove(engine, type, stored, document.docstatus)
  if (typeof fields.modified === 'string') document.modified = fields.modified
  await engine.save(type, document)
  await requireOwn(engine, type, document.name)
  return engine.get(type, document.name)
}

/**
 * Saves a record as a whole: fields that were not sent become empty. Without a stored record of that name it makes one. The
 * `modified` that was read must be sent with it.
 */
export async function saveRecord(engine: RecordEngine, fields: Sent, docstatus?: 1): Promise<AnyDocument> {
  const typeName = String(fields.doctype ?? '')
  const { type, rules } = requireWritable(engine, typeName)
  const sent = docstatus === undefined ? fields : { ...fields, docstatus }
  const name = typeof fields.name === 'string' ? fields.name : ''
  const stored = name === '' ? null : await engine.find(type, name)
  if (stored === null) return createRecord(engine, typeName, sent)
  await requireOwn(engine, type, stored.name)
  const document = emptyDocument(type)
  // Rows are told apart by the stored ones, and asterisks stand for the stored secret.
  const compared = Object.entries(type.fields).filter(
    ([, field]) => field.type === 'Table' || field.type === 'Password',
  )
  for (const [name] of compared) document[name] = stored[name]
  const { owner, creation, modified_by } = stored
  Object.assign(document, { name: stored.name, owner, creation, modified_by, docstatus: stored.docstatus })
  const unsent = Object.fromEntries(compared.map(([name, field]) => [name, emptyValue(field)]))
  applyFields(type, document, { ...unsent, ...(rules.received?.(sent) ?? sent) })
  requireMove(engine, type, stored.docstatus, document.docstatus)
  document.modified = typeof fields.modified === 'string' ? fields.modified : ''
  await engine.save(type, document)
  await requireOwn(engine, type, stored.name)
  return engine.get(type, stored.name)
}

/** Cancels a submitted record. */
export async function cancelRecord(engine: RecordEngine, typeName: string, name: string): Promise<AnyDocument> {
  const { type } = requireWritable(engine, typeName)
  engine.require(type, 'cancel')
  await requireOwn(engine, type, name)
  await engine.cancel(type, name)
  return engine.get(type, name)
}

/** Deletes a record. */
export async function deleteRecord(engine: RecordEngine, typeName: string, name: string): Promise<void> {
  const { type } = requireWritable(engine, typeName)
  engine.require(type, 'delete')
  await requireOwn(engine, type, name)
  await engine.remove(type, name)
}

/** Gives a record another name, or merges it into the record that has it. Answers the name. */
export async function renameRecord(
  engine: RecordEngine,
  typeName: string,
  from: string,
  to: string,
  merge: boolean,
): Promise<string> {
  const { type } = requireWritable(engine, typeName)
  engine.require(type, 'write')
  await requireOwn(engine, type, from)
  return engine.rename(type, from, to, merge)
}

/** Runs a method of a record. `submit`, `cancel` and `rename` are methods of every record. */
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
        String(args.name ?? args.new_name ?? ''),
        isTrue(args.merge ?? 0),
      )
  }
  const run = Object.hasOwn(definition.methods, method) ? definition.methods[method] : undefined
  if (run !== undefined) return run(document, engine, args)
  throw new RecordError(
    'PermissionError',
    `${definition.type.name} has no method ${method.slice(0, 140)} that may be called.`,
  )
}

/**
 * A record as clients read it: the standard fields, the type's own in their order, `doctype`, and the tables. Without nulls
 * as the resource addresses give it, with them as `frappe.client` does.
 */
export function shownRecord(type: RecordType, document: AnyDocument, options: { nulls: boolean }): object {
  const { name, owner, creation, modified, modified_by, docstatus, idx } = document
  const shown: Record<string, unknown> = { name, owner, creation, modified, modified_by, docstatus, idx }
  const tables: Record<string, unknown> = {}
  for (const [field, declared] of Object.entries(type.fields)) {
    if (declared.type === 'Table') {
      tables[field] = (document[field] as AnyDocument[]).map((row) => shownRecord(declared.rows, row, options))
      continue
    }
    const value = shownValue(declared, document[field])
    if (value !== null || options.nulls) shown[field] = value
  }
  for (const field of ['parent', 'parentfield', 'parenttype']) {
    if (document[field] !== undefined) shown[field] = document[field]
  }
  return { ...shown, doctype: type.name, ...tables }
}

/**
 * Refuses with `PermissionError` a record that is about somebody else to a caller who may read only what is about its own
 * student, whether there is such a record or not.
 */
export async function requireOwn(engine: RecordEngine, type: RecordType, name: string): Promise<void> {
  const definition = engine.registry.require(type.name)
  const condition = ownershipCondition(engine.registry, engine.caller, definition, 'r')
  if (condition === null) return
  const [own] = await engine.select(type, sql`r.name = ${name} and ${condition}`)
  if (own !== undefined) return
  throw new RecordError(
    'PermissionError',
    `${type.name} ${name.slice(0, 140)} is not about you, so you may not use it.`,
  )
}

function requireStanding(engine: RecordEngine, typeName: string): RecordDefinition {
  const definition = engine.registry.find(typeName)
  if (definition !== null) return definition
  const [parent] = engine.registry.parentsOf(typeName)
  if (parent === undefined) return engine.registry.require(typeName)
  throw new RecordError(
    'PermissionError',
    `${typeName} is a row of ${parent.owner.type.name}. Read and write it there.`,
  )
}

function requireWritable(engine: RecordEngine, typeName: string): RecordDefinition {
  const definition = requireStanding(engine, typeName)
  if (!definition.isWrittenByService) return definition
  throw new RecordError('PermissionError', `${typeName} is written by the service alone.`)
}

function requireSameName(type: RecordType, document: AnyDocument, { name }: Sent): void {
  if (name === undefined || name === null || String(name) === document.name) return
  throw new RecordError(
    'ValidationError',
    `The name of ${type.name} ${document.name} is changed by frappe.client.rename_doc.`,
  )
}

function requireMove(engine: RecordEngine, type: RecordType, from: number, to: number): void {
  const transition = type.kind === 'single' ? 'save' : transitionOf(from, to)
  engine.require(type, transition === 'save' ? 'write' : transition === 'cancel' ? 'cancel' : 'submit')
}

/** Whether the caller may do this with the records of a type, or with the record that a row belongs to. */
export function mayDoWith(engine: RecordEngine, typeName: string, right: Parameters<typeof mayDo>[2]): boolean {
  const definition = engine.registry.find(typeName)
  if (definition !== null) return mayDo(engine.caller, definition.type, right)
  return engine.registry.parentsOf(typeName).some(({ owner }) => mayDo(engine.caller, owner.type, right))
}

interface RowParent {
  readonly definition: RecordDefinition
  readonly field: string
  readonly rows: RecordType
  readonly document: AnyDocument
}

async function findParent(engine: RecordEngine, rowType: string, rowName: string): Promise<RowParent | null> {
  const parents = engine.registry.parentsOf(rowType)
  if (parents.length === 0) engine.registry.require(rowType)
  for (const { owner, field, rows } of parents) {
    const parentName = await engine.parentOfRow(owner, field, rowName)
    if (parentName !== null) {
      return { definition: owner, field, rows, document: await engine.get(owner.type, parentName) }
    }
  }
  throw new RecordError('DoesNotExistError', `${rowType} ${rowName.slice(0, 140)} not found`)
}

async function updateRow(engine: RecordEngine, parent: RowParent, rowName: string, fields: Sent): Promise<AnyDocument> {
  const { definition, field, rows, document } = parent
  requireMove(engine, definition.type, document.docstatus, document.docstatus)
  const row = (document[field] as AnyDocument[]).find(({ name }) => name === rowName) as AnyDocument
  for (const [name, declared] of Object.entries(rows.fields)) {
    if (Object.hasOwn(fields, name) && declared.type !== 'Table') row[name] = takenValue(name, declared, fields[name])
  }
  await engine.save(definition.type, document)
  const saved = await engine.get(definition.type, document.name)
  return (saved[field] as AnyDocument[]).find(({ name }) => name === rowName) ?? row
}
