import { type RequestContext, requireMatch } from '../changes/index.ts'
import type { Lock } from '../concurrency/index.ts'
import { hasKey, lockInOrder, type RecordKey } from '../concurrency/index.ts'
import { type Database, identifier, type Sql, sql, type Transaction, TransactionRestart } from '../database/index.ts'
import { Problem } from '../errors/index.ts'
import { lockKeyed, type ReadDefinition, type Versioned, versioned } from './entity-reads.ts'
import type { SeriesNames } from './naming-series.ts'
import type { RecentInserts } from './recent-inserts.ts'

/** How records of one kind are created or changed by the externalId that their owner gives them. */
export interface Upserting<Row extends object, Item extends { readonly id: string }, Body> {
  readonly definition: ReadDefinition<Row, Item>
  /** The context in which a body is written. Throws the errors that need no query. */
  getContext(context: RequestContext, externalId: string, body: Body): RequestContext
  /**
   * The series that names one which is to be made; null where its body names it. Throws what a new one is refused
   * for.
   */
  findSeries(context: RequestContext, body: Body): string | null
  /** What is to be locked before the records with these ids are. */
  locksBefore?(tx: Transaction, ids: readonly string[]): Promise<Lock[]>
  /** Locks what comes before the one record that has a key, and then that record. */
  lock?(tx: Transaction, key: RecordKey): Promise<Versioned<Item> | null>
  /** Makes the record, under the name of the series where one was taken. Null when a unique value is taken. */
  insert(
    tx: Transaction,
    context: RequestContext,
    externalId: string,
    body: Body,
    name: string | undefined,
  ): Promise<Versioned<Item> | null>
  /**
   * Inserts many records by one statement, and returns those that succeeded, by externalId. Each of the others is
   * then created, or rejected, by itself.
   */
  insertMany?(tx: Transaction, upserts: readonly Upsert<Body>[]): Promise<Map<string, Versioned<Item>>>
  /**
   * Whether `insertMany` looks for nothing, and makes nothing, that records of the kind share: then it may begin again before it has
   * ended (PostgreSQL manual, "Pipelining").
   */
  readonly isPipelined?: true
  /** Changes what the body names; gives `current` itself when it stays as it is. */
  change(tx: Transaction, context: RequestContext, current: Versioned<Item>, body: Body): Promise<Versioned<Item>>
  /** The problem when another unique value than the externalId is taken. */
  takenError(tx: Transaction, externalId: string, body: Body): Promise<Error>
}

/** Which record to create or change, and how. */
export interface Upsert<Body> {
  readonly externalId: string
  readonly body: Body
  readonly context: RequestContext
  /** The name that was taken from the series for a new record. */
  readonly name?: string | undefined
}

/** An upsert that is done, or the answer to one that needs no transaction. */
export type PreparedUpsert<Item> =
  | ((tx: Transaction) => Promise<Versioned<Item>>)
  | { readonly response: Versioned<Item> }

/** The services of upserts. */
export interface UpsertContext {
  readonly names: SeriesNames
  readonly recentInserts: RecentInserts
}

/**
 * Prepares to create the record with an externalId, or to change it. Two at once make one: whoever comes second finds
 * what the first made and changes it. One that stays as it is takes one read, and no transaction; one that is
 * expected to be new is made without a look. Throws `precondition_failed` for an If-Match while there is no record.
 */
