import { programEnrollment, programEnrollmentTool, studentApplicant } from '@matricula/contract/record-types'
import { join, sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { enrollApplicant } from '../admissions/index.ts'
import { findDayInYear } from '../calendar/index.ts'

type Tool = RecordOf<typeof programEnrollmentTool>

/**
 * Those who may be enrolled: approved applicants, or students of an earlier enrolment who are not disabled, each once with the
 * latest one, however many terms they were enrolled in.
 */
async function candidates(tool: Tool, work: RecordWork): Promise<object[]> {
  const { get_students_from: source, program, academic_year, academic_term, student_batch } = tool
  const { fields } = programEnrollmentTool
  for (const field of ['get_students_from', 'program', 'academic_year'] as const) {
    if (!tool[field]) throw new RecordError('ValidationError', `${fields[field].label} is mandatory. Choose it first.`)
  }
  const conditions = [sql`r.program = ${program}`, sql`r.academic_year = ${academic_year}`]
  if (academic_term) conditions.push(sql`r.academic_term = ${academic_term}`)
  const found =
    source === 'Student Applicant'
      ? await applicants(work, join([...conditions, sql`r.application_status = 'Approved'`], ' and '))
      : await students(
          work,
          join([...conditions, ...(student_batch ? [sql`r.student_batch_name = ${student_batch}`] : [])], ' and '),
        )
  if (found.length > 0) return found
  throw new RecordError('ValidationError', 'No students found for these choices.')
}

async function applicants(work: RecordWork, condition: ReturnType<typeof join>) {
  work.require(studentApplicant, 'read')
  return work.tx.query<{ student_applicant: string; student_name: string | null }>(sql`
    select r.name as student_applicant, r.title as student_name from student_applicant_records r
     where r.tenant_id = ${work.tx.tenantId} and ${condition} order by r.name`)
}

async function students(work: RecordWork, condition: ReturnType<typeof join>) {
  work.require(programEnrollment, 'read')
  return work.tx.query<Candidate>(sql`
    select student, student_name, student_batch_name, student_category
      from (select distinct on (r.student)
                   r.student, s.student_name, r.student_batch_name, r.student_category, r.name
              from program_enrollments r
              join student_records s on s.tenant_id = r.tenant_id and s.name = r.student and s.enabled = 1
             where r.tenant_id = ${work.tx.tenantId} and ${condition} and r.docstatus < 2
             order by r.student, r.enrollment_date desc nulls last, r.name desc) latest
     order by student_name, name`)
}

interface Candidate {
  readonly student: string
  readonly student_name: string | null
  readonly student_batch_name: string | null
  readonly student_category: string | null
}

/** Makes a draft of an enrolment for everybody in the tool's table. */
async function enrollStudents(tool: Tool, work: RecordWork): Promise<null> {
  work.require(programEnrollment, 'create')
  const { new_program, new_academic_year, new_academic_term, new_student_batch, enrollment_date } = tool
  for (const row of tool.students) {
    if (row.student) {
      await work.insert(programEnrollment, {
        student: row.student,
        program: new_program,
        academic_year: new_academic_year,
        academic_term: new_academic_term,
        student_batch_name: new_student_batch || row.student_batch_name,
        student_category: row.student_category,
        enrollment_date: enrollment_date ?? (await findDayInYear(work, work.today, new_academic_year)),
      })
    } else if (row.student_applicant) {
      const { name } = await enrollApplicant(work, row.student_applicant)
      const day = enrollment_date ?? (await findDayInYear(work, work.today, tool.academic_year))
      await work.change(programEnrollment, name, (enrollment) => {
        enrollment.academic_year = tool.academic_year
        enrollment.academic_term = tool.academic_term || enrollment.academic_term
        enrollment.enrollment_date = day
        enrollment.student_batch_name = new_student_batch || row.student_batch_name
      })
    }
  }
  work.messages.push({ message: `${tool.students.length} students have been enrolled.`, indicator: 'green' })
  return null
}

/** Enrols many at once. What was filled in last is kept; the enrolments are records of their own. */
export const programEnrollmentToolRecord = defineRecord(programEnrollmentTool, {
  isForm: true,
  methods: { get_students: candidates, enroll_students: { run: enrollStudents } },
})
