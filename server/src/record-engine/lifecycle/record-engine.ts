import type { RecordVerb } from '@matricula/contract'
import type { RecordType, Right } from '@matricula/contract/record-types'
import { lockTenantExclusive, TimeSlice } from '../../concurrency/index.ts'
import {
  column as columnOf,
  type Database,
  identifier,
  join,
  type Sql,
  sql,
  type Transaction,
} from '../../database/index.ts'
import type { SecretSeal } from '../../identity/index.ts'
import { renameCustomLinks, shownTables } from '../../tenancy/custom-fields/index.ts'
import { newId } from '../../values/index.ts'
import { storeCustomFields } from '../custom-fields/stored-custom-fields.ts'
import { recordsOfTenant } from '../custom-fields/tenant-records.ts'
import { checkLinks, fetchValues, linkedNames, renameLinks, requireUnlinked } from '../links/record-links.ts'
import { requireNoLoop } from '../links/tree-links.ts'
import type { Caller } from '../model/caller.ts'
import { mayDo, requireRight } from '../model/permissions.ts'
import type { RecordDefinition, Rule } from '../model/record-definition.ts'
import type { AnyDocument, RecordOf } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { giveBackName, requireName } from '../model/record-names.ts'
import type { RecordRegistry } from '../model/record-registry.ts'
import { getCustomFields, getTable, getTableFields } from '../model/record-tables.ts'
import { pauseForRows } from './many-rows.ts'
import { recordChange } from './record-changes.ts'
import { getTransition, isUnchanged, requireBounded, requireFinalUnchanged, requireSound } from './record-checks.ts'
import { applyDefaults, applyFields, applyRowDefaults, numberRows } from './record-fields.ts'
import { findNameField, loadNewName } from './record-naming.ts'
import { emptyDocument, getLockedTable, loadSpellings, type Stored, type StoredRecord } from './record-store.ts'
import { requireUnique } from './record-uniqueness.ts'
import type { FieldsOf, RecordWork, WorkMessage } from './record-work.ts'
import { deleteRecord, insertRecord, storeRows, updateRecord } from './record-writes.ts'
import { isOwn } from './rights/own-records.ts'
import { StoredRecords } from './stored-records.ts'
import { makeTextsSafe } from './values/safe-texts.ts'
import { encryptSecrets, openSecret } from './values/sealed-fields.ts'

/** The context of the work; all of it is optional, and without it no mails are sent. */
interface WorkContext {
  readonly database?: Pick<Database, 'note'> | null
  readonly sendsMail?: boolean
  /** Whether the work runs in the partition for long work. */
  readonly isLong?: boolean
  /** Encrypts and decrypts secrets of records; without it none can be stored or read. */
  readonly seal?: SecretSeal | null
}

/**
 * Creates, changes, submits, cancels, renames and deletes records by their declarations and rules, in one transaction.
 * It knows no type. Each change writes an audit row and an event; a change without effect writes none.
 */
export class RecordEngine extends StoredRecords implements RecordWork {
  readonly messages: WorkMessage[] = []
  /** The ids of stored files to delete once the transaction is committed. */
  readonly discardedFiles: string[] = []
  readonly sendsMail: boolean
  readonly isLong: boolean
  readonly seal: SecretSeal | null
  readonly #database: Pick<Database, 'note'> | null

  /** Without a database `note` does nothing. */
  constructor(tx: Transaction, caller: Caller, registry: RecordRegistry, context: WorkContext = {}) {
    super(tx, caller, recordsOfTenant(registry, caller.tenant.customFields), new Date())
    this.#database = context.database ?? null
    this.sendsMail = context.sendsMail ?? false
    this.isLong = context.isLong ?? false
    this.seal = context.seal ?? null
  }

  protected override asWork(): RecordWork {
    return this
  }

  note(statement: Sql): void {
    this.#database?.note(this.tx.tenantId, statement)
  }

  reveal(type: RecordType, field: string, stored: string | null): string | null {
    return openSecret(this.seal, this.tx.tenantId, type, field, stored)
  }

  discardFile(id: string): void {
    this.discardedFiles.push(id)
  }

  require(type: RecordType, right: Right): void {
    requireRight(this.caller, type, right)
  }

  async mayRead(type: RecordType, name: string): Promise<boolean> {
    return mayDo(this.caller, type, 'read') && (await isOwn(this, type, name, 'read'))
  }

