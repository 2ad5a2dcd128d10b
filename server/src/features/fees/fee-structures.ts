import {
  academicTerm,
  company,
  type feeCategory,
  type feeComponent,
  type feeSchedule,
  feeStructure,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getTotal, lessPercent, shares } from '../../money/index.ts'
import { addDays, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

type Structure = RecordOf<typeof feeStructure>
type Component = RecordOf<typeof feeComponent>

/** The currency of a company, by default the institution's. */
export async function loadCurrency(work: RecordWork, companyName: string | null): Promise<string> {
  return (await work.linked(company, companyName))?.default_currency || work.caller.tenant.currency
}

/** Sets the total of each component after its discount. Throws for a discount above 100 percent, with its row. */
export function setComponentTotals(components: readonly Component[], currency: string): void {
  for (const component of components) {
    if (component.discount > 100 || component.discount < 0) {
      throw new RecordError('ValidationError', `Row #${component.idx}: Discount must be between 0 and 100 percent.`)
    }
    const amount: number | null = component.amount // null when it is missing
    component.total = lessPercent(amount ?? 0, component.discount, currency)
  }
}

/** Sets the total of a structure. Warns when its company has no income account. */
export async function setStructureTotal(structure: Structure, work: RecordWork): Promise<void> {
  const currency = await loadCurrency(work, structure.company)
  setComponentTotals(structure.components, currency)
  structure.total_amount = getTotal(
    structure.components.map(({ total }) => total),
    currency,
  )
  const owner = await work.linked(company, structure.company)
  if (owner !== null && !owner.default_income_account && !structure.income_account) {
    work.messages.push({ message: `Set a Default Income Account in the Company ${owner.name}.`, indicator: 'orange' })
  }
}

/** Throws when a category names a company twice. */
export function requireOneDefaultPerCompany(category: RecordOf<typeof feeCategory>): void {
  const seen = new Set<string | null>()
  for (const row of category.item_defaults) {
    if (seen.has(row.company)) {
      throw new RecordError('ValidationError', `Row #${row.idx}: the company ${row.company} has defaults already.`)
    }
    seen.add(row.company)
  }
}

/** The newest structure of a program and a term; without a term, one that has none. */
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

/** The components of a structure, each with its discounted amount. */
export function getComponents(structure: { readonly components: readonly Component[] }): object[] {
  return structure.components.map(({ fees_category, description, amount, discount, total }) => ({
    fees_category,
    description,
    amount: discount === 0 ? amount : total,
    total,
  }))
}

/** The payment plans: months between instalments and their number. */
const plans: Readonly<Record<string, { readonly months: number; readonly times: number }>> = {
  Monthly: { months: 1, times: 12 },
  Quarterly: { months: 3, times: 4 },
  'Semi-Annually': { months: 6, times: 2 },
  Annually: { months: 12, times: 1 },
}

/** An instalment: a part of a structure's total with its due day. */
export interface Instalment {
  readonly due_date: string
  readonly amount: number
  readonly term?: string
}

/** The due days over a year by a plan, or over the terms of an academic year. */
async function findDueDates(
  work: RecordWork,
  plan: string,
  academicYear: string | null,
): Promise<readonly Omit<Instalment, 'amount'>[]> {
  if (plan === 'Term-Wise') {
    const terms = await work.select(
      academicTerm,
      sql`r.academic_year = ${academicYear ?? ''}`,
      sql`order by r.term_start_date, r.name`,
    )
    if (terms.length === 0) {
      throw new RecordError('ValidationError', `The Academic Year ${academicYear ?? ''} has no terms. Make them first.`)
    }
    return terms.map(({ name, term_start_date }) => ({ term: name, due_date: term_start_date ?? work.today }))
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
  }))
}

/**
 * Divides a total into instalments, over a year by a plan, or over the terms of an academic year. The parts add up to
 * the total.
 */
export async function distribute(
  work: RecordWork,
  total: number,
  currency: string,
  plan: string,
  academicYear: string | null,
): Promise<Instalment[]> {
  const dates = await findDueDates(work, plan, academicYear)
  const amounts = shares(total, dates.length, currency)
  return dates.map((date, position) => ({ ...date, amount: amounts[position] as number }))
}

/** A cost with its fee category. */
export interface Cost {
  readonly fees_category: string | null
  readonly total: number
}

/** The proposed instalment of each category, for a number of instalments. */
export function proposeShares(costs: readonly Cost[], times: number, currency: string): Record<string, number> {
  const byCategory = new Map<string, number[]>()
  for (const { fees_category, total } of costs) {
    const category = fees_category ?? ''
    const totals = byCategory.get(category)
    if (totals === undefined) byCategory.set(category, [total])
    else totals.push(total)
  }
  return Object.fromEntries(
    [...byCategory].map(([category, totals]) => [
      category,
      shares(getTotal(totals, currency), times, currency)[0] ?? 0,
    ]),
  )
}

/**
 * The instalments of each cost, by its index. For a category with no chosen amount, or the proposed one, they add up to
 * the cost; else they are the chosen amount, divided among the costs of the category.
 */
export function computeInstalments(
  costs: readonly Cost[],
  times: number,
  currency: string,
  chosen: Readonly<Record<string, number>>,
): readonly (readonly number[])[] {
  const proposed = proposeShares(costs, times, currency)
  const getCategory = ({ fees_category }: Cost) => fees_category ?? ''
  const countByCategory = new Map<string, number>()
  for (const cost of costs) countByCategory.set(getCategory(cost), (countByCategory.get(getCategory(cost)) ?? 0) + 1)
  const left = new Map<string, number[]>()
  return costs.map((cost) => {
    const category = getCategory(cost)
    const each = Object.hasOwn(chosen, category) ? chosen[category] : undefined
    if (each === undefined || each === proposed[category]) return shares(cost.total, times, currency)
    const sharesLeft = left.get(category) ?? [...shares(each, countByCategory.get(category) ?? 1, currency)].reverse()
    left.set(category, sharesLeft)
    const share = sharesLeft.pop() ?? 0
    return Array.from({ length: times }, () => share)
  })
}

/** The same day a number of months later, or the last day of a shorter month. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return addDays(first.toISOString().slice(0, 10), Math.min(date, last) - 1)
}

/** The fields of a schedule from a structure. */
export function buildSchedule(structure: Structure): Partial<RecordOf<typeof feeSchedule>> {
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
