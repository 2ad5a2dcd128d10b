import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { sql, type Transaction } from '../database/index.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { findBatched, together } from './batch-loader.ts'

const service = await startTestService()

/** What a part of a transaction does: it says something, looks together with the others, and then writes with them. */
const lookAndWrite = (item: number) => async (tx: Transaction) => {
  tx.send(sql`select ${item}::integer as said`)
  const add = (to: number) => async (items: readonly number[], whole: Transaction) => {
    const rows = await whole.query<{ sum: number }>(
      sql`select item + ${to}::integer as sum from unnest(${items}::integer[]) as item`,
    )
    return rows.map(({ sum }) => sum)
  }
  const seen = await findBatched(tx, 'looks', item, add(10))
  return together(tx, 'writes', seen, add(100))
}

test('what parts of a transaction look up and write together goes to the server in a piece for each, the beginning with the first of them', async (t) => {
  const { id } = await service.tenant()
  const join = (item: number) => service.data.transactionAmongOthers(id, 'looks', lookAndWrite(item))
  await Promise.all([1, 2, 3].map(join)) // the connection is open then, and knows the tenant
  const pieces = t.mock.method(Socket.prototype, 'uncork').mock
  assert.deepEqual(await Promise.all([1, 2, 3].map(join)), [111, 112, 113])
  const sockets = new Set(pieces.calls.map((call) => call.this))
  assert.deepEqual([sockets.size, pieces.callCount()], [1, 3])
})
