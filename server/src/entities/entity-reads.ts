import type { RecordList } from '../changes/index.ts'
import { type LockedBefore, lockAndRead, lockByKey, type RecordKey } from '../concurrency/index.ts'
import {
  type Database,
  identifier,
  madeOnce,
  type Sql,
  type Statement,
  sql,
  type Transaction,
} from '../database/index.ts'
import { notFoundProblem } from '../errors/index.ts'
import { isUuid } from '../values/index.ts'

/** A record with its entity tag (RFC 9110 §8.8.3), or null where the operation has none. */
export interface Versioned<Item> {
  readonly record: Item
  readonly entityTag: string | null
  /** True when an upsert created the record. */
  readonly isNew?: boolean
  /** The id of the created record, where the response has more than it. */
  readonly locationId?: string
}

/** A record locked until the end of the transaction. */
export interface Locked<Item> extends Versioned<Item> {
  /** A timestamp at or after the lock. */
  readonly lockedAt: string
  /** The id of the row that was to be locked before it; null where there was none. */
  readonly beforeId: string | null
}

/** How the records of one table are read. */
export interface ReadDefinition<Row, Item> extends RecordList {
  /** The alias that conditions give the table. */
  readonly alias: string
  /** The records that meet a condition, with at least the columns id and created_at. */
  readonly select: (tenantId: string, condition: Sql) => Sql
  readonly toRecord: (row: Row) => Item
  /** The versions of everything that the record shows; it changes whenever the record reads differently. */
  readonly versions: (row: Row) => readonly number[]
}

/** Reads one record by its id. Throws `resource_not_found`, also for an id that is not a UUID. */
export async function readOne<Row extends object, Item>(
  database: Database,
  tenantId: string,
  definition: ReadDefinition<Row, Item>,
  id: string,
): Promise<Versioned<Item>> {
  const [row] = isUuid(id)
    ? await database.read<Row>(tenantId, statementOfOne(definition)(tenantId, id.toLowerCase()))
    : []
  if (row === undefined) throw notFoundProblem(definition.noun)
  return versioned(definition, row)
}

type StatementOfOne = (tenantId: string, id: string) => Statement

const statementsOfOne = new WeakMap<object, StatementOfOne>()

/**
 * The statement that reads one record by its id. Of several each is looked up by itself: of an array PostgreSQL does
 * not know how many it has, and of a tenant not how much that has, so it may prefer to read all of the tenant's.
 */
function statementOfOne({ alias, select }: Pick<ReadDefinition<never, unknown>, 'alias' | 'select'>): StatementOfOne {
  const known = statementsOfOne.get(select)
  if (known !== undefined) return known
  const ofOne = madeOnce((tenantId: string, id: string) => select(tenantId, sql`${identifier(alias)}.id = ${id}`))
  const ofMany = madeOnce(
    (tenantId: string, ids: readonly string[]) => sql`
      select found.*
        from unnest(${ids}::uuid[]) as asked (id)
       cross join lateral (${select(tenantId, sql`${identifier(alias)}.id = asked.id`)} limit 1) as found`,
  )
  const statement: StatementOfOne = (tenantId, id) => {
    const { text, name, values } = ofOne(tenantId, id)
    return { text, name, values, keyed: { id, ofMany } }
  }
  statementsOfOne.set(select, statement)
  return statement
}

/** Reads one record inside a transaction. Null when the tenant has no such record. */
export async function findOne<Row extends object, Item>(
  tx: Transaction,
  definition: ReadDefinition<Row, Item>,
  condition: Sql,
): Promise<Versioned<Item> | null> {
  const [row] = await tx.query<Row>(definition.select(tx.tenantId, condition))
  return row === undefined ? null : versioned(definition, row)
}

/** Reads the records that meet a condition inside a transaction, in no order. The condition bounds their number. */
export async function findMany<Row extends object, Item>(
  tx: Transaction,
  definition: ReadDefinition<Row, Item>,
  condition: Sql,
): Promise<Item[]> {
  return (await tx.query<Row>(definition.select(tx.tenantId, condition))).map(definition.toRecord)
}

/** Reads a record that the same transaction has just written. */
export async function readBack<Row extends object, Item>(
  tx: Transaction,
  definition: ReadDefinition<Row, Item>,
  id: string,
): Promise<Versioned<Item>> {
  const found = await findOne(tx, definition, sql`${identifier(definition.alias)}.id = ${id}`)
  if (found === null) throw new Error(`the ${definition.noun} that was written is not there`)
  return found
}

/**
 * Locks a record until the transaction ends, then reads it as it is now; `before` is locked first. Null when there is
 * no record.
 */
export async function lockOne<Row extends object, Item>(
  tx: Transaction,
  definition: ReadDefinition<Row, Item>,
  condition: Sql,
  before?: LockedBefore,
): Promise<Locked<Item> | null> {
  const { table, alias, select } = definition
  const row = await lockAndRead<Row>(tx, table, alias, condition, (met) => select(tx.tenantId, met), before)
  return row === null ? null : { ...versioned(definition, row), lockedAt: row.locked_at, beforeId: row.before_id }
}

/** The same for the record with a key; members of a batch lock together. */
export async function lockKeyed<Row extends object, Item>(
  tx: Transaction,
  definition: ReadDefinition<Row, Item>,
  key: RecordKey,
  before?: LockedBefore,
): Promise<Locked<Item> | null> {
  const { table, alias, select } = definition
  const row = await lockByKey<Row>(tx, table, alias, key, (met) => select(tx.tenantId, met), before)
  return row === null ? null : { ...versioned(definition, row), lockedAt: row.locked_at, beforeId: row.before_id }
}

/** Locks a record by its id. Throws `resource_not_found`, also for an id that is not a UUID. */
export async function requireLocked<Row extends object, Item>(
  tx: Transaction,
  definition: ReadDefinition<Row, Item>,
  id: string,
): Promise<Locked<Item>> {
  const found = isUuid(id) ? await lockKeyed(tx, definition, { column: 'id', value: id.toLowerCase() }) : null
  if (found === null) throw notFoundProblem(definition.noun)
  return found
}

/** A row as its record, with the tag of its version. */
export function versioned<Row, Item>(definition: ReadDefinition<Row, Item>, row: Row): Versioned<Item> {
  return { record: definition.toRecord(row), entityTag: `"${definition.versions(row).join('.')}"` }
}

/**
 * The record that results from writing these values, with the timestamp of the response: computed, so that the write
 * need not be read back.
 */
export function asWritten<Item extends { readonly updatedAt: string }>(
  { record, entityTag, lockedAt }: Locked<Item>,
  values: Item,
): Versioned<Item> {
  const updatedAt = lockedAt > record.updatedAt ? lockedAt : record.updatedAt
  const [version, ...shown] = (entityTag ?? '').slice(1, -1).split('.')
  return { record: { ...values, updatedAt }, entityTag: `"${[Number(version) + 1, ...shown].join('.')}"` }
}
