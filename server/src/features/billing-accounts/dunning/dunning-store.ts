import { DunningRun, type dunningOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedTable } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'

export type DunningRunRecord = Static<typeof DunningRun>
export type DunningNoticeRecord = DunningRunRecord['notices'][number]
export type DunningItemRecord = DunningNoticeRecord['items'][number]

const runColumns = { asOf: 'as_of', createdBy: 'created_by' } as const

const runTable = storedTable(DunningRun, { table: 'dunning_runs', alias: 'd', stored: runColumns })

interface RunRow extends StoredRow<DunningRunRecord, typeof runColumns> {
  readonly notices: DunningNoticeRecord[]
}

function selectRuns(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${runTable.selected}, d.updated_at, found.notices
      from dunning_runs d
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object(
                'id', n.id, 'accountId', n.account_id, 'level', n.level, 'currency', n.currency, 'items', n.items,
                'amount', n.amount, 'fee', n.fee, 'feePaymentId', n.fee_payment_id, 'status', n.status,
                'channel', n.channel, 'recipient', n.recipient, 'subject', n.subject, 'text', n.text,
                'sentAt', to_char(n.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentBy', n.sent_by)
                order by a.number), '[]') as notices
         from dunning_notices n
         join billing_accounts a on a.tenant_id = ${tenantId} and a.id = n.account_id
        where n.tenant_id = ${tenantId} and n.run_id = d.id) as found
     where d.tenant_id = ${tenantId} and ${condition}`
}

/** The runs of reminders. */
export const dunningRuns: ListDefinition<RunRow, DunningRunRecord> = {
  entityType: 'dunning_run',
  noun: 'dunning run',
  table: 'dunning_runs',
  alias: 'd',
  select: selectRuns,
  toRecord: runTable.reader<RunRow>({ notices: (row) => row.notices }),
  versions: (row) => [row.version],
  filters: {} satisfies FiltersOf<(typeof dunningOperations)['listDunningRuns']>,
}
