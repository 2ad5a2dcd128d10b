import type { BillingTimelineEntry, Static } from '@matricula/contract'
import { type Database, sql } from '../../../database/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { isUuid } from '../../../values/index.ts'

type TimelineRecord = Static<typeof BillingTimelineEntry>

/** The maximum number of entries. */
const maxEntries = 500

/** What was sent to the payer of an account, the newest first. Throws `resource_not_found`. */
export async function readTimeline(database: Database, tenantId: string, accountId: string): Promise<TimelineRecord[]> {
  if (!isUuid(accountId)) throw notFoundProblem('billing account')
  const [account] = await database.read<{ id: string }>(
    tenantId,
    sql`select id from billing_accounts where tenant_id = ${tenantId} and id = ${accountId}`,
  )
  if (account === undefined) throw notFoundProblem('billing account')
  return database.read<TimelineRecord>(
    tenantId,
    sql`
      select id, 'dunning_notice' as kind, sent_at as at, level, channel, recipient, subject, text, amount, currency,
             sent_by as by
        from dunning_notices
       where tenant_id = ${tenantId} and account_id = ${accountId} and status = 'sent'
       order by sent_at desc, id desc
       limit ${maxEntries}`,
  )
}
