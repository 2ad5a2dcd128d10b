import type { ChangeContext } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { reverseReceipt } from '../receipts/reverse-receipt.ts'
import { findOpenDay, setBooked } from './book-line.ts'
import type { EntryPart } from './formats/statement.ts'
import type { LineRow } from './line-store.ts'
import { partsOf } from './proposals.ts'

/**
 * Reverses the receipts of debits that came back, with the bank's reason. A line whose receipts are all found is booked; what
 * is not found, or cannot be reversed because its credit was used, stays open for people.
 */
export async function reverseReturned(
  tx: Transaction,
  context: ChangeContext,
  lines: readonly LineRow[],
): Promise<void> {
  for (const line of lines) {
    const returned = partsOf(line).filter(isReturned)
    const on = await findOpenDay(tx, line.bookedOn)
    const receiptIds: string[] = []
    for (const part of returned) {
      const found = await findReceipt(tx, line.currency, part)
      if (found !== null && (await reverseOn(tx, context, found, part, on))) receiptIds.push(found.id)
    }
    if (receiptIds.length === 0) continue
    await setBooked(tx, line.id, receiptIds.length === returned.length ? 'booked' : 'open', receiptIds)
  }
}

/** Whether a part is money that went back to a payer. */
export function isReturned({ amount, returnReason }: EntryPart): boolean {
  return amount < 0 && returnReason !== null
}

interface Collected {
  readonly id: string
  readonly receivedOn: string
}

/**
 * The posted receipt that a returned debit collected: by the end-to-end id, as its reference or as that of the line that
 * booked it. The bank may take its costs with it, so that more goes back than came. Null where it is not certain.
 */
async function findReceipt(
  tx: Transaction,
  currency: string,
  { endToEndId, amount }: EntryPart,
): Promise<Collected | null> {
  if (endToEndId === null) return null
  const found = await tx.query<Collected & { readonly isWhole: boolean }>(sql`
    select r.id, r.received_on as "receivedOn", r.amount = ${-amount} as "isWhole" from billing_receipts r
     where r.tenant_id = ${tx.tenantId} and r.status = 'posted' and r.currency = ${currency} and r.amount <= ${-amount}
       and (r.reference = ${endToEndId}
            or r.id in (select unnest(l.receipt_ids) from bank_statement_lines l
                         where l.tenant_id = ${tx.tenantId} and l.end_to_end_id = ${endToEndId} and l.amount > 0))
     order by r.id`)
  const whole = found.filter(({ isWhole }) => isWhole)
  const likely = whole.length > 0 ? whole : found
  return likely.length === 1 ? (likely[0] as Collected) : null
}

/** False where the credit of the receipt was used meanwhile. */
async function reverseOn(
  tx: Transaction,
  context: ChangeContext,
  { id, receivedOn }: Collected,
  { returnReason }: EntryPart,
  day: string,
): Promise<boolean> {
  try {
    await reverseReceipt(tx, context, id, { reason: returnReason, on: day < receivedOn ? receivedOn : day })
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'state_conflict') return false
    throw error
  }
}
