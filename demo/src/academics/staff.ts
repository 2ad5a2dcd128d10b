import { employee, instructor, user } from '@matricula/contract/record-types'
import { composedName } from '@matricula/server/values/index'
import { countries, type Gender } from '../countries/index.ts'
import type { Plan } from '../plan.ts'
import { calendarDate, day, minute } from '../records/calendar.ts'
import { getSurname, givenNames, phoneNumber } from '../records/people.ts'
import { administration, demoDepartments } from './departments.ts'
import type { NewRecord, RecordLoader } from './record-loader.ts'

/** Somebody who works for the institution. */
export interface DemoEmployee {
  readonly firstName: string
  readonly lastName: string
  readonly name: string
  readonly gender: Gender
  readonly born: number
  readonly joined: number
  readonly phone: string
  readonly department: string
  readonly designation: string
  readonly isTeacher: boolean
  /** The name of the log-in, or null. */
  readonly user: string | null
  readonly code: string
}

/** How many teach in each department; each has a week of its own. */
const teachersPerDepartment = 7

const offices = [
  ['Registrar', 'Academics User'],
  ['Registrar', 'Education Manager'],
  ['Accountant', 'Accounts User'],
  ['Accountant', 'Accounts Manager'],
  ['Registrar', 'System Manager'],
  ['Registrar', 'Admissions Officer'],
] as const

/** The address of somebody's log-in, on a domain that is kept for examples (RFC 2606). */
export function logInName(word: string): string {
  return `${word.toLowerCase().replaceAll(' ', '.')}@hillside.example`
}

/** One who works in the office for each role of interest, and those who teach. */
export function planStaff(plan: Plan): DemoEmployee[] {
  const random = plan.random.of('staff', 0)
  const taken = new Set<string>()
  const someone = (position: number) => {
    const country = random.weighted(countries, ({ share }) => share)
    const gender: Gender = random.chance(0.5) ? 'Female' : 'Male'
    for (let tries = 0; ; tries += 1) {
      const firstName = givenNames(random, country, gender, random.below(100), 0)
      const lastName = getSurname(country, gender, random.pick(country.surnames))
      const name = composedName(firstName, lastName)
      if (taken.has(name) && tries < 50) continue
      taken.add(name)
      const born = Date.UTC(random.between(1960, 1996), random.below(12), random.between(1, 28))
      const joined = plan.start - random.between(100, 4000) * day
      const phone = phoneNumber(random, country, random.pick(country.places))
      return {
        firstName,
        lastName,
        name,
        gender,
        born,
        joined,
        phone,
        code: `HR-EMP-${String(position + 1).padStart(5, '0')}`,
      }
    }
  }
  const office = offices.map(([designation, role], position) => ({
    ...someone(position),
    department: administration,
    designation,
    isTeacher: false,
    user: logInName(role),
  }))
  const teachers = demoDepartments.flatMap(({ name: department }, group) =>
    Array.from({ length: teachersPerDepartment }, (_, nth) => {
      const position = offices.length + group * teachersPerDepartment + nth
      return {
        ...someone(position),
        department,
        designation: nth === 0 ? 'Head of Department' : group < 3 ? 'Teacher' : 'Lecturer',
        isTeacher: true,
        user: group === 0 && nth === 0 ? logInName('Instructor') : null,
      }
    }),
  )
  return [...office, ...teachers]
}

/** Loads the log-ins of the staff, without passwords, and the staff itself. */
export async function loadStaff(
  plan: Plan,
  staff: readonly DemoEmployee[],
  company: string,
  loader: RecordLoader,
): Promise<void> {
  const roles = new Map<string, string>(
    ['Instructor', ...offices.map(([, role]) => role)].map((role) => [logInName(role), role]),
  )
  const users = staff.flatMap(({ user: name, ...person }, position) =>
    name === null ? [] : [logIn(name, person, roles.get(name) as string, plan.start + position * minute)],
  )
  await loader.add(user, users)
  await loader.add(
    employee,
    staff.map((person, position) => ({
      moment: plan.start + (100 + position) * minute,
      fields: {
        first_name: person.firstName,
        last_name: person.lastName,
        employee_name: person.name,
        gender: person.gender,
        date_of_birth: calendarDate(person.born),
        date_of_joining: calendarDate(person.joined),
        user_id: person.user,
        company,
        department: person.department,
        designation: person.designation,
        cell_number: person.phone,
        company_email: person.user,
      },
    })),
  )
}

/** Loads those who teach, and answers their ids by name. */
export async function loadInstructors(
  plan: Plan,
  staff: readonly DemoEmployee[],
  loader: RecordLoader,
): Promise<ReadonlyMap<string, string>> {
  const teachers = staff.filter(({ isTeacher }) => isTeacher)
  const made = await loader.add(
    instructor,
    teachers.map(({ name, code, gender, department }, position) => ({
      moment: plan.start + (300 + position) * minute,
      name,
      fields: { instructor_name: name, employee: code, gender, department },
    })),
  )
  return new Map(made.map(({ id, name }) => [name, id]))
}

/** A log-in with one role, without a password: nobody can log in before somebody sets one. */
export function logIn(
  name: string,
  person: { readonly firstName: string; readonly lastName: string | null; readonly gender: string | null },
  role: string,
  moment: number,
): NewRecord<typeof user> {
  const { firstName, lastName, gender } = person
  return {
    moment,
    name,
    fields: {
      email: name,
      first_name: firstName,
      last_name: lastName,
      full_name: [firstName, lastName].filter(Boolean).join(' '),
      user_type: ['Student', 'Guardian'].includes(role) ? 'Website User' : 'System User',
      gender,
      // Who keeps the year's records also promotes it.
      roles: [{ role }, ...(role === 'Academics User' ? [{ role: 'Education Manager' }] : [])],
    },
  }
}
