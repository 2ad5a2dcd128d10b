import { composedName, searchText } from '@matricula/server/values/index'
import { type CatalogueProgram, cataloguePrograms } from '../catalogue/index.ts'
import type { RowOf } from '../copy.ts'
import { type Plan, programId, studentMoment } from '../plan.ts'
import type { Random } from '../random.ts'
import type { studentsTable } from '../tables.ts'
import { academicYearName, calendarDate, day, stamp } from './calendar.ts'
import { type Child, type Family, familyOfStudent } from './families.ts'
import { emailAddress, phoneNumber } from './people.ts'
import { ageAt, getPeriod, getStudies, type Studies } from './studies.ts'

/** A student, as far as other records follow from it. */
export interface DemoStudent extends Studies {
  readonly index: number
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly family: Family
  readonly child: Child
  /** Whether no other student brought the family. */
  readonly isFirstOfFamily: boolean
  /** Percent of the tuition that is waived. */
  readonly scholarship: number
  readonly usesTransport: boolean
  readonly email: string | null
  readonly phone: string | null
}

/** The student with an index, the same whenever it is asked for. */
export function studentAt(plan: Plan, index: number): DemoStudent {
  const random = plan.random.of('student', index)
  const createdAt = studentMoment(plan, index)
  const { family, nth } = familyOfStudent(plan, index)
  const child = family.child(nth)
  const studies = getStudies(plan, random, index, createdAt, child)
  const age = ageAt(child, plan.end)
  const changedAt = studies.leftAt !== null ? studies.leftAt + random.below(3 * day) : createdAt
  const touchedAt = random.chance(0.4) ? createdAt + random.below(plan.end - createdAt) : createdAt
  return {
    index,
    id: plan.ids.of('student', index, createdAt),
    createdAt,
    updatedAt: Math.min(Math.max(createdAt, changedAt, touchedAt), plan.end - 1),
    family,
    child,
    isFirstOfFamily: nth === 0,
    ...studies,
    scholarship: random.chance(0.12) ? random.pick([10, 15, 25, 50, 75]) : 0,
    usesTransport: age < 18 && random.chance(0.25),
    email: age >= 12 && random.chance(age < 18 ? 0.7 : 0.96) ? emailAddress(random, child, index + 1) : null,
    phone: age >= 13 && random.chance(age < 18 ? 0.5 : 0.9) ? phoneNumber(random, family.country, family.place) : null,
  }
}

/** The row of a student under a code. Some fields are missing, as they are in real life. */
export function studentRow(plan: Plan, student: DemoStudent, studentCode: string): RowOf<typeof studentsTable> {
  const { index, family, child, email } = student
  const random = plan.random.of('student row', index)
  const has = (probability: number) => random.chance(probability)
  const { country, place: location } = family
  const program = cataloguePrograms[student.program] as CatalogueProgram
  const isSplit = has(0.97)
  const fullName = composedName(child.givenNames, child.familyNames)
  const given = isSplit ? child.givenNames : null
  const familyNames = isSplit ? child.familyNames : null
  const nickname =
    country.nicknames[child.givenNames] ?? country.nicknames[child.givenNames.split(' ')[0] ?? ''] ?? null
  const preferredName = nickname !== null && has(0.8) ? nickname : null
  const externalId = has(0.6) ? `SIS-${100_000 + index}` : null
  const identity = findIdentity(random, plan, student)
  const isForeigner = has(0.05)
  return {
    id: student.id,
    external_id: externalId,
    student_code: studentCode,
    full_name: fullName,
    given_names: given,
    family_names: familyNames,
    preferred_name: preferredName,
    status: student.status,
    email,
    phone: student.phone,
    date_of_birth: has(0.96) ? calendarDate(child.born) : null,
    gender: has(0.95) ? child.gender : has(0.3) ? 'Prefer not to say' : null,
    nationality: has(0.93)
      ? isForeigner
        ? random.pick(['Venezuelan', 'Italian', 'Canadian', 'Korean'])
        : country.nationality
      : null,
    document_type: identity?.type ?? null,
    document_number: identity?.number ?? null,
    country: country.name,
    state_province: location.stateProvince,
    city: location.city,
    address: has(0.94) ? family.address : null,
    postal_code: has(0.92) ? family.postalCode : null,
    photo_url: null,
    program_id: programId(plan, student.program),
    program: '',
    academic_year: academicYearName(student.academicYear),
    academic_period: has(0.9) ? getPeriod(program.kind, student.academicYear, student.leftAt ?? plan.end) : null,
    enrolled_at: has(0.98) ? stamp(student.enrolledAt) : null,
    withdrawn_at: student.status === 'withdrawn' && student.leftAt !== null ? stamp(student.leftAt) : null,
    joining_date: calendarDate(student.enrolledAt),
    date_of_leaving: student.leftAt === null ? null : calendarDate(student.leftAt),
    reason_for_leaving:
      student.status === 'withdrawn' ? plan.random.of('leaving', index).pick(reasonsForLeaving) : null,
    blood_group: plan.random.of('blood group', index).weighted(bloodGroups, weightOfBloodGroup) || null,
    custom_fields: customFields(random, student, program),
    search_text: searchText(fullName, given, familyNames, preferredName, studentCode, email, externalId),
    created_at: stamp(student.createdAt),
    updated_at: stamp(student.updatedAt),
  }
}

const reasonsForLeaving = ['Moved to another city', 'Changed to another institution', 'Financial reasons', 'Found work']
const bloodGroups = ['', 'O+', 'A+', 'B+', 'AB+', 'O-', 'A-'] as const

function weightOfBloodGroup(group: string): number {
  return { '': 40, 'O+': 25, 'A+': 18, 'B+': 8, 'AB+': 3, 'O-': 4, 'A-': 2 }[group] ?? 0
}

function findIdentity(
  random: Random,
  plan: Plan,
  { family, child }: DemoStudent,
): { type: string; number: string } | null {
  const age = ageAt(child, plan.end)
  const kinds = family.country.documents.filter(({ ages: [youngest, oldest] }) => age >= youngest && age <= oldest)
  if (kinds.length === 0 || random.chance(0.1)) return null
  const { type, number } = random.chance(0.8) ? (kinds[0] as (typeof kinds)[0]) : random.pick(kinds)
  const holder = { ...child, dateOfBirth: calendarDate(child.born) }
  return { type, number: typeof number === 'string' ? random.filled(number) : number(holder, random) }
}

function customFields(random: Random, student: DemoStudent, { kind }: CatalogueProgram): object {
  return {
    ...(student.scholarship > 0 && { scholarship: `${student.scholarship}%` }),
    ...(student.usesTransport && { transport: `Route ${random.between(1, 12)}` }),
    ...(kind === 'school' && random.chance(0.3) && { house: random.pick(['Cedar', 'Condor', 'Delta', 'Ember']) }),
    ...(kind === 'school' && random.chance(0.06) && { allergies: random.pick(['peanuts', 'milk', 'pollen', 'eggs']) }),
    ...(student.family.students > 1 && { siblings: student.family.students - 1 }),
    ...(kind !== 'school' && random.chance(0.15) && { worksPartTime: true }),
  }
}
