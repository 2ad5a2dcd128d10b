import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Company, Rests, restAfter } from './tenant-contention.ts'

const one = '00000000-0000-0000-0000-000000000001'
const other = '00000000-0000-0000-0000-000000000002'

/** Work of some milliseconds, in which the process does nothing else. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('a tenant that is alone never rests; in company it rests as long as it has worked, and 50 ms at most', () => {
  const company = new Company()
  assert.equal(restAfter(company, one, 20), 0)
  company.meets(other)
  assert.deepEqual(
    [0.5, 20, 500].map((worked) => restAfter(company, one, worked)),
    [0, 20, 50],
  )
})

test('what goes on at once rests together, and rests again after further work', async () => {
  const company = new Company()
  company.meets(other)
  company.meets(one)
  const rests = new Rests(company, one)
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
