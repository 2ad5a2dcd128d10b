import { sql, type Transaction } from '@matricula/server/database/index'
import type { CurrencyWords } from '@matricula/server/features/fees/index'

/** The company of the tenant, its accounts, and how its currency is said. */
export interface Institution {
  readonly company: string
  readonly receivable: string
  readonly income: string
  readonly bank: string
  readonly costCenter: string
  readonly currency: CurrencyWords
}

/** The tenant's first company; null where it has none, or none with the accounts that fees need. */
export async function readInstitution(tx: Transaction): Promise<Institution | null> {
  const [row] = await tx.query<Omit<Institution, 'currency'> & CurrencyWords>(sql`
    select c.name as company, c.default_receivable_account as receivable, c.default_income_account as income,
           coalesce(c.default_bank_account, c.default_cash_account) as bank, c.cost_center as "costCenter",
           c.default_currency as code, coalesce(y.fraction, '') as fraction, y.fraction_units as "fractionUnits",
           coalesce(y.number_format, '') as "numberFormat"
      from companies c
      join currencies y on y.tenant_id = c.tenant_id and y.name = c.default_currency
     where c.tenant_id = ${tx.tenantId} and c.default_receivable_account is not null
       and c.default_income_account is not null and c.cost_center is not null
       and coalesce(c.default_bank_account, c.default_cash_account) is not null
     order by c.created_at, c.id limit 1`)
  if (row === undefined) return null
  const { company, receivable, income, bank, costCenter, ...currency } = row
  return { company, receivable, income, bank, costCenter, currency }
}
