import { assessmentPlan, assessmentResult } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, getSum, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { requireMember } from '../groups/index.ts'
import { getGrade, getPercentage, loadIntervals } from './grading-scale.ts'

type Result = RecordOf<typeof assessmentResult>

async function requireInGroup({ student, student_name, student_group: group }: Result, work: RecordWork) {
  await requireMember(work, { student, student_name, group }, 'StudentNotInGroupError')
}

/** Sets the maximum scores from the plan, whatever was sent. */
async function setMaximumScores(document: Result, work: RecordWork): Promise<void> {
  const plan = document.assessment_plan ? await work.find(assessmentPlan, document.assessment_plan) : null
  if (plan === null) return
  const maxima = new Map(plan.assessment_criteria.map((row) => [row.assessment_criteria, row.maximum_score]))
  for (const row of document.details) {
    const { idx, assessment_criteria: criterion, score } = row
    if (criterion === null) continue
    const maximum = maxima.get(criterion)
    if (maximum === undefined) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: ${criterion} is no criterion of the Assessment Plan ${plan.name}. Remove the row.`,
      )
    }
    row.maximum_score = maximum
    if (score > maximum) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: the score of ${criterion} cannot be greater than its Maximum Score, ${maximum}.`,
      )
    }
  }
}

async function setGrades(document: Result, work: RecordWork): Promise<void> {
  document.total_score = getSum(document.details.map(({ score }) => score))
  if (!document.grading_scale) return
  const intervals = await loadIntervals(work, document.grading_scale)
  const graded = (score: number, maximum: number, what: string) => {
    if (maximum > 0) return getGrade(intervals, getPercentage(score, maximum))
    throw new RecordError(
      'ValidationError',
      `${what} has no Maximum Score, so that no grade can be told. Correct the Assessment Plan.`,
    )
  }
  for (const row of document.details) {
    if (row.assessment_criteria === null) continue
    row.grade = graded(row.score, row.maximum_score, row.assessment_criteria)
  }
  document.grade = graded(document.total_score, document.maximum_score, `The plan ${document.assessment_plan}`)
}

async function requireOneResult(document: Result, work: RecordWork): Promise<void> {
  const { name, student, assessment_plan: plan } = document
  await takeAdvisoryLock(work.tx, `result of ${student} in ${plan}`)
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
  rules: { validate: [requireInGroup, setMaximumScores, setGrades, requireOneResult] },
})
