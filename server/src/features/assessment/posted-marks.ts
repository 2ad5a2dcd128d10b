import { assessmentPlan, type assessmentResult } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { type Sql, sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

/** Of which course, year, term and group marks are; the columns of plans and results, or their values. */
interface MarksScope {
  readonly course: unknown
  readonly academic_year: unknown
  readonly academic_term: unknown
  readonly student_group: unknown
}

/** The condition that marks are posted: of their course and year, for all terms and groups or for their own. */
export function isPosted(tenantId: string, scope: MarksScope): Sql {
  const { course, academic_year: year, academic_term: term, student_group: group } = scope
  return sql`exists (
    select from marks_postings p
     where p.tenant_id = ${tenantId} and p.course = ${course} and p.academic_year = ${year}
       and (coalesce(p.academic_term, '') = '' or p.academic_term = ${term})
       and (coalesce(p.student_group, '') = '' or p.student_group = ${group}))`
}

/** Holds back everybody else who posts the marks of a course, or changes them, until the transaction ends. */
export function lockMarks({ tx }: RecordWork, course: string | null): Promise<void> {
  return takeAdvisoryLock(tx, `marks of ${course}`)
}

/** Whether the marks of a plan or a result are posted. */
export async function areMarksPosted({ tx }: RecordWork, scope: MarksScope): Promise<boolean> {
  const [found] = await tx.query<{ is_posted: boolean }>(sql`select ${isPosted(tx.tenantId, scope)} as is_posted`)
  return found?.is_posted ?? false
}

/** Whether this transaction corrects a student's posted result of a plan: its correction has no new result yet. */
export async function isUnderCorrection({ tx }: RecordWork, student: string | null, plan: string | null) {
  const [found] = await tx.query<{ is_open: boolean }>(sql`
    select exists (select from mark_corrections
                    where tenant_id = ${tx.tenantId} and student = ${student} and assessment_plan = ${plan}
                      and new_result is null) as is_open`)
  return found?.is_open ?? false
}

/** Refuses a result that is made, changed or cancelled after its marks were posted, except by a correction. */
export async function requireNotPosted(document: RecordOf<typeof assessmentResult>, work: RecordWork): Promise<void> {
  const { student, assessment_plan: plan } = document
  await lockMarks(work, document.course)
  if (!(await areMarksPosted(work, document)) || (await isUnderCorrection(work, student, plan))) return
  throw new RecordError('ValidationError', `${getPostedText(document)} Use correct_marks to correct a mark.`)
}

/** Refuses to submit a plan after the marks that it would bring were posted. */
export async function requirePlanNotPosted(document: RecordOf<typeof assessmentPlan>, work: RecordWork): Promise<void> {
  await lockMarks(work, document.course)
  if (!(await areMarksPosted(work, document))) return
  throw new RecordError(
    'ValidationError',
    `${getPostedText(document)} ${assessmentPlan.name}s cannot be added to them.`,
  )
}

function getPostedText({ course, academic_term: term, academic_year: year }: MarksScope): string {
  return `The marks of ${course} in ${term || year} are posted.`
}
