import { Payout, type payoutOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedTable } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'

export type PayoutRecord = Static<typeof Payout>

const payoutColumns = {
  payoutNumber: 'payout_number',
  accountId: 'account_id',
  paidOn: 'paid_on',
  method: 'method',
  reference: 'reference',
  reason: 'reason',
  amount: 'amount',
  currency: 'currency',
  status: 'status',
  reversedBy: 'reversed_by',
  createdBy: 'created_by',
} as const

const payoutTable = storedTable(Payout, { table: 'billing_payouts', alias: 'w', stored: payoutColumns })

type PayoutRow = StoredRow<PayoutRecord, typeof payoutColumns>

function selectPayouts(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${payoutTable.selected}, w.updated_at
      from billing_payouts w where w.tenant_id = ${tenantId} and ${condition}`
}

export const payouts: ListDefinition<PayoutRow, PayoutRecord> = {
  entityType: 'payout',
  noun: 'payout',
  table: 'billing_payouts',
  alias: 'w',
  select: selectPayouts,
  toRecord: payoutTable.reader<PayoutRow>({}),
  versions: (row) => [row.version],
  filters: {
    accountId: (accountId) => sql`w.account_id = ${accountId}`,
    from: (from) => sql`w.paid_on >= ${from}`,
    to: (to) => sql`w.paid_on <= ${to}`,
  } satisfies FiltersOf<(typeof payoutOperations)['listPayouts']>,
}
