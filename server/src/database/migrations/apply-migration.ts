import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { splitStatements } from '../citus/split-statements.ts'
import { type Connection, clientOptions } from '../pool/connection.ts'
import type { Migration } from './migration-files.ts'

/** Hears how migrations go on. */
export interface MigrationLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Runs SQL of a migration on the connection that migrates. */
export type RunSql = (client: pg.Client, text: string) => Promise<void>

/** A migration could not get the locks that it needs, and changed nothing. The message says what to do. */
export class LockNotFree extends Error {}

/**
 * A statement that waits for a lock on a table holds up everybody who comes to the table after it. So it waits for no longer than this, and
 * tries again later.
 */
const lockTimeout = '1s'
const maxAttempts = 60
const pauseMilliseconds = { least: 500, most: 3_000 }
const tellEveryMilliseconds = 5_000
/** Between two batches, so that requests come first. */
const pauseBetweenBatches = 20

/** Somebody else holds a lock for too long, or waits for one of ours (SQLSTATE 55P03, 40P01). */
const isInTheWay = (error: unknown) =>
  error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '')

/** What a migration is applied with. */
export interface MigrationContext {
  readonly client: pg.Client
  readonly connection: Connection
  readonly run: RunSql
  readonly log: MigrationLog
}

/**
 * Applies one migration and notes it, in the way that it asks for. What is done concurrently or in batches goes on where it was
 * when it was ended in the middle.
 *
 * @throws LockNotFree when others held what it needs at each of many attempts
 */
export async function applyMigration(context: MigrationContext, migration: Migration): Promise<void> {
  const { client, log } = context
  const { name, way } = migration
  const begun = performance.now()
  log.info({ migration: name, way }, 'migration begins')
  if (way === 'at once') {
    await inTransaction(context, name, async () => {
      await context.run(client, migration.text)
      await note(client, migration)
    })
  } else {
    if (way === 'concurrently') await applyConcurrently(context, migration)
    else await applyInBatches(context, migration)
    await note(client, migration)
  }
  log.info({ migration: name, milliseconds: Math.round(performance.now() - begun) }, 'migration applied')
}

/** Runs work in a transaction that waits for locks a moment only; again, with pauses, while others hold them. */
export function inTransaction<Result>(
  context: Pick<MigrationContext, 'client' | 'log'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { client } = context
  return patiently(context, name, async () => {
    await client.query('begin')
    try {
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

/** Runs work that may be done twice while it waits for locks a moment only; again, with pauses, while others hold them. */
export async function patiently<Result>(
  { client, log }: Pick<MigrationContext, 'client' | 'log'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(`set lock_timeout = '${lockTimeout}'`)
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (!isInTheWay(error)) throw error
        const oldest = await oldestTransaction(client)
        if (attempt === maxAttempts) {
          throw new LockNotFree(
            `The migration ${name} changed nothing, because others held what it needs at each of ${maxAttempts} attempts` +
              `${oldest === null ? '' : `; ${oldest}`}. End what runs for long, and start again.`,
          )
        }
        log.warn({ migration: name, attempt, oldest }, 'migration waits for others, and tries again')
        const { least: min, most: max } = pauseMilliseconds
        await pause(min + Math.random() * Math.min(max, attempt * min))
      }
    }
  } finally {
    await client.query('reset lock_timeout').catch(() => {})
  }
}

/** Who has been in a transaction for longest, in words, or null. */
async function oldestTransaction(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(`
    select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
      from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
     order by xact_start limit 1`)
  const [row] = rows
  return row === undefined
    ? null
    : `the oldest transaction is that of process ${row.pid} (${row.name}), ${row.seconds} s old`
}

/** Each statement by itself. An index whose building was ended in the middle is there but of no use, and is built anew. */
async function applyConcurrently(context: MigrationContext, { name, text }: Migration): Promise<void> {
  const { client, run } = context
  const { rows } = await client.query<{ index: string }>(`
    select c.relname as index from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and not i.indisvalid`)
  const names = new Set(text.split(/\W+/))
  for (const { index } of rows) {
    if (names.has(index)) await run(client, `drop index concurrently if exists ${pg.escapeIdentifier(index)}`)
  }
  for (const statement of splitStatements(text)) await tellingProgress(context, name, () => run(client, statement))
}

/** Logs every few seconds how far the building of an index is, as another session sees it. */
async function tellingProgress(
  { client, connection, log }: MigrationContext,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const watcher = new pg.Client(clientOptions(connection, 'owner', 'matricula migrate'))
  watcher.on('error', () => {})
  await watcher.connect()
  const tell = async () => {
    const { rows } = await watcher.query<{ phase: string; done: number }>(
      `select phase, round(100.0 * greatest(blocks_done, tuples_done) / nullif(greatest(blocks_total, tuples_total), 0))::integer as done
         from pg_stat_progress_create_index where pid = $1`,
      [pid],
    )
    const [row] = rows
    if (row !== undefined) log.info({ migration: name, phase: row.phase, percent: row.done }, 'migration goes on')
  }
  const timer = setInterval(() => tell().catch(() => {}), tellEveryMilliseconds)
  try {
    await work()
  } finally {
    clearInterval(timer)
    await watcher.end()
  }
}

async function applyInBatches(context: MigrationContext, { name, text }: Migration): Promise<void> {
  let rows = 0
  let toldAt = performance.now()
  for (;;) {
    const changed = await inTransaction(context, name, async () => (await context.client.query(text)).rowCount ?? 0)
    if (changed === 0) return
    rows += changed
    if (performance.now() - toldAt >= tellEveryMilliseconds) {
      toldAt = performance.now()
      context.log.info({ migration: name, rows }, 'migration goes on')
    }
    await pause(pauseBetweenBatches)
  }
}

async function note(client: pg.Client, { name, checksum, kind }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum, kind) values ($1, $2, $3)', [name, checksum, kind])
}
