import { type Database, sql } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { type Collection, type Creditor, writePain } from './pain.ts'

/** The file for the bank of a run that exists. Throws `state_conflict` for a run without debits. */
export async function writeInitiation(database: Database, tenantId: string, id: string): Promise<Buffer> {
  const [[run], collections] = await Promise.all([
    database.read<{ createdAt: string; collectionDate: string; creditor: Creditor }>(
      tenantId,
      sql`
        select d.created_at as "createdAt", d.collection_date as "collectionDate", d.creditor
          from direct_debits d where d.tenant_id = ${tenantId} and d.id = ${id}`,
    ),
    database.read<Collection>(
      tenantId,
      sql`
        select t.end_to_end_id as "endToEndId", t.sequence, t.amount, t.currency, t.mandate_id as "mandateId",
               t.mandate_signed_at as "signedAt", t.debtor_name as "debtorName", t.debtor_iban as "debtorIban",
               t.remittance_text as text
          from direct_debit_transactions t
         where t.tenant_id = ${tenantId} and t.direct_debit_id = ${id}
         order by t.position`,
    ),
  ])
  if (run === undefined || collections.length === 0) {
    throw new Problem('state_conflict', 'The run has no debits, so there is no file for the bank.', {
      currentState: 'empty',
    })
  }
  return Buffer.from(writePain({ ...run, messageId: id.replaceAll('-', ''), collections }))
}
