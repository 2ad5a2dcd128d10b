import type { Body, EnteredScores, GradeSheet, gradeSheetOperations, Static } from '@matricula/contract'
import { assessmentPlan, assessmentResult, studentGroup } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { mayDo, newRow, type RecordEngine, type RecordOf, requireOwn } from '../../record-engine/index.ts'
import { readGroupMembers } from '../groups/index.ts'
import { loadResult, resultLock } from './result-entry.ts'

type Sheet = Static<typeof GradeSheet>
type SheetStudent = Sheet['students'][number]
type Refused = Static<typeof EnteredScores>['refused'][number]
type Plan = RecordOf<typeof assessmentPlan>
type Result = RecordOf<typeof assessmentResult>

/** A cell as it is sent. */
type Cell = Body<(typeof gradeSheetOperations)['enterScores']>['cells'][number]

/** What a sheet shows of a result. */
type ShownResult = Pick<Result, 'name' | 'docstatus' | 'total_score' | 'maximum_score' | 'grade'> & {
  readonly details: readonly Pick<Result['details'][number], 'assessment_criteria' | 'outcome' | 'score' | 'grade'>[]
}

const detailRows = assessmentResult.fields.details.rows

/** The plan of a grade sheet. Throws `PermissionError` or `DoesNotExistError` for whoever may not read it, or results. */
export async function loadPlan(engine: RecordEngine, name: string): Promise<Plan> {
  await requireOwn(engine, assessmentPlan, name)
  engine.require(assessmentResult, 'read')
  engine.require(studentGroup, 'read')
  return engine.get(assessmentPlan, name)
}

/** The scores of a plan's group, with what the caller may do. */
export async function readSheet(engine: RecordEngine, plan: Plan): Promise<Sheet> {
  const members = await readGroupMembers(engine, plan.student_group ?? '')
  const results = await loadResults(engine, plan.name)
  const may = (right: 'create' | 'write' | 'submit') => mayDo(engine.caller, assessmentResult, right)
  return {
    plan: plan.name,
    title: plan.assessment_name || plan.name,
    course: plan.course ?? '',
    studentGroup: plan.student_group ?? '',
    gradingScale: plan.grading_scale || null,
    mayEnter: plan.docstatus === 1 && may('create') && may('write'),
    maySubmit: plan.docstatus === 1 && may('submit'),
    criteria: plan.assessment_criteria.map(({ assessment_criteria, maximum_score, allow_bonus }) => ({
      criterion: assessment_criteria ?? '',
      maximum: maximum_score,
      allowsBonus: Boolean(allow_bonus),
    })),
    students: members.map((member) => toStudent(plan, member, results.get(member.student))),
  }
}

/**
 * Enters cells as drafts, each by itself: what cannot be entered is returned with the reason. Results are locked in the
 * order of their students, so that two teachers wait for each other and never for good.
 *
 * @throws RecordError by the rules of results.
 */
export async function enterCells(
  engine: RecordEngine,
  plan: Plan,
  cells: readonly Cell[],
): Promise<{ students: SheetStudent[]; refused: Refused[] }> {
  const members = new Map(
    (await readGroupMembers(engine, plan.student_group ?? '')).map((each) => [each.student, each]),
  )
  const refused: Refused[] = []
  const students: SheetStudent[] = []
  for (const student of [...new Set(cells.map((cell) => cell.student))].sort()) {
    const own = cells.filter((cell) => cell.student === student)
    const member = members.get(student)
    if (member === undefined) {
      const detail = `${student} is not in the group ${plan.student_group} now. Read the sheet again.`
      refused.push(...own.map(({ criterion }) => ({ student, criterion, code: 'unknown_student' as const, detail })))
      continue
    }
    const before = await lockResult(engine, plan.name, student)
    const taken = own.filter((cell) => {
      const reason = whyRefused(plan, before, cell)
      if (reason !== null) refused.push({ student, criterion: cell.criterion, ...reason })
      return reason === null
    })
    const after = taken.length === 0 ? before : await saveCells(engine, plan, student, before, taken)
    students.push(toStudent(plan, member, after ?? undefined))
  }
  return { students, refused }
}

/** A student's result, which nobody else makes or changes meanwhile; null for none. */
async function lockResult(engine: RecordEngine, plan: string, student: string): Promise<Result | null> {
  await takeAdvisoryLock(engine.tx, resultLock(student, plan))
  return loadResult(engine, student, plan)
}

type Reason = Pick<Refused, 'code' | 'detail'>

