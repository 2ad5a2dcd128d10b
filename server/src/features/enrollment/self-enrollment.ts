import { program, programEnrollment, student } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { hasOnlyPersonalRoles, RecordError, type RecordWork } from '../../record-engine/index.ts'
import { findDayInYear } from '../calendar/index.ts'
import { requireYear } from './current-enrollment.ts'

/** The student who calls. Throws `DoesNotExistError` for a caller who is no student. */
export async function callingStudent(work: RecordWork): Promise<string> {
  const { user } = work.caller
  const [self] = await work.select(student, sql`r."user" = ${user}`, sql`order by r.updated_at desc, r.id limit 1`)
  if (self !== undefined) return self.name
  throw new RecordError('DoesNotExistError', `No student has the user ${user}. Set it in the student’s User ID.`)
}

/**
 * Enrols a student in a program for the institution's current year, submitted at once, and gives the name of the enrolment;
 * where there is one already, that one's. Students enrol only themselves, and only in programs that allow it.
 */
export async function enrollInProgram(
  work: RecordWork,
  { program_name, student: named }: { readonly program_name: string; readonly student: string | null },
): Promise<string> {
  const isStudent = hasOnlyPersonalRoles(work.caller)
  if (!isStudent) {
    work.require(programEnrollment, 'create')
    work.require(programEnrollment, 'submit')
  }
  const who = isStudent ? await callingStudent(work) : named
  if (!who) throw new RecordError('FrappeTypeError', 'The argument student is missing: name whom to enrol.')
  const { allow_self_enroll } = await work.get(program, program_name)
  if (isStudent && named && named !== who) {
    throw new RecordError('PermissionError', 'Students enrol only themselves.')
  }
  if (isStudent && allow_self_enroll !== 1) {
    throw new RecordError(
      'ValidationError',
      `You are not allowed to enroll in ${program_name} by yourself. Ask the institution to enrol you.`,
    )
  }
  const academic_year = await requireYear(work, null)
  await takeAdvisoryLock(work.tx, `enrolment of ${who}`)
  const [known] = await work.select(
    programEnrollment,
    sql`r.student = ${who} and r.program = ${program_name} and r.academic_year = ${academic_year} and r.docstatus < 2`,
    sql`order by r.docstatus desc, r.created_at, r.id limit 1`,
  )
  if (known !== undefined) return known.name
  const made = await work.insert(programEnrollment, {
    student: who,
    program: program_name,
    academic_year,
    enrollment_date: await findDayInYear(work, work.today, academic_year),
    docstatus: 1,
  })
  return made.name
}
