import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cancelled } from '../database-errors.ts'
import { SharedWork } from './shared-work.ts'

/** Work that counts how often it was begun, and ends when it is told to, with that number. */
function aWork() {
  const begun: { end: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = []
  const work = (signal: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      const number = begun.length + 1
      begun.push({ end: () => resolve(number), fail: reject, signal })
      signal.addEventListener('abort', () => reject(new Cancelled()))
    })
  return { begun, work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who asks while it is done waits for the next time, which all who came meanwhile share', async () => {
  const shared = new SharedWork()
  const { begun, work } = aWork()
  const first = shared.do('key', null, work)
  await turn()
  const later = [1, 2, 3].map(() => shared.do('key', null, work))
  const other = shared.do('other key', null, async () => 'at once')
  assert.equal(await other, 'at once')
  assert.equal(begun.length, 1)
  begun[0]?.end()
  assert.equal(await first, 1)
  await turn()
  const latest = shared.do('key', null, work)
  begun[1]?.end()
  assert.deepEqual(await Promise.all(later), [2, 2, 2])
  await turn()
  begun[2]?.end()
  assert.equal(await latest, 3)
  await turn()
  const alone = shared.do('key', null, work)
  await turn()
  begun[3]?.end()
  assert.equal(await alone, 4)
})

test('who goes leaves the others what they wait for; once all are gone it ends, or is not begun', async () => {
  const shared = new SharedWork()
  const { begun, work } = aWork()
  const [one, other, waiting] = [new AbortController(), new AbortController(), new AbortController()]
  const holding = shared.do('key', null, work)
  await turn()
  const both = [one, other].map(({ signal }) => shared.do('key', signal, work))
  one.abort()
  await assert.rejects(both[0] as Promise<number>, Cancelled)
  begun[0]?.end()
  await holding
  await turn()
  assert.equal(begun[1]?.signal.aborted, false)
  const dropped = shared.do('key', waiting.signal, work)
  waiting.abort()
  await assert.rejects(dropped, Cancelled)
  const last = shared.do('key', null, work)
  other.abort()
  await assert.rejects(both[1] as Promise<number>, Cancelled)
  assert.equal(begun[1]?.signal.aborted, true)
  await turn()
  assert.equal(begun.length, 3)
  begun[2]?.end()
  assert.equal(await last, 3)
  await assert.rejects(shared.do('key', AbortSignal.abort(), work), Cancelled)
  assert.equal(begun.length, 3)
})

test('a failure is told to all who share it, and the next time begins all the same', async () => {
  const shared = new SharedWork()
  const { begun, work } = aWork()
  const failing = shared.do('key', null, work)
  await turn()
  const next = [1, 2].map(() => shared.do('key', null, work))
  begun[0]?.fail(new Error('full'))
  await assert.rejects(failing, /full/)
  await turn()
  begun[1]?.fail(new Error('full again'))
  for (const each of next) await assert.rejects(each, /full again/)
  await turn()
  const after = shared.do('key', null, work)
  await turn()
  begun[2]?.end()
  assert.equal(await after, 3)
})
