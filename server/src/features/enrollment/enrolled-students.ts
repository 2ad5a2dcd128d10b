import { programEnrollment, student } from '@matricula/contract/record-types'
import { join, sql } from '../../database/index.ts'
import type { RecordWork } from '../../records/record-work.ts'

/** Which enrolments count: those of a year and, where they are given, of a term, program, batch, category or course. */
export interface EnrollmentSelection {
  readonly academic_year: string | null
  readonly academic_term?: string | null
  readonly program?: string | null
  readonly batch?: string | null
  readonly student_category?: string | null
  readonly course?: string | null
}

/** A student with a submitted enrolment; not active when the student is disabled. */
export interface EnrolledStudent {
  readonly student: string
  readonly student_name: string | null
  readonly active: 0 | 1
}

/** The students of the submitted enrolments that are selected, each once, by name. */
export async function enrolledStudents(work: RecordWork, selection: EnrollmentSelection): Promise<EnrolledStudent[]> {
  const { academic_year, academic_term, program, batch, student_category, course } = selection
  const conditions = [sql`r.docstatus = 1`, sql`r.academic_year = ${academic_year}`]
  if (academic_term) conditions.push(sql`r.academic_term = ${academic_term}`)
  if (program) conditions.push(sql`r.program = ${program}`)
  if (batch) conditions.push(sql`r.student_batch_name = ${batch}`)
  if (student_category) conditions.push(sql`r.student_category = ${student_category}`)
  if (course) {
    conditions.push(sql`r.id in (select c.parent_id from program_enrollments_courses c
                                  where c.tenant_id = ${work.tx.tenantId} and c.course = ${course})`)
  }
  const enrollments = await work.select(
    programEnrollment,
    join(conditions, ' and '),
    sql`order by r.student_name, r.student`,
  )
  const names = new Map(enrollments.map((each) => [each.student as string, each.student_name]))
  const enabled = new Map((await studentsNamed(work, [...names.keys()])).map((each) => [each.name, each.enabled]))
  return [...names].map(([name, student_name]) => ({
    student: name,
    student_name,
    active: enabled.get(name) === 1 ? 1 : 0,
  }))
}

/** The students of these names, without their rows. */
export async function studentsNamed(work: RecordWork, names: readonly string[]) {
  return names.length === 0 ? [] : work.select(student, sql`r.name = any(${names}::text[])`)
}
