import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue, QueueFull } from './fair-queue.ts'

/** A queue of works that each end when they are told to, and the order in which they began. */
function aQueue(max: number) {
  const queue = new FairQueue({ atOnce: 1, most: max })
  const begun: string[] = []
  const rejected: string[] = []
  const ends: (() => void)[] = []
  const runs: Promise<unknown>[] = []
  /** Sends works named after their origin, such as `a 1` for tenant a's address 1. */
  const send = (name: string, count = 1) => {
    const [tenantId = '', address = ''] = name.split(' ')
    for (let each = 0; each < count; each += 1) {
      const work = async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
      }
      const run = queue.run({ tenantId, address }, work).catch((error: unknown) => {
        assert.ok(error instanceof QueueFull)
        rejected.push(name)
      })
      runs.push(run)
    }
  }
  const finish = async () => {
    let isOver = false
    const all = Promise.all(runs).then(() => {
      isOver = true
    })
    while (!isOver) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await all
  }
  return { queue, begun, refused: rejected, send, finish }
}

test('turns go round among the tenants, and for each among its addresses', async () => {
  const { begun, send, finish } = aQueue(100)
  send('busy 0')
  send('a 1', 3)
  send('a 2', 2)
  send('b 1', 2)
  await finish()
  assert.deepEqual(begun, ['busy 0', 'a 1', 'b 1', 'a 2', 'b 1', 'a 1', 'a 2', 'a 1'])
})

test('a newcomer behind many of one address, or of another tenant, waits for one or two of them', async () => {
  const { begun, send, finish } = aQueue(100)
  send('a 1', 61)
  send('a 2')
  send('b 1')
  await finish()
  assert.deepEqual(begun.slice(0, 4), ['a 1', 'a 1', 'b 1', 'a 2'])
})

test('where the room is full the last of the longest line is refused, who may be the newcomer, and nobody else', async () => {
  const { queue, begun, refused: rejected, send, finish } = aQueue(4)
  send('busy 0')
  send('a 1', 3)
  send('a 2')
  assert.equal(queue.waiting, 4)
  assert.ok(queue.isFullFor({ tenantId: 'a', address: '1' }))
  assert.ok(queue.isFullFor({ tenantId: 'a', address: '1' }), 'asking takes no place')
  send('a 1')
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(rejected, ['a 1'], 'the newcomer to the longest line')
  assert.ok(!queue.isFullFor({ tenantId: 'a', address: '2' }))
  send('b 1')
  send('b 2')
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(rejected, ['a 1', 'a 1', 'a 1'], 'then the last of the longest')
  assert.equal(queue.waiting, 4)
  assert.ok(queue.isFullFor({ tenantId: 'b', address: '3' }), 'among equals the newcomer')
  await finish()
  assert.deepEqual(begun, ['busy 0', 'a 1', 'b 1', 'a 2', 'b 2'])
  assert.equal(queue.waiting, 0)
})

test('a work that fails gives its place on', async () => {
  const queue = new FairQueue({ atOnce: 1, most: 4 })
  const origin = { tenantId: 'a', address: '1' }
  const failing = queue.run(origin, () => Promise.reject(new Error('no')))
  const next = queue.run(origin, async () => 'done')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'done')
  assert.equal(await queue.run(origin, async () => 'again'), 'again')
})
