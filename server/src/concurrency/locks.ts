import {
  empty,
  getWhole,
  identifier,
  perTransaction,
  type Sql,
  sql,
  type Transaction,
  TransactionRestart,
} from '../database/index.ts'
import { findBatched } from './batch-loader.ts'
import { BatchConflict, takeForPart } from './batch-members.ts'
import { byLockOrder, type Lock } from './lock-order.ts'

/**
 * How a transaction locks. It waits only for what comes behind everything that it holds (`byLockOrder`). What comes before, it
 * takes if it is free; if it is not, the transaction begins again and takes it first, in its place. So nobody who waits is ever
 * waited for by the one whom it waits for.
 *
 * Renaming and removing records reach rows of every kind, and rows that link to them by foreign keys: `lockTenantExclusive`.
 */

/** What a transaction holds, and what it has learned to take first. */
interface LockBook {
  /** What is held, and by which part of a transaction that several share. */
  readonly held: Map<string, Transaction>
  last: Lock | null
  learned: readonly Lock[]
  share: 'none' | 'shared' | 'alone'
  /** How often it has waited in vain to work alone. */
  waits: number
}

const bookOf = perTransaction((): LockBook => ({ held: new Map(), last: null, learned: [], share: 'none', waits: 0 }))

const getLocation = ({ kind, key }: Lock) => `${kind} ${key}`

/** Locks rows of a table, by their ids, until the transaction ends, so that nobody else changes them. */
export async function lockRows(tx: Transaction, table: string, ids: readonly string[]): Promise<void> {
  await takeAll(
    tx,
    table,
    ids.map((id) => id.toLowerCase()),
  )
}

/**
 * Locks the row of a table that meets a condition on an alias, and gives its id; null when there is none. The condition must not
 * be met by several. Where the row was waited for it met the condition before, so look again.
 */
export async function lockRow(tx: Transaction, table: string, alias: string, condition: Sql): Promise<string | null> {
  const book = bookOf(tx)
  const found = foundBy(tx, table, alias, condition)
  const isLast = isBehind(book, table)
  if (isLast) lockTenantShared(tx)
  const [row] = await tx.query<{ id: string }>(isLast ? sql`${found} for no key update` : found)
  if (row === undefined) return null
  if (isLast) note(tx, [{ kind: table, key: row.id }])
  else await lockRows(tx, table, [row.id])
  return row.id
}

/** A row that is locked before another one, where that one names it. */
export interface LockedBefore {
  readonly table: string
  readonly alias: string
  /** Its column that has the name. */
  readonly column: string
  /** The column of the other one that names it. */
  readonly namedBy: string
}

/** What a statement that locks tells beside the record. */
interface LockedRow {
  /** A stamp of a moment from which on nobody else changes it. */
  readonly locked_at: string
  /** The id of the row that was locked before it; null where there was none. */
  readonly before_id: string | null
}

/**
 * Locks the row of a table that meets a condition on an alias, as `lockRow` does, and reads it as it is then: `reading` gives the
 * statement for a condition. Where `before` is given, that row is locked first. All is one statement. Null when there is none.
 */
