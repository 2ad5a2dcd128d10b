/** What a course contributes to a grade point average. */
export interface GradedCourse {
  readonly course: string
  readonly credits: number
  readonly grade_points: number
}

/** Which attempts of a repeated course count in the cumulative average. */
export type RepeatedCourses = 'Both' | 'Best' | 'Last'

/** The attempts that count, out of all in the order of time; of equally good ones the last. */
export function getCountedAttempts<Attempt extends GradedCourse>(
  attempts: readonly Attempt[],
  repeated: RepeatedCourses,
): Attempt[] {
  if (repeated === 'Both') return [...attempts]
  const counted = new Map<string, Attempt>()
  for (const attempt of attempts) {
    const known = counted.get(attempt.course)
    const replaces = known === undefined || repeated === 'Last' || attempt.grade_points >= known.grade_points
    if (replaces) counted.set(attempt.course, attempt)
  }
  return attempts.filter((attempt) => counted.get(attempt.course) === attempt)
}

const scale = 9
const unit = 10n ** BigInt(scale)

/** A decimal with at most nine digits behind the point, in billionths. */
const toBillionths = (value: number): bigint => BigInt(value.toFixed(scale).replace('.', ''))

/**
 * The average of grade points weighted by credits, computed exactly and rounded half up to two digits behind the point;
 * null without courses. Where no course has credits, all weigh the same.
 */
export function getGradePointAverage(courses: readonly GradedCourse[]): number | null {
  const hasCredits = courses.some(({ credits }) => credits > 0)
  let [points, weight] = [0n, 0n]
  for (const course of courses) {
    const credits = hasCredits ? toBillionths(course.credits) : unit
    points += credits * toBillionths(course.grade_points)
    weight += credits
  }
  if (weight === 0n) return null
  const divisor = weight * unit
  return Number((points * 200n + divisor) / (divisor * 2n)) / 100
}
