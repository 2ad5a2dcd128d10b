import type { Chance } from './chance.ts'
import type { StressCaller } from './stress-caller.ts'
import { type StressSchool, year } from './stress-school.ts'

/** What a client works with. */
interface Desk {
  readonly caller: StressCaller
  readonly school: StressSchool
  readonly chance: Chance
}

/** One thing that a client does now and then, and how often, compared with the others. */
interface Deed {
  readonly often: number
  readonly run: (resourceClient: Desk) => Promise<unknown>
}

/** The students as they are named just now. */
async function studentNames({ caller }: Desk): Promise<string[]> {
  const { body } = await caller.v1('GET', '/students?limit=100')
  return body.data.map(({ studentCode }: { studentCode: string }) => studentCode)
}

const onStudents: readonly Deed[] = [
  {
    often: 8,
    run: ({ caller, school, chance }) =>
      caller.v1('PATCH', `/students/${chance.of(school.studentIds)}`, { city: chance.word() }),
  },
  {
    often: 3,
    run: ({ caller, school, chance }) =>
      caller.v1('PATCH', `/students/${chance.of(school.studentIds)}`, { programId: chance.of(school.programIds) }),
  },
  {
    often: 4,
    run: ({ caller, chance }) =>
      caller.v1('PUT', `/students/external/ext-${chance.below(3)}`, {
        fullName: `Upserted ${chance.word()}`,
        phone: chance.phone(),
      }),
  },
  {
    often: 8,
    run: async (resourceClient) => {
      const { caller, school, chance } = resourceClient
      const guardians = chance.shuffled(school.guardians).slice(0, 2)
      return caller.record('PUT', 'Student', chance.of(await studentNames(resourceClient)), {
        last_name: chance.word(),
        student_email_id: `student${chance.below(30)}@example.org`,
        guardians: guardians.map((guardian) => ({ guardian, relation: chance.of(['Mother', 'Father']) })),
      })
    },
  },
  {
    often: 8,
    run: ({ caller, school, chance }) =>
      caller.record('PUT', 'Guardian', chance.of(school.guardians), {
        guardian_name: chance.word(),
        mobile_number: chance.phone(),
      }),
  },
]

const onApplications: readonly Deed[] = [
  {
    often: 4,
    run: ({ caller, school, chance }) =>
      caller.v1('PATCH', `/admissions/applications/${chance.of(school.applicationIds)}`, {
        city: chance.word(),
        studentId: chance.of([null, ...school.studentIds]),
      }),
  },
  {
    often: 4,
    run: ({ caller, school, chance }) =>
      caller.v1('PUT', `/admissions/applications/external/ext-${chance.below(3)}`, {
        fullName: `Upserted ${chance.word()}`,
        contacts: chance
          .shuffled(school.emails)
          .slice(0, 2)
          .map((email) => ({ email })),
      }),
  },
  {
    often: 8,
    run: ({ caller, school, chance }) =>
      caller.v1('POST', `/admissions/applications/${chance.of(school.applicationIds)}/contacts`, {
        email: chance.of(school.emails),
        phone: chance.phone(),
        role: chance.of(['family', 'emergency', 'billing']),
        isPrimary: chance.below(2) === 0,
      }),
  },
  {
    often: 6,
    run: async ({ caller, school, chance }) => {
      const path = `/admissions/applications/${chance.of(school.applicationIds)}`
      const { contacts } = (await caller.v1('GET', path)).body.data
      if (contacts.length === 0) return
      const link = `${path}/contacts/${chance.of(contacts as { id: string }[]).id}`
      if (chance.below(2) === 0) return caller.v1('PATCH', link, { isPrimary: true })
      return caller.v1('DELETE', link)
    },
  },
  {
    often: 4,
    run: async ({ caller, school, chance }) => {
      const name = chance.of(await caller.names('Student Applicant'))
      const guardians = chance.shuffled(school.guardians).slice(0, 2)
      return caller.record('PUT', 'Student Applicant', name, {
        first_name: chance.word(),
        guardians: guardians.map((guardian) => ({ guardian })),
      })
    },
  },
  {
    often: 2,
    run: async ({ caller, chance }) => {
      const source_name = chance.of(await caller.names('Student Applicant'))
      return caller.method('education.education.api.enroll_student', { source_name })
    },
  },
]

