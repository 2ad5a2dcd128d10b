import type { ChangeContext } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { getDay } from '../../../tenancy/index.ts'
import { loadBooks } from '../obligations/books.ts'
import { type Part, postReceipt } from '../receipts/post-receipt.ts'
import type { LineRow } from './line-store.ts'

/** What a line, or a part of it, pays: amounts of obligations that are locked with their account. */
export interface Booked {
  readonly accountId: string
  readonly amount: number
  readonly parts: readonly Part[]
}

/** Posts the receipt of a line or of a part of it, and gives its id. */
export async function postPart(
  tx: Transaction,
  context: ChangeContext,
  line: LineRow,
  { accountId, amount, parts }: Booked,
): Promise<string> {
  const receivedOn = await findOpenDay(tx, line.bookedOn)
  const reference = (line.reference ?? line.endToEndId ?? line.bankReference)?.slice(0, 140) ?? null
  const made = { accountId, receivedOn, method: 'transfer', reference, amount, currency: line.currency, parts } as const
  return (await postReceipt(tx, context, made)).record.id
}

/** The day of a line, or the first one on which the books are open. */
export async function findOpenDay(tx: Transaction, bookedOn: string): Promise<string> {
  const { closedUntil } = await loadBooks(tx)
  if (closedUntil === null || bookedOn > closedUntil) return bookedOn
  return getDay(new Date(Date.parse(closedUntil) + 24 * 60 * 60 * 1000).toISOString(), 'UTC')
}

/** Stores whether a line, which is locked, is booked and by which receipts. */
export async function setBooked(
  tx: Transaction,
  id: string,
  status: LineRow['status'],
  receiptIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update bank_statement_lines
       set status = ${status}, receipt_ids = ${[...receiptIds]}::uuid[], updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${id}`)
}
