import { academicTerm, academicYear } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'

function requireYearInOrder({ year_start_date: start, year_end_date: end }: RecordOf<typeof academicYear>): void {
  if (start === null || end === null || start <= end) return
  throw new RecordError(
    'ValidationError',
    'The Year End Date cannot be earlier than the Year Start Date. Please correct the dates and try again.',
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
    'The Term End Date cannot be earlier than the Term Start Date. Please correct the dates and try again.',
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
      `The Term Start Date cannot be earlier than the Year Start Date of the Academic Year ${year.name} (${first}). Correct the dates and try again.`,
    )
  }
  if (end !== null && last !== null && end > last) {
    throw new RecordError(
      'ValidationError',
      `The Term End Date cannot be later than the Year End Date of the Academic Year ${year.name} (${last}). Correct the dates and try again.`,
    )
  }
}

/** The record types of academic years and terms. */
export const calendarRecords: readonly RecordDefinition[] = [
  defineRecord(academicYear, { rules: { validate: [requireYearInOrder] } }),
  defineRecord(academicTerm, {
    rules: { name: getTitle, validate: [requireOneTermOfName, requireTermInOrder, requireTermWithinYear] },
  }),
]
