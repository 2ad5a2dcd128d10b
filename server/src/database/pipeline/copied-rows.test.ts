import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { Cancelled, Database, sql } from '../index.ts'

const service = await startTestService()
const { database } = service
const { id } = await service.tenant()
/** Of this file alone, with one connection, so that one that is not given back is missed. */
const data = new Database(database.connection, { connections: 1 })
afterFile(() => data.close())

const numbers = (count: number) =>
  sql`select n, repeat('x', 100) as text from generate_series(1, ${String(count)}::int) n`

async function readAll(reading: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of reading) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('copyRows: rows come whole and in order whatever their number, and the connection goes on working', async () => {
  for (const count of [0, 1, 1300, 1301, 5000, 100_000]) {
    const lines = (await readAll(data.copyRows(id, numbers(count), 'csv'))).split('\n')
    assert.equal(lines.pop(), '')
    assert.deepEqual([lines.length, lines.every((line, index) => line.startsWith(`${index + 1},xx`))], [count, true])
    assert.deepEqual(await data.readSlowly(id, sql`select 1 as one`), [{ one: 1 }])
  }
})

test('copyRows: values are texts within the statement, and the transaction is read-only and of the tenant', async () => {
  const text = "it's \\ $1 \n"
  const copied = await readAll(
    data.copyRows(
      id,
      sql`select ${text}::text, ${null}::text, current_setting('matricula.tenant_id'), current_setting('transaction_read_only')`,
      'csv',
    ),
  )
  assert.equal(copied, `"${text}",,${id},on\n`)
  await assert.rejects(readAll(data.copyRows(id, sql`select ${5}`, 'csv')), TypeError)
  await assert.rejects(readAll(data.copyRows(id, sql`select 1 / 0`, 'csv')))
  assert.deepEqual(await data.readSlowly(id, sql`select 1 as one`), [{ one: 1 }])
})

test('copyRows: rows come in the order of an index, on one processor; later reads of the connection are planned as usual', async () => {
  const planned = sql`
    select current_setting('enable_sort') as sort, current_setting('max_parallel_workers_per_gather') as workers`
  assert.equal(await readAll(data.copyRows(id, planned, 'csv')), 'off,0\n')
  const [later] = await data.readSlowly<{ sort: string; workers: string }>(id, planned)
  assert.deepEqual([later?.sort, later?.workers === '0'], ['on', false])
})

test('copyRows: a reading that is ended or aborted ends its statement, and others go on', async () => {
  for await (const piece of data.copyRows(id, numbers(3_000_000), 'csv')) {
    assert.ok(piece.length > 0)
    break
  }
  const controller = new AbortController()
  const aborted = (async () => {
    for await (const piece of data.for({ signal: controller.signal }).copyRows(id, numbers(3_000_000), 'csv')) {
      assert.ok(piece.length > 0)
      controller.abort()
    }
  })()
  await assert.rejects(aborted, Cancelled)
  assert.deepEqual(await data.readSlowly(id, sql`select 1 as one`), [{ one: 1 }])
  const running = () =>
    database.inspectEach("select 1 from pg_stat_activity where state = 'active' and query like 'copy (%3000000%'")
  await until(async () => (await running()).length === 0, 'the statements end')
})
