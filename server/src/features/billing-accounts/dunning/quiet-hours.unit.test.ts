import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findQuietEnd } from './quiet-hours.ts'

for (const [clock, end] of [
  ['2026-03-01 07:59:59', '2026-03-01 08:00'],
  ['2026-03-01 08:00:00', null],
  ['2026-03-01 19:59:59', null],
  ['2026-03-01 20:00:00', '2026-03-02 08:00'],
  ['2026-12-31 23:30:00', '2027-01-01 08:00'],
  ['2028-02-28 22:00:00', '2028-02-29 08:00'],
] as const) {
  test(`quiet hours: at ${clock} reminders go ${end === null ? 'at once' : `at ${end}`}`, () => {
    assert.equal(findQuietEnd(clock), end)
  })
}
