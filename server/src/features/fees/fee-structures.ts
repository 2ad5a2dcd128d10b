import {
  academicTerm,
  company,
  type feeCategory,
  type feeComponent,
  type feeSchedule,
  feeStructure,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { rounded, sumOf } from '../../records/field-values.ts'
import type { RecordOf } from '../../records/record-document.ts'
import { RecordError } from '../../records/record-error.ts'
import type { RecordWork } from '../../records/record-work.ts'
import { addDays } from '../../records/tenant-clock.ts'

type Structure = RecordOf<typeof feeStructure>
type Component = RecordOf<typeof feeComponent>

/** What a component costs after its discount. Throws for a discount of more than 100 percent, naming the row. */
export function setComponentTotals(components: readonly Component[]): void {
  for (const component of components) {
    if (component.discount > 100 || component.discount < 0) {
      throw new RecordError('ValidationError', `Row #${component.idx}: Discount must be between 0 and 100 percent.`)
    }
    component.total = rounded(component.amount - (component.amount * component.discount) / 100)
  }
}

/** The total of a structure, and a word of warning where its company has no account for the income. */
export async function setStructureTotal(structure: Structure, work: RecordWork): Promise<void> {
  setComponentTotals(structure.components)
  structure.total_amount = sumOf(structure.components.map(({ total }) => total))
  const owner = await work.linked(company, structure.company)
  if (owner !== null && !owner.default_income_account && !structure.income_account) {
    work.messages.push({ message: `Set a Default Income Account in the Company ${owner.name}.`, indicator: 'orange' })
  }
}

/** A category names each company once. */
export function requireOneDefaultPerCompany(category: RecordOf<typeof feeCategory>): void {
  const seen = new Set<string | null>()
  for (const row of category.item_defaults) {
    if (seen.has(row.company)) {
      throw new RecordError('ValidationError', `Row #${row.idx}: the company ${row.company} has defaults already.`)
    }
    seen.add(row.company)
  }
}

/** The structure of a program and a term; without a term, one that has none. The latest change wins. */
export async function findFeeStructure(
  work: RecordWork,
  program: string,
  term: string | null,
): Promise<Structure | null> {
  const ofTerm = term === null || term === '' ? sql`coalesce(r.academic_term, '') = ''` : sql`r.academic_term = ${term}`
  const [found] = await work.select(
    feeStructure,
    sql`r.program = ${program} and ${ofTerm}`,
    sql`order by r.updated_at desc, r.name desc limit 1`,
  )
  return found ?? null
}

/** What somebody is asked for under a structure: its components, each at its discounted amount. */
export function componentsOf(structure: { readonly components: readonly Component[] }): object[] {
  return structure.components.map(({ fees_category, description, amount, discount, total }) => ({
    fees_category,
    description,
    amount: discount === 0 ? amount : total,
    total,
  }))
}

/** How often a structure's total is asked for, and how much of it each time. */
const plans: Readonly<Record<string, { readonly months: number; readonly times: number }>> = {
  Monthly: { months: 1, times: 12 },
  Quarterly: { months: 3, times: 4 },
  'Semi-Annually': { months: 6, times: 2 },
  Annually: { months: 12, times: 1 },
}

/** A part of a structure's total with the day on which it is due. */
export interface Instalment {
  readonly due_date: string
  readonly amount: number
  readonly term?: string
}

/** Shares a total over a year by a plan, or over the terms of an academic year. */
export async function distribute(
  work: RecordWork,
  total: number,
  plan: string,
  academicYear: string | null,
): Promise<Instalment[]> {
  if (plan === 'Term-Wise') {
    const terms = await work.select(
      academicTerm,
      sql`r.academic_year = ${academicYear ?? ''}`,
      sql`order by r.term_start_date, r.name`,
    )
    if (terms.length === 0) {
      throw new RecordError('ValidationError', `The Academic Year ${academicYear ?? ''} has no terms. Make them first.`)
    }
    return terms.map(({ name, term_start_date }) => ({
      term: name,
      due_date: term_start_date ?? work.today,
      amount: rounded(total / terms.length),
    }))
  }
  const chosen = Object.hasOwn(plans, plan) ? plans[plan] : undefined
  if (chosen === undefined) {
    throw new RecordError(
      'ValidationError',
      `fee_plan must be one of ${[...Object.keys(plans), 'Term-Wise'].join(', ')}.`,
    )
  }
  return Array.from({ length: chosen.times }, (_, index) => ({
    due_date: addMonths(work.today, chosen.months * (index + 1)),
    amount: rounded(total / chosen.times),
  }))
}

/** The same day so many months later, or the last day of a shorter month. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return addDays(first.toISOString().slice(0, 10), Math.min(date, last) - 1)
}

/** The fields of a schedule that asks for a structure. */
export function scheduleFrom(structure: Structure): Partial<RecordOf<typeof feeSchedule>> {
  const { program, student_category, academic_year, academic_term, company: owner } = structure
  return {
    fee_structure: structure.name,
    program,
    student_category,
    academic_year,
    academic_term,
    company: owner,
    receivable_account: structure.receivable_account,
    income_account: structure.income_account,
    cost_center: structure.cost_center,
    total_amount: structure.total_amount,
  }
}
