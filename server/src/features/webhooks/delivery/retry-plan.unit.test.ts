import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getRetryDelay, parseRetryAfter } from './retry-plan.ts'

test('retry schedule: the waits, up to a fifth longer, and none after the tenth failure', () => {
  const hours = (count: number) => count * 3600
  const plan = [5, 300, 1800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
  for (const [position, min] of plan.entries()) {
    for (let time = 0; time < 50; time += 1) {
      const wait = getRetryDelay(position + 1, null) as number
      assert.ok(wait >= min && wait <= min * 1.2, `${wait} s after ${position + 1}`)
    }
  }
  assert.equal(getRetryDelay(10, null), null)
  assert.equal(getRetryDelay(10, 60), null)
})

test('retry schedule: Retry-After lengthens a wait and never shortens it', () => {
  assert.equal(getRetryDelay(1, 3600), 3600)
  assert.ok((getRetryDelay(2, 1) as number) >= 300)
})

test('Retry-After: seconds or a date, at most a day, and null when invalid', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  for (const [text, seconds] of [
    [null, null],
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['9999999999', 86_400],
    ['Sun, 22 Nov 2026 12:05:00 GMT', 300],
    ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
    ['Sun, 22 Nov 2099 12:00:00 GMT', 86_400],
    ['soon', null],
    ['', null],
  ] as const) {
    assert.equal(parseRetryAfter(text, now), seconds, String(text))
  }
})
