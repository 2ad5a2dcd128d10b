import { sql, type Transaction } from '../../database/index.ts'
import { currencies, isWithdrawn } from '../../money/index.ts'
import { countries } from './countries.ts'

const genders = ['Female', 'Male', 'Non-Conforming', 'Other', 'Prefer not to say']
const languages = [
  ['en', 'English'],
  ['es', 'Español'],
  ['pt', 'Português'],
]

/**
 * Gives a tenant the company of its own name with its accounts, its cost center and an empty list of holidays, and the currencies,
 * countries, languages and genders that records name. Currencies that were withdrawn are there, disabled. What is there already stays.
 */
export function seedOrganisation(tx: Transaction): void {
  const { tenantId } = tx
  seedCurrencies(
    tx,
    currencies.map(({ code }) => code),
  )
  tx.send(sql`
    insert into countries (tenant_id, id, name, country_name, code, time_format)
    select ${tenantId}, new_uuid7(), c ->> 1, c ->> 1, c ->> 0, 'HH:mm:ss'
      from jsonb_array_elements(${JSON.stringify(countries)}::jsonb) c on conflict do nothing`)
  tx.send(sql`
    insert into languages (tenant_id, id, name, language_code, language_name, enabled)
    select ${tenantId}, new_uuid7(), c ->> 0, c ->> 0, c ->> 1, 1
      from jsonb_array_elements(${JSON.stringify(languages)}::jsonb) c on conflict do nothing`)
  tx.send(sql`
    insert into genders (tenant_id, id, name, gender)
    select ${tenantId}, new_uuid7(), name, name from unnest(${genders}::text[]) name on conflict do nothing`)
  seedCompany(tx)
}

/** Gives a tenant the declared currencies of these codes; those that were withdrawn are disabled. What is there already stays. */
export function seedCurrencies(tx: Transaction, codes: readonly string[]): void {
  const today = new Date().toISOString().slice(0, 10)
  const known = currencies
    .filter(({ code }) => codes.includes(code))
    .map((currency) => ({ ...currency, enabled: isWithdrawn(currency, today) ? 0 : 1 }))
  tx.send(sql`
    insert into currencies (tenant_id, id, name, currency_name, enabled, symbol, fraction_units, fraction, number_format)
    select ${tx.tenantId}, new_uuid7(), c.code, c.code, c.enabled, c.symbol, c.units, c.fraction, c.format
      from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as c (
        code text, enabled smallint, symbol text, units integer, fraction text, format text) on conflict do nothing`)
}

/** The company comes first without its accounts, which name it, and learns of them at the end. */
function seedCompany(tx: Transaction): void {
  const { tenantId } = tx
  tx.send(sql`set constraints all deferred`)
  tx.send(sql`
    with tenant as (
      select t.name, t.currency,
             coalesce(nullif(upper(regexp_replace(t.name, '(\\w)\\w*\\W*', '\\1', 'g')), ''), 'M') as abbr,
             to_char(now() at time zone t.time_zone, 'YYYY') as year
        from tenants t
       where t.id = ${tenantId} and not exists (select 1 from companies c where c.tenant_id = ${tenantId})
    ), account (account_name, is_group, root_type, report_type, account_type, parent) as (
      values ('Application of Funds (Assets)', 1, 'Asset', 'Balance Sheet', '', null),
             ('Income', 1, 'Income', 'Profit and Loss', '', null),
             ('Debtors', 0, 'Asset', 'Balance Sheet', 'Receivable', 'Application of Funds (Assets)'),
             ('Cash', 0, 'Asset', 'Balance Sheet', 'Cash', 'Application of Funds (Assets)'),
             ('Bank', 0, 'Asset', 'Balance Sheet', 'Bank', 'Application of Funds (Assets)'),
             ('Fees Income', 0, 'Income', 'Profit and Loss', 'Income Account', 'Income'),
             ('Source of Funds (Liabilities)', 1, 'Liability', 'Balance Sheet', '', null),
             ('Unapplied Payments', 0, 'Liability', 'Balance Sheet', '', 'Source of Funds (Liabilities)')
    ), accounts_made as (
      insert into accounts (tenant_id, id, name, account_name, company, parent_account, is_group, root_type,
                            report_type, account_type, account_currency)
      select ${tenantId}, new_uuid7(), a.account_name || ' - ' || t.abbr, a.account_name, t.name,
             a.parent || ' - ' || t.abbr, a.is_group, a.root_type, a.report_type, a.account_type, t.currency
        from account a, tenant t
    ), centers_made as (
      insert into cost_centers (tenant_id, id, name, cost_center_name, company, is_group)
      select ${tenantId}, new_uuid7(), 'Main - ' || t.abbr, 'Main', t.name, 0 from tenant t
    ), holidays_made as (
      insert into holiday_lists (tenant_id, id, name, holiday_list_name, from_date, to_date)
      select ${tenantId}, new_uuid7(), 'Holidays', 'Holidays', (t.year || '-01-01')::date,
             ((t.year::integer + 10) || '-12-31')::date
        from tenant t
    )
    insert into companies (tenant_id, id, name, company_name, abbr, default_currency, default_holiday_list,
                           default_receivable_account, default_income_account, default_cash_account,
                           default_bank_account, default_unapplied_account, cost_center)
    select ${tenantId}, new_uuid7(), t.name, t.name, t.abbr, t.currency, 'Holidays', 'Debtors - ' || t.abbr,
           'Fees Income - ' || t.abbr, 'Cash - ' || t.abbr, 'Bank - ' || t.abbr,
           'Unapplied Payments - ' || t.abbr, 'Main - ' || t.abbr
      from tenant t`)
  tx.send(sql`set constraints all immediate`)
}
