import { StressCaller, type StressTarget } from './stress-caller.ts'

/** The few records that all clients of the stress change. Renamed ones are found by their ids. */
export interface StressSchool {
  readonly studentIds: readonly string[]
  readonly guardians: readonly string[]
  /** The addresses of the guardians, in their order. */
  readonly emails: readonly string[]
  readonly applicationIds: readonly string[]
  readonly programIds: readonly string[]
  readonly enrollments: readonly string[]
  readonly structure: string
  readonly company: string
  readonly group: string
}

export const year = '2026-27'
const size = 5

/** Makes five students with two guardians each, five applications with contacts, five submitted fees and a group of all. */
export async function makeSchool(target: StressTarget): Promise<StressSchool> {
  const caller = new StressCaller(target, (call, { status, body }) => {
    if (status >= 400) throw new Error(`${call}: ${status} ${JSON.stringify(body)}`)
  })
  const make = async (type: string, fields: object) => (await caller.record('POST', type, null, fields)).body.data
  const each = <Made>(one: (index: number) => Promise<Made>) => inTurn([...Array(size).keys()], one)
  await make('Academic Year', { academic_year_name: year, year_start_date: '2026-08-01', year_end_date: '2027-07-31' })
  for (const program_name of ['Physics', 'Botany']) await make('Program', { program_name })
  for (const course_name of ['Optics', 'Mosses']) await make('Course', { course_name })
  await make('Fee Category', { category_name: 'Tuition' })
  for (const category of ['Day', 'Night']) await make('Student Category', { category })
  const structure = await make('Fee Structure', {
    program: 'Physics',
    academic_year: year,
    docstatus: 1,
    components: [{ fees_category: 'Tuition', amount: 1000 }],
  })
  const emails = [...Array(size).keys()].map((index) => `guardian${index}@example.org`)
  const guardians = await each(async (index) => {
    const fields = { guardian_name: `Guardian ${index}`, email_address: emails[index] }
    return (await make('Guardian', fields)).name as string
  })
  const students = await each(async (index) => {
    const two = [guardians[index], guardians[(index + 1) % size]].map((guardian) => ({ guardian, relation: 'Mother' }))
    const fields = { first_name: 'Ada', last_name: `Number ${index}`, guardians: two }
    return (await make('Student', { ...fields, student_email_id: `student${index}@example.org` })).name as string
  })
  const listed = (await caller.v1('GET', '/students?limit=100')).body.data
  const studentIds = listed.map(({ id }: { id: string }) => id)
  const programs = (await caller.v1('GET', '/programs?limit=100')).body.data
  const applicationIds = await each(async (index) => {
    const contacts = [{ email: emails[index] }, { email: emails[(index + 2) % size] }, {}]
    const location = { programId: programs[0].id, academicYear: year }
    const application = {
      fullName: `Applicant ${index}`,
      email: `applicant${index}@example.org`,
      contacts,
      ...location,
    }
    return (await caller.v1('POST', '/admissions/applications', application)).body.data.id as string
  })
  const enrollments = await each(async (index) => {
    const fields = { program: 'Physics', academic_year: year, enrollment_date: '2026-08-15', docstatus: 1 }
    return (await make('Program Enrollment', { ...fields, student: students[index] })).name as string
  })
  const members = students.map((student) => ({ student }))
  const group = await make('Student Group', {
    student_group_name: 'Everybody',
    group_based_on: 'Activity',
    academic_year: year,
    program: 'Physics',
    students: members,
  })
  return {
    studentIds,
    guardians,
    emails,
    applicationIds,
    programIds: programs.map(({ id }: { id: string }) => id),
    enrollments,
    structure: structure.name,
    company: structure.company,
    group: group.name,
  }
}

async function inTurn<Item, Made>(items: readonly Item[], make: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (const item of items) made.push(await make(item))
  return made
}
