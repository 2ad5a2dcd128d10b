import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSeconds, waitAfter } from './retry-plan.ts'

test('the waits are those of the plan, up to a fifth longer, and none after the tenth failure', () => {
  const hours = (count: number) => count * 3600
  const plan = [5, 300, 1800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
  for (const [position, min] of plan.entries()) {
    for (let time = 0; time < 50; time += 1) {
      const wait = waitAfter(position + 1, null) as number
      assert.ok(wait >= min && wait <= min * 1.2, `${wait} s after ${position + 1}`)
    }
  }
  assert.equal(waitAfter(10, null), null)
  assert.equal(waitAfter(10, 60), null)
})

test('what an endpoint asks for lengthens a wait and shortens none', () => {
  assert.equal(waitAfter(1, 3600), 3600)
  assert.ok((waitAfter(2, 1) as number) >= 300)
})

test('Retry-After is seconds or a date, at most a day, and nothing where it cannot be understood', () => {
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
    assert.equal(findSeconds(text, now), seconds, String(text))
  }
})
