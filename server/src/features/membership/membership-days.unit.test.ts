import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharesDays } from './membership-days.ts'

const days = Array.from({ length: 9 }, (_, index) => `2026-09-0${index + 1}`)
const span = fc
  .tuple(fc.option(fc.constantFrom(...days)), fc.option(fc.constantFrom(...days)))
  .map(([one, other]) =>
    one !== null && other !== null && one > other
      ? { from_date: other, to_date: one }
      : { from_date: one, to_date: other },
  )

test('two spans of days overlap when a day is in both, both ends included and open ends never ending', () => {
  const all = ['2026-08-31', ...days, '2026-09-10']
  const isIn = (day: string, { from_date: from, to_date: to }: { from_date: string | null; to_date: string | null }) =>
    (from === null || from <= day) && (to === null || to >= day)
  fc.assert(
    fc.property(span, span, (one, other) => {
      assert.equal(
        sharesDays(one, other),
        all.some((day) => isIn(day, one) && isIn(day, other)),
      )
      assert.equal(sharesDays(one, other), sharesDays(other, one))
    }),
    { numRuns: 1000 },
  )
})
