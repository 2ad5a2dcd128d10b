import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findPeriod, neighbouringPeriod, periodLengths, periodNames } from './periods.ts'

test('times are reckoned from the day, weeks from Sunday', () => {
  const from = (name: string, today: string) => findPeriod(name, today)?.join(' ')
  assert.equal(from('today', '2026-03-04'), '2026-03-04 2026-03-04')
  assert.equal(from('Yesterday', '2026-03-01'), '2026-02-28 2026-02-28')
  assert.equal(from('tomorrow', '2028-02-28'), '2028-02-29 2028-02-29')
  assert.equal(from('last 7 days', '2026-03-04'), '2026-02-25 2026-03-04')
  assert.equal(from('next 30 days', '2026-03-04'), '2026-03-04 2026-04-03')
  assert.equal(from('this week', '2026-03-04'), '2026-03-01 2026-03-07')
  assert.equal(from('last week', '2026-03-01'), '2026-02-22 2026-02-28')
  assert.equal(from('last month', '2026-03-31'), '2026-02-01 2026-02-28')
  assert.equal(from('next month', '2026-12-31'), '2027-01-01 2027-01-31')
  assert.equal(from('this quarter', '2026-05-31'), '2026-04-01 2026-06-30')
  assert.equal(from('last quarter', '2026-02-10'), '2025-10-01 2025-12-31')
  assert.equal(from('last 6 months', '2026-05-10'), '2025-10-01 2026-03-31')
  assert.equal(from('next 6 months', '2026-05-10'), '2026-07-01 2026-12-31')
  assert.equal(from('last year', '2026-05-10'), '2025-01-01 2025-12-31')
  assert.equal(findPeriod('constructor', '2026-05-10'), null)
})

test('previous and next are the calendar’s periods beside the present one', () => {
  assert.deepEqual(neighbouringPeriod('previous', '1 month', '2026-03-04'), ['2026-02-01', '2026-02-28'])
  assert.deepEqual(neighbouringPeriod('next', '3 Months', '2026-03-04'), ['2026-04-01', '2026-06-30'])
  assert.equal(neighbouringPeriod('next', '2 weeks', '2026-03-04'), null)
})

test('every time begins before it ends, on any day', () => {
  const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(day, fc.constantFrom(...periodNames), (date, name) => {
      const [from, to] = findPeriod(name, date.toISOString().slice(0, 10)) as [string, string]
      assert.ok(from <= to && /^\d{4}-\d{2}-\d{2}$/.test(from) && /^\d{4}-\d{2}-\d{2}$/.test(to))
    }),
  )
  for (const length of periodLengths) assert.ok(neighbouringPeriod('next', length, '2026-03-04'))
})
