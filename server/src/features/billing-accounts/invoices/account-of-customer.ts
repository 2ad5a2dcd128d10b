import { sql, type Transaction } from '../../../database/index.ts'
import { RecordError } from '../../../record-engine/index.ts'

/** An account as invoices and payment entries need it. */
export interface CustomerAccount {
  readonly id: string
  readonly number: string
  readonly name: string
  readonly currency: string
  readonly terms: string | null
  /** The code of the student whose own account it is, or of the only one with a share; null where that is not one. */
  readonly student: string | null
}

/** The account that is a Customer. Throws `LinkValidationError`. */
export async function requireCustomer(tx: Transaction, name: string): Promise<CustomerAccount> {
  const [found] = await tx.query<CustomerAccount>(sql`
    select a.id, a.account_number as number, coalesce(a.name, own.full_name) as name, a.currency,
           a.payment_terms as terms,
           coalesce(own.student_code,
                    (select min(s.student_code) from billing_shares h
                       join students s on s.tenant_id = h.tenant_id and s.id = h.student_id
                      where h.tenant_id = a.tenant_id and h.account_id = a.id
                     having count(distinct h.student_id) = 1)) as student
      from billing_accounts a
      left join students own on own.tenant_id = a.tenant_id and own.id = a.student_id
     where a.tenant_id = ${tx.tenantId} and a.account_number = ${name}`)
  if (found !== undefined) return found
  throw new RecordError('LinkValidationError', `Could not find Customer: ${name.slice(0, 140)}`)
}

/** The name of the Customer that an account is. */
export async function findCustomerName(tx: Transaction, accountId: string): Promise<string> {
  const [row] = await tx.query<{ number: string }>(sql`
    select account_number as number from billing_accounts where tenant_id = ${tx.tenantId} and id = ${accountId}`)
  if (row === undefined) throw new Error(`there is no account ${accountId}`)
  return row.number
}
