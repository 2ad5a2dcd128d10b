import { aCatalogue, aStudent } from './factories.ts'
import { RecordDesk } from './record-desk.ts'
import type { TestService, TestTenant } from './test-service.ts'

/** An institution with a year, a term, a program with two courses, two students in a group, a teacher and a room. */
export interface Campus {
  readonly tenant: TestTenant
  readonly desk: RecordDesk
  readonly year: string
  readonly term: string
  readonly program: string
  /** A course that the program demands, and one that it offers. */
  readonly courses: readonly [string, string]
  readonly students: readonly [string, string]
  /** A group of both students, of the program. */
  readonly group: string
  readonly instructor: string
  readonly room: string
}

/** Makes a campus in a tenant of its own. The academic year is from 2026-08-01 to 2027-06-30, the term until 2026-12-20. */
export async function aCampus(service: TestService): Promise<Campus> {
  const tenant = await service.tenant()
  const desk = new RecordDesk(service, tenant)
  const program = 'Nursing'
  await aCatalogue(service, tenant, { program, course: 'Anatomy' })
  await aCatalogue(service, tenant, { program, course: 'Ethics' })
  const ada = await aStudent(tenant.api, { fullName: 'Ada Byron', email: 'ada@example.org' })
  const alan = await aStudent(tenant.api, { fullName: 'Alan Turing', email: 'alan@example.org' })
  const year = await desk.make('Academic Year', {
    academic_year_name: '2026-27',
    year_start_date: '2026-08-01',
    year_end_date: '2027-06-30',
  })
  const term = await desk.make('Academic Term', {
    academic_year: year.name,
    term_name: 'Autumn',
    term_start_date: '2026-08-01',
    term_end_date: '2026-12-20',
  })
  const instructor = await desk.make('Instructor', { instructor_name: 'Grace Hopper' })
  const room = await desk.make('Room', { room_name: 'Lecture Hall' })
  const group = await desk.make('Student Group', {
    student_group_name: 'Nursing A',
    academic_year: year.name,
    group_based_on: 'Activity',
    program,
    students: [{ student: ada.studentCode }, { student: alan.studentCode }],
    instructors: [{ instructor: instructor.name }],
  })
  return {
    tenant,
    desk,
    year: year.name,
    term: term.name,
    program,
    courses: ['Anatomy', 'Ethics'],
    students: [ada.studentCode, alan.studentCode],
    group: group.name,
    instructor: instructor.name,
    room: room.name,
  }
}

/** Makes a lesson of the campus's group in its first course, from nine to ten on 2026-09-01 unless said otherwise. */
export function aLesson({ desk, group, instructor, room, courses }: Campus, fields: object = {}) {
  return desk.create('Course Schedule', {
    student_group: group,
    instructor,
    room,
    course: courses[0],
    schedule_date: '2026-09-01',
    from_time: '09:00:00',
    to_time: '10:00:00',
    ...fields,
  })
}

/** Makes and submits a grading scale: A from 80, B from 50, F from 0. */
export async function aScale({ desk }: Campus, name = 'Letters'): Promise<string> {
  const scale = await desk.make('Grading Scale', {
    grading_scale_name: name,
    intervals: [
      { grade_code: 'F', threshold: 0 },
      { grade_code: 'A', threshold: 80 },
      { grade_code: 'B', threshold: 50 },
    ],
    docstatus: 1,
  })
  return scale.name
}

/** Enrols the campus's first student in its program, as a draft unless said otherwise. */
export function anEnrollment({ desk, students, program, year }: Campus, fields: object = {}) {
  return desk.create('Program Enrollment', {
    student: students[0],
    program,
    academic_year: year,
    enrollment_date: '2026-08-03',
    ...fields,
  })
}

/** Makes and submits an assessment plan of the campus's group: written for 60 and oral for 40, on 2026-10-01. */
export async function aPlan(campus: Campus, fields: object = {}): Promise<string> {
  const { desk, group, courses } = campus
  for (const assessment_criteria of ['Written', 'Oral'])
    await desk.create('Assessment Criteria', { assessment_criteria })
  const plan = await desk.make('Assessment Plan', {
    student_group: group,
    course: courses[0],
    assessment_group: 'All Assessment Groups',
    grading_scale: 'Letters',
    schedule_date: '2026-10-01',
    from_time: '09:00:00',
    to_time: '10:00:00',
    maximum_assessment_score: 100,
    assessment_criteria: [
      { assessment_criteria: 'Written', maximum_score: 60 },
      { assessment_criteria: 'Oral', maximum_score: 40 },
    ],
    docstatus: 1,
    ...fields,
  })
  return plan.name
}

/** Makes a result of the campus's first student in a plan, as a draft unless said otherwise. */
export function aResult({ desk, students }: Campus, plan: string, scores: object, fields: object = {}) {
  const details = Object.entries(scores).map(([assessment_criteria, score]) => ({ assessment_criteria, score }))
  return desk.create('Assessment Result', { student: students[0], assessment_plan: plan, details, ...fields })
}

/** Makes and submits a fee of an enrolment, 1200.50 of the campus's first student unless said otherwise, due on 2026-10-01. */
export async function aFee(
  { desk, tenant, students, program, year }: Campus,
  enrollment: string,
  { amount = 1200.5, ...fields }: { readonly amount?: number; readonly student?: string } = {},
): Promise<string> {
  await desk.create('Fee Category', { category_name: 'Tuition' })
  const components = [{ fees_category: 'Tuition', amount }]
  const structure = await desk.make('Fee Structure', { academic_year: year, program, components, docstatus: 1 })
  const fee = await desk.make('Fees', {
    student: students[0],
    program_enrollment: enrollment,
    fee_structure: structure.name,
    company: tenant.name,
    academic_year: year,
    receivable_account: 'Debtors',
    posting_date: '2026-09-01',
    due_date: '2026-10-01',
    components,
    docstatus: 1,
    ...fields,
  })
  return fee.name
}
