import { assessmentPlan, assessmentResult } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  newRow,
  type RecordEngine,
  RecordError,
  type RecordOf,
  type RecordWork,
  readNumber,
  requireOwn,
  sentText,
} from '../../record-engine/index.ts'
import { readGroupMembers } from '../groups/index.ts'

type Result = RecordOf<typeof assessmentResult>

const detailRows = assessmentResult.fields.details.rows

/** The advisory lock of a student's result in a plan: whoever makes or changes it by cells holds it. */
export const resultLock = (student: string | null, plan: string | null) => `result of ${student} in ${plan}`

/** A student's result in a plan that is not cancelled, with its rows; null for none. */
export async function loadResult(work: RecordWork, student: string, plan: string): Promise<Result | null> {
  const [found] = await work.select(
    assessmentResult,
    sql`r.student = ${student} and r.assessment_plan = ${plan} and r.docstatus < 2`,
    sql`order by r.created_at, r.id limit 1`,
  )
  return found === undefined ? null : work.get(assessmentResult, found.name)
}

/** The active students of a group, with their scores in a plan. */
export async function resultsOfGroup(work: RecordEngine, plan: string, group: string): Promise<object[]> {
  const members = await readGroupMembers(work, group)
  const rows = await work.tx.query<EnteredRow>(sql`
    select r.student, r.name, r.docstatus, r.total_score, r.grade, r.comment,
           d.assessment_criteria as criterion, d.score, d.outcome,
           d.grade as criterion_grade
      from assessment_results r
      left join assessment_results_details d on d.tenant_id = r.tenant_id and d.parent_id = r.id
     where r.tenant_id = ${work.tx.tenantId} and r.assessment_plan = ${plan} and r.docstatus < 2
     order by r.created_at, r.id, d.idx`)
  const byStudent = new Map<string, EnteredRow[]>()
  for (const row of rows) byStudent.set(row.student, [...(byStudent.get(row.student) ?? []), row])
  return members.map(({ student, student_name }) => {
    const entered = byStudent.get(student)
    const [first] = entered ?? []
    if (entered === undefined || first === undefined) return { student, student_name, assessment_details: null }
    const criteria = entered
      .filter(({ criterion, outcome }) => criterion !== null && (outcome ?? 'Assessed') === 'Assessed')
      .map(({ criterion, score, criterion_grade }) => [criterion, [formatScore(score), criterion_grade]])
    return {
      student,
      student_name,
      assessment_details: {
        ...Object.fromEntries(criteria),
        total_score: [formatScore(first.total_score), first.grade],
        comment: first.comment,
      },
      docstatus: first.docstatus,
      name: first.name,
    }
  })
}

interface EnteredRow {
  readonly student: string
  readonly name: string
  readonly docstatus: number
  readonly total_score: number
  readonly grade: string | null
  readonly comment: string | null
  readonly criterion: string | null
  readonly outcome: string | null
  readonly score: number
  readonly criterion_grade: string | null
}

/** A score as text with at least one decimal. */
function formatScore(score: number): string {
  return Number.isInteger(score) ? score.toFixed(1) : String(score)
}

/**
 * Enters a student's scores in a plan, as a draft that can be changed until it is submitted. Returns the plan's maxima
 * and grades.
 *
 * @throws RecordError `FrappeTypeError` for malformed scores, `ValidationError` for a submitted result, and by the
 * rules of results.
 */
export async function enterScores(engine: RecordEngine, plan: string, scores: object): Promise<object> {
  const { student, assessment_details: details, comment } = scores as Readonly<Record<string, unknown>>
  if (typeof student !== 'string' || typeof details !== 'object' || details === null || Array.isArray(details)) {
    throw new RecordError(
      'FrappeTypeError',
      'The argument scores must have a student, and assessment_details with a score for each criterion.',
    )
  }
  const stored = await loadResult(engine, student, plan)
  const right = stored === null ? 'create' : 'write'
  engine.require(assessmentResult, right)
  if (stored?.docstatus === 1) {
    throw new RecordError(
      'ValidationError',
      `The result ${stored.name} of ${student} is already submitted. Cancel and amend it to change a score.`,
    )
  }
  const rowsWith = (known: RecordOf<typeof assessmentResult>['details']) =>
    Object.entries(details).map(([criterion, score], index) => {
      const row = known.find((each) => each.assessment_criteria === criterion) ?? newRow(detailRows, {})
      const entered = readNumber(criterion, score)
      const outcome = entered === null ? ('Not Assessed' as const) : ('Assessed' as const)
      return { ...row, assessment_criteria: criterion, score: entered ?? 0, outcome, idx: index + 1 }
    })
  const commentField = comment === undefined ? {} : { comment: comment === null ? null : sentText('comment', comment) }
  const saved =
    stored === null
      ? await engine.insert(assessmentResult, {
          student,
          assessment_plan: plan,
          details: rowsWith([]),
          ...commentField,
        })
      : await engine.change(assessmentResult, stored.name, (result) => {
          Object.assign(result, commentField, { details: rowsWith(result.details) })
        })
  await requireOwn(engine, assessmentResult, saved.name, right)
  return {
    name: saved.name,
    student: saved.student,
    total_score: saved.total_score,
    grade: saved.grade,
    details: Object.fromEntries(saved.details.map((row) => [row.assessment_criteria, row.grade])),
  }
}

/** Submits the drafts of a group's active students in a plan; returns their number. */
export async function submitResults(engine: RecordEngine, plan: string, group: string): Promise<number> {
  await requireOwn(engine, assessmentPlan, plan)
  await engine.get(assessmentPlan, plan)
  const students = (await readGroupMembers(engine, group)).map(({ student }) => student)
  const drafts = await engine.tx.query<{ name: string }>(sql`
    select name from assessment_results
     where tenant_id = ${engine.tx.tenantId} and assessment_plan = ${plan} and student = any(${students}::text[])
       and docstatus = 0
     order by name`)
  await engine.lockAll(drafts.map(({ name }) => ({ type: assessmentResult, name })))
  for (const { name } of drafts) {
    await engine.change(assessmentResult, name, (result) => {
      result.docstatus = 1
    })
  }
  return drafts.length
}
