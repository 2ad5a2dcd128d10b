import { Receipt, type receiptOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedTable } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'

export type ReceiptRecord = Static<typeof Receipt>

const receiptColumns = {
  receiptNumber: 'receipt_number',
  accountId: 'account_id',
  receivedOn: 'received_on',
  method: 'method',
  reference: 'reference',
  amount: 'amount',
  currency: 'currency',
  unallocated: 'unallocated',
  status: 'status',
  reversedBy: 'reversed_by',
  createdBy: 'created_by',
} as const

const receiptTable = storedTable(Receipt, { table: 'billing_receipts', alias: 'r', stored: receiptColumns })

export interface ReceiptRow extends StoredRow<ReceiptRecord, typeof receiptColumns> {
  readonly allocations: ReceiptRecord['allocations']
}

function selectReceipts(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${receiptTable.selected}, r.updated_at, applied.allocations
      from billing_receipts r
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('paymentId', l.payment_id, 'amount', l.amount)
                                 order by l.position), '[]') as allocations
         from billing_receipt_allocations l where l.tenant_id = ${tenantId} and l.receipt_id = r.id) as applied
     where r.tenant_id = ${tenantId} and ${condition}`
}

export const receipts: ListDefinition<ReceiptRow, ReceiptRecord> = {
  entityType: 'receipt',
  noun: 'receipt',
  table: 'billing_receipts',
  alias: 'r',
  select: selectReceipts,
  toRecord: receiptTable.reader<ReceiptRow>({ allocations: (row) => row.allocations }),
  versions: (row) => [row.version],
  filters: {
    accountId: (accountId) => sql`r.account_id = ${accountId}`,
    method: (method) => sql`r.method = ${method}`,
    from: (from) => sql`r.received_on >= ${from}`,
    to: (to) => sql`r.received_on <= ${to}`,
  } satisfies FiltersOf<(typeof receiptOperations)['listReceipts']>,
}