export async function lockAndRead<Row extends object>(
  tx: Transaction,
  table: string,
  alias: string,
  condition: Sql,
  reading: (condition: Sql) => Sql,
  before?: LockedBefore,
): Promise<(Row & LockedRow) | null> {
  const record = identifier(alias)
  const read = async (id: string, beforeId: string | null) => {
    // What the row was found by may have changed while it was waited for.
    const [row] = await tx.query<Row & { readonly locked_at: string }>(
      sql`select found.*, current_stamp() as locked_at from (${reading(sql`${record}.id = ${id} and ${condition}`)}) found`,
    )
    return row === undefined ? null : { ...row, before_id: beforeId }
  }
  const book = bookOf(tx)
  const named = before === undefined ? null : isNamed(tx, before, table, alias, condition)
  if (!isBehind(book, before?.table ?? table)) {
    const beforeId =
      before === undefined || named === null ? null : await lockRow(tx, before.table, before.alias, named)
    const id = await lockRow(tx, table, alias, condition)
    return id === null ? null : read(id, beforeId)
  }
  lockTenantShared(tx)
  const [row] = await tx.query<Row & LockedRow & { locked_id: string; is_current: boolean }>(sql`
    with ${
      before === undefined || named === null
        ? empty
        : sql`before as materialized (${foundBy(tx, before.table, before.alias, named)} for no key update),`
    }
    locked as materialized (
      select ${record}.id, ${record}.ctid as place from ${identifier(table)} ${record}
       where ${record}.tenant_id = ${tx.tenantId} and ${condition}
         -- To know how many there are, they are locked first.
         ${before === undefined ? empty : sql`and (select count(*) from before) >= 0`}
         for no key update
    )
    select found.*, locked.id as locked_id, current_stamp() as locked_at,
           ${before === undefined ? sql`null` : sql`(select id from before)`} as before_id,
           locked.place = (select seen.ctid from ${identifier(table)} seen
                            where seen.tenant_id = ${tx.tenantId} and seen.id = locked.id) as is_current
      from locked
      left join (${reading(sql`${record}.id = (select id from locked)`)}) found on true`)
  if (row === undefined) return null
  const { locked_id: id, is_current: isCurrent, ...found } = row
  if (before !== undefined && found.before_id !== null) note(tx, [{ kind: before.table, key: found.before_id }])
  note(tx, [{ kind: table, key: id }])
  // The statement sees what was there when it began, and whoever held the row has changed it since.
  return isCurrent ? (found as unknown as Row & LockedRow) : read(id, found.before_id)
}

/** The condition on what is locked before, that a record names it which meets a condition on its alias. */
function isNamed(tx: Transaction, before: LockedBefore, table: string, alias: string, condition: Sql): Sql {
  const record = identifier(alias)
  return sql`
    ${identifier(before.alias)}.${identifier(before.column)} = any (array(
      select ${record}.${identifier(before.namedBy)} from ${identifier(table)} ${record}
       where ${record}.tenant_id = ${tx.tenantId} and ${condition}))`
}

/** A column that names a record: no other of the tenant has the same value. */
export interface RecordKey {
  readonly column: 'id' | 'external_id'
  readonly value: string
}

/** The condition that a record of an alias has one of these values in its key. */
export function hasKey(alias: string, column: RecordKey['column'], values: readonly string[]): Sql {
  const [only, ...others] = values
  const named = sql`${identifier(alias)}.${identifier(column)}`
  if (others.length === 0) return sql`${named} = ${only}`
  return column === 'id' ? sql`${named} = any (${values}::uuid[])` : sql`${named} = any (${values}::text[])`
}

/**
 * Locks the row of a table that has a key, as `lockAndRead` does; where it is for a part of a transaction that several share, all that are
 * asked for in the same turn are locked and read by one statement. Throws `BatchConflict` for what is not free, is not there, or names
 * something that is to be locked before it: then the part is done by itself.
 *
 * What is read beside the row must be nothing that whoever holds the row changes.
 */
export async function lockByKey<Row extends object>(
  tx: Transaction,
  table: string,
  alias: string,
  { column, value }: RecordKey,
  reading: (condition: Sql) => Sql,
  before?: LockedBefore,
): Promise<(Row & LockedRow) | null> {
  if (tx.whole === undefined) {
    return lockAndRead<Row>(tx, table, alias, hasKey(alias, column, [value]), reading, before)
  }
  const row = await findBatched(tx, `${table} by ${column}`, value, async (values, whole) => {
    if (!isBehind(bookOf(whole), table)) throw new BatchConflict()
    lockTenantShared(whole)
    const record = identifier(alias)
    const isFree = before === undefined ? empty : sql`and ${record}.${identifier(before.namedBy)} is null`
    const type = column === 'id' ? sql`uuid[]` : sql`text[]`
    const rows = await whole.query<Row & { id: string; external_id: string | null; locked_at: string }>(sql`
      select locked.*, current_stamp() as locked_at
        from unnest(${values}::${type}) as wanted (key),
             lateral (${reading(sql`${record}.${identifier(column)} = wanted.key ${isFree}`)}
                      for no key update of ${record} skip locked) locked`)
    const found = new Map(rows.map((each) => [each[column], each] as const))
    return values.map((wanted) => found.get(wanted))
  })
  if (row === undefined) throw new BatchConflict()
  const lock = { kind: table, key: row.id }
  if (isHeld(tx, lock)) throw new BatchConflict()
  note(tx, [lock])
  return { ...row, before_id: null }
}

