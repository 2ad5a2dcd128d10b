import { call } from '../http.ts'

/** By what a family is found. */
export type FamilyMember = 'account' | 'student' | 'guardian'

/** Somebody by whom a family is found. */
export interface FamilyHit {
  readonly of: FamilyMember
  readonly id: string
  readonly name: string
  readonly detail: string
}

/** How money is paid. */
export type ReceiptMethod = 'cash' | 'transfer' | 'card' | 'cheque' | 'direct_debit' | 'credit' | 'other'

/** Money that came in for an account. */
export interface Receipt {
  readonly id: string
  readonly receiptNumber: string
  readonly accountId: string
  readonly receivedOn: string
  readonly method: ReceiptMethod
  readonly amount: number
  readonly currency: string
  readonly unallocated: number
  readonly status: 'posted' | 'reversed'
}

/** An account that pays for a family. */
export interface Payer {
  readonly id: string
  readonly accountNumber: string
  readonly name: string
  readonly kind: 'family' | 'company' | 'sponsor' | 'student'
  readonly currency: string
  readonly open: number
  readonly overdue: number
  readonly credit: number
}

/** What is open of a payment. */
export interface OpenObligation {
  readonly paymentId: string
  readonly accountId: string
  readonly studentName: string
  readonly description: string
  readonly dueDate: string
  readonly amount: number
  readonly openAmount: number
  readonly currency: string
}

/** Who pays for whom in a family, and what is open. */
export interface Family {
  /** Today at the institution, `YYYY-MM-DD`. */
  readonly today: string
  readonly accounts: readonly Payer[]
  readonly students: readonly { readonly id: string; readonly name: string; readonly fullName: string }[]
  readonly obligations: readonly OpenObligation[]
  readonly receipts: readonly Receipt[]
}

/** What an account pays, and of what. */
export interface PaymentPart {
  readonly accountId: string
  readonly amount: number
  readonly allocations: readonly { readonly paymentId: string; readonly amount: number }[]
}

/** Money that a family brought. */
export interface FamilyPayment {
  readonly receivedOn: string
  readonly method: ReceiptMethod
  readonly reference: string | null
  readonly parts: readonly PaymentPart[]
}

/** Families by a few letters of a name of theirs. Throws `CallError`, as all of these do. */
export async function findFamilies(q: string, signal: AbortSignal): Promise<FamilyHit[]> {
  return (await call('GET', '/console/v1/fee-desk/families', { query: { q }, signal })).body.data
}

/** Who pays for whom, and what is open. */
export async function readFamily(of: FamilyMember, id: string): Promise<Family> {
  return (await call('GET', '/console/v1/fee-desk/family', { query: { of, id } })).body.data
}

/** Posts what a family brought; a repeated key posts it once. */
export async function takePayment(key: string, payment: FamilyPayment): Promise<Receipt[]> {
  const options = { body: payment, headers: { 'idempotency-key': key } }
  return (await call('POST', '/console/v1/fee-desk/payments', options)).body.data.receipts
}

/** Posts the opposite of a receipt; a repeated key does so once. */
export async function reverseReceipt(key: string, id: string, reason: string): Promise<Receipt> {
  const options = { body: { reason }, headers: { 'idempotency-key': key } }
  return (await call('POST', `/console/v1/billing/receipts/${id}/reverse`, options)).body.data
}

/** A receipt as a PDF. */
export function receiptPdf(id: string): Promise<Blob> {
  return readPdf(`/console/v1/billing/receipts/${id}`)
}

/** A document of an account by its number, as a PDF: an invoice, a receipt, a credit note, a write-off or a payout. */
export function documentPdf(accountId: string, number: string): Promise<Blob> {
  return readPdf(`/console/v1/billing/accounts/${accountId}/documents/${encodeURIComponent(number)}`)
}

/** The receipts of what a family brought on one paper, as a PDF. */
export function jointReceiptPdf(ids: readonly string[]): Promise<Blob> {
  return readPdf('/console/v1/fee-desk/receipt', { ids: ids.join(',') })
}

/** How credit is paid out. */
export type PayoutMethod = Exclude<ReceiptMethod, 'credit' | 'direct_debit'>

/** Credit that is paid out. */
export interface NewPayout {
  readonly accountId: string
  readonly paidOn: string
  readonly method: PayoutMethod
  readonly amount: number
  readonly reference: string | null
  readonly reason: string | null
}

/** Pays out credit of an account; a repeated key does so once. */
export async function payOut(key: string, payout: NewPayout): Promise<{ readonly payoutNumber: string }> {
  const options = { body: payout, headers: { 'idempotency-key': key } }
  return (await call('POST', '/console/v1/billing/payouts', options)).body.data
}

/** A billing account. */
export interface Account extends Omit<Payer, 'open'> {
  readonly email: string | null
  readonly phone: string | null
  readonly balance: number
}

/** One account. */
export async function readAccount(id: string): Promise<Account> {
  return (await call('GET', `/console/v1/billing/accounts/${id}`)).body.data
}

/** What stands on a statement. */
type DocumentKind =
  | 'invoice'
  | 'receipt'
  | 'reversal'
  | 'credit_note'
  | 'write_off'
  | 'cancellation'
  | 'payout'
  | 'payout_reversal'

/** The documents on an account between two days. */
export interface Statement {
  readonly openingBalance: number
  readonly lines: readonly {
    readonly date: string
    readonly kind: DocumentKind
    readonly number: string
    readonly debit: number
    readonly credit: number
    readonly balance: number
  }[]
  readonly closingBalance: number
}

/** Two days, both included; an empty one is no bound. */
export interface Days {
  readonly from: string
  readonly to: string
}

const addressOfStatement = (id: string) => `/console/v1/billing/accounts/${id}/statement`

/** The statement of an account. */
export async function readStatement(id: string, { from, to }: Days): Promise<Statement> {
  return (await call('GET', addressOfStatement(id), { query: { from, to } })).body.data
}

/** The statement of an account as a PDF. */
export function statementPdf(id: string, { from, to }: Days): Promise<Blob> {
  return readPdf(addressOfStatement(id), { from, to })
}

/** A reminder that was sent. */
export interface SentReminder {
  readonly id: string
  readonly at: string
  readonly level: number
  readonly channel: 'mail' | 'print'
  readonly recipient: string
  readonly subject: string
  readonly amount: number
  readonly currency: string
}

/** The reminders that were sent to an account, the newest first. */
export async function sentReminders(id: string): Promise<SentReminder[]> {
  return (await call('GET', `/console/v1/billing/accounts/${id}/timeline`)).body.data
}

/** A payment: what a student is to pay. */
export interface Payment {
  readonly id: string
  readonly studentId: string
  readonly studentName: string | null
  readonly description: string
  readonly amount: number
  readonly currency: string
  readonly dueDate: string
  readonly status: 'pending' | 'paid' | 'overdue' | 'cancelled' | 'refunded'
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly pages: number
}

/** Payments of all kinds, the newest first. */
export async function payments(query: {
  readonly status: string
  readonly studentId: string
  readonly page: number
  readonly limit: number
}): Promise<Page<Payment>> {
  return readPage('/console/v1/payments', query)
}

async function readPage<Item>(path: string, query: Readonly<Record<string, string | number>>): Promise<Page<Item>> {
  const { body } = await call('GET', path, { query })
  const { total, totalPages } = body.pagination
  return { items: body.data, total, pages: totalPages }
}

async function readPdf(path: string, query: Readonly<Record<string, string>> = {}): Promise<Blob> {
  const { body } = await call('GET', path, { query, headers: { accept: 'application/pdf' }, isFile: true })
  return body
}
