import type { PublicLocale } from '@matricula/contract'
import { sql, type Transaction } from '../../../database/index.ts'
import { findOne } from '../../../entities/index.ts'
import { accounts } from '../accounts/account-store.ts'
import { loadBillingSettings } from '../billing-settings.ts'
import { readDocument } from '../reports/document.ts'
import { printDocument } from './print-documents.ts'

/**
 * What prints the letter of an invoice that was issued, by its number, once the transaction has ended; null where no account
 * has an invoice of this number. Whether the caller may read it is judged before.
 */
export async function loadInvoiceLetter(
  tx: Transaction,
  tenant: { readonly id: string; readonly name: string },
  number: string,
): Promise<(() => Promise<Buffer>) | null> {
  const [owner] = await tx.query<{ id: string }>(sql`
    select account_id as id from obligations where tenant_id = ${tx.tenantId} and invoice_number = ${number} limit 1`)
  const account = owner === undefined ? null : await findOne(tx, accounts, sql`a.id = ${owner.id}`)
  if (account === null) return null
  const [own] = await tx.query<{ language: PublicLocale }>(sql`select language from tenants where id = ${tx.tenantId}`)
  const settings = await loadBillingSettings(tx)
  const { document } = await readDocument((text) => tx.query(text), tx.tenantId, account.record.id, number)
  const sender = { institution: tenant.name, language: own?.language ?? 'en', settings }
  return () => printDocument(sender, account.record, document)
}
