import type { BillingDocument, Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { isUuid } from '../../../values/index.ts'

export type DocumentRecord = Static<typeof BillingDocument>

/** Reads rows: on a connection or in a transaction. */
export type ReadRows = <Row extends object>(text: Sql) => Promise<Row[]>

/** Where a document stands: the parts of it that follow from its kind. */
type Found = Omit<DocumentRecord, 'accountId' | 'number' | 'items' | 'instalments'> & { readonly id: string }

/** The documents of a number on an account, each kind by itself. */
function selectFound(tenantId: string, accountId: string, number: string): Sql {
  return sql`
    select min(o.payment_id::text)::uuid as id, 1 as rank, 'invoice' as kind, min(o.posted_on) as date,
           bool_and(o.closed_on is not null) as "isCancelled", min(p.currency) as currency, sum(p.amount) as amount,
           sum(o.open_amount) as "openAmount", null as reason, null as reference
      from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
     where o.tenant_id = ${tenantId} and o.account_id = ${accountId} and o.invoice_number = ${number}
    having count(*) > 0
    union all
    select r.id, 2, 'receipt', r.received_on, r.status = 'reversed', r.currency, r.amount, 0, null, r.reference
      from billing_receipts r
     where r.tenant_id = ${tenantId} and r.account_id = ${accountId} and r.receipt_number = ${number}
    union all
    select j.id, 3, j.kind, j.posted_on, false, p.currency, j.amount, 0, j.reason, null
      from billing_adjustments j join payments p on p.tenant_id = j.tenant_id and p.id = j.payment_id
     where j.tenant_id = ${tenantId} and j.account_id = ${accountId} and j.number = ${number}
    union all
    select w.id, 4, 'payout', w.paid_on, w.status = 'reversed', w.currency, w.amount, 0, w.reason, w.reference
      from billing_payouts w
     where w.tenant_id = ${tenantId} and w.account_id = ${accountId} and w.payout_number = ${number}`
}

/** What a document is for, by its kind. */
function selectItems(tenantId: string, { kind, id }: Found): Sql | null {
  switch (kind) {
    case 'invoice':
      // Components of a fee that one account pays, the items that a client sent, or the whole.
      return sql`
        select case when i.item_code is null or i.item_code = i.description then coalesce(i.description, i.item_name)
                    else concat_ws(' – ', i.item_name, i.description) end as description,
               s.full_name as "studentName", i.amount
          from sales_invoice_item_rows i
          join payments p on p.tenant_id = ${tenantId} and p.id = i.parent_id
          join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
         where i.tenant_id = ${tenantId} and i.parent_id = ${id}
         order by i.idx`
    case 'receipt':
      return sql`
        select p.description, s.full_name as "studentName", l.amount
          from billing_receipt_allocations l
          join payments p on p.tenant_id = ${tenantId} and p.id = l.payment_id
          join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
         where l.tenant_id = ${tenantId} and l.receipt_id = ${id}
         order by l.position`
    case 'payout':
      return null
    default:
      return sql`
        select p.description, s.full_name as "studentName", j.amount
          from billing_adjustments j
          join payments p on p.tenant_id = ${tenantId} and p.id = j.payment_id
          join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
         where j.tenant_id = ${tenantId} and j.id = ${id}`
  }
}

function selectInstalments(tenantId: string, accountId: string, number: string): Sql {
  return sql`
    select o.payment_id as "paymentId", o.due_on as "dueDate", p.amount, o.open_amount as "openAmount",
           o.reference as "paymentReference"
      from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
     where o.tenant_id = ${tenantId} and o.account_id = ${accountId} and o.invoice_number = ${number}
     order by o.due_on, p.created_at, p.id`
}

/**
 * A document of an account by its number, and its id: of an invoice that of the first payment. Throws `resource_not_found`
 * for the account, and for a number that it has not.
 */
export async function readDocument(
  read: ReadRows,
  tenantId: string,
  accountId: string,
  number: string,
): Promise<{ readonly id: string; readonly document: DocumentRecord }> {
  // PostgreSQL has no text with NUL.
  const [found] =
    isUuid(accountId) && !number.includes('\0')
      ? await read<Found & { rank: number }>(sql`
        select * from (${selectFound(tenantId, accountId.toLowerCase(), number)}) f order by f.rank limit 1`)
      : []
  if (found === undefined) throw notFoundProblem('document')
  const { id, rank: _, ...facts } = found
  const items = selectItems(tenantId, found)
  return {
    id,
    document: {
      ...facts,
      number,
      accountId: accountId.toLowerCase(),
      items: items === null ? [] : await read<DocumentRecord['items'][number]>(items),
      instalments:
        facts.kind === 'invoice'
          ? await read<DocumentRecord['instalments'][number]>(selectInstalments(tenantId, accountId, number))
          : [],
    },
  }
}
