import { composedName, searchText } from '@matricula/server/values/index'
import { admissionName } from '../academics/offers.ts'
import { type CatalogueProgram, cataloguePrograms } from '../catalogue/index.ts'
import type { CodeSeries } from '../code-series.ts'
import type { RowOf } from '../copy.ts'
import { type Plan, programForAge, programId, studentsAt } from '../plan.ts'
import type { Random } from '../random.ts'
import type { applicationContactsTable, applicationMovesTable, applicationsTable, contactsTable } from '../tables.ts'
import type { PlannedApplication } from './application-plan.ts'
import { academicYearName, calendarDate, day, hour, stamp } from './calendar.ts'
import { contactRow, type DemoLink, familyLinks, getSource, linkColumns } from './contact-links.ts'
import { type Child, entryYear, type Family, familyOfApplicant, familyOfStudent } from './families.ts'
import { emailAddress, phoneNumber } from './people.ts'
import { type PipelineStep, pathTo } from './pipeline-paths.ts'
import { type DemoStudent, studentAt } from './students.ts'
import { academicAge, ageAt, getPeriod } from './studies.ts'

/** The rows of one application, and of those people in it whom nobody brought before. */
export interface ApplicationRows {
  readonly application: RowOf<typeof applicationsTable>
  readonly contacts: readonly RowOf<typeof contactsTable>[]
  readonly links: readonly RowOf<typeof applicationContactsTable>[]
  readonly moves: readonly RowOf<typeof applicationMovesTable>[]
}

interface Applicant {
  readonly family: Family
  readonly child: Child
  readonly isNewFamily: boolean
  readonly student: DemoStudent | null
}

/** Names of programs that have no record: applicants wrote them by hand. */
const writtenPrograms = ['Summer Language Camp', 'Exchange Semester', 'Preparatory Course', 'Evening School'] as const

const staff = ['Elena Rossi', 'Daniel Whitaker', 'Amina Yusuf', 'Joaquín Paredes'] as const

/** What one application of the plan is made of, under a code; the people in it take theirs from their series. */
export function applicationRows(
  plan: Plan,
  pipeline: readonly PipelineStep[],
  planned: PlannedApplication,
  index: number,
  applicationCode: string,
  contactCodes: CodeSeries,
): ApplicationRows {
  const random = plan.random.of('application', index)
  const { moment, status } = planned
  const id = plan.ids.of('application', index, moment)
  const applicant = getApplicant(plan, random, planned, index)
  const { family, child, student, isNewFamily } = applicant
  const isAdult = ageAt(child, moment) >= 18
  const fullName = composedName(child.givenNames, child.familyNames)
  const parent = family.relatives[0]
  const own = {
    email: student?.email ?? (isAdult ? emailAddress(random, child, index + 1) : null),
    phone: student?.phone ?? (isAdult ? phoneNumber(random, family.country, family.place) : null),
  }
  const email = own.email ?? (random.chance(0.8) ? (parent?.email ?? null) : null)
  const phone = own.phone ?? (random.chance(0.9) ? (parent?.phone ?? null) : null)
  const externalId = random.chance(0.5) ? `CRM-${20_000 + index}` : null
  const isSplit = random.chance(0.95)
  const givenNames = isSplit ? child.givenNames : null
  const familyNames = isSplit ? child.familyNames : null
  const self = { contactId: plan.ids.of('applicant', index, moment), displayName: fullName, ...own }
  const links = isAdult
    ? [selfLink(self.contactId, family), ...familyLinks(random, family, true)]
    : familyLinks(random, family, false)
  const source = getSource(random, false)
  const moves = getMoves(plan, random, pipeline, planned, student, { index, id })
  return {
    application: {
      id,
      external_id: externalId,
      application_code: applicationCode,
      full_name: fullName,
      given_names: givenNames,
      family_names: familyNames,
      ...programFields(plan, random, moment, applicant),
      status: status.key,
      email,
      phone,
      country: family.country.name,
      state_province: family.place.stateProvince,
      city: family.place.city,
      address: random.chance(0.8) ? family.address : null,
      photo_url: null,
      student_id: student?.id ?? null,
      application_date: calendarDate(moment),
      student_admission: admissionName(entryYear(student?.createdAt ?? moment)),
      date_of_birth: calendarDate(child.born),
      gender: child.gender,
      nationality: family.country.nationality,
      postal_code: family.postalCode,
      custom_fields: customFields(random),
      search_text: searchText(fullName, givenNames, familyNames, applicationCode, email, externalId),
      created_at: stamp(moment),
      updated_at: moves.at(-1)?.moved_at ?? stamp(moment),
    },
    contacts: [
      ...(isNewFamily ? family.relatives.map((relative) => contactRow(relative, moment, contactCodes)) : []),
      ...(isAdult ? [contactRow(self, moment, contactCodes)] : []),
    ],
    links: links.map((link, position) => ({
      application_id: id,
      ...linkColumns(
        link,
        plan.ids.of('application link', index * 8 + position, moment + position),
        source,
        moment + position,
      ),
    })),
    moves,
  }
}

