import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Statement, sql, type Transaction } from '../database/index.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { giveBackNumber, passNumber, takeNumbers } from './counters.ts'
import { undoneByFailure } from './savepoint.ts'

const service = await startTestService()
const { data } = service

async function storedNumber(tenantId: string, prefix: string): Promise<number | undefined> {
  return data.transaction(tenantId, async (tx) => {
    const rows = await tx.query<{ current: number }>(
      sql`select current from naming_series where tenant_id = ${tenantId} and prefix = ${prefix}`,
    )
    return rows[0]?.current
  })
}

class PartFailed extends Error {}

/** A part of a transaction whose numbers nobody may keep. */
async function undone(tx: Transaction, part: () => Promise<unknown>): Promise<void> {
  const whole = undoneByFailure(tx, async () => {
    await part()
    throw new PartFailed()
  })
  await assert.rejects(whole, PartFailed)
}

test('what a transaction takes, passes, gives back and undoes of a counter leaves it as one by one in a naive count', async () => {
  const { id } = await service.tenant()
  let series = 0
  const step = fc.oneof(
    fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constantFrom('pass', 'giveBack') as fc.Arbitrary<'pass' | 'giveBack'>, count: fc.nat(12) }),
  )
  const part = fc.record({ isUndone: fc.boolean(), steps: fc.array(step, { maxLength: 5 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 3 }), async (transactions) => {
      series += 1
      const prefix = `S${series}-`
      let expected = 0
      for (const parts of transactions) {
        await data.transaction(id, async (tx) => {
          for (const { isUndone, steps } of parts) {
            const before = expected
            const doAll = async () => {
              for (const { kind, count } of steps) {
                if (kind === 'take') {
                  const numbers = await takeNumbers(tx, prefix, count)
                  assert.deepEqual(
                    numbers,
                    Array.from({ length: count }, (_, index) => expected + index + 1),
                  )
                  expected += count
                } else if (kind === 'pass') {
                  await passNumber(tx, prefix, count)
                  expected = Math.max(expected, count)
                } else {
                  await giveBackNumber(tx, prefix, count)
                  if (expected === count && expected > 0) expected -= 1
                }
              }
            }
            if (isUndone) {
              await undone(tx, doAll)
              expected = before
            } else await doAll()
          }
        })
        assert.equal((await storedNumber(id, prefix)) ?? 0, expected)
      }
    }),
    { numRuns: 40 },
  )
})

test('numbers that are asked for while others are on their way are each given out once', async () => {
  const { id } = await service.tenant()
  const numbers = await data.transaction(id, async (tx) => {
    const first = takeNumbers(tx, 'A-', 2)
    await Promise.resolve()
    const passed = passNumber(tx, 'A-', 10)
    const second = takeNumbers(tx, 'A-', 1)
    const later = first.then(() => takeNumbers(tx, 'A-', 1))
    await passed
    return (await Promise.all([first, second, later])).flat()
  })
  assert.equal(new Set(numbers).size, 4)
  assert.equal(await storedNumber(id, 'A-'), Math.max(...numbers, 10))
})

test('a transaction that takes a thousand numbers one by one changes the row of the counter twice', async () => {
  const { id } = await service.tenant()
  let changes = 0
  const count = (statement: Statement) => {
    if (statement.text.includes('naming_series')) changes += 1
  }
  await data.transaction(id, async (tx) => {
    const watched: Transaction = {
      ...tx,
      query: (statement) => {
        count(statement)
        return tx.query(statement)
      },
      send: (statement) => {
        count(statement)
        tx.send(statement)
      },
    }
    for (let index = 1; index <= 1000; index += 1) {
      assert.deepEqual(await takeNumbers(watched, 'B-', 1), [index])
    }
  })
  assert.equal(changes, 2)
  assert.equal(await storedNumber(id, 'B-'), 1000)
})

test('a counter that another transaction holds is waited for, and goes on behind what that one took', async () => {
  const { id } = await service.tenant()
  const taken = await Promise.all(
    Array.from({ length: 8 }, () =>
      data.transaction(id, async (tx) => [...(await takeNumbers(tx, 'C-', 1)), ...(await takeNumbers(tx, 'C-', 2))]),
    ),
  )
  assert.deepEqual(
    taken.flat().sort((one, other) => one - other),
    Array.from({ length: 24 }, (_, index) => index + 1),
  )
})