  async insert<Type extends RecordType>(type: Type, fields: FieldsOf<Type>): Promise<RecordOf<Type>> {
    const definition = this.definition(type)
    const sent = fields as Readonly<Record<string, unknown>>
    const document = emptyDocument(definition.type)
    document.owner = this.caller.user
    document.modified_by = this.caller.user
    applyFields(definition.type, document, sent)
    await pauseForRows(definition.type, document)
    await applyDefaults(this, definition.type, document, sent)
    const slice = new TimeSlice()
    for (const { field, rows } of getTableFields(definition.type)) {
      for (const [index, row] of (document[field] as AnyDocument[]).entries()) {
        if (slice.isOver) await slice.yield()
        await applyDefaults(this, rows, row, ((sent[field] ?? []) as Record<string, unknown>[])[index] ?? {})
      }
    }
    const transition = getTransition(null, document.docstatus)
    await this.#prepare(definition, document, null)
    document.name = await loadNewName(this, definition, document, sent)
    const id = newId()
    await this.#validate(definition, document, null, { isSubmission: transition === 'submit' })
    await pauseForRows(definition.type, document)
    await this.#insert(definition, id, document)
    await this.#run(definition.rules.afterInsert, document, null)
    await this.#run(definition.rules.afterSave, document, null)
    if (transition === 'submit') await this.#run(definition.rules.afterSubmit, document, null)
    await pauseForRows(definition.type, document)
    const auditRecord = toAuditRecord(definition, document, await this.#readShared(definition, id))
    recordChange(this, definition, id, 'created', null, auditRecord)
    if (transition === 'submit')
      recordChange(this, definition, id, 'submitted', { ...auditRecord, docstatus: 0 }, auditRecord)
    return document as RecordOf<Type>
  }

  async change<Type extends RecordType>(
    type: Type,
    name: string,
    change: (document: RecordOf<Type>) => void | Promise<void>,
  ): Promise<RecordOf<Type>> {
    const definition = this.definition(type)
    const stored = await this.loadKnown(definition, name, { lock: true })
    await pauseForRows(definition.type, stored.document)
    const document = structuredClone(stored.document)
    await pauseForRows(definition.type, document)
    await change(document as RecordOf<Type>)
    await applyRowDefaults(this, definition.type, document)
    return (await this.#save(definition, stored, document)) as RecordOf<Type>
  }

  async cancel<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type>> {
    const definition = this.definition(type)
    const stored = await this.loadKnown(definition, name, { lock: true })
    getTransition(stored.document.docstatus, 2)
    return (await this.#cancel(definition, stored)) as RecordOf<Type>
  }

  async remove(type: RecordType, name: string): Promise<void> {
    const definition = this.definition(type)
    if (type.kind === 'single') {
      throw new RecordError(
        'ValidationError',
        `${type.name} is always there and cannot be deleted. Change its fields instead.`,
      )
    }
    const { id, document } = await this.loadKnown(definition, name, { lock: true })
    if (definition.storage !== null && document.name !== name) {
      // Where names may differ in case only, a deletion that is repeated would reach another record.
      throw new RecordError(
        'ValidationError',
        `${type.name} ${name.slice(0, 140)} is spelt ${JSON.stringify(document.name)}. Delete it by that name.`,
      )
    }
    if (document.docstatus === 1) {
      throw new RecordError(
        'ValidationError',
        `${type.name} ${document.name}: Submitted Record cannot be deleted. You must cancel it first.`,
      )
    }
    const auditRecord = toAuditRecord(definition, document, await this.#readShared(definition, id))
    await this.#run(definition.rules.beforeDelete, document, document)
    const guard = { onlySubmitted: false, ignoredTypes: [] }
    await requireUnlinked(this, this.registry, definition, id, document.name, guard)
    await this.#removeDependents(definition, document.name)
    if (definition.storage === null) await deleteRecord(this.tx, definition, id)
    else await definition.storage.remove(this, id, document)
    await giveBackName(this.tx, document.name)
    this.forget(definition)
    recordChange(this, definition, id, 'deleted', auditRecord, null)
  }

  async rename(
    type: RecordType,
    from: string,
    to: string,
    { merge = false }: { readonly merge?: boolean } = {},
  ): Promise<string> {
    const definition = this.definition(type)
    if (type.renameAllowed !== true) {
      throw new RecordError('ValidationError', `${type.name} not allowed to be renamed`)
    }
    await lockTenantExclusive(this.tx)
    const { id, document } = await this.loadKnown(definition, from, { lock: true })
    const name = requireName(type.name, to)
    if (name === document.name) {
      throw new RecordError('ValidationError', 'The new name is the old one. Choose another.')
    }
    // A record may be renamed to its own name in another case.
    const others = (await loadSpellings(this.tx, definition, name)).filter((spelling) => spelling !== document.name)
    const [other = null] = others
    if (other !== null && !merge) throw duplicate(definition, other)
    const target =
      other === null ? null : await this.load(definition, others.length === 1 ? other : name, { lock: true })
    if (target === null && merge) {
      throw new RecordError(
        'DoesNotExistError',
        `${type.name} ${name} does not exist, so nothing can be merged into it.`,
      )
    }
    const shared = await this.#readShared(definition, id)
    const auditRecord = toAuditRecord(definition, document, shared)
    const newName = target?.document.name ?? name
    if (target !== null) await this.#removeRepeated(definition, document.name, newName)
    await renameLinks(this.tx, this.registry, definition.type, document.name, newName)
    await renameCustomLinks(this.tx, type.name, document.name, newName)
    this.forget(definition)
    if (target !== null) {
      await definition.storage?.merge?.(this, id, target.id)
      if (definition.storage === null) await deleteRecord(this.tx, definition, id)
      else await definition.storage.remove(this, id, document)
      recordChange(this, definition, id, 'deleted', auditRecord, null, target.id)
      return target.document.name
    }
    if (definition.storage === null) await this.#renameRow(definition, id, name)
    else await definition.storage.rename(this, id, name, shared)
    const renamed = toAuditRecord(definition, { ...document, name }, await this.#readShared(definition, id))
    recordChange(this, definition, id, 'renamed', auditRecord, renamed)
    return name
  }

  async put<Type extends RecordType>(type: Type, name: string, fields: Partial<RecordOf<Type>>): Promise<void> {
    const definition = this.definition(type)
    const stored = await this.loadKnown(definition, name, { lock: true })
    const { id, document: before } = stored
    const document = { ...before, ...fields }
    if (isUnchanged(definition.type, document, before)) return
    const shared = await this.#readShared(definition, id)
    await this.#update(definition, stored, document, shared)
    const verb = document.docstatus === 2 && before.docstatus === 1 ? 'cancelled' : 'updated'
    const auditRecord = toAuditRecord(definition, document, await this.#readShared(definition, id))
    recordChange(this, definition, id, verb, toAuditRecord(definition, before, shared), auditRecord)
  }

  async touch(type: RecordType, names: readonly string[], change: () => Promise<void>): Promise<void> {
    const definition = this.definition(type)
    await this.lockAll(names.map((name) => ({ type, name })))
    const touched: (Stored & { readonly before: object })[] = []
    for (const name of new Set(names)) {
      const stored = await this.loadKnown(definition, name, { lock: true })
      const before = toAuditRecord(definition, stored.document, await this.#readShared(definition, stored.id))
      touched.push({ ...stored, before })
    }
    await change()
    if (touched.length === 0) return
    const ids = touched.map(({ id }) => id)
    await this.tx.query(sql`
      update ${identifier(getLockedTable(definition))}
         set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${this.tx.tenantId} and id = any(${ids}::uuid[])`)
    this.forget(definition)
    for (const { id, document, before } of touched) {
      const after = toAuditRecord(definition, document, await this.#readShared(definition, id))
      recordChange(this, definition, id, 'updated', before, after)
    }
  }

  /** Stores a changed, locked record by its docstatus transition: save, submit, change after submission, or cancel. */
  async #save(definition: RecordDefinition, stored: StoredRecord, document: AnyDocument): Promise<AnyDocument> {
    const { document: before } = stored
    if (document.modified !== before.modified) throw timestampMismatch(definition, before)
    this.#linkRowsToStored(definition, document)
    const isSingle = definition.type.kind === 'single'
    if (isSingle) document.docstatus = before.docstatus
    const transition = isSingle ? 'save' : getTransition(before.docstatus, document.docstatus)
    if (transition === 'cancel') return this.#cancel(definition, stored)
    if (transition === 'change') {
      await this.prefetchLinked(linkedNames(this.registry, definition.type, document))
      await fetchValues(this, this.registry, definition.type, document, { onlyAfterSubmission: true })
      requireFinalUnchanged(definition.type, document, before)
      await checkLinks(this, this.registry, definition.type, document, before)
      await requireSoundAndSafe(definition.type, document, before)
    } else {
      await this.#prepare(definition, document, before)
      await this.#validate(definition, document, before, { isSubmission: transition === 'submit' })
    }
    if (isUnchanged(definition.type, document, before)) return before
    const shared = await this.#readShared(definition, stored.id)
    await pauseForRows(definition.type, document)
    await this.#update(definition, stored, document, shared)
    if (transition === 'change') await this.#run(definition.rules.afterChange, document, before)
    else await this.#run(definition.rules.afterSave, document, before)
    if (transition === 'submit') await this.#run(definition.rules.afterSubmit, document, before)
    return this.#finish(definition, stored, shared, transition === 'submit' ? 'submitted' : 'updated')
  }

  /** Reads a record back, records its change in audit and events, and returns it. */
  async #finish(
    definition: RecordDefinition,
    { id, document: before }: StoredRecord,
    sharedBefore: object | null,
    verb: RecordVerb,
  ): Promise<AnyDocument> {
    const { document } = await this.loadKnown(definition, before.name)
    await pauseForRows(definition.type, document)
    const after = toAuditRecord(definition, document, await this.#readShared(definition, id))
    recordChange(this, definition, id, verb, toAuditRecord(definition, before, sharedBefore), after)
    return document
  }

  /** Fetches values from the linked records, and checks that these exist. */
  async #prepare(definition: RecordDefinition, document: AnyDocument, before: AnyDocument | null): Promise<void> {
    await pauseForRows(definition.type, document)
    await this.prefetchLinked(linkedNames(this.registry, definition.type, document))
    await fetchValues(this, this.registry, definition.type, document)
    await pauseForRows(definition.type, document)
    await checkLinks(this, this.registry, definition.type, document, before)
    await requireNoLoop(this, definition, document, before)
    await pauseForRows(definition.type, document)
    // A link may itself have been fetched, and a record created by the link check has values to fetch.
    await fetchValues(this, this.registry, definition.type, document)
    await pauseForRows(definition.type, document)
  }

  async #validate(
    definition: RecordDefinition,
    document: AnyDocument,
    before: AnyDocument | null,
    { isSubmission }: { readonly isSubmission: boolean },
  ) {
    await this.#run(definition.rules.validate, document, before)
    if (isSubmission) await this.#run(definition.rules.beforeSubmit, document, before)
    const nameField = findNameField(definition.type)
    if (nameField !== null) document[nameField] = document.name
    numberRows(definition.type, document, this.caller.user)
    await pauseForRows(definition.type, document)
    await requireSoundAndSafe(definition.type, document, before)
    await pauseForRows(definition.type, document)
    encryptSecrets(this.seal, this.tx.tenantId, definition.type, document, before)
    await requireUnique(this, definition.type, document, before)
  }

  async #insert(definition: RecordDefinition, id: string, document: AnyDocument): Promise<void> {
    const { storage, type } = definition
    if (storage !== null) await this.#requireFree(definition, document.name)
    const isNew =
      storage === null
        ? await insertRecord(this.tx, definition, this.caller.tenant.timeZone, id, document)
        : await storage.insert(this, id, document)
    this.forget(definition)
    if (!isNew) {
      await this.#requireFree(definition, document.name)
      await requireUnique(this, definition.type, document, null)
      throw new RecordError('DuplicateEntryError', `${type.name} ${document.name} already exists`)
    }
    storeCustomFields(this.tx, definition, id, document, null)
    await storeRows(this.tx, definition, id, document, new Map())
  }

  /** Throws `DuplicateEntryError` for a name that a record has, compared without case. */
  async #requireFree(definition: RecordDefinition, name: string): Promise<void> {
    const [taken] = await loadSpellings(this.tx, definition, name)
    if (taken !== undefined) throw duplicate(definition, taken)
  }

  /** Stores a record and its rows; does not read them back. */
  async #update(
    definition: RecordDefinition,
    { id, document: before, rowIds }: StoredRecord,
    document: AnyDocument,
    shared: object | null,
  ): Promise<void> {
    document.modified_by = this.caller.user
    numberRows(definition.type, document, this.caller.user)
    if (definition.storage === null) {
      await updateRecord(this.tx, definition, this.caller.tenant.timeZone, id, document)
    } else await definition.storage.update(this, id, document, before, shared)
    storeCustomFields(this.tx, definition, id, document, before)
    this.forget(definition)
    await storeRows(this.tx, definition, id, document, rowIds)
  }

  async #renameRow(definition: RecordDefinition, id: string, name: string): Promise<void> {
    const nameField = findNameField(definition.type)
    const field = nameField === null ? sql`` : sql`, ${columnOf(nameField)} = ${name}`
    await this.tx.query(sql`
      update ${columnOf(getTable(definition.type))} set name = ${name}${field}, version = version + 1,
             modified_by = ${this.caller.user}, updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${this.tx.tenantId} and id = ${id}`)
  }

  async #cancel(definition: RecordDefinition, stored: StoredRecord): Promise<AnyDocument> {
    const { rules, ignoredOnCancel } = definition
    const { id, document: before } = stored
    const document: AnyDocument = { ...before, docstatus: 2 }
    await this.#run(rules.beforeCancel, document, before)
    const shared = await this.#readShared(definition, id)
    await this.#update(definition, stored, document, shared)
    await this.#run(rules.afterCancel, document, before)
    const guard = { onlySubmitted: true, ignoredTypes: ignoredOnCancel }
    await requireUnlinked(this, this.registry, definition, id, document.name, guard)
    return this.#finish(definition, stored, shared, 'cancelled')
  }

