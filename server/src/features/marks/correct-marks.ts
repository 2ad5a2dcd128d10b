import { assessmentPlan, assessmentResult, markCorrection } from '@matricula/contract/record-types'
import { type RecordEngine, RecordError, type RecordOf, readNumber } from '../../record-engine/index.ts'
import { areMarksPosted, loadResult, lockMarks } from '../assessment/index.ts'
import { issueForTerms } from './marks-posting.ts'

type Result = RecordOf<typeof assessmentResult>

/** A mark as a correction has it. */
interface Mark {
  readonly outcome: string
  readonly score: number
}

const outcomes: readonly string[] = assessmentResult.fields.details.rows.fields.outcome.options

/** A mark that a client sent: a score, nothing for "Not Assessed", or an outcome by its name. */
function readMark(criterion: string, sent: unknown): Mark {
  if (typeof sent === 'string' && outcomes.includes(sent) && sent !== 'Assessed') return { outcome: sent, score: 0 }
  const score = readNumber(criterion, sent)
  return score === null ? { outcome: 'Not Assessed', score: 0 } : { outcome: 'Assessed', score }
}

const isSame = (one: Mark | undefined, other: Mark) => one?.outcome === other.outcome && one.score === other.score

function getMarks(result: Result | null): Map<string, Mark> {
  const rows = result?.details ?? []
  return new Map(
    rows.map(({ assessment_criteria, outcome, score }) => [
      assessment_criteria as string,
      { outcome: outcome || 'Assessed', score },
    ]),
  )
}

/** What a client asks to correct. */
export interface AskedCorrection {
  readonly plan: string
  readonly student: string
  /** The new marks by criterion; those that are not named stay. */
  readonly scores: object
  readonly reason: string
}

/**
 * Corrects posted marks of a student in a plan: the result is cancelled and a new one submitted in its place, and a
 * record keeps both, by whom, when and why. A student without a result gets one.
 *
 * @throws RecordError `ValidationError` for marks that are not posted, without a reason or a change, and by the rules of
 * results.
 */
export async function correctMarks(engine: RecordEngine, asked: AskedCorrection): Promise<object> {
  const { student, scores, reason } = asked
  engine.require(markCorrection, 'create')
  if (reason.trim() === '') throw new RecordError('ValidationError', 'Give the reason for the correction.')
  const plan = await engine.get(assessmentPlan, asked.plan)
  await lockMarks(engine, plan.course)
  if (plan.docstatus !== 1 || !(await areMarksPosted(engine, plan))) {
    throw new RecordError(
      'ValidationError',
      `The marks of the Assessment Plan ${plan.name} are not posted. Change the Assessment Result.`,
    )
  }
  const old = await loadResult(engine, student, plan.name)
  const before = getMarks(old)
  const sent = Object.entries(scores).map(([criterion, value]) => [criterion, readMark(criterion, value)] as const)
  const changed = sent.filter(([criterion, mark]) => !isSame(before.get(criterion), mark))
  if (changed.length === 0) {
    throw new RecordError('ValidationError', 'Nothing changes: these are the marks that are posted. Send a new one.')
  }
  const correction = await engine.insert(markCorrection, {
    student,
    assessment_plan: plan.name,
    old_result: old?.name ?? null,
    old_total: old?.total_score ?? 0,
    old_grade: old?.grade ?? null,
    changes: changed.map(([criterion, mark]) => ({
      assessment_criteria: criterion,
      old_outcome: before.get(criterion)?.outcome ?? null,
      old_score: before.get(criterion)?.score ?? 0,
      new_outcome: mark.outcome,
      new_score: mark.score,
    })),
    reason: reason.trim(),
    corrected_by: engine.caller.user,
    corrected_on: engine.now,
  })
  if (old !== null) await engine.cancel(assessmentResult, old.name)
  const marks = new Map([...before, ...changed])
  const result = await engine.insert(assessmentResult, {
    student,
    assessment_plan: plan.name,
    details: [...marks].map(([assessment_criteria, mark]) => ({ assessment_criteria, ...mark })),
    comment: old?.comment ?? null,
    amended_from: old?.name ?? null,
    docstatus: 1,
  })
  await engine.put(markCorrection, correction.name, {
    new_result: result.name,
    new_total: result.total_score,
    new_grade: result.grade,
  })
  await issueForTerms(engine, plan.academic_year as string, [
    { student: result.student as string, term: plan.academic_term || null },
  ])
  return {
    mark_correction: correction.name,
    assessment_result: result.name,
    total_score: result.total_score,
    grade: result.grade,
  }
}
