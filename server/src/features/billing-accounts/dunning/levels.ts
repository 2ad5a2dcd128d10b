import { sumExactly, takePercent } from '../../../money/index.ts'
import type { DunningLevel } from '../billing-settings.ts'
import type { DunningItemRecord } from './dunning-store.ts'

/** An obligation that is overdue and not held. */
export interface Overdue {
  readonly paymentId: string
  readonly accountId: string
  readonly currency: string
  readonly amount: number
  readonly daysOverdue: number
  /** The level that was sent last; null where none was. */
  readonly sentLevel: number | null
  /** How many days ago it was sent. */
  readonly daysSinceSent: number | null
  /** How many days ago the account had its last reminder, of whatever; null where it had none. */
  readonly daysSinceLast: number | null
}

/** A reminder of what is overdue of an account. */
export interface ProposedNotice {
  readonly level: number
  readonly items: DunningItemRecord[]
  readonly amount: number
  readonly fee: number
}

/**
 * The level that an obligation has come to: the one after the level that was sent last, once it is overdue for as long as
 * that asks, and as long after the earlier level as lies between the two. Null where none is due.
 */
function dueLevel(levels: readonly DunningLevel[], overdue: Overdue): DunningLevel | null {
  const { sentLevel, daysSinceSent, daysOverdue } = overdue
  const next = levels.find(({ level }) => level > (sentLevel ?? 0))
  if (next === undefined || daysOverdue < next.daysOverdue) return null
  if (sentLevel === null || daysSinceSent === null) return next
  const earlier = levels.find(({ level }) => level === sentLevel)
  const wait = earlier === undefined ? 1 : next.daysOverdue - earlier.daysOverdue
  return daysSinceSent >= wait ? next : null
}

/** The days between two reminders of an account, at least. */
const daysBetween = 7

/**
 * The notice of an account by the levels of the institution, in their order; null where nothing has come to one, and where
 * the account was reminded within a week.
 */
export function proposeNotice(levels: readonly DunningLevel[], overdue: readonly Overdue[]): ProposedNotice | null {
  const last = overdue[0]?.daysSinceLast ?? null
  if (last !== null && last < daysBetween) return null
  const due = overdue.flatMap((each) => {
    const found = dueLevel(levels, each)
    return found === null ? [] : [{ overdue: each, found }]
  })
  const [first] = due
  if (first === undefined) return null
  const highest = due.reduce((one, { found }) => (found.level > one.level ? found : one), first.found)
  const amount = sumExactly(...due.map(({ overdue: { amount: open } }) => open))
  const { currency } = first.overdue
  return {
    level: highest.level,
    items: due.map(({ overdue: { paymentId, amount: open, daysOverdue }, found: { level } }) => ({
      paymentId,
      amount: open,
      daysOverdue,
      level,
    })),
    amount,
    fee:
      highest.percent === null
        ? takePercent(highest.fee ?? 0, 100, currency)
        : takePercent(amount, highest.percent, currency),
  }
}