function foundBy(tx: Transaction, table: string, alias: string, condition: Sql): Sql {
  const record = identifier(alias)
  return sql`
    select ${record}.id from ${identifier(table)} ${record} where ${record}.tenant_id = ${tx.tenantId} and ${condition}`
}

/** Whether a row of a table comes behind everything that is held, whatever its id is. */
function isBehind({ last }: LockBook, table: string): boolean {
  return last === null || byLockOrder({ kind: table, key: '' }, last) > 0
}

/** Locks rows of several tables, in their order. */
export async function lockInOrder(tx: Transaction, locks: readonly Lock[]): Promise<void> {
  const sorted = [...locks].sort(byLockOrder)
  for (const kind of new Set(sorted.map((lock) => lock.kind))) {
    const keys = sorted.filter((lock) => lock.kind === kind).map(({ key }) => key)
    await takeAll(tx, kind, keys)
  }
}

/** Locks the counter of names with this prefix: call it before it is changed. */
export async function lockCounter(tx: Transaction, prefix: string): Promise<void> {
  const book = bookOf(tx)
  const lock = { kind: prefix.startsWith('ACC-GLE-') ? 'ledger' : 'naming_series', key: prefix }
  // Whoever changes a counter waits for it then.
  if (book.last === null || byLockOrder(lock, book.last) > 0) {
    lockTenantShared(tx)
    note(tx, [lock])
  } else await takeAll(tx, lock.kind, [prefix])
}

/**
 * Waits until no other transaction of the tenant holds any of these subjects, and holds them until this one ends: for rules that
 * look whether something is there before they make it. Throws `BatchConflict` where another part of the transaction, done at once,
 * holds one.
 */
export async function takeAdvisoryLock(tx: Transaction, ...subjects: readonly string[]): Promise<void> {
  takeForPart(tx, subjects)
  await takeAll(tx, 'turn', subjects)
}

/** How often who asks for a whole tenant waits for others: what somebody waits for on a page, and what an operator does. */
export const maxWaits = { page: 4, operator: 40 } as const

/**
 * Waits until nobody else changes records of the tenant, and keeps them waiting until this transaction ends: for what reaches rows
 * of every kind. Call it before anything is locked; a transaction that works already begins again. Others wait behind whoever
 * waits here, so it lets them go on after a second and a half, and fails after the last time (SQLSTATE 55P03).
 */
export async function lockTenantExclusive(tx: Transaction, max: number = maxWaits.page): Promise<void> {
  const book = bookOf(tx)
  if (book.share === 'alone') return
  if (book.share === 'shared') throw beginExclusive(book, 0, max)
  book.share = 'alone'
  tx.send(sql`set local lock_timeout = '1500ms'`)
  try {
    await tx.query(sql`select pg_advisory_xact_lock(${workLock(tx)}) is null as held`)
  } catch (error) {
    const isTooLong = (error as { code?: string }).code === '55P03'
    throw isTooLong && book.waits + 1 < max ? beginExclusive(book, book.waits + 1, max) : error
  }
  tx.send(sql`set local lock_timeout to default`)
}

function beginExclusive({ learned }: LockBook, waits: number, max: number): TransactionRestart {
  return new TransactionRestart(async (next) => {
    bookOf(next).waits = waits
    await lockTenantExclusive(next, max)
    await takeLearned(next, learned)
  })
}

/** Says that the transaction changes records, so that nobody renames or removes any meanwhile. */
export function lockTenantShared(tx: Transaction): void {
  const book = bookOf(tx)
  if (book.share !== 'none') return
  book.share = 'shared'
  getWhole(tx).sendExpression(sql`pg_advisory_xact_lock_shared(${workLock(tx)}) is null as held`)
}

/** Remembers what is held, and gives a function that says that everything since was let go, as undoing a part does. */
export function rememberLocks(tx: Transaction): () => void {
  const book = bookOf(tx)
  const { last } = book
  const held = [...book.held]
  return () => {
    book.held.clear()
    for (const [location, holder] of held) book.held.set(location, holder)
    book.last = last
  }
}

