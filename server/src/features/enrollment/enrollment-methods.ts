import {
  course,
  enrollmentHistory,
  programEnrollment,
  program as programType,
  student,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { type RecordEngine, RecordError, requireReadableOf } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { findCurrentEnrollment } from './current-enrollment.ts'
import { recordExit } from './enrollment-history.ts'
import { getHits, searchParameters, searchStudents } from './link-search.ts'
import { enrollInProgram } from './self-enrollment.ts'

const findText = (filters: object | null, name: string) => {
  const value = (filters as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const exitParameters = {
  student: { type: 'string', required: true },
  program: { type: 'string', about: 'Without it the student leaves every program, and the institution.' },
  exit_date: { type: 'date', about: 'From this day on the student is gone; today where none is named.' },
  remarks: { type: 'string' },
} as const

const exitRights = [
  { type: enrollmentHistory, right: 'write' },
  { type: enrollmentHistory, right: 'create' },
  { type: student, right: 'write' },
] as const

interface ExitArguments {
  readonly student: string
  readonly program: string | null
  readonly exit_date: string | null
  readonly remarks: string | null
}

/** Ends a student's time in a program; who leaves every program has left the institution. */
async function leave(engine: RecordEngine, { exit_date, ...args }: ExitArguments, exit_code: string) {
  await engine.get(student, args.student)
  const day = exit_date ?? engine.today
  const periods = await recordExit({ ...args, exit_date: day, exit_code }, engine)
  if (!args.program) {
    await engine.change(student, args.student, (leaver) => {
      leaver.date_of_leaving = day
      leaver.reason_for_leaving = args.remarks || leaver.reason_for_leaving || exit_code
    })
  }
  return { enrollment_history: periods, exit_date: day, exit_code }
}

const exitCodes = ['Withdrawal', 'Transfer Out', 'Expulsion', 'Death', 'Other']

/** The methods of enrolments. */
export const enrollmentMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.get_current_enrollment',
    rights: [{ type: programEnrollment, right: 'read' }],
    isForStudents: true,
    summary: 'The first enrolment of a student in a year.',
    result: {
      type: 'object',
      description:
        '`program_enrollment`, `student_name`, `program`, `student_batch`, `student_category`, `academic_term` and `academic_year`; absent where there is none.',
    },
    parameters: { student: { type: 'string', required: true }, academic_year: { type: 'string' } },
    run: async (engine, { student, academic_year }) => {
      await requireReadableOf(engine, programEnrollment.name, student)
      return findCurrentEnrollment(engine, student, academic_year)
    },
  }),
  recordMethod({
    path: 'education.education.api.get_student_programs',
    rights: [{ type: programEnrollment, right: 'read' }],
    isForStudents: true,
    summary: 'The programs that a student is enrolled in, the enrolment that changed last first.',
    result: { type: 'array', description: 'Objects with `program` and `name`, that of the enrolment.' },
    parameters: { student: { type: 'string', required: true } },
    run: async (engine, { student }) => {
      await requireReadableOf(engine, programEnrollment.name, student)
      const found = await engine.select(
        programEnrollment,
        sql`r.student = ${student} and r.docstatus = 1`,
        sql`order by r.updated_at desc, r.id desc`,
      )
      return found.map(({ program, name }) => ({ program, name }))
    },
  }),
  recordMethod({
    path: 'education.education.utils.enroll_in_program',
    rights: 'own records',
    isForStudents: true,
    summary: 'Enrols the student who calls in a program that allows it, or any student where the staff call.',
    verbs: ['POST', 'PUT'],
    result: { type: 'string', description: 'The name of the Program Enrollment.' },
    parameters: { program_name: { type: 'string', required: true }, student: { type: 'string' } },
    run: enrollInProgram,
  }),
  recordMethod({
    path: 'education.education.api.withdraw_student',
    rights: exitRights,
    summary: 'Ends a student’s time in a program, or in the institution where no program is named.',
    verbs: ['POST', 'PUT'],
    result: { type: 'object', description: '`enrollment_history` (names), `exit_date` and `exit_code`.' },
    parameters: {
      ...exitParameters,
      exit_code: { type: 'string', about: `One of ${exitCodes.join(', ')}; Withdrawal where none is named.` },
    },
    run: async (engine, { exit_code, ...exit }) => {
      const code = exit_code || 'Withdrawal'
      if (exitCodes.includes(code)) return leave(engine, exit, code)
      throw new RecordError('ValidationError', `exit_code ${code} must be one of ${exitCodes.join(', ')}.`)
    },
  }),
  recordMethod({
    path: 'education.education.api.graduate_student',
    rights: exitRights,
    summary:
      'Ends a student’s time in a program with its completion, and in the institution where no program is named.',
    verbs: ['POST', 'PUT'],
    result: { type: 'object', description: '`enrollment_history` (names), `exit_date` and `exit_code`.' },
    parameters: exitParameters,
    run: (engine, exit) => leave(engine, exit, 'Graduation'),
  }),
  recordMethod({
    path: 'education.education.doctype.program_enrollment.program_enrollment.get_program_courses',
    rights: [
      { type: programType, right: 'read' },
      { type: course, right: 'read' },
    ],
    summary: 'The courses of a program that have what was typed, as rows.',
    result: { type: 'array', description: 'Rows, as arrays of texts.' },
    parameters: searchParameters,
    run: async (engine, { filters, ...search }) => {
      const program = findText(filters, 'program')
      if (program === null) {
        engine.messages.push({ message: 'Please select a Program first.' })
        return []
      }
      const typed = search.txt?.toLowerCase() ?? ''
      const rows = await engine.tx.query<{ course: string }>(sql`
        select c.name as course
          from programs p
          join program_courses pc on pc.tenant_id = p.tenant_id and pc.program_id = p.id
          join courses c on c.tenant_id = pc.tenant_id and c.id = pc.course_id
         where p.tenant_id = ${engine.tx.tenantId} and p.name = ${program} and strpos(lower(c.name), ${typed}) > 0
         group by c.name order by min(pc.position), c.name ${getHits(search)}`)
      return rows.map(({ course }) => [course, course])
    },
  }),
  recordMethod({
    path: 'education.education.doctype.program_enrollment.program_enrollment.get_students',
    rights: [
      { type: student, right: 'read', all: true },
      { type: programEnrollment, right: 'read', all: true },
    ],
    summary: 'The students who are not enrolled in a year and term and have what was typed, as rows.',
    result: { type: 'array', description: 'Rows, as arrays of texts.' },
    parameters: searchParameters,
    run: async (engine, { filters, ...search }) => {
      const settings = await loadEducationSettings(engine)
      const year = findText(filters, 'academic_year') ?? settings.current_academic_year
      const term = findText(filters, 'academic_term') ?? settings.current_academic_term
      const isNew = sql`r.name not in (
        select e.student from program_enrollments e
         where e.tenant_id = ${engine.tx.tenantId} and e.student is not null and e.academic_year = ${year}
           and coalesce(e.academic_term, '') = ${term ?? ''})`
      return searchStudents(engine, search, isNew)
    },
  }),
]