/** The student, where one came of it; else somebody new, now and then a younger child of a family that is known. */
function getApplicant(plan: Plan, random: Random, { moment, student }: PlannedApplication, index: number): Applicant {
  if (student !== null) {
    const admitted = studentAt(plan, student)
    return { family: admitted.family, child: admitted.child, isNewFamily: false, student: admitted }
  }
  const known = random.chance(0.3) ? studentsAt(plan, moment) : 0
  if (known > 0) {
    const { family } = familyOfStudent(plan, random.below(known))
    const child = family.child(family.students)
    const age = academicAge(child, entryYear(moment))
    if (age >= 3 && age < 18) return { family, child, isNewFamily: false, student: null }
  }
  const family = familyOfApplicant(plan, index, moment)
  return { family, child: family.child(0), isNewFamily: true, student: null }
}

function programFields(plan: Plan, random: Random, moment: number, { child, student }: Applicant) {
  const year = entryYear(student?.createdAt ?? moment)
  const program =
    student?.academicYear === year ? student.program : programForAge(random, Math.max(academicAge(child, year), 3))
  const choice = student === null ? random.fraction() : 0
  const { kind } = cataloguePrograms[program] as CatalogueProgram
  return {
    program_id: choice < 0.84 ? programId(plan, program) : null,
    program: choice >= 0.84 && choice < 0.96 ? random.pick(writtenPrograms) : '',
    academic_year: academicYearName(year),
    academic_period: random.chance(0.7) ? getPeriod(kind, year, moment) : null,
  }
}

function selfLink(contactId: string, { country }: Family): DemoLink {
  const metadata = { preferredLanguage: country.language }
  return { contactId, role: 'applicant', label: null, isPrimary: true, metadata }
}

/** The way through the pipeline: the last move of who was admitted is the moment of becoming a student. */
function getMoves(
  plan: Plan,
  random: Random,
  pipeline: readonly PipelineStep[],
  { moment, status }: PlannedApplication,
  student: DemoStudent | null,
  application: { index: number; id: string },
): RowOf<typeof applicationMovesTable>[] {
  const path = pathTo(random, pipeline, status)
  const longest = Math.min(50 * day, plan.end - moment - hour)
  const last = student?.createdAt ?? moment + Math.floor(longest * (0.2 + 0.7 * random.fraction()))
  return path.map((key, position) => {
    const jitter = position === 0 || position === path.length - 1 ? 0 : random.fraction() - 0.5
    const share = path.length === 1 ? 0 : (position + jitter * 0.8) / (path.length - 1)
    const movedAt = Math.floor(moment + (last - moment) * share)
    return {
      id: plan.ids.of('application move', application.index * 64 + position, movedAt),
      application_id: application.id,
      from_status: path[position - 1] ?? null,
      to_status: key,
      actor_type: position === 0 ? 'system' : 'user',
      actor_id: null,
      actor_name: position === 0 ? 'Application form' : random.pick(staff),
      moved_at: stamp(movedAt),
    }
  })
}

function customFields(random: Random): object {
  const channels = ['school fair', 'web search', 'recommendation', 'social media', 'open day']
  return {
    ...(random.chance(0.5) && { heardOfUs: random.pick(channels) }),
    ...(random.chance(0.15) && { scholarshipRequested: true }),
    ...(random.chance(0.1) && { previousSchool: random.pick(['Public school', 'Private school', 'Home schooling']) }),
  }
}
