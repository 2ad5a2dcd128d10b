import type { BankStatementLine, Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'

export type LineRecord = Static<typeof BankStatementLine>

/** A line without what it may pay. */
export type LineRow = Omit<LineRecord, 'proposals'>

/** The lines `l` of a tenant that meet a condition. */
export function selectLines(tenantId: string, condition: Sql): Sql {
  return sql`
    select l.id, l.booked_on as "bookedOn", l.value_on as "valueOn", l.amount, l.currency,
           l.bank_reference as "bankReference", l.end_to_end_id as "endToEndId", l.reference, l.name, l.iban, l.text,
           l.return_reason as "returnReason", l.details, l.status, l.receipt_ids as "receiptIds"
      from bank_statement_lines l
     where l.tenant_id = ${tenantId} and ${condition}`
}