function workLock(tx: Transaction): Sql {
  return sql`hashtextextended(${`${tx.tenantId} work`}, 0)`
}

async function takeAll(tx: Transaction, kind: string, keys: readonly string[]): Promise<void> {
  const book = bookOf(tx)
  const wanted = [...new Set(keys)].map((key): Lock => ({ kind, key })).filter((lock) => !isHeld(tx, lock))
  const [first] = wanted.sort(byLockOrder)
  if (first === undefined) return
  lockTenantShared(tx)
  const isInOrder = book.last === null || byLockOrder(first, book.last) > 0
  note(tx, wanted)
  const names = wanted.map(({ key }) => key)
  if (isInOrder) {
    await tx.query(waiting(tx, kind, names))
    return
  }
  const taken = await tx.query<{ key: string; is_taken: boolean }>(trying(tx, kind, names))
  if (taken.every(({ is_taken }) => is_taken)) return
  const learned = [...book.learned, ...wanted]
  const { share } = book
  throw new TransactionRestart(async (next) => {
    if (share === 'alone') await lockTenantExclusive(next)
    await takeLearned(next, learned)
  })
}

/** Takes, in their order, the locks that were not free when the transaction wanted them out of it. */
async function takeLearned(tx: Transaction, learned: readonly Lock[]): Promise<void> {
  bookOf(tx).learned = learned
  await lockInOrder(tx, learned)
}

/**
 * Whether a lock is held. Throws `BatchConflict` where another part of the transaction holds it, which is about to change what this one would
 * look at.
 */
function isHeld(tx: Transaction, lock: Lock): boolean {
  const holder = bookOf(tx).held.get(getLocation(lock))
  if (holder !== undefined && holder !== tx) throw new BatchConflict()
  return holder !== undefined
}

function note(tx: Transaction, locks: readonly Lock[]): void {
  const book = bookOf(tx)
  for (const lock of locks) {
    if (!isHeld(tx, lock)) book.held.set(getLocation(lock), tx)
    if (book.last === null || byLockOrder(lock, book.last) > 0) book.last = lock
  }
}

/** Takes locks one after the other, in the order in which their keys are given, and waits for each. */
function waiting(tx: Transaction, kind: string, keys: readonly string[]): Sql {
  if (kind === 'turn') {
    return sql`
      select pg_advisory_xact_lock(hashtextextended(${tx.tenantId} || ' ' || subject, 0)) is null as held
        from unnest(${keys}::text[]) as subject`
  }
  const { table, key, order, isOneOf } = getRows(tx, kind, keys)
  return sql`select ${key} as key from ${table} where ${isOneOf} order by ${order} for no key update`
}

/** Takes those of the locks that are free, and tells of each whether it is taken. */
function trying(tx: Transaction, kind: string, keys: readonly string[]): Sql {
  if (kind === 'turn') {
    return sql`
      select subject as key, pg_try_advisory_xact_lock(hashtextextended(${tx.tenantId} || ' ' || subject, 0)) as is_taken
        from unnest(${keys}::text[]) as subject`
  }
  const { table, key, order, isOneOf } = getRows(tx, kind, keys)
  return sql`
    with free as materialized (
      select ${key} as key from ${table} where ${isOneOf} order by ${order} for no key update skip locked
    )
    select ${key} as key, ${key} in (select free.key from free) as is_taken from ${table} where ${isOneOf}`
}

function getRows(tx: Transaction, kind: string, keys: readonly string[]) {
  const isCounter = kind === 'naming_series' || kind === 'ledger'
  const table = identifier(isCounter ? 'naming_series' : kind)
  const key = identifier(isCounter ? 'prefix' : 'id')
  // Prefixes go by their characters, as they do in this process, and not by the rules of a language.
  const order = isCounter ? sql`prefix collate "C"` : key
  const type = isCounter ? sql`text[]` : sql`uuid[]`
  return { table, key, order, isOneOf: sql`tenant_id = ${tx.tenantId} and ${key} = any(${keys}::${type})` }
}