const onMoney: readonly Deed[] = [
  {
    often: 5,
    run: async ({ caller, school, chance }) => {
      const enrollment = chance.of(school.enrollments)
      const [student] = await loadStudent(caller, enrollment)
      const made = await caller.record('POST', 'Fees', null, {
        student,
        program_enrollment: enrollment,
        fee_structure: school.structure,
        company: school.company,
        posting_date: '2026-09-01',
        due_date: '2026-09-30',
        receivable_account: 'Debtors',
        components: [{ fees_category: 'Tuition', amount: 100 + chance.below(100) }],
      })
      const name = made.body?.data?.name
      return name === undefined ? undefined : caller.record('PUT', 'Fees', name, { docstatus: 1 })
    },
  },
  {
    often: 5,
    run: async ({ caller, chance }) => {
      const name = chance.of(await caller.names('Fees', [['docstatus', '=', 1]]))
      if (name !== undefined) await caller.method('frappe.client.cancel', { doctype: 'Fees', name })
    },
  },
  {
    often: 10,
    run: async ({ caller, chance }) => {
      const { body } = await caller.v1('GET', '/payments?limit=100')
      const payment = chance.of(body.data.slice(-6) as { id: string }[])
      const status = chance.of(['paid', 'pending', 'overdue'])
      if (payment !== undefined) await caller.v1('PATCH', `/payments/${payment.id}`, { status })
    },
  },
  {
    often: 3,
    run: ({ caller, school, chance }) =>
      caller.v1('PUT', `/payments/external/ext-${chance.below(5)}`, {
        amount: 10 + chance.below(90),
        description: 'Books',
        dueDate: '2026-09-01',
        ...(chance.below(4) > 0 && { studentId: school.studentIds[0] }),
      }),
  },
]

async function loadStudent(caller: StressCaller, enrollment: string): Promise<string[]> {
  const { body } = await caller.record('GET', 'Program Enrollment', enrollment)
  return body?.data === undefined ? [] : [body.data.student]
}

const onLessons: readonly Deed[] = [
  {
    often: 4,
    run: async (resourceClient) => {
      const { caller, school, chance } = resourceClient
      const present = chance.shuffled(await studentNames(resourceClient)).slice(0, 4)
      return caller.method('education.education.api.mark_attendance', {
        students_present: present.slice(0, 2).map((student) => ({ student })),
        students_absent: present.slice(2).map((student) => ({ student })),
        student_group: school.group,
        date: chance.day(),
      })
    },
  },
  {
    often: 3,
    run: async ({ caller, chance }) => {
      const [docstatus, next] = chance.of([
        [0, 1],
        [1, 2],
      ] as const)
      const name = chance.of(await caller.names('Student Attendance', [['docstatus', '=', docstatus]]))
      if (name !== undefined) await caller.record('PUT', 'Student Attendance', name, { docstatus: next })
    },
  },
  {
    often: 3,
    run: async (resourceClient) => {
      const { caller, school, chance } = resourceClient
      const students = chance.shuffled(await studentNames(resourceClient))
      return caller.record('PUT', 'Student Group', school.group, { students: students.map((student) => ({ student })) })
    },
  },
  {
    often: 3,
    run: async (resourceClient) => {
      const { caller, chance } = resourceClient
      const student = chance.of(await studentNames(resourceClient))
      const fields = { program: 'Botany', academic_year: year, enrollment_date: chance.day(), docstatus: 1 }
      const made = await caller.record('POST', 'Program Enrollment', null, { ...fields, student })
      const name = made.body?.data?.name
      if (name !== undefined) await caller.record('PUT', 'Program Enrollment', name, { docstatus: 2 })
    },
  },
]

