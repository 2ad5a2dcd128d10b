import { call } from '../http.ts'

/** What the rows of outstanding amounts are. */
export type AgeingBy = 'account' | 'student' | 'group' | 'program' | 'year'

/** What is open by the days since it was due, in one currency. */
export interface AgeingRow {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly notDue: number
  readonly days1To30: number
  readonly days31To60: number
  readonly days61To90: number
  readonly over90: number
  readonly total: number
}

/** What is open at the end of a day; of today where none is told. Throws `CallError`, as all of these do. */
export async function readAgeing(by: AgeingBy, asOf: string): Promise<AgeingRow[]> {
  return (await call('GET', '/console/v1/billing/ageing', { query: { by, asOf } })).body.data
}

/** A reminder to an account. */
export interface Notice {
  readonly id: string
  readonly accountId: string
  readonly level: number
  readonly currency: string
  readonly items: readonly { readonly paymentId: string; readonly amount: number; readonly daysOverdue: number }[]
  readonly amount: number
  readonly fee: number
  readonly status: 'proposed' | 'sent' | 'dropped'
  readonly channel: 'mail' | 'print' | null
  readonly recipient: string | null
  readonly subject: string | null
  readonly text: string | null
}

/** The reminders that were proposed on a day. */
export interface DunningRun {
  readonly id: string
  readonly asOf: string
  readonly notices: readonly Notice[]
}

const runs = '/console/v1/billing/dunning-runs'
const keyed = (key: string) => ({ 'idempotency-key': key })

/** The last runs of reminders. */
export async function dunningRuns(): Promise<DunningRun[]> {
  return (await call('GET', runs, { query: { limit: 20 } })).body.data
}

/** One run of reminders. */
export async function dunningRun(id: string): Promise<DunningRun> {
  return (await call('GET', `${runs}/${id}`)).body.data
}

const addressOfNotice = (run: string, notice: string) => `${runs}/${run}/notices/${notice}`

/** A reminder as it would be sent now, or as it was. */
export async function readNotice(run: string, notice: string): Promise<Notice> {
  return (await call('GET', addressOfNotice(run, notice))).body.data
}

/** The letter of a reminder as a PDF. */
export async function noticePdf(run: string, notice: string): Promise<Blob> {
  const options = { headers: { accept: 'application/pdf' }, isFile: true }
  return (await call('GET', addressOfNotice(run, notice), options)).body
}

/** Proposes reminders of all that is overdue; a repeated key does so once. */
export async function proposeReminders(key: string): Promise<DunningRun> {
  return (await call('POST', runs, { body: {}, headers: keyed(key) })).body.data
}

/** Sends reminders that were proposed; a repeated key does so once. */
export async function sendReminders(key: string, id: string, noticeIds: readonly string[]): Promise<DunningRun> {
  return (await call('POST', `${runs}/${id}/send`, { body: { noticeIds }, headers: keyed(key) })).body.data
}

/** The names of accounts, by id. */
export async function accountNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(ids)
  const named = new Map<string, string>()
  if (wanted.size === 0) return named
  for (const { id, name } of await readAgeing('account', '')) if (wanted.has(id)) named.set(id, name)
  // What is settled meanwhile is in no list of open amounts.
  const left = [...wanted].filter((id) => !named.has(id)).slice(0, 50)
  const found = await Promise.all(left.map((id) => call('GET', `/console/v1/billing/accounts/${id}`)))
  for (const { body } of found) named.set(body.data.id, body.data.name)
  return named
}

/** A file of bank statements. */
export interface BankStatement {
  readonly id: string
  readonly format: string
  readonly account: string
  readonly currency: string
  readonly from: string | null
  readonly to: string | null
  readonly lines: { readonly total: number; readonly new: number; readonly known: number }
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
}