export async function prepareUpsert<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  { names, recentInserts }: UpsertContext,
  database: Database,
  { externalId, body, context: asked }: Upsert<Body>,
): Promise<PreparedUpsert<Item>> {
  const context = upserting.getContext(asked, externalId, body)
  const { tenant } = context
  const upsert = { externalId, body, context }
  const takeName = async (series: string | null) =>
    series === null ? undefined : (await names.take(tenant.id, series, tenant.timeZone))[0]
  const series = recentInserts.expects(tenant.id) ? seriesOfNew(upserting, upsert) : undefined
  if (series !== undefined) return makeUnseen(upserting, recentInserts, upsert, await takeName(series))
  const current = (await lookUpAll(database, tenant.id, upserting.definition, [externalId])).get(externalId) ?? null
  recentInserts.note(tenant.id, current === null)
  if (current !== null) {
    const isUnchanged = await leavesUnchanged(upserting, current, upsert)
    if (isUnchanged) return { response: current }
  }
  const name = current === null ? await takeName(upserting.findSeries(context, body)) : undefined
  // Where another one makes it meanwhile, it is found when it is there already.
  const find = async (tx: Transaction) => (current === null ? null : findLocked(upserting, tx, externalId))
  return async (tx) => createOrChange(upserting, tx, upsert, await find(tx), name)
}

/**
 * The series of a record that is taken for a new one; undefined where that has to be looked up, because a new one
 * would be refused.
 */
function seriesOfNew<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  { context, body }: Upsert<Body>,
): string | null | undefined {
  if (context.ifMatch !== null) return undefined
  try {
    return upserting.findSeries(context, body)
  } catch {
    return undefined
  }
}

/**
 * Makes a record that is taken for a new one. Where it is there after all, or a new one is refused, it is looked for
 * first.
 */
function makeUnseen<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  recentInserts: RecentInserts,
  upsert: Upsert<Body>,
  name: string | undefined,
): (tx: Transaction) => Promise<Upserted<Item>> {
  const { externalId, context } = upsert
  let isLookedFor = false
  return async (tx) => {
    try {
      const current = isLookedFor ? await findLocked(upserting, tx, externalId) : null
      const made = await createOrChange(upserting, tx, upsert, current, name)
      if (made.outcome !== 'created') recentInserts.note(context.tenant.id, false)
      return made
    } catch (error) {
      if (isLookedFor || !(error instanceof Problem)) throw error
      isLookedFor = true
      recentInserts.note(context.tenant.id, false)
      throw new TransactionRestart()
    }
  }
}

/** The records with these externalIds, by them. */
export async function lookUpAll<Row extends object, Item>(
  database: Database,
  tenantId: string,
  definition: ReadDefinition<Row, Item>,
  externalIds: readonly string[],
): Promise<Map<string, Versioned<Item>>> {
  if (externalIds.length === 0) return new Map()
  const statement = definition.select(tenantId, hasExternalId(definition, externalIds))
  // Many records at once would keep others waiting on a shared connection.
  const rows = await (externalIds.length === 1
    ? database.read<Row>(tenantId, statement)
    : database.readSlowly<Row>(tenantId, statement))
  return byExternalId(definition, rows)
}

/** Which of these externalIds records have. */
export async function whichAreThere<Row extends object, Item>(
  database: Database,
  tenantId: string,
  definition: ReadDefinition<Row, Item>,
  externalIds: readonly string[],
): Promise<Set<string>> {
  if (externalIds.length === 0) return new Set()
  const found = await database.readSlowly<Keys>(tenantId, getKeys(tenantId, definition, externalIds))
  return new Set(found.map(({ external_id }) => external_id))
}

interface Keys {
  readonly id: string
  readonly external_id: string
}

/** The ids of the records that have these externalIds. */
function getKeys<Row extends object, Item>(
  tenantId: string,
  definition: ReadDefinition<Row, Item>,
  externalIds: readonly string[],
): Sql {
  const record = identifier(definition.alias)
  return sql`
    select ${record}.id, ${record}.external_id from ${identifier(definition.table)} ${record}
     where ${record}.tenant_id = ${tenantId} and ${hasExternalId(definition, externalIds)}`
}

/**
 * Locks the records that have these externalIds, and what is locked before them, in their order. Gives their ids by
 * externalId; `readLocked` reads what became of them while they were waited for.
 */
