import { gradingScale } from '@matricula/contract/record-types'
import { defineRecord, RecordError, type RecordOf, type RecordWork, rounded } from '../../record-engine/index.ts'

type Scale = RecordOf<typeof gradingScale>

/** A grade and its threshold, in percent. */
export interface GradeInterval {
  readonly grade_code: string | null
  readonly threshold: number
  readonly grade_points?: number
}

/** The grade of a percentage: that of the highest threshold that it reaches, empty below all of them. */
export function getGrade(intervals: readonly GradeInterval[], percentage: number): string {
  return findInterval(intervals, percentage)?.grade_code ?? ''
}

/** The grade points of a percentage; null in a scale without points. */
export function getGradePoints(intervals: readonly GradeInterval[], percentage: number): number | null {
  if (!intervals.some(({ grade_points = 0 }) => grade_points > 0)) return null
  return findInterval(intervals, percentage)?.grade_points ?? 0
}

function findInterval(intervals: readonly GradeInterval[], percentage: number): GradeInterval | null {
  const reached = intervals.filter(({ threshold }) => threshold <= percentage)
  return reached.reduce<GradeInterval | null>(
    (highest, interval) => (highest === null || interval.threshold > highest.threshold ? interval : highest),
    null,
  )
}

/** A score as a percentage of its maximum, which is not 0, without floating-point noise. */
export function getPercentage(score: number, maximum: number): number {
  return rounded((score / maximum) * 100)
}

/**
 * The intervals of a grading scale.
 *
 * @throws RecordError `DoesNotExistError` for a scale that is not there, `ValidationError` for one without intervals.
 */
export async function loadIntervals(work: RecordWork, scale: string): Promise<readonly GradeInterval[]> {
  const { intervals } = await work.get(gradingScale, scale)
  if (intervals.length > 0) return intervals
  throw new RecordError('ValidationError', `The Grading Scale ${scale} has no intervals. Add them first.`)
}

function requireSoundIntervals({ intervals }: Scale): void {
  const seen = new Set<number>()
  for (const { idx, threshold, grade_points: points } of intervals) {
    if (points < 0) {
      throw new RecordError('ValidationError', `Row #${idx}: Grade Points (${points}) cannot be less than 0.`)
    }
    if (threshold < 0) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: the threshold ${threshold}% is below 0, which nobody reaches.`,
      )
    }
    if (seen.has(threshold)) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: the threshold ${threshold}% appears more than once. Keep one of them.`,
      )
    }
    seen.add(threshold)
  }
  if (intervals.length > 0 && !seen.has(0)) {
    throw new RecordError('ValidationError', 'Define a grade for the threshold 0%, which is the lowest.')
  }
}

/** The record type of grading scales. */
export const gradingScaleRecord = defineRecord(gradingScale, { rules: { validate: [requireSoundIntervals] } })