/** An entry of a bank statement. */
export interface BankLine {
  readonly id: string
  readonly bookedOn: string
  readonly amount: number
  readonly currency: string
  readonly reference: string | null
  readonly name: string | null
  readonly text: string | null
  readonly status: 'open' | 'booked' | 'ignored'
  readonly receiptIds: readonly string[]
  readonly proposals: readonly { readonly accountId: string; readonly paymentId: string; readonly amount: number }[]
}

const statements = '/console/v1/billing/bank-statements'

/** The last files of bank statements. */
export async function bankStatements(): Promise<BankStatement[]> {
  return (await call('GET', statements, { query: { limit: 20 } })).body.data
}

/** The media type of a file of bank statements, by how it begins and how it is called. */
export function statementType(fileName: string, start: string): string {
  if (/^\s*(?:OFXHEADER|<OFX|<\?OFX)/i.test(start) || /<OFX>/i.test(start)) return 'application/x-ofx'
  if (/^\s*(?:\uFEFF)?<\?xml|^\s*<Document/i.test(start)) return 'application/xml'
  return /\.csv$/i.test(fileName) ? 'text/csv' : 'text/plain'
}

/** Imports a file as the bank made it; the same bytes are imported once. `account` is the IBAN, for CSV. */
export async function importStatement(file: Blob, type: string, account: string): Promise<BankStatement> {
  const options = { body: file, query: { account }, headers: { 'content-type': type } }
  return (await call('POST', statements, options)).body.data
}

/** The lines of a file. */
export async function bankLines(id: string, status: string): Promise<BankLine[]> {
  return (await call('GET', `${statements}/${id}/lines`, { query: { status, limit: 100 } })).body.data
}

/** Whom a line is from, and what it pays; without allocations what is open, the oldest first. */
export interface Match {
  readonly accountId: string
  readonly allocations?: readonly { readonly paymentId: string; readonly amount: number }[]
}

/** Books a line; a line that is booked is refused. */
export async function matchLine(statement: string, line: string, match: Match): Promise<BankLine> {
  return (await call('POST', `${statements}/${statement}/lines/${line}/match`, { body: match })).body.data
}

/** Takes back the booking of a line. */
export async function unmatchLine(statement: string, line: string): Promise<BankLine> {
  return (await call('POST', `${statements}/${statement}/lines/${line}/unmatch`, { body: {} })).body.data
}

/** Payers by parts of a name. */
export async function findPayers(search: string): Promise<{ id: string; name: string; accountNumber: string }[]> {
  return (await call('GET', '/console/v1/billing/accounts', { query: { search, limit: 12 } })).body.data
}

/** A run of direct debits. */
export interface DirectDebit {
  readonly id: string
  readonly collectionDate: string
  readonly status: 'collected' | 'partially_returned' | 'returned'
  readonly debits: readonly {
    readonly endToEndId: string
    readonly accountId: string
    readonly mandateId: string
    readonly amount: number
    readonly status: 'collected' | 'returned'
    readonly reasonCode: string | null
  }[]
}

const debitRuns = '/console/v1/billing/direct-debits'

/** The last runs of direct debits. */
export async function directDebits(): Promise<DirectDebit[]> {
  return (await call('GET', debitRuns, { query: { limit: 20 } })).body.data
}

/** Collects what is due by a day; a repeated key does so once. */
export async function collect(key: string, collectionDate: string, dueTo: string): Promise<DirectDebit> {
  return (await call('POST', debitRuns, { body: { collectionDate, dueTo }, headers: keyed(key) })).body.data
}

/** The file for the bank (pain.008). */
export async function debitFile(id: string): Promise<Blob> {
  const options = { headers: { accept: 'application/xml' }, isFile: true }
  return (await call('GET', `${debitRuns}/${id}`, options)).body
}

/** Returns a debit that the bank gave back; repeated, nothing happens again. */
export async function returnDebit(
  key: string,
  id: string,
  returned: { readonly endToEndId: string; readonly reasonCode: string; readonly returnedOn: string },
): Promise<DirectDebit> {
  const options = { body: { returns: [returned] }, headers: keyed(key) }
  return (await call('POST', `${debitRuns}/${id}/returns`, options)).body.data
}
