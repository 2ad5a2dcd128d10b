import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
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

/** Waits until so many statements of a database wait for a lock, on whichever node where it is on a cluster. */
export async function untilWaiting({ inspectEach }: TestDatabase, count: number): Promise<void> {
  const waiting = `
    select pid from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`
  await until(async () => (await inspectEach(waiting)).length === count, `${count} statements that wait for a lock`)
}
