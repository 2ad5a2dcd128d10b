import { studentAdmission, studentApplicant } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { clearEmptyTexts, findBirthDateError, getFullName } from '../contacts/index.ts'
import { requireSiblings } from '../students/index.ts'
import { applicantStorage } from './applicant-storage.ts'

type Applicant = RecordOf<typeof studentApplicant>

/** The naming series of the admission for the applicant's program, or null. */
async function findSeries(document: Applicant, work: RecordWork): Promise<string | null> {
  if (document.student_admission === null) return null
  if (!document.program) {
    throw new RecordError('ValidationError', 'Choose a Program: the Student Admission names its applicants by it.')
  }
  return (await findConditions(document, work))?.applicant_naming_series || null
}

/** The row of the admission for the applicant's program, or null. */
async function findConditions({ student_admission: admission, program }: Applicant, work: RecordWork) {
  if (admission === null || !program) return null
  const { program_details: rows } = await work.get(studentAdmission, admission)
  return rows.find((row) => row.program === program) ?? null
}

function setTitle(document: Applicant, _work: RecordWork, before: Applicant | null): void {
  document.title = getFullName(document, before, before?.title ?? null)
}

function requireBirthInPast({ date_of_birth: birthDate }: Applicant, work: RecordWork): void {
  const validationError = findBirthDateError(birthDate, work)
  if (validationError !== null) throw new RecordError('ValidationError', validationError)
}

/** An applicant of an admission applies for what it takes applications for, and for its year. */
async function requireOfferedThere(document: Applicant, work: RecordWork, before: Applicant | null): Promise<void> {
  const { student_admission: named, program, academic_year: year } = document
  const isSame = before?.student_admission === named && before.program === program && before.academic_year === year
  if (named === null || isSame) return
  const admission = await work.get(studentAdmission, named)
  if (year !== null && admission.academic_year !== year) {
    throw new RecordError(
      'ValidationError',
      `${named} admits to the Academic Year ${admission.academic_year}, not to ${year}. Correct the year, or choose another admission.`,
    )
  }
  const offered = admission.program_details.flatMap((row) => row.program ?? [])
  if (program === null || offered.length === 0 || offered.includes(program)) return
  throw new RecordError(
    'ValidationError',
    `${named} takes no applications for ${program}. Choose one of ${offered.slice(0, 10).join(', ')}, or another admission.`,
  )
}

async function requireEligible(document: Applicant, work: RecordWork): Promise<void> {
  const { date_of_birth: birthDate, program } = document
  const conditions = birthDate === null ? null : await findConditions(document, work)
  if (birthDate === null || conditions === null) return
  const { min_age: youngest, max_age: oldest } = conditions
  const isTooYoung = youngest > 0 && work.today < birthday(birthDate, youngest)
  const isTooOld = oldest > 0 && work.today > birthday(birthDate, oldest)
  if (!isTooYoung && !isTooOld) return
  const bound = isTooYoung ? `from the age of ${youngest}` : `up to the age of ${oldest}`
  throw new RecordError('ValidationError', `Not eligible: ${program} takes applicants ${bound} in this admission.`)
}

/** The day on which a person reaches an age; for 29 February in other years the 28th. */
function birthday(birthDate: string, age: number): string {
  const [year = '', month, day] = birthDate.split('-')
  const reached = `${String(Number(year) + age).padStart(4, '0')}-${month}-${day}`
  return Number.isNaN(Date.parse(reached)) || new Date(reached).getUTCDate() !== Number(day)
    ? reached.replace(/29$/, '28')
    : reached
}

/** Advisory lock per e-mail address: no index makes it unique across both APIs. */
async function lockEmailAddress(document: Applicant, work: RecordWork, before: Applicant | null): Promise<void> {
  const { student_email_id: email } = document
  if (email !== null && email !== before?.student_email_id)
    await takeAdvisoryLock(work.tx, `applicant with e-mail ${email.toLowerCase()}`)
}

function nameAdmission(document: RecordOf<typeof studentAdmission>): string {
  document.title ||= `Admissions for ${document.academic_year}`
  return document.title
}

function setRoute(document: RecordOf<typeof studentAdmission>): void {
  document.route ||= `admissions/${nameAdmission(document).replaceAll(' ', '-')}`
}

function requirePrograms({ enable_admission_application, program_details }: RecordOf<typeof studentAdmission>): void {
  if (enable_admission_application !== 1 || program_details.length > 0) return
  throw new RecordError(
    'ValidationError',
    'List the programs and their conditions before you enable applications for this admission.',
  )
}

/** Applications are taken from one day to another, for each program once, between ages that somebody can have. */
function requireConditions(document: RecordOf<typeof studentAdmission>): void {
  const { admission_start_date: start, admission_end_date: end, program_details: rows } = document
  if (start !== null && end !== null && start > end) {
    throw new RecordError(
      'ValidationError',
      `The admission cannot end on ${end}, before it starts on ${start}. Correct one of the dates.`,
    )
  }
  const programs = new Set<string>()
  for (const { idx, program, min_age: youngest, max_age: oldest, application_fee: fee } of rows) {
    const at = `Row #${idx}:`
    if (youngest < 0 || oldest < 0) {
      throw new RecordError('ValidationError', `${at} an age cannot be less than 0. Leave it at 0 for no bound.`)
    }
    if (oldest > 0 && youngest > oldest) {
      throw new RecordError('ValidationError', `${at} the Minimum Age ${youngest} is above the Maximum Age ${oldest}.`)
    }
    if (fee < 0) throw new RecordError('ValidationError', `${at} the Application Fee ${fee} cannot be less than 0.`)
    if (program === null) continue
    if (programs.has(program)) {
      throw new RecordError('ValidationError', `${at} the program ${program} is listed already. Keep one of the rows.`)
    }
    programs.add(program)
  }
}

/** The record types of admissions. */
export const admissionRecords: readonly RecordDefinition[] = [
  defineRecord(studentAdmission, {
    rules: { name: nameAdmission, validate: [setRoute, requirePrograms, requireConditions] },
  }),
  defineRecord(studentApplicant, {
    noun: 'admission_application',
    rules: {
      series: findSeries,
      validate: [
        clearEmptyTexts,
        setTitle,
        requireBirthInPast,
        requireTermOfYear,
        requireOfferedThere,
        requireEligible,
        requireSiblings,
        lockEmailAddress,
      ],
    },
    storage: applicantStorage,
    indexes: [['name'], ['creation'], ['program', 'modified']],
  }),
]
