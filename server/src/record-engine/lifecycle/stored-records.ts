import type { RecordType } from '@matricula/contract/record-types'
import type { Lock } from '../../concurrency/index.ts'
import { lockInOrder, together } from '../../concurrency/index.ts'
import { column as columnOf, identifier, isOneOf, type Sql, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import { takesCustomFields } from '../custom-fields/tenant-records.ts'
import type { Caller } from '../model/caller.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument, RecordOf } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getRowRelation, type RecordRegistry } from '../model/record-registry.ts'
import { momentIn } from '../model/tenant-clock.ts'
import { applyDefaults } from './record-fields.ts'
import {
  emptyDocument,
  getLockedTable,
  type Loading,
  loadRecord,
  loadSpellings,
  type Stored,
  type StoredRecord,
  selectNamed,
  selectRecords,
  spelledNames,
} from './record-store.ts'
import type { RecordLocation, RecordWork, SiteDefaults } from './record-work.ts'
import { insertRecord } from './record-writes.ts'

/** Names of records of one type. */
interface Named {
  readonly definition: RecordDefinition
  readonly names: readonly string[]
}

/** Records of a type by their names, null for names that no record has, and those that are being read. */
class LinkedCache extends Map<string, AnyDocument | null> {
  readonly reading = new Map<string, Promise<AnyDocument | null>>()
}

/** From this number on, names without an exact match are looked up with one statement. */
const manyNames = 20

/** The stored records of a tenant, as work in one transaction reads them. What links name is read once. */
export abstract class StoredRecords {
  readonly tx: Transaction
  readonly caller: Caller
  readonly registry: RecordRegistry
  readonly now: string
  readonly today: string
  /** Cache of `linked`: records by type and name; null for names that no record has. */
  readonly #linked = new Map<string, LinkedCache>()
  #siteDefaults: Promise<SiteDefaults> | null = null

  constructor(tx: Transaction, caller: Caller, registry: RecordRegistry, moment: Date) {
    this.tx = tx
    this.caller = caller
    this.registry = registry
    this.now = momentIn(caller.tenant.timeZone, moment)
    this.today = this.now.slice(0, 10)
  }

  /** This object as rules see it. */
  protected abstract asWork(): RecordWork

  siteDefaults(): Promise<SiteDefaults> {
    this.#siteDefaults ??= this.registry.siteDefaults(this.asWork())
    return this.#siteDefaults
  }

  /** An arrow function, so that it can be destructured. */
  readonly findRecordLocation = (typeName: string): RecordLocation | null => {
    const definition = this.registry.find(typeName)
    if (definition === null || definition.computed !== null) return null
    const { type, relation } = definition
    return { type, relation, table: getLockedTable(definition), takesCustomFields: takesCustomFields(definition) }
  }

  async get<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type>> {
    return (await this.loadKnown(this.definition(type), name)).document as RecordOf<Type>
  }

  async find<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type> | null> {
    return ((await this.load(this.definition(type), name))?.document ?? null) as RecordOf<Type> | null
  }

  async linked<Type extends RecordType>(type: Type, name: string | null): Promise<RecordOf<Type> | null> {
    if (name === null || name === '') return null
    const known = this.#getLinkedCache(type)
    if (!known.has(name)) {
      // Parts of the work that go on at once read it once.
      const reading = known.reading.get(name) ?? this.#selectNamed(this.definition(type), name)
      known.reading.set(name, reading)
      known.set(name, await reading)
    }
    return known.get(name) as RecordOf<Type> | null
  }

  async prefetch(type: RecordType, names: readonly string[]): Promise<void> {
    await this.prefetchLinked(new Map([[this.definition(type), names]]))
  }

  async lockAll(named: readonly { readonly type: RecordType; readonly name: string }[]): Promise<void> {
    const names = new Map<RecordDefinition, string[]>()
    for (const { type, name } of named) {
      const definition = this.definition(type)
      if (definition.computed !== null) continue
      const ofType = names.get(definition)
      if (ofType === undefined) names.set(definition, [name])
      else ofType.push(name)
    }
    const locks: Lock[] = []
    for (const [definition, ofType] of names) {
      const found = await this.tx.query<{ key: string }>(sql`
        select r.id as key from ${identifier(definition.relation)} r
         where r.tenant_id = ${this.tx.tenantId} and ${isOneOf(sql`r.name`, ofType)}`)
      locks.push(...found.map(({ key }) => ({ kind: getLockedTable(definition), key })))
    }
    await lockInOrder(this.tx, locks)
  }

  /**
   * Fills the cache of `linked` with one statement; DataLoader-style batching with concurrent calls. A few names in
   * another case are read one by one later.
   */
  protected async prefetchLinked(named: ReadonlyMap<RecordDefinition, Iterable<string>>): Promise<void> {
    const stored = [...named].filter(([{ computed }]) => computed === null)
    const wanted = stored.map(([definition, names]) => {
      const known = this.#getLinkedCache(definition.type)
      return { definition, names: [...names].filter((name) => !known.has(name)) }
    })
    const unknown = wanted.filter(({ names }) => names.length > 0)
    if (unknown.length === 0) return
    await together(this.tx, 'linked', unknown, async (asked) => {
      await this.#readNamed(asked.flat())
      return asked
    })
  }

  async #readNamed(asked: readonly Named[]): Promise<void> {
    const wanted = new Map<RecordDefinition, Set<string>>()
    for (const { definition, names } of asked) {
      const ofType = wanted.get(definition) ?? new Set()
      wanted.set(definition, ofType)
      for (const name of names) ofType.add(name)
    }
    const unknown = [...wanted].map(([definition, names]) => ({ definition, names: [...names] }))
    for (const { type, document } of await selectNamed(this.tx, this.caller.tenant.timeZone, unknown)) {
      this.#getLinkedCache(this.registry.require(type).type).set(document.name, document)
    }
    for (const { definition, names } of unknown) await this.#cacheMissing(definition, names)
  }

  /**
   * Caches, with one statement, which of many names no record has in any case; each would take a statement of its own.
   */
  async #cacheMissing(definition: RecordDefinition, names: readonly string[]): Promise<void> {
    const known = this.#getLinkedCache(definition.type)
    const unread = names.filter((name) => !known.has(name))
    if (unread.length < manyNames) return
    const spelled = await spelledNames(this.tx, definition, unread)
    for (const name of unread) if (!spelled.has(name)) known.set(name, null)
  }

  #getLinkedCache({ name }: RecordType): LinkedCache {
    const known = this.#linked.get(name) ?? new LinkedCache()
    this.#linked.set(name, known)
    return known
  }

  /** The fields of the record that a name means without ambiguity, in any case; else null. */
  async #selectNamed(definition: RecordDefinition, name: string): Promise<AnyDocument | null> {
    if (definition.computed !== null) {
      // Whether a link's target exists does not depend on the caller.
      const { registry, caller } = this
      const view = { registry, caller: { ...caller, kind: 'user', roles: new Set(['System Manager']) } } as const
      return definition.computed(view).find((record) => record.name === name) ?? null
    }
    const [exact] = await this.selectStored(definition, sql`r.name = ${name}`)
    if (exact !== undefined) return exact.document
    const [spelling, another] = await loadSpellings(this.tx, definition, name)
    if (spelling === undefined || another !== undefined) return null
    const [found] = await this.selectStored(definition, sql`r.name = ${spelling}`)
    return found?.document ?? null
  }

  #computedRecord({ computed }: RecordDefinition, name: string): AnyDocument | null {
    return computed?.(this).find((record) => record.name === name) ?? null
  }

  async select<Type extends RecordType>(type: Type, condition: Sql, order?: Sql): Promise<RecordOf<Type>[]> {
    const found = await this.selectStored(this.definition(type), condition, order)
    return found.map(({ document }) => document as RecordOf<Type>)
  }

  /** The name of the record that has a row of this name in one of its tables, or null. */
  async parentOfRow(owner: RecordDefinition, field: string, rowName: string): Promise<string | null> {
    if (owner.computed !== null) {
      const holdsRow = (record: AnyDocument) => (record[field] as AnyDocument[]).some(({ name }) => name === rowName)
      return owner.computed(this).find(holdsRow)?.name ?? null
    }
    const [found] = await this.selectStored(
      owner,
      sql`r.id in (select c.parent_id from ${columnOf(getRowRelation(owner, field))} c
                    where c.tenant_id = ${this.tx.tenantId} and c.name = ${rowName})`,
    )
    return found?.document.name ?? null
  }

  protected definition(type: RecordType): RecordDefinition {
    return this.registry.require(type.name)
  }

  protected selectStored(definition: RecordDefinition, condition: Sql, order?: Sql): Promise<Stored[]> {
    return selectRecords(this.tx, definition, this.caller.tenant.timeZone, condition, order)
  }

  protected async load(definition: RecordDefinition, name: string, use: Loading = {}): Promise<StoredRecord | null> {
    if (definition.computed !== null) {
      const document = this.#computedRecord(definition, name)
      return document && { id: name, document, rowIds: new Map() }
    }
    const stored = await loadRecord(this.tx, definition, this.caller.tenant.timeZone, name, use)
    if (stored === null && definition.type.kind === 'single' && name === definition.type.name) {
      return this.#makeSingle(definition)
    }
    for (const rule of definition.rules.afterLoad ?? []) {
      if (stored !== null) await rule(stored.document, this.asWork(), stored.document)
    }
    return stored
  }

  /** Creates the record of a single type on first access. */
  async #makeSingle(definition: RecordDefinition): Promise<StoredRecord | null> {
    const document = emptyDocument(definition.type)
    const { caller, now, today } = this
    // The tenant's settings are such a record themselves.
    await applyDefaults({ caller, now, today, siteDefaults: noDefaults }, definition.type, document, {})
    Object.assign(document, { name: definition.type.name, owner: 'Administrator', modified_by: 'Administrator' })
    if (await insertRecord(this.tx, definition, this.caller.tenant.timeZone, newId(), document)) {
      // A read rolls back, and a later save of what was read must find the same stamps: those of the tenant's creation.
      await this.tx.query(sql`
        update ${identifier(definition.relation)} r set created_at = t.created_at, updated_at = t.created_at
          from tenants t
         where t.id = r.tenant_id and r.tenant_id = ${this.tx.tenantId} and r.name = ${definition.type.name}`)
    }
    return loadRecord(this.tx, definition, this.caller.tenant.timeZone, definition.type.name)
  }

  protected async loadKnown(definition: RecordDefinition, name: string, use: Loading = {}): Promise<StoredRecord> {
    const stored = await this.load(definition, name, use)
    if (stored !== null) return stored
    throw new RecordError('DoesNotExistError', `${definition.type.name} ${name.slice(0, 140)} not found`)
  }

  /** Drops the cached records of a type after a change. */
  protected forget(definition: RecordDefinition): void {
    this.#linked.delete(definition.type.name)
    if (definition.type.kind === 'single') this.#siteDefaults = null
  }
}

const noDefaults = async (): Promise<SiteDefaults> => ({
  links: {},
  belongsTo: {},
  isStrict: false,
  fiscalYearFirstMonth: 1,
})
