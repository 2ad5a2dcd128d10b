import { sql } from '../../../database/index.ts'
import { readOne } from '../../../entities/index.ts'
import type { Composer } from '../../../mail/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { accounts } from '../accounts/account-store.ts'
import { readSender } from '../letters/letter-facts.ts'
import { printStatement } from '../letters/print-letters.ts'
import { readStatement } from '../reports/statement.ts'

/** Composes the mail of a notice, as it was sent, with the statement of the account of the last twelve months. */
export const dunningMailComposer: Composer = async (database, tenant, { entityId, recipient }) => {
  const [notice] = await database.read<{ accountId: string; subject: string; text: string }>(
    tenant.id,
    sql`select account_id as "accountId", subject, text from dunning_notices
         where tenant_id = ${tenant.id} and id = ${entityId} and status = 'sent' and text is not null`,
  )
  if (notice === undefined) return null
  const { record: account } = await readOne(database, tenant.id, accounts, notice.accountId)
  const to = todayIn(tenant.timeZone)
  const days = { from: `${Number(to.slice(0, 4)) - 1}${to.slice(4, 8)}01`, to }
  const statement = await readStatement(database, tenant, account.id, days)
  const bytes = await printStatement(await readSender(database, tenant), account, statement, days)
  return {
    to: { name: '', address: recipient },
    subject: notice.subject,
    text: `${notice.text}\n`,
    attachments: [{ fileName: `${account.accountNumber}.pdf`, mediaType: 'application/pdf', bytes }],
  }
}