const onManyAtOnce: readonly Deed[] = [
  {
    often: 5,
    run: async (resourceClient) => {
      const { caller, school, chance } = resourceClient
      const people = (await studentNames(resourceClient)).map((docname) => ({
        doctype: 'Student',
        docname,
        city: chance.word(),
      }))
      const guardians = school.guardians.map((docname) => {
        return { doctype: 'Guardian', docname, guardian_name: chance.word() }
      })
      const applicants = (await caller.names('Student Applicant')).map((docname) => {
        return { doctype: 'Student Applicant', docname, city: chance.word() }
      })
      const docs = chance.shuffled([...people, ...guardians, ...applicants]).slice(0, 8)
      return caller.method('frappe.client.bulk_update', { docs })
    },
  },
  {
    often: 2,
    run: async (resourceClient) => {
      const { caller, school, chance } = resourceClient
      const present = chance.shuffled(await studentNames(resourceClient)).slice(0, 3)
      const date = chance.day()
      const docs = present.map((student) => {
        return { doctype: 'Student Attendance', student, student_group: school.group, date }
      })
      const categories = chance.shuffled([0, 1, 2]).map((number) => {
        return { doctype: 'Student Category', category: `Passing ${number}` }
      })
      await caller.method('frappe.client.insert_many', { docs })
      return caller.method('frappe.client.insert_many', { docs: categories })
    },
  },
]

const onNames: readonly Deed[] = [
  {
    often: 1,
    run: async ({ caller, chance }) => {
      const [old_name] = await caller.names('Student Category', [['category', 'like', 'Passing%']])
      if (old_name === undefined) return
      const names = { doctype: 'Student Category', old_name, new_name: chance.of(['Day', 'Night']), merge: 1 }
      return caller.method('frappe.client.rename_doc', names)
    },
  },
  {
    often: 1,
    run: async (resourceClient) => {
      const names = { doctype: 'Student', old_name: resourceClient.chance.of(await studentNames(resourceClient)) }
      const new_name = `STU-${resourceClient.chance.below(100)}`
      return resourceClient.caller.method('frappe.client.rename_doc', { ...names, new_name })
    },
  },
  {
    often: 1,
    run: ({ caller, school, chance }) =>
      caller.v1('PATCH', `/students/${chance.of(school.studentIds)}`, { studentCode: `STU-${chance.below(100)}` }),
  },
  {
    often: 1,
    run: ({ caller, chance }) => {
      const [old_name, new_name] = chance.shuffled(['Physics', 'Physics and Chemistry'])
      return caller.method('frappe.client.rename_doc', { doctype: 'Program', old_name, new_name })
    },
  },
  {
    often: 1,
    run: async (resourceClient) => {
      const { caller, chance } = resourceClient
      const fees = await caller.names('Fees', [['docstatus', '=', 2]])
      const attendances = await caller.names('Student Attendance', [['docstatus', '!=', 1]])
      const students = await studentNames(resourceClient)
      const [type, names] = chance.of([
        ['Fees', fees],
        ['Student Attendance', attendances],
        ['Student', students.slice(-1)],
        ['Student Category', ['Passing 0']],
      ] as const)
      const name = chance.of(names)
      if (name !== undefined) await caller.record('DELETE', type, name)
    },
  },
]

const onlyReading: readonly Deed[] = [
  { often: 4, run: ({ caller }) => caller.v1('GET', '/students?updatedSince=2026-01-01T00:00:00Z&limit=100') },
  { often: 2, run: ({ caller }) => caller.v1('GET', '/admissions/applications?limit=50') },
  { often: 2, run: ({ caller }) => caller.names('Program Enrollment') },
  { often: 2, run: ({ caller, school, chance }) => caller.record('GET', 'Guardian', chance.of(school.guardians)) },
]

const deeds = [onStudents, onApplications, onMoney, onLessons, onManyAtOnce, onNames, onlyReading].flat()
const bag = deeds.flatMap((deed) => Array<Deed>(deed.often).fill(deed))

/** Does something, in one request or in a few. */
export async function doSomething(resourceClient: Desk): Promise<void> {
  await resourceClient.chance.of(bag).run(resourceClient)
}
