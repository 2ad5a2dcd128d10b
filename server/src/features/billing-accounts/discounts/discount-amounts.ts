import { apportion, subtract, sumExactly, takePercent } from '../../../money/index.ts'
import type { Discount } from '../billing-settings.ts'

/** A component of a fee: its Fee Category and amount. */
export interface Component {
  readonly category: string | null
  readonly amount: number
}

/** What a discount takes off one category, as a negative amount. */
export interface DiscountComponent extends Component {
  /** The key of the discount. */
  readonly description: string
}

/** What discounts depend on, of the student who is charged. */
export interface DiscountFacts {
  readonly studentCategory: string | null
  /** Which child of its family the student is, counted from 1; 1 without siblings. */
  readonly child: Readonly<Record<Discount['orderBy'], number>>
  /** Whether what is left of the fee is paid for in advance. */
  isPaidAhead(components: readonly Component[]): boolean
}

/**
 * What discounts, in their order, take off the components of a fee. A percentage is of what earlier discounts leave; none
 * takes more than its cap, or than what is left. Each lessens its categories in proportion to what is left of them, so
 * that whoever pays for a category has the discount on it.
 */
export function computeDiscounts(
  discounts: readonly Discount[],
  components: readonly Component[],
  currency: string,
  facts: DiscountFacts,
): DiscountComponent[] {
  const rest = new Map<string | null, number>()
  for (const { category, amount } of components) rest.set(category, sumExactly(rest.get(category) ?? 0, amount))
  const given: DiscountComponent[] = []
  for (const discount of discounts) {
    if (!isFor(discount, facts)) continue
    const off = take(discount, rest, currency)
    if (discount.kind === 'early_payment' && !facts.isPaidAhead([...components, ...given, ...off])) continue
    for (const { category, amount } of off) rest.set(category, sumExactly(rest.get(category) ?? 0, amount))
    given.push(...off)
  }
  return given
}

/** Whether a discount is for the student, apart from money paid in advance. */
function isFor({ key, kind, orderBy, fromChild, studentCategories }: Discount, facts: DiscountFacts): boolean {
  const marked = studentCategories ?? (kind === 'staff' || kind === 'scholarship' ? [key] : null)
  if (marked !== null && (facts.studentCategory === null || !marked.includes(facts.studentCategory))) return false
  return kind !== 'sibling' || facts.child[orderBy] >= fromChild
}

function take(
  { key, percent, amount, categories, cap }: Discount,
  rest: ReadonlyMap<string | null, number>,
  currency: string,
): DiscountComponent[] {
  const lessened = [...rest].filter(
    ([category, left]) => left > 0 && (categories === null || (category !== null && categories.includes(category))),
  )
  const left = sumExactly(...lessened.map(([, each]) => each))
  if (left === 0) return []
  const asked = percent === null ? takePercent(amount ?? 0, 100, currency) : takePercent(left, percent, currency)
  const total = Math.min(asked, left, cap === null ? left : takePercent(cap, 100, currency))
  const parts = apportion(
    total,
    lessened.map(([, each]) => each),
    currency,
  )
  return lessened.flatMap(([category], index): DiscountComponent[] => {
    const part = parts[index] as number
    return part === 0 ? [] : [{ category, amount: subtract(0, part), description: key }]
  })
}
