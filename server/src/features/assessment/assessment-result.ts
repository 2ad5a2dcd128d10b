import { assessmentPlan, assessmentResult } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, getSum, newRow, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { requireMember } from '../groups/index.ts'
import { getGrade, getPercentage, loadIntervals } from './grading-scale.ts'
import { isUnderCorrection, requireNotPosted } from './posted-marks.ts'
import { resultLock } from './result-entry.ts'

type Result = RecordOf<typeof assessmentResult>

const detailRows = assessmentResult.fields.details.rows

async function requireInGroup(document: Result, work: RecordWork): Promise<void> {
  const { student, student_name, student_group: group, assessment_plan: plan } = document
  // Who has left the group since keeps its marks, and so their corrections.
  if (document.amended_from !== null && (await isUnderCorrection(work, student, plan))) return
  await requireMember(work, { student, student_name, group }, 'StudentNotInGroupError')
}

type Detail = Result['details'][number]

/** Whether a criterion counts: what was not assessed, or excused, is out of the sum. */
const isAssessed = ({ outcome }: Detail) => outcome !== 'Not Assessed' && outcome !== 'Excused'

/**
 * Each criterion of the plan stands once in a result, with the plan's maximum: one that was not sent is not assessed. A score
 * is from 0 to the maximum, or more where the plan allows a bonus.
 */
async function requireScores(document: Result, work: RecordWork): Promise<void> {
  const plan = document.assessment_plan ? await work.find(assessmentPlan, document.assessment_plan) : null
  if (plan === null) return
  if (plan.docstatus !== 1) {
    throw new RecordError('ValidationError', `Submit the Assessment Plan ${plan.name} before results are entered.`)
  }
  const criteria = new Map(plan.assessment_criteria.map((row) => [row.assessment_criteria, row]))
  const seen = new Set<string>()
  for (const row of document.details) {
    const { idx, assessment_criteria: criterion, score } = row
    if (criterion === null) continue
    const planned = criteria.get(criterion)
    const problem =
      planned === undefined
        ? `${criterion} is no criterion of the Assessment Plan ${plan.name}. Remove the row.`
        : seen.has(criterion)
          ? `${criterion} is there more than once. Enter one score for each criterion.`
          : (score ?? 0) < 0
            ? `the score of ${criterion}, ${score}, cannot be less than 0.`
            : (score ?? 0) > planned.maximum_score && !planned.allow_bonus
              ? `the score of ${criterion}, ${score}, cannot be greater than its Maximum Score, ${planned.maximum_score}.`
              : null
    if (problem !== null) throw new RecordError('ValidationError', `Row #${idx}: ${problem}`)
    seen.add(criterion)
    row.maximum_score = isAssessed(row) ? (planned?.maximum_score ?? 0) : 0
    if (!isAssessed(row)) row.score = 0
  }
  for (const criterion of criteria.keys()) {
    if (criterion === null || seen.has(criterion)) continue
    const idx = document.details.length + 1
    document.details.push(
      newRow(detailRows, { assessment_criteria: criterion, outcome: 'Not Assessed', score: 0, maximum_score: 0, idx }),
    )
  }
  document.maximum_score = getSum(document.details.map((row) => row.maximum_score))
}

async function setGrades(document: Result, work: RecordWork): Promise<void> {
  document.total_score = getSum(document.details.map(({ score }) => score))
  document.grade = null
  for (const row of document.details) row.grade = null
  if (!document.grading_scale) return
  const intervals = await loadIntervals(work, document.grading_scale)
  const assessed = document.details.filter(isAssessed)
  for (const row of assessed) {
    if (row.assessment_criteria === null) continue
    if (row.maximum_score <= 0) {
      throw new RecordError(
        'ValidationError',
        `${row.assessment_criteria} has no Maximum Score, so that it has no grade. Correct the Assessment Plan.`,
      )
    }
    row.grade = getGrade(intervals, getPercentage(row.score, row.maximum_score))
  }
  if (document.maximum_score > 0) {
    document.grade = getGrade(intervals, getPercentage(document.total_score, document.maximum_score))
  }
}

async function requireOneResult(document: Result, work: RecordWork): Promise<void> {
  const { name, student, assessment_plan: plan } = document
  await takeAdvisoryLock(work.tx, resultLock(student, plan))
  const [other] = await work.select(
    assessmentResult,
    sql`r.student = ${student} and r.assessment_plan = ${plan} and r.docstatus < 2 and r.name <> ${name}`,
    sql`limit 1`,
  )
  if (other === undefined) return
  throw new RecordError(
    'ValidationError',
    `${(await work.mayRead(assessmentResult, other.name)) ? `The Assessment Result ${other.name}` : 'An Assessment Result'} of ${student} in ${plan} already exists. Change that one.`,
  )
}

/** The record type of assessment results. */
export const assessmentResultRecord = defineRecord(assessmentResult, {
  rules: {
    validate: [requireNotPosted, requireInGroup, requireScores, setGrades, requireOneResult],
    beforeCancel: [requireNotPosted],
  },
})
