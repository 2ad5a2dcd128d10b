import { perTransaction, sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { findCurrency } from '../../../money/index.ts'
import { newId } from '../../../values/index.ts'

/** The company that postings belong to which no fee names one, with its accounts. */
export interface Company {
  readonly name: string
  readonly abbreviation: string
  readonly receivable: string | null
  readonly income: string | null
  readonly bank: string | null
  readonly cash: string | null
  readonly costCenter: string | null
}

/** What postings depend on. */
export interface Books {
  /** Null for an institution without a company, which has no ledger. */
  readonly company: Company | null
  /** The last day on which nothing can be posted any more; null where there is none. */
  readonly closedUntil: string | null
  readonly isGapless: boolean
}

const booksOf = perTransaction((whole): { loaded?: Promise<Books> } & { readonly whole: Transaction } => ({ whole }))

/**
 * The institution's first company, the end of its closed books and how its documents are numbered, as they are when a
 * transaction asks for them first.
 */
export function loadBooks(tx: Transaction): Promise<Books> {
  const books = booksOf(tx)
  books.loaded ??= readBooks(books.whole)
  return books.loaded
}

async function readBooks(tx: Transaction): Promise<Books> {
  const [row] = await tx.query<Books & { company: Company | null }>(sql`
    select (select jsonb_build_object(
                     'name', c.name, 'abbreviation', coalesce(c.abbr, ''), 'receivable', c.default_receivable_account,
                     'income', c.default_income_account,
                     'bank', coalesce(c.default_bank_account, c.default_cash_account),
                     'cash', coalesce(c.default_cash_account, c.default_bank_account), 'costCenter', c.cost_center)
              from companies c where c.tenant_id = ${tx.tenantId} order by c.created_at, c.id limit 1) as company,
           (select max(books_closed_until) from education_settings where tenant_id = ${tx.tenantId}) as "closedUntil",
           coalesce((select (settings #>> '{numbering,gapless}')::boolean from billing_settings
                      where tenant_id = ${tx.tenantId}), false) as "isGapless"`)
  return row ?? { company: null, closedUntil: null, isGapless: false }
}

/** Throws `rule_violated` (`books_closed`) for a day on or before the end of the closed books. */
export function requireOpenBooks({ closedUntil }: Pick<Books, 'closedUntil'>, day: string): void {
  if (closedUntil === null || day > closedUntil) return
  const detail = `The books are closed until ${closedUntil}. Use a later day.`
  throw new Problem('rule_violated', detail, { rule: 'books_closed' })
}

/** An account of the chart by its name, made where the company has none yet. */
export async function ensureLedgerAccount(
  tx: Transaction,
  { name: company, abbreviation }: Company,
  accountName: string,
  rootType: 'Asset' | 'Expense',
): Promise<string> {
  const name = abbreviation === '' ? accountName : `${accountName} - ${abbreviation}`
  const reportType = rootType === 'Expense' ? 'Profit and Loss' : 'Balance Sheet'
  await tx.query(sql`
    insert into accounts (tenant_id, id, name, account_name, company, root_type, report_type, account_type)
    values (${tx.tenantId}, ${newId()}, ${name}, ${accountName}, ${company}, ${rootType}, ${reportType}, '')
    on conflict do nothing`)
  return name
}

/** Makes the record of a currency that ISO 4217 does not have, where there is none: ledger entries refer to it. */
export function ensureCurrency(tx: Transaction, code: string): void {
  if (findCurrency(code) !== null) return
  tx.send(sql`
    insert into currencies (tenant_id, id, name, currency_name) values (${tx.tenantId}, ${newId()}, ${code}, ${code})
    on conflict do nothing`)
}
