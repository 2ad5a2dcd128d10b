import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { seedCurrencies } from './organisation-seeds.ts'

interface Moved {
  readonly id: string
  readonly name: string
}

/**
 * Moves the companies that are in the institution's currency of before, and their accounts in it, to another one. What is posted, and
 * fees and payments that there are, keep the currency that they were made in. `to` is a declared currency.
 *
 * @returns The names of the companies that were moved.
 */
export async function changeCompanyCurrency(
  tx: Transaction,
  context: ChangeContext,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string[]> {
  if (from === to) return []
  seedCurrencies(tx, [to])
  const companies = await tx.query<Moved>(sql`
    update companies
       set default_currency = ${to}, version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and default_currency = ${from}
    returning id, name`)
  const names = companies.map(({ name }) => name)
  const accounts = await tx.query<Moved>(sql`
    update accounts
       set account_currency = ${to}, version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and company = any (${names}) and account_currency = ${from}
    returning id, name`)
  for (const [entityType, field, moved] of [
    ['company', 'default_currency', companies],
    ['account', 'account_currency', accounts],
  ] as const) {
    recordChanges(
      tx,
      context,
      moved.map(({ id, name }) => ({
        type: `${entityType}.updated` as const,
        entityType,
        entityId: id,
        before: { name, [field]: from },
        after: { name, [field]: to },
      })),
    )
  }
  return names
}