function whyRefused(plan: Plan, result: Result | null, cell: Cell): Reason | null {
  const { criterion, outcome, score = null, was } = cell
  const planned = plan.assessment_criteria.find((row) => row.assessment_criteria === criterion)
  if (planned === undefined) {
    return { code: 'unknown_criterion', detail: `${criterion} is no criterion of ${plan.name}. Read the sheet again.` }
  }
  if (result?.docstatus === 1) {
    const detail = `The result ${result.name} is submitted. Cancel and amend it to change a score.`
    return { code: 'submitted', detail }
  }
  const max = planned.maximum_score
  if (outcome === 'Assessed' && (score === null || score < 0 || (score > max && !planned.allow_bonus))) {
    const detail = planned.allow_bonus ? 'Enter a score of 0 or more.' : `Enter a score from 0 to ${max}.`
    return { code: 'out_of_range', detail }
  }
  const current = cellValue(result, criterion)
  // Where no result was made yet, nothing is assessed.
  const isSame = (value: number | string | null) => (value ?? 'Not Assessed') === (current ?? 'Not Assessed')
  if (was === undefined || isSame(was) || isSame(outcome === 'Assessed' ? score : outcome)) return null
  const detail = `Somebody entered ${current ?? 'nothing'} meanwhile. Decide which one holds.`
  return { code: 'changed_meanwhile', detail }
}

/** What a cell has: a score, an outcome, or null where no result was made yet. */
function cellValue(result: Result | null, criterion: string): number | string | null {
  const row = result?.details.find(({ assessment_criteria }) => assessment_criteria === criterion)
  if (row === undefined) return null
  return row.outcome === 'Not Assessed' || row.outcome === 'Excused' ? row.outcome : row.score
}

async function saveCells(
  engine: RecordEngine,
  plan: Plan,
  student: string,
  before: Result | null,
  cells: readonly Cell[],
): Promise<Result> {
  const right = before === null ? 'create' : 'write'
  engine.require(assessmentResult, right)
  const byCriterion = new Map(cells.map((cell) => [cell.criterion, cell]))
  const rows = (known: Result['details']) =>
    plan.assessment_criteria.map(({ assessment_criteria: criterion }, index) => {
      const stored = known.find((row) => row.assessment_criteria === criterion)
      const row = stored ?? newRow(detailRows, { assessment_criteria: criterion, outcome: 'Not Assessed' })
      const cell = byCriterion.get(criterion ?? '')
      const entered = cell && { outcome: cell.outcome, score: cell.outcome === 'Assessed' ? (cell.score ?? 0) : 0 }
      return { ...row, ...entered, idx: index + 1 }
    })
  const saved =
    before === null
      ? await engine.insert(assessmentResult, { student, assessment_plan: plan.name, details: rows([]) })
      : await engine.change(assessmentResult, before.name, (result) => {
          result.details = rows(result.details)
        })
  await requireOwn(engine, assessmentResult, saved.name, right)
  return saved
}

/** The results in a plan that are not cancelled, by student. */
async function loadResults(engine: RecordEngine, plan: string): Promise<Map<string, ShownResult>> {
  const rows = await engine.tx.query<ShownResult & { readonly student: string }>(sql`
    select r.student, r.name, r.docstatus, r.total_score, r.maximum_score, r.grade,
           (select coalesce(jsonb_agg(jsonb_build_object('assessment_criteria', d.assessment_criteria, 'outcome', d.outcome,
                                                         'score', d.score, 'grade', d.grade) order by d.idx), '[]')
              from assessment_results_details d
             where d.tenant_id = ${engine.tx.tenantId} and d.parent_id = r.id) as details
      from assessment_results r
     where r.tenant_id = ${engine.tx.tenantId} and r.assessment_plan = ${plan} and r.docstatus < 2
     order by r.created_at desc, r.id desc`)
  return new Map(rows.map((row) => [row.student, row]))
}

function toStudent(
  plan: Plan,
  { student, student_name }: { readonly student: string; readonly student_name: string | null },
  result: ShownResult | undefined,
): SheetStudent {
  return {
    student,
    studentName: student_name ?? student,
    result: result?.name ?? null,
    status: result === undefined ? 'open' : result.docstatus === 1 ? 'submitted' : 'draft',
    total: result?.total_score ?? null,
    maximum: result?.maximum_score ?? null,
    grade: result?.grade || null,
    scores: plan.assessment_criteria.map(({ assessment_criteria: criterion }) => {
      const row = result?.details.find((each) => each.assessment_criteria === criterion)
      const outcome = row === undefined ? 'Not Assessed' : (row.outcome ?? 'Assessed')
      return {
        criterion: criterion ?? '',
        outcome: outcome as SheetStudent['scores'][number]['outcome'],
        score: row !== undefined && outcome === 'Assessed' ? row.score : null,
        grade: row?.grade || null,
      }
    }),
  }
}
