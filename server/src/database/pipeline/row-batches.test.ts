import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { Database, ResultTooLarge, type RowBatches, sql } from '../index.ts'

const service = await startTestService()
const { database } = service
const { id } = await service.tenant()
/** Of this file alone, so that its connections can be counted. */
const data = new Database(database.connection, { connections: 1 })
afterFile(() => data.close())

const numbers = (count: number) => sql`select n, repeat('x', 100) as text from generate_series(1, ${count}::int) n`

async function all<Row extends object>(reading: RowBatches<Row>): Promise<Row[][]> {
  const batches: Row[][] = []
  for await (const rows of reading) batches.push(rows)
  return batches
}

/** What the sessions of the service are doing with a statement. */
const sessions = (part: string) =>
  database.inspectEach<{ state: string; query: string }>(
    `select state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%' || $1 || '%'`,
    [part],
  )

test('rows come in batches, in order and without a gap, whatever their number', async () => {
  for (const count of [0, 1, 99, 100, 101, 1100, 5000]) {
    const batches = await all(data.readRows<{ n: number }>(id, numbers(count)))
    const read = batches.flat().map(({ n }) => n)
    assert.deepEqual(
      read,
      Array.from({ length: count }, (_, index) => index + 1),
    )
    assert.ok(batches.every((rows) => rows.length > 0 && rows.length <= 1000))
  }
})

test('a batch holds about a quarter of a mebibyte, however long its rows are', async () => {
  const long = sql`select repeat('x', 100000) as text from generate_series(1, 300)`
  const sizes: number[] = []
  for await (const rows of data.readRows(id, long)) sizes.push(rows.length)
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    300,
  )
  assert.ok(Math.max(...sizes) <= 4, `${Math.max(...sizes)} rows of 100 kB at once`)
})

test('reading is of one tenant and cannot write', async () => {
  const [rows] = await all(
    data.readRows<{ tenant: string; isReadOnly: string }>(
      id,
      sql`select current_setting('matricula.tenant_id') as tenant, current_setting('transaction_read_only') as "isReadOnly"`,
    ),
  )
  assert.deepEqual(rows, [{ tenant: id, isReadOnly: 'on' }])
  // The next one on the same connection does not find what the reading had set.
  const [other] = await data.readSlowly<{ tenant: string }>(
    '00000000-0000-0000-0000-000000000001',
    sql`select current_setting('matricula.tenant_id') as tenant`,
  )
  assert.equal(other?.tenant, '00000000-0000-0000-0000-000000000001')
})

test('a reading that is ended early, or refused, frees its connection', async () => {
  for (let time = 0; time < 3; time += 1) {
    for await (const rows of data.readRows(id, numbers(1_000_000))) {
      assert.ok(rows.length > 0)
      break
    }
    await assert.rejects(all(data.readRows(id, sql`select 1 / (3 - n) from generate_series(1, 5) n`)), {
      code: '22012',
    })
  }
  // The pool has one connection, so it is free again.
  assert.deepEqual(await data.readSlowly(id, sql`select 1 as one`), [{ one: 1 }])
  await until(async () => (await sessions('listed')).every(({ state }) => state === 'idle'), 'nothing is left open')
})

test('an aborted reading ends its statement at once, also while nothing has come yet', async () => {
  const slow = sql`select pg_sleep(100) is null as aborted_reading`
  const controller = new AbortController()
  const reading = all(data.for({ signal: controller.signal }).readRows(id, slow))
  const rejected = assert.rejects(reading)
  await until(async () => (await sessions('listed')).some(({ state }) => state === 'active'), 'the statement runs')
  controller.abort()
  await rejected
  await until(async () => (await sessions('fetch')).length === 0, 'the session ends')
  assert.deepEqual(await data.readSlowly(id, sql`select 1 as one`), [{ one: 1 }])
})

test('an aborted reading frees its connection although nobody asks for more or ends it', async () => {
  // More than there are places and connections.
  for (let time = 0; time < 10; time += 1) {
    const controller = new AbortController()
    const reading = data.for({ signal: controller.signal }).readRows(id, numbers(1_000_000))
    assert.equal((await reading.next()).done, false)
    controller.abort()
  }
  assert.deepEqual(await data.readSlowly(id, sql`select 1 as one`), [{ one: 1 }])
})

test('what a statement answers is held up to a bound, and the next one works', async () => {
  const large = sql`select repeat('x', 1000000) as text from generate_series(1, 13)`
  await assert.rejects(data.readSlowly(id, large), ResultTooLarge)
  await assert.rejects(data.read(id, large), ResultTooLarge)
  await assert.rejects(
    data.transaction(id, (tx) => tx.query(large)),
    ResultTooLarge,
  )
  assert.equal((await data.readSlowly(id, large, 20_000_000)).length, 13)
  const small = sql`select 1 as one`
  assert.deepEqual(await data.readSlowly(id, small), [{ one: 1 }])
  assert.deepEqual(await data.read(id, small), [{ one: 1 }])
  assert.deepEqual(await data.transaction(id, (tx) => tx.query(small)), [{ one: 1 }])
})

test('a statement that answers much leaves the shared connections after the first time', async () => {
  const large = sql`select repeat('x', 1000000) as text, pg_backend_pid() as pid`
  const shared = new Set<number>()
  for (let time = 0; time < 10; time += 1) {
    const [row] = await data.read<{ pid: number }>(id, sql`select pg_backend_pid() as pid`)
    shared.add(row?.pid as number)
  }
  const [first] = await data.read<{ pid: number }>(id, large)
  const [second] = await data.read<{ pid: number }>(id, large)
  assert.deepEqual([shared.has(first?.pid as number), shared.has(second?.pid as number)], [true, false])
})
