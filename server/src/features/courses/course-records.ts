import { course } from '@matricula/contract/record-types'
import { defineRecord, getSum, type RecordDefinition, RecordError, type RecordOf } from '../../record-engine/index.ts'
import { courseStorage } from './course-record-storage.ts'

function requireWholeWeight({ assessment_criteria: criteria }: RecordOf<typeof course>): void {
  const seen = new Set<string | null>()
  for (const { idx, assessment_criteria, weightage } of criteria) {
    if (weightage < 0) {
      throw new RecordError('ValidationError', `Row #${idx}: the Weightage ${weightage} cannot be less than 0.`)
    }
    if (seen.has(assessment_criteria)) {
      throw new RecordError('ValidationError', `Row #${idx}: ${assessment_criteria} is there already. Remove the row.`)
    }
    seen.add(assessment_criteria)
  }
  const weight = getSum(criteria.map(({ weightage }) => weightage))
  if (criteria.length === 0 || weight === 100) return
  throw new RecordError(
    'ValidationError',
    `The weightages of all assessment criteria must add up to 100; they add up to ${weight}.`,
  )
}

function requireCredits({ credits }: RecordOf<typeof course>): void {
  if (credits >= 0) return
  throw new RecordError('ValidationError', `Credits (${credits}) cannot be less than 0.`)
}

/** The record types of courses, topics and articles. */
export const courseRecords: readonly RecordDefinition[] = [
  defineRecord(course, { rules: { validate: [requireWholeWeight, requireCredits] }, storage: courseStorage }),
]
