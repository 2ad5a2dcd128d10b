import {
  academicTerm,
  academicYear,
  feeSchedule,
  feeStructure,
  fees,
  marksPosting,
  programEnrollment,
  studentApplicant,
  studentGroup,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { requireTermKeepsDays, requireYearKeepsDays } from './days-kept.ts'

function requireYearInOrder({ year_start_date: start, year_end_date: end }: RecordOf<typeof academicYear>): void {
  if (start === null || end === null || start <= end) return
  throw new RecordError(
    'ValidationError',
    `The Year End Date cannot be earlier than the Year Start Date: ${end} is before ${start}. Please correct the dates and try again.`,
  )
}

const getTitle = (term: RecordOf<typeof academicTerm>) =>
  term.term_name ? `${term.academic_year} (${term.term_name})` : ''

async function requireOneTermOfName(
  term: RecordOf<typeof academicTerm>,
  work: RecordWork,
  before: RecordOf<typeof academicTerm> | null,
): Promise<void> {
  const [other] = await work.select(
    academicTerm,
    sql`r.academic_year = ${term.academic_year} and r.term_name = ${term.term_name} and r.docstatus < 2
        and r.name is distinct from ${before?.name ?? null}`,
  )
  if (other === undefined) return
  throw new RecordError(
    'ValidationError',
    `An academic term with the Academic Year ${term.academic_year} and Term Name ${term.term_name} already exists. Change these and try again.`,
  )
}

function requireTermInOrder({ term_start_date: start, term_end_date: end }: RecordOf<typeof academicTerm>): void {
  if (start === null || end === null || start <= end) return
  throw new RecordError(
    'ValidationError',
    `The Term End Date cannot be earlier than the Term Start Date: ${end} is before ${start}. Please correct the dates and try again.`,
  )
}

async function requireTermWithinYear(term: RecordOf<typeof academicTerm>, work: RecordWork): Promise<void> {
  const year = await work.linked(academicYear, term.academic_year)
  const { term_start_date: start, term_end_date: end } = term
  if (year === null) return
  const { year_start_date: first, year_end_date: last } = year
  if (start !== null && first !== null && start < first) {
    throw new RecordError(
      'ValidationError',
      `The Term Start Date cannot be earlier than the Year Start Date of the Academic Year ${year.name}: ${start} is before ${first}. Correct the dates and try again.`,
    )
  }
  if (end !== null && last !== null && end > last) {
    throw new RecordError(
      'ValidationError',
      `The Term End Date cannot be later than the Year End Date of the Academic Year ${year.name}: ${end} is after ${last}. Correct the dates and try again.`,
    )
  }
}

/** What names a term beside its year: the term of another year would be wrong there. */
const typesOfTerm = [studentGroup, programEnrollment, studentApplicant, feeStructure, feeSchedule, fees, marksPosting]

/** A term that records name stays in its year, which those records name too. */
async function requireYearOfTermUnchanged(
  { academic_year: year }: RecordOf<typeof academicTerm>,
  work: RecordWork,
  before: RecordOf<typeof academicTerm> | null,
): Promise<void> {
  if (before === null || before.academic_year === year) return
  for (const type of typesOfTerm) {
    const [found] = await work.select(type, sql`r.academic_term = ${before.name}`, sql`limit 1`)
    if (found === undefined) continue
    const named = (await work.mayRead(type, found.name)) ? `${type.name} ${found.name}` : `A ${type.name}`
    throw new RecordError(
      'ValidationError',
      `${named} is of ${before.name}, and of the Academic Year ${before.academic_year}. Make a term of ${year} instead.`,
    )
  }
}

/** A year keeps its terms within it. */
async function requireTermsWithinYear(
  { year_start_date: start, year_end_date: end }: RecordOf<typeof academicYear>,
  work: RecordWork,
  before: RecordOf<typeof academicYear> | null,
): Promise<void> {
  if (before === null || start === null || end === null) return
  const [term] = await work.select(
    academicTerm,
    sql`r.academic_year = ${before.name} and (r.term_start_date < ${start} or r.term_end_date > ${end})`,
    sql`order by r.term_start_date limit 1`,
  )
  if (term === undefined) return
  throw new RecordError(
    'ValidationError',
    `The Academic Term ${term.name} (${term.term_start_date} to ${term.term_end_date}) would lie outside the year. Change the term first.`,
  )
}

/**
 * Refuses a record with a term of another year than its own.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireTermOfYear(
  { academic_year, academic_term }: { readonly academic_year: string | null; readonly academic_term: string | null },
  work: RecordWork,
): Promise<void> {
  const term = await work.linked(academicTerm, academic_term)
  if (term === null || !academic_year || term.academic_year === academic_year) return
  throw new RecordError(
    'ValidationError',
    `The Academic Term ${term.name} does not belong to the Academic Year ${academic_year}. Choose one of its terms.`,
  )
}

/** The day of an academic year that is nearest to a day: this one where it lies in the year, or the year has no dates. */
export async function findDayInYear(work: RecordWork, day: string, year: string | null): Promise<string> {
  const { year_start_date: start = null, year_end_date: end = null } = (await work.linked(academicYear, year)) ?? {}
  if (start !== null && day < start) return start
  return end !== null && day > end ? end : day
}

/** The name of the term that a text means: its own name, or its term name within the year. Null where there is none. */
export async function findTerm(work: RecordWork, text: string | null, year: string | null): Promise<string | null> {
  if (!text) return null
  const named = await work.linked(academicTerm, text)
  if (named !== null) return named.name
  const [ofYear] = await work.select(academicTerm, sql`r.academic_year = ${year} and r.term_name = ${text}`)
  return ofYear?.name ?? null
}

/** Academic years and their terms. */
export const calendarRecords: readonly RecordDefinition[] = [
  defineRecord(academicYear, {
    rules: { validate: [requireYearInOrder, requireTermsWithinYear, requireYearKeepsDays] },
  }),
  defineRecord(academicTerm, {
    rules: {
      name: getTitle,
      validate: [
        requireOneTermOfName,
        requireTermInOrder,
        requireTermWithinYear,
        requireYearOfTermUnchanged,
        requireTermKeepsDays,
      ],
    },
  }),
]
