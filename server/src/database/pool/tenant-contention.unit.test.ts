import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rests, restAfter, TenantContention } from './tenant-contention.ts'

const one = '00000000-0000-0000-0000-000000000001'
const other = '00000000-0000-0000-0000-000000000002'

/** Work of some milliseconds, in which the process does nothing else. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('a tenant that is alone never rests; in company it rests as long as it has worked, and 50 ms at most', () => {
  const contention = new TenantContention()
  assert.equal(restAfter(contention, one, 20), 0)
  contention.meets(other)
  assert.deepEqual(
    [0.5, 20, 500].map((worked) => restAfter(contention, one, worked)),
    [0, 20, 50],
  )
})

test('what goes on at once rests together, and rests again after further work', async () => {
  const contention = new TenantContention()
  contention.meets(other)
  contention.meets(one)
  const rests = new Rests(contention, one)
  work(5)
  const first = rests.take()
  assert.ok(first instanceof Promise)
  assert.equal(rests.take(), first)
  await first
  work(5)
  const second = rests.take()
  assert.ok(second instanceof Promise && second !== first)
  await second
})
