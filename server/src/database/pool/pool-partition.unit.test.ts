import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Cancelled, DatabaseUnavailable } from '../database-errors.ts'
import { PoolPartition } from './pool-partition.ts'

function aRoom(limits: { places?: number; longestLine?: number; timeoutMs?: number } = {}): PoolPartition {
  return new PoolPartition({ name: 'writes', places: 8, longestLine: 100, timeoutMs: 60_000, ...limits })
}

/** Whether somebody was let in by now. */
async function isIn(entering: undefined | Promise<void>): Promise<boolean> {
  if (entering === undefined) return true
  return Promise.race([entering.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))])
}

test('one tenant that asks for everything takes half of the places, and each one that comes later finds one', async () => {
  const partition = aRoom()
  const noisy = Array.from({ length: 50 }, () => partition.enter('noisy'))
  assert.equal(partition.state.held, 4)
  assert.equal(partition.state.waiting, 46)
  for (const tenant of ['second', 'third', 'fourth', 'fifth']) {
    assert.equal(partition.enter(tenant), undefined, tenant)
  }
  assert.equal(partition.state.held, 8)
  for (const entering of noisy) entering?.catch(() => {})
  partition.clear(new Error('over'))
})

test('who waits gets in by turns, whoever came first and however many its tenant sent', async () => {
  const partition = aRoom({ places: 1 })
  assert.equal(partition.enter('holder'), undefined)
  const order: string[] = []
  const waiting = ['a', 'a', 'a', 'b', 'b', 'c'].map((tenant, index) =>
    partition.enter(tenant)?.then(() => {
      order.push(`${tenant}${index}`)
      partition.leave(tenant)
    }),
  )
  partition.leave('holder')
  await Promise.all(waiting)
  assert.deepEqual(order, ['a0', 'b3', 'c5', 'a1', 'b4', 'a2'])
  assert.deepEqual({ held: partition.state.held, waiting: partition.state.waiting }, { held: 0, waiting: 0 })
})

test('a line that is full refuses its own tenant at once and nobody else', async () => {
  const partition = aRoom({ places: 2, longestLine: 3 })
  const waiting = Array.from({ length: 4 }, () => partition.enter('noisy'))
  assert.throws(
    () => partition.enter('noisy'),
    (error) => error instanceof DatabaseUnavailable && error.retryAfterSeconds > 0 && /writes/.test(error.message),
  )
  assert.equal(partition.state.refused, 1)
  assert.equal(partition.enter('quiet'), undefined)
  for (const entering of waiting) entering?.catch(() => {})
  partition.clear(new Error('over'))
})

test('who has waited for too long is refused, and the next one takes the place', async () => {
  const partition = aRoom({ places: 1, timeoutMs: 1 })
  assert.equal(partition.enter('holder'), undefined)
  await assert.rejects(partition.enter('late') as Promise<void>, DatabaseUnavailable)
  const next = partition.enter('next') as Promise<void>
  partition.leave('holder')
  await next
  assert.deepEqual({ ...partition.state, name: '' }, { name: '', places: 1, held: 1, waiting: 0, refused: 1 })
})

test('who is no longer wanted leaves the line', async () => {
  const partition = aRoom({ places: 1 })
  assert.equal(partition.enter('holder'), undefined)
  const client = new AbortController()
  const entering = partition.enter('gone', client) as Promise<void>
  const behind = partition.enter('gone') as Promise<void>
  client.abort()
  await assert.rejects(entering, Cancelled)
  assert.throws(() => partition.enter('gone', client), Cancelled)
  partition.leave('holder')
  await behind
})

test('whatever happens, places are never given twice, nobody waits who may enter, and lines are served in order', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ enters: fc.constantFrom('a', 'b', 'c', 'd', 'e') }) },
    { weight: 2, arbitrary: fc.record({ leaves: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ givesUp: fc.nat() }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 80 }), async (locations, steps) => {
      const partition = aRoom({ places: locations })
      const inside: string[] = []
      let waiting: { tenant: string; client: AbortController; turns: number }[] = []
      const enters = (tenant: string) => {
        const one = { tenant, client: new AbortController(), turns: 0 }
        const entering = partition.enter(tenant, one.client)
        if (entering === undefined) {
          inside.push(tenant)
          return
        }
        waiting.push(one)
        entering.then(
          () => {
            const first = waiting.find((each) => each.tenant === tenant)
            assert.equal(first, one, 'a line is served in order')
            waiting = waiting.filter((each) => each !== one)
            inside.push(tenant)
          },
          () => {
            waiting = waiting.filter((each) => each !== one)
          },
        )
      }
      for (const each of steps) {
        if ('enters' in each) enters(each.enters)
        else if ('leaves' in each && inside.length > 0) {
          const [tenant] = inside.splice(each.leaves % inside.length, 1)
          partition.leave(tenant as string)
        } else if ('givesUp' in each) waiting[each.givesUp % Math.max(1, waiting.length)]?.client.abort()
        await new Promise((resolve) => setImmediate(resolve))
        const { held, waiting: lined } = partition.state
        assert.equal(held, inside.length)
        assert.equal(lined, waiting.length)
        assert.ok(held <= locations)
        for (const tenant of new Set(waiting.map((one) => one.tenant))) {
          const own = inside.filter((one) => one === tenant).length
          assert.ok(
            locations - held <= own,
            `${tenant} holds ${own} of ${locations} and waits while ${locations - held} are free`,
          )
        }
      }
      partition.clear(new Error('over'))
    }),
    { numRuns: 200 },
  )
})

test('a tenant that holds nothing is let in after at most one turn of every other, whatever they do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 20, maxLength: 60 }),
      async (locations, arrivals) => {
        const partition = aRoom({ places: locations })
        const inside: string[] = []
        for (const tenant of arrivals) {
          const entering = partition.enter(tenant)
          if (entering === undefined) inside.push(tenant)
          else
            entering.then(
              () => inside.push(tenant),
              () => {},
            )
        }
        const quiet = partition.enter('quiet')
        for (let turns = 0; !(await isIn(quiet)); turns += 1) {
          assert.ok(turns <= 4, 'four others, one turn each')
          partition.leave(inside.shift() as string)
        }
        partition.clear(new Error('over'))
      },
    ),
    { numRuns: 100 },
  )
})
