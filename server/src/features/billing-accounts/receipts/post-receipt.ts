import type { ReceiptMethod } from '@matricula/contract'
import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { nextNames, readBack, type Versioned } from '../../../entities/index.ts'
import { subtract, sumExactly } from '../../../money/index.ts'
import { newId } from '../../../values/index.ts'
import { type LedgerLine, post, reverse } from '../../ledger/index.ts'
import {
  type Books,
  type Company,
  ensureCurrency,
  ensureLedgerAccount,
  loadBooks,
  requireOpenBooks,
} from '../obligations/books.ts'
import { type ObligationState, withPaid, writeSums } from '../obligations/obligation-rows.ts'
import { storeStatuses } from '../obligations/statuses.ts'
import { type ReceiptRecord, receipts } from './receipt-store.ts'

/** A part of a receipt that pays an obligation. */
export interface Part {
  readonly obligation: ObligationState
  readonly amount: number
}

/** A receipt that is to be posted. The account and the fees of its obligations are locked. */
export interface NewReceipt {
  /** The id that it is to have; absent: a new one. */
  readonly id?: string
  readonly accountId: string
  readonly receivedOn: string
  readonly method: ReceiptMethod
  readonly reference: string | null
  readonly amount: number
  readonly currency: string
  readonly parts: readonly Part[]
  /** The moment and the number that a card processor gave the payment. */
  readonly captured?: { readonly paidAt: string; readonly processorPaymentIntentId: string }
  /** What the ledger entries name: the number of the receipt by default. */
  readonly voucherNo?: string
  /** Of what an earlier version made: it may be in closed books, and may be in the ledger already. */
  readonly older?: { readonly isPosted: boolean }
}

/**
 * Posts a receipt: its row, what it pays, the credit of the account, the statuses of the payments, and the ledger.
 * Throws `rule_violated` (`books_closed`).
 */
export async function postReceipt(
  tx: Transaction,
  context: ChangeContext,
  made: NewReceipt,
): Promise<Versioned<ReceiptRecord>> {
  const { accountId, receivedOn, method, amount, currency, parts } = made
  const books = await loadBooks(tx)
  if (made.older === undefined) requireOpenBooks(books, receivedOn)
  const isCredit = method === 'credit'
  const allocated = sumExactly(...parts.map((part) => part.amount))
  const unallocated = subtract(amount, allocated)
  const id = made.id ?? newId()
  await changeCredit(tx, accountId, isCredit ? -amount : unallocated)
  const paid = parts.map(({ obligation, amount: part }) => withPaid(obligation, part))
  writeSums(tx, paid)
  await storeStatuses(tx, context, paid, made.captured ?? { paidAt: `${receivedOn}T00:00:00.000Z` })
  const till = books.company === null ? null : await findTill(tx, books.company, method)
  // Last, because whoever takes a number waits for the commit of who took the one before.
  const [number] = await nextNames(tx, `REC-${receivedOn.slice(0, 4)}-`, 1)
  tx.send(sql`
    insert into billing_receipts (tenant_id, id, receipt_number, voucher_no, account_id, received_on, method, reference, amount,
                                  currency, unallocated, created_by)
    values (${tx.tenantId}, ${id}, ${number}, ${made.voucherNo ?? number}, ${accountId}, ${receivedOn}, ${method},
            ${made.reference}, ${amount}, ${currency}, ${unallocated}, ${context.actor})`)
  if (parts.length > 0) {
    const rows = parts.map(({ obligation: { paymentId }, amount: part }, position) => {
      return { paymentId, amount: part, position }
    })
    tx.send(sql`
      insert into billing_receipt_allocations (tenant_id, receipt_id, payment_id, amount, position)
      select ${tx.tenantId}, ${id}, l."paymentId", l.amount, l.position
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l ("paymentId" uuid, amount numeric, position integer)`)
  }
  await postMoney(tx, context, books, { ...made, number: number as string, unallocated, till })
  const posted = await readBack(tx, receipts, id)
  recordChanges(tx, context, [
    { type: 'receipt.posted', list: receipts, entityId: id, before: null, after: posted.record },
  ])
  return posted
}

/** Adds to the credit of an account, which is locked. It is computed, so it is no change of the account. */
export async function changeCredit(tx: Transaction, accountId: string, by: number): Promise<void> {
  if (by === 0) return
  await tx.query(sql`
    update billing_accounts set credit = credit + ${by}::numeric where tenant_id = ${tx.tenantId} and id = ${accountId}`)
}

const receiptVoucher = (voucherNo: string) => ({ type: 'Payment', name: voucherNo, isPlain: true }) as const

async function postMoney(
  tx: Transaction,
  context: ChangeContext,
  { company }: Books,
  receipt: NewReceipt & { readonly number: string; readonly unallocated: number; readonly till: string | null },
): Promise<void> {
  const { accountId, receivedOn: postingDate, method, amount, currency, parts, number, unallocated, till } = receipt
  if (receipt.older?.isPosted === true) return
  if (company === null || company.receivable === null || till === null) return
  ensureCurrency(tx, currency)
  const shared = { debit: 0, credit: 0, party: null, costCenter: null, fee: null }
  const receivable = { ...shared, account: company.receivable, against: till, billingAccount: accountId }
  const lines: LedgerLine[] = [
    // What is paid from credit moves between two lines of the same account, and no money comes in.
    method === 'credit'
      ? { ...receivable, debit: amount }
      : { ...shared, account: till, debit: amount, against: company.receivable },
    ...parts.map(({ obligation, amount: credit }) => ({
      ...receivable,
      account: obligation.receivable ?? (company.receivable as string),
      credit,
      party: obligation.payment.studentCode,
      fee: obligation.fee,
    })),
    ...(method !== 'credit' && unallocated > 0 ? [{ ...receivable, credit: unallocated }] : []),
  ]
  const owner = parts[0]?.obligation.company ?? company.name
  const remarks = `Receipt ${number}`
  await post(
    tx,
    context,
    { ...receiptVoucher(receipt.voucherNo ?? number), company: owner, currency, postingDate, remarks },
    lines,
  )
}

/** The ledger account that money comes in on. Direct debits wait on a clearing account for the credit of the bank. */
export async function findTill(tx: Transaction, company: Company, method: ReceiptMethod): Promise<string | null> {
  if (method === 'direct_debit') return ensureLedgerAccount(tx, company, 'Direct Debit Clearing', 'Asset')
  return (method === 'cash' ? company.cash : company.bank) ?? company.receivable
}

/** Posts the opposite of a receipt on a day. */
export async function reverseMoney(
  tx: Transaction,
  context: ChangeContext,
  { id, receiptNumber }: Pick<ReceiptRecord, 'id' | 'receiptNumber'>,
  postingDate: string,
): Promise<void> {
  const [row] = await tx.query<{ voucher_no: string }>(
    sql`select voucher_no from billing_receipts where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  const voucher = receiptVoucher(row?.voucher_no ?? receiptNumber)
  await reverse(tx, context, { ...voucher, postingDate, remarks: `Reversal of ${receiptNumber}` })
}
