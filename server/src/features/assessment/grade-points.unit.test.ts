import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type GradedCourse, getCountedAttempts, getGradePointAverage } from './grade-points.ts'

const aCourse = fc.record({
  course: fc.constantFrom('A', 'B', 'C', 'D'),
  quarters: fc.integer({ min: 0, max: 80 }),
  hundredths: fc.integer({ min: 0, max: 500 }),
})

type Drawn = { course: string; quarters: number; hundredths: number }

const toGraded = ({ course, quarters, hundredths }: Drawn): GradedCourse => ({
  course,
  credits: quarters / 4,
  grade_points: hundredths / 100,
})

/** The average in whole numbers: quarters of credits and hundredths of points, rounded half up to hundredths. */
function naive(courses: readonly Drawn[]): number | null {
  if (courses.length === 0) return null
  const isWeighted = courses.some(({ quarters }) => quarters > 0)
  let numerator = 0
  let denominator = 0
  for (const { quarters, hundredths } of courses) {
    numerator += (isWeighted ? quarters : 1) * hundredths
    denominator += isWeighted ? quarters : 1
  }
  const whole = Math.floor(numerator / denominator)
  return (whole + ((numerator - whole * denominator) * 2 >= denominator ? 1 : 0)) / 100
}

test('the grade point average is that of exact fractions, rounded half up to two digits', () => {
  fc.assert(
    fc.property(fc.array(aCourse, { maxLength: 60 }), (courses) => {
      assert.equal(getGradePointAverage(courses.map(toGraded)), naive(courses))
    }),
    { numRuns: 1000 },
  )
})

test('of a repeated course all attempts count, or the best, or the last, in their order', () => {
  fc.assert(
    fc.property(fc.array(aCourse, { maxLength: 20 }), (drawn) => {
      const attempts = drawn.map(toGraded)
      assert.deepEqual(getCountedAttempts(attempts, 'Both'), attempts)
      for (const name of new Set(attempts.map(({ course }) => course))) {
        const ofCourse = attempts.filter(({ course }) => course === name)
        const [last, ...moreLast] = getCountedAttempts(attempts, 'Last').filter(({ course }) => course === name)
        const [best, ...moreBest] = getCountedAttempts(attempts, 'Best').filter(({ course }) => course === name)
        assert.deepEqual([moreLast, moreBest], [[], []])
        assert.equal(last, ofCourse.at(-1))
        assert.equal(best?.grade_points, Math.max(...ofCourse.map(({ grade_points }) => grade_points)))
      }
    }),
  )
})

test('a half hundredth is rounded up, also where binary fractions would round it down', () => {
  const course = (grade_points: number, credits: number) => ({ course: 'A', grade_points, credits })
  assert.equal(getGradePointAverage([course(1.005, 1)]), 1.01)
  assert.equal(getGradePointAverage([course(4, 3), course(3.7, 1)]), 3.93)
  assert.equal(getGradePointAverage([course(4, 0), course(3, 0)]), 3.5)
  assert.equal(getGradePointAverage([]), null)
})
