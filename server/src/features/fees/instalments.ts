import { academicTerm } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { apportion, getTotal, shares } from '../../money/index.ts'
import { addDays, RecordError, type RecordWork } from '../../record-engine/index.ts'

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
    // A term that has begun is due today: no schedule is due in the past.
    return terms.map(({ name, term_start_date: start }) => ({
      term: name,
      due_date: start !== null && start > work.today ? start : work.today,
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
  }))
}

/**
 * Divides a total into instalments, over a year by a plan, or over the terms of an academic year. The parts add up to
 * the total.
 *
 * @throws RecordError `ValidationError` for an unknown plan, and for a year without terms.
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

const getCategory = ({ fees_category }: Cost) => fees_category ?? ''

/** What each category gets of the first of the instalments of these amounts. */
export function proposeShares(
  costs: readonly Cost[],
  amounts: readonly (number | null)[],
  currency: string,
): Record<string, number> {
  const [first = []] = computeInstalments(costs, amounts, currency, {})
  const byCategory = new Map<string, number[]>()
  for (const [position, cost] of costs.entries()) {
    const category = getCategory(cost)
    byCategory.set(category, [...(byCategory.get(category) ?? []), first[position] ?? 0])
  }
  return Object.fromEntries([...byCategory].map(([category, parts]) => [category, getTotal(parts, currency)]))
}

/**
 * The amounts of each instalment, by the index of the cost. An instalment is its own amount, to the last minor unit; those
 * without one share what the others leave of the total evenly. Where the instalments are the total together, each cost is
 * the sum of its parts as well.
 *
 * @param amounts The amount of each instalment, null for an even share.
 * @param chosen Amounts of a category per instalment that replace the proposed ones: they are what is asked where no
 *   instalment has an amount of its own, else only its weight beside the other categories.
 * @throws RecordError `ValidationError` for amounts below 0, and where amounts leave less than nothing for the others.
 */
export function computeInstalments(
  costs: readonly Cost[],
  amounts: readonly (number | null)[],
  currency: string,
  chosen: Readonly<Record<string, number>>,
): readonly (readonly number[])[] {
  if (amounts.length === 0 || costs.length === 0) return amounts.map(() => [])
  const wanted = chooseTotals(costs, amounts, currency, chosen)
  const isOwn = amounts.some((amount) => amount !== null)
  const total = isOwn ? costs.map((cost) => cost.total) : wanted
  const parts = fillAmounts(getTotal(total, currency), amounts, currency)
  const sum = getTotal(parts, currency)
  let left = sum === getTotal(wanted, currency) ? wanted : apportion(sum, wanted, currency)
  return parts.map((part) => {
    const row = apportion(part, left, currency)
    left = left.map((rest, position) => getTotal([rest, -(row[position] ?? 0)], currency))
    return row
  })
}

/** What each cost is over all instalments: its total, or what was chosen for its category. */
function chooseTotals(
  costs: readonly Cost[],
  amounts: readonly (number | null)[],
  currency: string,
  chosen: Readonly<Record<string, number>>,
): readonly number[] {
  const asked = Object.keys(chosen)
  if (asked.length === 0) return costs.map(({ total }) => total)
  const even = proposeShares(
    costs,
    amounts.map(() => null),
    currency,
  )
  const own = proposeShares(costs, amounts, currency)
  const isChanged = (category: string) =>
    Object.hasOwn(chosen, category) && chosen[category] !== even[category] && chosen[category] !== own[category]
  const totals = costs.map(({ total }) => total)
  for (const category of new Set(costs.map(getCategory))) {
    if (!isChanged(category)) continue
    const positions = costs.flatMap((cost, position) => (getCategory(cost) === category ? [position] : []))
    const each = getTotal(
      amounts.map(() => chosen[category] ?? 0),
      currency,
    )
    const split = apportion(
      each,
      positions.map((position) => totals[position] ?? 0),
      currency,
    )
    for (const [index, position] of positions.entries()) totals[position] = split[index] ?? 0
  }
  return totals
}

function fillAmounts(total: number, amounts: readonly (number | null)[], currency: string): number[] {
  for (const [index, amount] of amounts.entries()) {
    if (amount !== null && amount < 0) {
      throw new RecordError('ValidationError', `Row #${index + 1}: the amount ${amount} must not be less than 0.`)
    }
  }
  const open = amounts.filter((amount) => amount === null).length
  const rest = getTotal([total, ...amounts.map((amount) => (amount === null ? 0 : -amount))], currency)
  if (open > 0 && rest < 0) {
    throw new RecordError(
      'ValidationError',
      `The amounts are more than the total of ${total}, and leave nothing for the instalments without one. Correct them.`,
    )
  }
  const even = open > 0 ? shares(rest, open, currency) : []
  return amounts.map((amount) => (amount === null ? (even.shift() as number) : getTotal([amount], currency)))
}

/** The same day a number of months later, or the last day of a shorter month. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return addDays(first.toISOString().slice(0, 10), Math.min(date, last) - 1)
}