  /** Removes the records that belong to this one by a Dynamic Link, such as attached files. */
  async #removeDependents({ type }: RecordDefinition, name: string): Promise<void> {
    const named = this.registry.dependents().map(({ owner, field, typeField, table }) => {
      return sql`
        select ${owner.type.name}::text as type, r.name from ${identifier(table)} r
         where r.tenant_id = ${this.tx.tenantId} and r.${columnOf(typeField ?? '')} = ${type.name}
           and r.${columnOf(field)} = ${name}`
    })
    const found = await this.tx.query<{ type: string; name: string }>(sql`${join(named, ' union all ')} order by 1, 2`)
    for (const each of found) await this.remove(this.registry.require(each.type).type, each.name)
  }

  /** Removes, on a merge, the dependents whose unique value the target record already has. */
  async #removeRepeated({ type }: RecordDefinition, from: string, into: string): Promise<void> {
    for (const { owner, field, typeField, table } of this.registry.dependents()) {
      if (owner.onceEach === null) continue
      const ofRecord = (alias: Sql, name: string) => sql`
        ${alias}.tenant_id = ${this.tx.tenantId} and ${alias}.${columnOf(typeField ?? '')} = ${type.name}
        and ${alias}.${columnOf(field)} = ${name}`
      const value = columnOf(owner.onceEach)
      const repeated = await this.tx.query<{ name: string }>(sql`
        select r.name from ${identifier(table)} r
         where ${ofRecord(sql`r`, from)} and exists (
           select from ${identifier(table)} o where ${ofRecord(sql`o`, into)} and lower(o.${value}) = lower(r.${value}))
         order by r.name`)
      for (const { name } of repeated) await this.remove(owner.type, name)
    }
  }

  async #run(rules: readonly Rule[] | undefined, document: AnyDocument, before: AnyDocument | null): Promise<void> {
    for (const rule of rules ?? []) await rule(document, this, before)
  }

  /** Completes rows that a rule added as plain objects. */
  #linkRowsToStored(definition: RecordDefinition, document: AnyDocument): void {
    for (const { field, rows } of getTableFields(definition.type)) {
      document[field] = (document[field] as AnyDocument[]).map((row) => ({ ...emptyDocument(rows), ...row }))
    }
  }

  /** The record of the Client API, where audit and events report that one. */
  async #readShared({ storage }: RecordDefinition, id: string): Promise<object | null> {
    return storage === null ? null : storage.read(this, id)
  }
}

