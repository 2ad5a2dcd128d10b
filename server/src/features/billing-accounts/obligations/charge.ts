import type { ChangeContext } from '../../../changes/index.ts'
import { together } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { nextNames } from '../../../entities/index.ts'
import { subtract } from '../../../money/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import { post } from '../../ledger/index.ts'
import type { PaymentRecord } from '../../payments/index.ts'
import { paymentReference } from '../accounts/iban.ts'
import { type Books, ensureCurrency, loadBooks, requireOpenBooks } from './books.ts'
import type { ObligationState } from './obligation-rows.ts'
import { findPayer } from './payers.ts'

/** A payment that becomes an obligation of an account. */
export interface NewObligation {
  readonly payment: PaymentRecord
  readonly accountId: string
  readonly postedOn: string
  /** The number of the document that it is of, where it has one already. */
  readonly invoiceNumber?: string
  /** The fee that it is of, and where that is posted; null for a payment that was made by itself. */
  readonly fee: {
    readonly name: string
    readonly company: string
    readonly receivable: string
    readonly income: string
    readonly costCenter: string | null
  } | null
  /** Whether an earlier version made the payment, so that it may be posted in closed books. */
  readonly isOlder?: true
}

/** The voucher of the charge of an obligation that was made by itself. */
const chargeVoucher = (invoiceNumber: string) =>
  ({ type: 'Sales Invoice', name: invoiceNumber, isPlain: true }) as const

/** What is open of a payment with a status of which nothing has come in. */
function openAmount({ status, amount }: PaymentRecord, hasFee: boolean): number {
  return status === 'cancelled' && !hasFee ? 0 : amount
}

/**
 * Makes the obligation of a payment that was made by itself, with the payer and the postings of its charge. Throws
 * `rule_violated` (`books_closed`).
 */
export async function chargePayment(
  tx: Transaction,
  context: ChangeContext,
  payment: PaymentRecord,
  postedOn = todayIn(context.tenant.timeZone),
): Promise<void> {
  const { studentId, currency } = payment
  const accountId = await findPayer(tx, context, { studentId, currency, day: postedOn })
  await insertObligation(tx, context, { payment, accountId, postedOn, fee: null })
}

/** Makes an obligation; of one without a fee the charge is posted, that of a fee by the fee. */
export function insertObligation(tx: Transaction, context: ChangeContext, made: NewObligation): Promise<void> {
  return together(tx, 'obligations', made, async (all, whole) => {
    await insertObligations(whole, context, all)
    return all.map(() => undefined)
  })
}

async function insertObligations(
  tx: Transaction,
  context: ChangeContext,
  made: readonly NewObligation[],
): Promise<void> {
  const books = await loadBooks(tx)
  const numbers = await takeInvoiceNumbers(tx, books, made)
  const rows = made.map(({ payment, accountId, postedOn, fee, isOlder }, index) => {
    const open = openAmount(payment, fee !== null)
    if (fee === null && open > 0 && isOlder !== true) requireOpenBooks(books, postedOn)
    return {
      paymentId: payment.id,
      accountId,
      fee: fee?.name ?? null,
      reference: paymentReference(payment.id),
      invoiceNumber: numbers[index] as string,
      company: fee?.company ?? books.company?.name ?? null,
      receivable: fee?.receivable ?? books.company?.receivable ?? null,
      income: fee?.income ?? books.company?.income ?? null,
      costCenter: fee === null ? (books.company?.costCenter ?? null) : fee.costCenter,
      postedOn,
      dueOn: getDay(payment.dueDate, context.tenant.timeZone),
      closedOn: open === 0 ? postedOn : null,
      open,
    }
  })
  tx.send(sql`
    insert into obligations (tenant_id, payment_id, account_id, fee, reference, invoice_number, company,
                             receivable_account, income_account, cost_center, posted_on, due_on, closed_on, open_amount)
    select ${tx.tenantId}, n."paymentId", n."accountId", n.fee, n.reference, n."invoiceNumber", n.company, n.receivable,
           n.income, n."costCenter", n."postedOn", n."dueOn", n."closedOn", n.open
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (
             "paymentId" uuid, "accountId" uuid, fee text, reference text, "invoiceNumber" text, company text,
             receivable text, income text, "costCenter" text, "postedOn" date, "dueOn" date, "closedOn" date,
             open numeric)`)
  await Promise.all(
    rows.map((row, index) => {
      const { payment, fee } = made[index] as NewObligation
      return fee !== null || row.open === 0
        ? undefined
        : postCharge(tx, context, { ...row, payment }, payment.amount, row.postedOn)
    }),
  )
}

/** The numbers of the documents: of a counter where the institution wants no gaps, else the fee's or the reference. */
async function takeInvoiceNumbers(
  tx: Transaction,
  { isGapless }: Books,
  made: readonly NewObligation[],
): Promise<string[]> {
  if (!isGapless) {
    return made.map(({ payment, fee, invoiceNumber }) => invoiceNumber ?? fee?.name ?? paymentReference(payment.id))
  }
  const numbers: string[] = []
  for (const { invoiceNumber, postedOn } of made) {
    numbers.push(invoiceNumber ?? ((await nextNames(tx, `INV-${postedOn.slice(0, 4)}-`, 1))[0] as string))
  }
  return numbers
}

/**
 * Posts what is charged for an obligation that was made by itself, on a day: receivable debit, income credit; a negative
 * amount takes so much of the charge back.
 */
export async function postCharge(
  tx: Transaction,
  context: ChangeContext,
  obligation: Pick<
    ObligationState,
    'accountId' | 'company' | 'receivable' | 'income' | 'costCenter' | 'invoiceNumber'
  > & {
    readonly payment: PaymentRecord
  },
  amount: number,
  postingDate: string,
): Promise<void> {
  const { company, receivable, income, costCenter, accountId, invoiceNumber, payment } = obligation
  if (company === null || receivable === null || income === null || amount === 0) return
  const { currency, studentCode } = payment
  ensureCurrency(tx, currency)
  const [debit, credit] = amount > 0 ? [amount, 0] : [0, -amount]
  const remarks = `${amount > 0 ? 'Charge' : 'Cancellation'} of ${payment.description}`.slice(0, 140)
  await post(tx, context, { ...chargeVoucher(invoiceNumber), company, currency, postingDate, remarks }, [
    {
      account: receivable,
      debit,
      credit,
      against: income,
      party: studentCode,
      costCenter: null,
      fee: null,
      billingAccount: accountId,
    },
    { account: income, debit: credit, credit: debit, against: studentCode, party: null, costCenter, fee: null },
  ])
}

/** What is open of an obligation by its sums, where its charge stands. */
export function computeRest({
  payment,
  paid,
  adjusted,
}: Pick<ObligationState, 'payment' | 'paid' | 'adjusted'>): number {
  return subtract(subtract(payment.amount, paid), adjusted)
}
