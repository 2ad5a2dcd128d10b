import { sql, type Transaction } from '../../../database/index.ts'
import type { PaymentRecord } from '../../payments/index.ts'

/** What an account owes of a fee that several share. */
interface InvoiceOfFee {
  readonly fee: string
  /** What is open of it. */
  readonly outstanding: number
  /** The statuses of the payments that are open. */
  readonly statuses: readonly PaymentRecord['status'][]
}

/** The invoice of an account for its part of a fee, by its number; null for the name of a fee, and for other invoices. */
export async function findInvoiceOfFee(tx: Transaction, number: string): Promise<InvoiceOfFee | null> {
  const [found] = await tx.query<InvoiceOfFee>(sql`
    select o.fee, sum(o.open_amount) as outstanding,
           coalesce(array_agg(p.status) filter (where o.open_amount <> 0), '{}') as statuses
      from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
     where o.tenant_id = ${tx.tenantId} and o.invoice_number = ${number} and o.fee <> ${number}
     group by o.fee`)
  return found ?? null
}
