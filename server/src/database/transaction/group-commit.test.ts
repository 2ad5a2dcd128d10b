import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { untilWaiting } from '../../testing/fixtures/waiting.ts'
import { Cancelled, DatabaseUnavailable, sql, type Transaction } from '../index.ts'

// These tests lock as nothing in the service does.
const service = await startTestService({ guardsLocks: false })
const { data, database } = service

/** A tenant, with what its writes are done by. */
async function aTenant() {
  const { id } = await service.tenant()
  return {
    id,
    join: <Result>(work: (tx: Transaction) => Promise<Result>, from = data, kind = 'counters') =>
      from.transactionAmongOthers(id, kind, work),
    counters: () =>
      data.read<{ prefix: string; current: number }>(
        id,
        sql`select prefix, current from naming_series where tenant_id = ${id} order by prefix`,
      ),
  }
}

/** Counts one up, and tells in which transaction. */
const countUp = (prefix: string) => async (tx: Transaction) => {
  const [row] = await tx.query<{ transaction: string }>(sql`
    insert into naming_series (tenant_id, prefix, current) values (${tx.tenantId}, ${prefix}, 1)
    on conflict (tenant_id, prefix) do update set current = naming_series.current + 1
    returning pg_current_xact_id()::text as transaction`)
  return row?.transaction
}

const fail = (message: string) => async (tx: Transaction) => {
  await countUp('failed')(tx)
  throw new Error(message)
}

test('writes of a kind that a tenant asks for at once go in one transaction; those of another kind or tenant do not', async () => {
  const [one, other] = [await aTenant(), await aTenant()]
  const [first, second, ofOtherKind, ofOther] = await Promise.all([
    one.join(countUp('A')),
    one.join(countUp('B')),
    one.join(countUp('C'), data, 'others'),
    other.join(countUp('A')),
  ])
  assert.equal(first, second)
  assert.equal(new Set([first, ofOtherKind, ofOther]).size, 3)
  assert.deepEqual(await one.counters(), [
    { prefix: 'A', current: 1 },
    { prefix: 'B', current: 1 },
    { prefix: 'C', current: 1 },
  ])
})

test('no more go together than the first of them waits for', async () => {
  const { join, counters } = await aTenant()
  const transactions = await Promise.all(Array.from({ length: 70 }, () => join(countUp('A'))))
  const sizes = [...new Set(transactions)].map((each) => transactions.filter((other) => other === each).length)
  assert.ok(Math.max(...sizes) <= 24 && Math.max(...sizes) > 1, `${sizes}`)
  assert.deepEqual(await counters(), [{ prefix: 'A', current: 70 }])
})

test('few wait for the one that goes on, and go together with those who come meanwhile', async () => {
  const { join } = await aTenant()
  const goingOn = Array.from({ length: 8 }, () => join(countUp('A')))
  await turn()
  const late = join(countUp('B'))
  await turn()
  const later = join(countUp('C'))
  const [first, ...others] = await Promise.all([...goingOn, late, later])
  assert.deepEqual(others.slice(0, 7), Array(7).fill(first))
  assert.equal(await late, await later)
  assert.notEqual(await late, first)
})

test('one that fails before it has sent anything fails alone, and the others go on together', async () => {
  const { join, counters } = await aTenant()
  const reported = await Promise.allSettled([
    join(countUp('A')),
    join(async () => {
      throw new Error('refused')
    }),
    join(countUp('B')),
  ])
  const [first, rejected, last] = reported
  assert.equal(rejected?.status === 'rejected' && rejected.reason.message, 'refused')
  assert.ok(first?.status === 'fulfilled' && last?.status === 'fulfilled' && first.value === last.value)
  assert.deepEqual(await counters(), [
    { prefix: 'A', current: 1 },
    { prefix: 'B', current: 1 },
  ])
})

test('where one fails after it has sent something all is undone, and each is done by itself and once', async () => {
  const { join, counters } = await aTenant()
  const reported = await Promise.allSettled([join(countUp('A')), join(fail('refused')), join(countUp('B'))])
  const [first, rejected, last] = reported
  assert.equal(rejected?.status === 'rejected' && rejected.reason.message, 'refused')
  assert.ok(first?.status === 'fulfilled' && last?.status === 'fulfilled' && first.value !== last.value)
  assert.deepEqual(await counters(), [
    { prefix: 'A', current: 1 },
    { prefix: 'B', current: 1 },
  ])
})

test('where the database refuses a statement of one the others are done by themselves and once', async () => {
  const { join, counters } = await aTenant()
  const reported = await Promise.allSettled([
    join(countUp('A')),
    join(async (tx) => tx.send(sql`select 1 / 0`)),
    join(countUp('B')),
  ])
  assert.deepEqual(
    reported.map((each) => each.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.match((reported[1] as PromiseRejectedResult).reason.message, /division by zero/)
  assert.deepEqual(await counters(), [
    { prefix: 'A', current: 1 },
    { prefix: 'B', current: 1 },
  ])
})

test('one that waits for a lock keeps those that it met no longer than a moment, and is done when the lock is free', async () => {
  const { id, join, counters } = await aTenant()
  await data.transaction(id, countUp('held'))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding = data.transaction(id, async (tx) => {
    await countUp('held')(tx)
    await released
  })
  await untilHeld(id)
  const waiting = join(countUp('held'))
  await join(countUp('free'))
  assert.deepEqual(await counters(), [
    { prefix: 'free', current: 1 },
    { prefix: 'held', current: 1 },
  ])
  await untilWaiting(database, 1)
  release()
  await Promise.all([holding, waiting])
  assert.deepEqual(await counters(), [
    { prefix: 'free', current: 1 },
    { prefix: 'held', current: 3 },
  ])
})

test('one whose client is gone before they begin is not done', async () => {
  const { join, counters } = await aTenant()
  const controller = new AbortController()
  const unwanted = join(countUp('gone'), data.for({ signal: controller.signal }))
  const wanted = Promise.all([join(countUp('A')), join(countUp('B'))])
  controller.abort()
  await assert.rejects(unwanted, Cancelled)
  await wanted
  assert.deepEqual(await counters(), [
    { prefix: 'A', current: 1 },
    { prefix: 'B', current: 1 },
  ])
})

test('where the connection is lost all are told so, and none is tried again', async () => {
  const { id, join, counters } = await aTenant()
  const cut = async (tx: Transaction) => {
    const [backend] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.inspectAt(id, 'select pg_terminate_backend($1::int, 5000)', [backend?.pid])
    await tx.query(sql`select 1 as one`)
  }
  let tries = 0
  const counted = async (tx: Transaction) => {
    tries += 1
    await countUp('A')(tx)
  }
  const reported = await Promise.allSettled([join(counted), join(cut)])
  for (const each of reported) assert.ok(each.status === 'rejected' && each.reason instanceof DatabaseUnavailable)
  assert.equal(tries, 1)
  assert.deepEqual(await counters(), [])
})

/** Waits until somebody holds the counter. */
async function untilHeld(id: string): Promise<void> {
  for (;;) {
    const free = await data.transaction(id, (tx) =>
      tx.query(sql`
        select 1 as free from naming_series where tenant_id = ${id} and prefix = 'held' for update skip locked`),
    )
    if (free.length === 0) return
  }
}
