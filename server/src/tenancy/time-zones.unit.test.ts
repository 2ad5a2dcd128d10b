import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberText } from '../values/number-format.ts'
import { clockIn, getDay, isTimeZone, todayIn } from './time-zones.ts'

test('a moment is told by the clock of its zone', () => {
  const moment = new Date('2026-03-08T23:59:59.900Z')
  assert.equal(clockIn('UTC', moment), '2026-03-08 23:59:59')
  assert.equal(clockIn('Asia/Kathmandu', moment), '2026-03-09 05:44:59')
  assert.equal(todayIn('America/New_York', moment), '2026-03-08')
  assert.equal(getDay('2026-03-08T00:00:00.000Z', 'America/New_York'), '2026-03-08')
  assert.equal(getDay('2026-03-08T01:00:00.000Z', 'America/New_York'), '2026-03-07')
})

test('a name that is no zone is none', () => {
  assert.ok(isTimeZone('Europe/Madrid'))
  assert.ok(!isTimeZone('Europe/Nowhere'))
})

test('formats are made once for each zone and each number of digits, not at each use', (t) => {
  // Neither is used elsewhere: other tests of the process may have made theirs.
  const zone = 'Antarctica/Troll'
  const dates = t.mock.method(Intl, 'DateTimeFormat')
  const numbers = t.mock.method(Intl, 'NumberFormat')
  for (let turn = 0; turn < 100; turn += 1) {
    todayIn(zone)
    clockIn(zone, new Date(turn))
    isTimeZone(zone)
    assert.equal(numberText(1234.5, 2, 17), '1,234.50')
  }
  assert.equal(dates.mock.callCount(), 1)
  assert.equal(numbers.mock.callCount(), 1)
})
