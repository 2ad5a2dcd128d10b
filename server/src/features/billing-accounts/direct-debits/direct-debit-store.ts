import { DirectDebit, type directDebitOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedTable } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'

export type DirectDebitRecord = Static<typeof DirectDebit>

const directDebitColumns = { collectionDate: 'collection_date' } as const

const directDebitTable = storedTable(DirectDebit, { table: 'direct_debits', alias: 'd', stored: directDebitColumns })

interface DirectDebitRow extends StoredRow<DirectDebitRecord, typeof directDebitColumns> {
  readonly debits: DirectDebitRecord['debits']
  /** The sum of the versions of its receipts. */
  readonly receipt_versions: number
}

/** The debit of a transaction `t` with its receipt `r`. */
export const debitAsJson = sql`
  jsonb_build_object(
    'endToEndId', t.end_to_end_id, 'accountId', t.account_id, 'mandateId', t.mandate_id, 'sequence', t.sequence,
    'amount', t.amount, 'receiptId', t.receipt_id,
    'status', case r.status when 'reversed' then 'returned' else 'collected' end, 'reasonCode', r.reversal_reason)`

function selectDirectDebits(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${directDebitTable.selected}, d.updated_at, made.debits, made.receipt_versions
      from direct_debits d
     cross join lateral (
       select coalesce(sum(r.version), 0)::integer as receipt_versions,
              coalesce(jsonb_agg(${debitAsJson} order by t.position), '[]') as debits
         from direct_debit_transactions t
         join billing_receipts r on r.tenant_id = t.tenant_id and r.id = t.receipt_id
        where t.tenant_id = ${tenantId} and t.direct_debit_id = d.id) as made
     where d.tenant_id = ${tenantId} and ${condition}`
}

/** Where a run stands, as its debits do. */
function findRunStatus({ debits }: Pick<DirectDebitRow, 'debits'>): DirectDebitRecord['status'] {
  const returned = debits.filter(({ status }) => status === 'returned').length
  if (returned === 0) return 'collected'
  return returned === debits.length ? 'returned' : 'partially_returned'
}

export const directDebits: ListDefinition<DirectDebitRow, DirectDebitRecord> = {
  entityType: 'direct_debit',
  noun: 'direct debit',
  table: 'direct_debits',
  alias: 'd',
  select: selectDirectDebits,
  toRecord: directDebitTable.reader<DirectDebitRow>({ status: findRunStatus, debits: (row) => row.debits }),
  versions: (row) => [row.version, row.receipt_versions],
  filters: {} satisfies FiltersOf<(typeof directDebitOperations)['listDirectDebits']>,
}