export async function lockAll<Row extends object, Item extends { readonly id: string }, Body>(
  { definition, locksBefore }: Upserting<Row, Item, Body>,
  tx: Transaction,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const found = await tx.query<Keys>(getKeys(tx.tenantId, definition, externalIds))
  const ids = found.map(({ id }) => id)
  const before = ids.length === 0 ? [] : ((await locksBefore?.(tx, ids)) ?? [])
  await lockInOrder(tx, [...before, ...ids.map((key) => ({ kind: definition.table, key }))])
  return new Map(found.map(({ id, external_id }) => [external_id, id]))
}

/** Those of the records with these externalIds that `lockAll` has locked, by externalId. */
export async function readLocked<Row extends object, Item extends { readonly id: string }>(
  definition: ReadDefinition<Row, Item>,
  tx: Transaction,
  locked: ReadonlyMap<string, string>,
  externalIds: readonly string[],
): Promise<Map<string, Versioned<Item>>> {
  const known = externalIds.filter((externalId) => locked.has(externalId))
  if (known.length === 0) return new Map()
  const rows = await tx.query<Row>(definition.select(tx.tenantId, hasExternalId(definition, known)))
  // Another one may have been given the externalId since.
  return new Map(
    [...byExternalId(definition, rows)].filter(([externalId, { record }]) => locked.get(externalId) === record.id),
  )
}

function hasExternalId({ alias }: Pick<ReadDefinition<never, unknown>, 'alias'>, externalIds: readonly string[]): Sql {
  return hasKey(alias, 'external_id', externalIds)
}

function byExternalId<Row extends object, Item>(definition: ReadDefinition<Row, Item>, rows: readonly Row[]) {
  return new Map(rows.map((row) => [(row as { external_id: string }).external_id, versioned(definition, row)] as const))
}

/** The record with an externalId, locked; null when there is none. */
function findLocked<Row extends object, Item extends { readonly id: string }, Body>(
  { definition, lock }: Upserting<Row, Item, Body>,
  tx: Transaction,
  externalId: string,
): Promise<Versioned<Item> | null> {
  const key = { column: 'external_id', value: externalId } as const
  return lock === undefined ? lockKeyed(tx, definition, key) : lock(tx, key)
}

/** The record as an upsert has left it. */
export interface Upserted<Item> extends Versioned<Item> {
  readonly outcome: 'created' | 'updated' | 'unchanged'
}

/** Changes the record that was found and locked, or makes one. */
export async function createOrChange<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  tx: Transaction,
  { externalId, body, context }: Upsert<Body>,
  current: Versioned<Item> | null,
  name: string | undefined,
): Promise<Upserted<Item>> {
  const change = async (found: Versioned<Item>): Promise<Upserted<Item>> => {
    const changed = await upserting.change(tx, context, found, body)
    return { ...changed, outcome: changed === found ? 'unchanged' : 'updated' }
  }
  if (current !== null) return change(current)
  requireMatch(context, null)
  const created = await upserting.insert(tx, context, externalId, body, name)
  if (created !== null) return { ...created, isNew: true, outcome: 'created' }
  const winner = await findLocked(upserting, tx, externalId)
  if (winner === null) throw await upserting.takenError(tx, externalId, body)
  return change(winner)
}

/** Thrown where a transaction is needed. */
const noTransaction = (tenantId: string): Transaction => {
  const refuse = (): never => {
    throw new Error('this needs a transaction')
  }
  return { tenantId, query: refuse, send: refuse, sendExpression: refuse, atEnd: refuse, kept: new Map() }
}

/**
 * Whether a record stays as it is, told without a transaction. Not where the change has to look at more, or refuses: a
 * transaction then finds out what is to be done.
 */
export async function leavesUnchanged<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  current: Versioned<Item>,
  { context, body }: Upsert<Body>,
): Promise<boolean> {
  try {
    return (await upserting.change(noTransaction(context.tenant.id), context, current, body)) === current
  } catch {
    return false
  }
}
