import { type Database, sql } from '../../../database/index.ts'
import { type AccountRecord, type AccountRow, accounts } from '../accounts/account-store.ts'
import { readBillingOfTenant } from '../billing-settings.ts'
import type { DunningRunRecord } from '../dunning/dunning-store.ts'
import { readObligations } from '../obligations/obligation-list.ts'
import type { Sender } from './letter.ts'
import type { PrintedNotice } from './print-letters.ts'

/** Who writes the letters of an institution. */
export async function readSender(
  database: Database,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Sender> {
  return { institution: name, ...(await readBillingOfTenant(database, id)) }
}

/** The notices of a run that were sent on paper, with their payers and what is overdue. */
export async function readPrintedNotices(
  database: Database,
  tenantId: string,
  { notices }: DunningRunRecord,
): Promise<PrintedNotice[]> {
  const printed = notices.filter(({ status, channel }) => status === 'sent' && channel === 'print')
  const payers = printed.map(({ accountId }) => accountId)
  const rows = await database.read<AccountRow>(tenantId, accounts.select(tenantId, sql`a.id = any(${payers}::uuid[])`))
  const byId = new Map(rows.map((row) => [row.id, accounts.toRecord(row)]))
  const ids = printed.flatMap(({ items }) => items.map(({ paymentId }) => paymentId))
  const obligations = new Map((await readObligations(database, tenantId, ids)).map((each) => [each.paymentId, each]))
  return printed.map((notice) => ({
    notice,
    account: byId.get(notice.accountId) as AccountRecord,
    items: notice.items.flatMap(({ paymentId }) => obligations.get(paymentId) ?? []),
  }))
}
