import {
  company,
  type feeCategory,
  type feeComponent,
  type feeSchedule,
  feeStructure,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getTotal, lessPercent } from '../../money/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

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
      throw new RecordError(
        'ValidationError',
        `Row #${component.idx}: Discount must be between 0 and 100 percent, not ${component.discount}.`,
      )
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
  if (structure.total_amount < 0) {
    throw new RecordError(
      'ValidationError',
      `The components of a structure must not sum up to less than 0: they are ${structure.total_amount}. Correct the amounts.`,
    )
  }
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
export function getComponents(structure: {
  readonly components: readonly Component[]
}): Pick<Component, 'fees_category' | 'description' | 'amount' | 'total'>[] {
  return structure.components.map(({ fees_category, description, amount, discount, total }) => ({
    fees_category,
    description,
    amount: discount === 0 ? amount : total,
    total,
  }))
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
