import type { ChangeContext } from '../../../changes/index.ts'
import type { Transaction } from '../../../database/index.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { isAmong } from '../obligations/obligation-rows.ts'
import { type Booked, postPart, setBooked } from './book-line.ts'
import type { LineRow } from './line-store.ts'
import { propose } from './proposals.ts'

/** So many lines are looked up at once. */
const batchSize = 500

/**
 * Books the lines whose every transaction has a valid reference and the amount that is open. Of several lines for one
 * obligation the first in the file is booked; the others stay open for people.
 */
export async function bookExact(tx: Transaction, context: ChangeContext, lines: readonly LineRow[]): Promise<void> {
  for (let from = 0; from < lines.length; from += batchSize) {
    await bookBatch(tx, context, lines.slice(from, from + batchSize))
  }
}

async function bookBatch(tx: Transaction, context: ChangeContext, lines: readonly LineRow[]): Promise<void> {
  const proposed = await propose((statement) => tx.query(statement), tx.tenantId, lines)
  const exact = lines.flatMap((line) => {
    const found = proposed.get(line.id)?.exact ?? null
    return found === null ? [] : [{ line, found }]
  })
  const ids = exact.flatMap(({ found }) => found.map(({ paymentId }) => paymentId))
  if (ids.length === 0) return
  const locked = await lockObligations(tx, isAmong(ids))
  const open = new Map(locked.map((obligation) => [obligation.paymentId, obligation]))
  for (const { line, found } of exact) {
    const booked = found.flatMap(({ accountId, paymentId, amount }): Booked[] => {
      const obligation = open.get(paymentId)
      if (obligation === undefined || obligation.open !== amount || obligation.accountId !== accountId) return []
      return [{ accountId, amount, parts: [{ obligation, amount }] }]
    })
    if (booked.length < found.length) continue
    for (const { paymentId } of found) open.delete(paymentId)
    const receiptIds: string[] = []
    for (const part of booked) receiptIds.push(await postPart(tx, context, line, part))
    await setBooked(tx, line.id, 'booked', receiptIds)
  }
}
