import { join, sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'

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
  return work.tx.query<EnrolledStudent>(sql`
    select r.student, max(coalesce(s.student_name, r.student_name)) as student_name, coalesce(max(s.enabled), 0) as active
      from program_enrollments r
      left join student_records s on s.tenant_id = r.tenant_id and s.name = r.student
     where r.tenant_id = ${work.tx.tenantId} and ${join(conditions, ' and ')}
     group by r.student
     order by student_name, r.student`)
}

/** Which of the students of these names there are, and whether they are enabled. */
export async function enabledByName(work: RecordWork, names: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  if (names.length === 0) return new Map()
  const found = await work.tx.query<{ name: string; enabled: number }>(sql`
    select name, enabled from student_records where tenant_id = ${work.tx.tenantId} and name = any(${names}::text[])`)
  return new Map(found.map(({ name, enabled }) => [name, enabled === 1]))
}
