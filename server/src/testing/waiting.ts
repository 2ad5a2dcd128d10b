import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { clientOptions, serverOf } from '../database/index.ts'
import { until } from './service-process.ts'
import type { TestDatabase } from './test-database.ts'

/** The time that an end of a right may take, in milliseconds. */
const endOfRight = 1000

/**
 * Asks until the answer is the wanted one, which each question that is put later than a second from now gets: the time that a
 * revocation may take. However long an answer takes, only when it was asked for counts.
 */
export async function withinASecond(ask: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + endOfRight
  for (let asked = performance.now(); !(await ask()); asked = performance.now()) {
    assert.ok(asked < until, 'it took more than a second')
    await wait(20)
  }
}

/** Holds the students of a tenant at its node, so that everything that needs them waits; gives how to let go. */
export function holdStudents(database: TestDatabase, tenantId: string): Promise<() => Promise<void>> {
  return hold(database, tenantId, (table) => `lock table ${table} in access exclusive mode`)
}

/** Holds one student of a tenant, so that whatever changes it waits and all else goes on; gives how to let go. */
export function holdStudent(database: TestDatabase, tenantId: string, fullName: string): Promise<() => Promise<void>> {
  const [tenant, name] = [tenantId, fullName].map(pg.escapeLiteral)
  return hold(
    database,
    tenantId,
    (table) => `select 1 from ${table} where tenant_id = ${tenant} and full_name = ${name} for update`,
  )
}

async function hold(
  { connection, workers }: TestDatabase,
  tenantId: string,
  held: (table: string) => string,
): Promise<() => Promise<void>> {
  const client = new pg.Client(clientOptions(await serverOf(connection, tenantId), 'owner'))
  await client.connect()
  let table = 'students'
  if (workers.length > 0) {
    const shard = `select shard_name('students', get_shard_id_for_distribution_column('students', $1::uuid)) as name`
    table = (await client.query<{ name: string }>(shard, [tenantId])).rows[0]?.name as string
    await client.query('set citus.enable_manual_changes_to_shards = on')
  }
  await client.query(`begin; ${held(table)}`)
  return () => client.end()
}

/** Waits until so many statements of a database wait for a lock, on whichever node where it is on a cluster. */
export async function untilWaiting({ inspectEach }: TestDatabase, count: number): Promise<void> {
  const waiting = `
    select pid from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`
  await until(async () => (await inspectEach(waiting)).length === count, `${count} statements that wait for a lock`)
}
