import type { RowOf } from '../copy.ts'
import { momentInTurn, type Plan } from '../plan.ts'
import type { Random } from '../random.ts'
import type { paymentsTable } from '../tables.ts'
import { type Bill, Billing } from './billing.ts'
import { day, hour, minute, stamp } from './calendar.ts'
import type { StudentBook } from './student-book.ts'

type Status = 'pending' | 'paid' | 'overdue' | 'cancelled' | 'refunded'

/** So many payments, in the order of their moments. */
export function* paymentRows(
  plan: Plan,
  book: StudentBook,
  count = plan.payments,
): Generator<RowOf<typeof paymentsTable>> {
  if (count === 0) return
  const random = plan.random.of('payments', 0)
  const billing = new Billing(plan, book, random)
  const first = Math.max(book.createdAt(0) + minute, plan.start + 2 * day)
  for (let index = 0; index < count; index += 1) {
    const moment = momentInTurn(random, index, count, first, plan.end)
    yield paymentRow(plan, random, index, moment, billing.next(moment), book)
  }
}

function paymentRow(
  plan: Plan,
  random: Random,
  index: number,
  moment: number,
  bill: Bill,
  book: StudentBook,
): RowOf<typeof paymentsTable> {
  const leftAt = book.leftAt(bill.student)
  const isForLater = moment < leftAt && leftAt < bill.dueAt
  const status = isForLater && random.chance(0.8) ? 'cancelled' : getStatus(random, bill.dueAt, plan.end)
  const wasPaid = status === 'paid' || status === 'refunded'
  const paidAt = wasPaid ? getPaidAt(random, moment, bill.dueAt, plan.end) : null
  return {
    id: plan.ids.of('payment', index, moment),
    external_id: random.chance(0.6) ? `INV-${stamp(moment).slice(0, 4)}-${String(index + 1).padStart(7, '0')}` : null,
    student_id: book.getId(bill.student),
    amount: bill.amount,
    currency: plan.currency,
    status,
    description: bill.description,
    processor_payment_intent_id: wasPaid && random.chance(0.45) ? `pi_demo_${random.filled(intentPattern)}` : null,
    due_date: stamp(bill.dueAt),
    paid_at: paidAt === null ? null : stamp(paidAt),
    fee: null,
    created_at: stamp(moment),
    updated_at: stamp(changedAt(random, moment, status, bill.dueAt, paidAt, plan.end)),
  }
}

const intentPattern = '#@##@@#@##@#@@##'

/**
 * What is due in the future is mostly pending, what was due is mostly paid. Nothing that is due before the day after
 * tomorrow is pending, so that it is not overdue at once in a time zone east of here.
 */
function getStatus(random: Random, dueAt: number, end: number): Status {
  const share = random.fraction()
  if (dueAt >= end + 2 * day)
    return share < 0.83 ? 'pending' : share < 0.94 ? 'paid' : share < 0.99 ? 'cancelled' : 'refunded'
  if (dueAt >= end - day) return share < 0.9 ? 'paid' : 'cancelled'
  return share < 0.87 ? 'paid' : share < 0.94 ? 'overdue' : share < 0.97 ? 'cancelled' : 'refunded'
}

/** Mostly some days before or after the due date, now and then weeks late, never before the bill or in the future. */
function getPaidAt(random: Random, moment: number, dueAt: number, end: number): number {
  const days = random.chance(0.15) ? random.between(4, 40) : random.between(-12, 3)
  const paidAt = dueAt + days * day + 7 * hour + random.below(15 * hour)
  if (paidAt > moment && paidAt < end) return paidAt
  const latest = paidAt <= moment ? Math.min(Math.max(dueAt, moment) + 2 * day, end) : end
  return moment + Math.floor(random.fraction() * (latest - moment))
}

function changedAt(
  random: Random,
  moment: number,
  status: Status,
  dueAt: number,
  paidAt: number | null,
  end: number,
): number {
  if (status === 'refunded') return Math.min((paidAt ?? moment) + random.between(2, 20) * day, end - 1)
  if (status === 'paid') return paidAt ?? moment
  if (status === 'overdue') return Math.max(dueAt + day, moment)
  return status === 'pending' ? moment : moment + Math.floor(random.fraction() * (end - moment))
}