/**
 * A record as audit rows and events report it: for one that the Client API shares, its record there with the fields of
 * this surface.
 */
function toAuditRecord({ storage, type }: RecordDefinition, document: AnyDocument, shared: object | null): object {
  if (storage === null || shared === null) return document
  const custom = shownTables.has(storage.table) ? [] : getCustomFields(type).map(([field]) => field)
  const own = [...storage.ownFields, ...custom]
  return { ...shared, ...Object.fromEntries(own.map((field) => [field, document[field]])) }
}

/** Validates a record and sanitizes its texts, which may make one too long. */
async function requireSoundAndSafe(type: RecordType, document: AnyDocument, before: AnyDocument | null): Promise<void> {
  requireSound(type, document, before)
  if (await makeTextsSafe(type, document, before)) requireSound(type, document, before)
  requireBounded(type, document, before)
}

function duplicate({ type }: RecordDefinition, name: string): RecordError {
  return new RecordError('DuplicateEntryError', `${type.name} ${name} already exists`, { title: 'Duplicate Name' })
}

function timestampMismatch({ type }: RecordDefinition, { name, modified }: AnyDocument): RecordError {
  return new RecordError(
    'TimestampMismatchError',
    `${type.name} ${name} has been modified after you have opened it (${modified}). Read it again and repeat your change.`,
  )
}
