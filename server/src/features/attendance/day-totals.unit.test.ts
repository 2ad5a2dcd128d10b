import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DayRule, getAttendanceTotals, getDayTotal, type Mark } from './day-totals.ts'

const aMark = (fields: Partial<Mark> = {}): Mark => ({
  date: '2026-09-01',
  status: 'Present',
  excused: 0,
  half_day: 0,
  minutes_late: 0,
  from_time: null,
  ...fields,
})
const whole = (part: string) => ({ present: 0, absent: 0, excused: 0, leave: 0, [part]: 1 })
const half = (part: string) => ({ ...whole(part), present: 0.5, [part]: 0.5 })
const absent = (from_time: string | null = null) => aMark({ status: 'Absent', from_time })
const present = (from_time: string | null = null) => aMark({ from_time })

test('a day is what its marks say: away from all is a day away, from half of it half a day, from less none', () => {
  for (const [marks, rule, expected] of [
    [[present()], 'Daily Roll', whole('present')],
    [[absent()], 'Daily Roll', whole('absent')],
    [[absent(), present('09:00:00')], 'Daily Roll', whole('absent')],
    [[absent('09:00:00')], 'Daily Roll', whole('absent')],
    [[absent(), present('09:00:00')], 'Every Lesson', whole('present')],
    [[absent()], 'Every Lesson', whole('absent')],
    [[absent('11:00:00'), present('09:00:00')], 'First Lesson', whole('present')],
    [[absent('09:00:00'), present('11:00:00')], 'First Lesson', whole('absent')],
    [[absent()], 'First Lesson', whole('absent')],
    [[absent('09:00:00'), present('11:00:00')], 'Every Lesson', half('absent')],
    [[absent('09:00:00'), present('11:00:00'), present('12:00:00')], 'Every Lesson', whole('present')],
    [[absent('09:00:00'), absent('11:00:00'), present('12:00:00')], 'Every Lesson', half('absent')],
    [[aMark({ status: 'Absent', half_day: 1 })], 'Daily Roll', half('absent')],
    [[aMark({ status: 'Leave', half_day: 1 })], 'Daily Roll', half('leave')],
    [[aMark({ status: 'Absent', excused: 1 })], 'Daily Roll', whole('excused')],
    [[aMark({ status: 'Leave' }), absent()], 'Daily Roll', whole('absent')],
    [[aMark({ status: 'Leave' }), present()], 'Daily Roll', half('leave')],
  ] as const) {
    assert.deepEqual(getDayTotal(marks, rule), expected, JSON.stringify([marks, rule]))
  }
})

const marks = fc.array(
  fc.record({
    date: fc.integer({ min: 1, max: 9 }).map((day) => `2026-09-0${day}`),
    status: fc.constantFrom('Present', 'Absent', 'Leave'),
    excused: fc.constantFrom(0, 1),
    half_day: fc.constantFrom(0, 1),
    minutes_late: fc.constantFrom(0, 0, 7),
    from_time: fc.constantFrom(null, null, '08:00:00', '09:00:00', '10:00:00', '11:00:00'),
  }),
  { maxLength: 40 },
)
const rules = fc.constantFrom<DayRule>('Daily Roll', 'First Lesson', 'Every Lesson')

/** Counts half days one after the other, with nothing of the code under test. */
function countNaively(all: readonly Mark[], rule: DayRule) {
  const counted = { total: 0, present: 0, absent: 0, excused: 0, leave: 0, late: 0, minutes_late: 0 }
  for (let day = 1; day <= 9; day += 1) {
    const ofDay = all.filter(({ date }) => date === `2026-09-0${day}`)
    if (ofDay.length === 0) continue
    counted.total += 1
    const lates = ofDay.filter((mark) => mark.status === 'Present' && mark.minutes_late !== 0)
    if (lates.length > 0) counted.late += 1
    for (const mark of lates) counted.minutes_late += mark.minutes_late
    let meant =
      rule === 'Daily Roll' ? ofDay.filter((mark) => mark.from_time === null) : ofDay.filter((mark) => mark.from_time)
    if (meant.length === 0) meant = ofDay
    if (rule === 'First Lesson' && meant.some((mark) => mark.from_time)) {
      const hours = meant.map((mark) => mark.from_time as string)
      meant = [meant.find((mark) => mark.from_time === hours.sort()[0]) as Mark]
    }
    const missed = { absent: 0, excused: 0, leave: 0 }
    for (const mark of meant) {
      const kind = mark.status === 'Leave' ? 'leave' : mark.excused === 1 ? 'excused' : 'absent'
      if (mark.status !== 'Present') missed[kind] += mark.half_day === 1 ? 0.5 : 1
    }
    const sum = missed.absent + missed.excused + missed.leave
    const away = sum === meant.length ? 1 : sum * 2 >= meant.length ? 0.5 : 0
    counted.present += 1 - away
    const most = Math.max(missed.absent, missed.excused, missed.leave)
    if (missed.absent === most) counted.absent += away
    else if (missed.excused === most) counted.excused += away
    else counted.leave += away
  }
  return counted
}

test('the totals of attendance are those of a naive count, and count each day once', () => {
  fc.assert(
    fc.property(marks, rules, (all, rule) => {
      const totals = getAttendanceTotals(all, rule)
      assert.deepEqual(totals, countNaively(all, rule))
      assert.equal(totals.present + totals.absent + totals.excused + totals.leave, totals.total)
    }),
    { numRuns: 1000 },
  )
})
