import { BillingAccount, type billingAccountOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedTable } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'
import { subtract } from '../../../money/index.ts'
import { searchPatterns } from '../../../values/index.ts'

export type AccountRecord = Static<typeof BillingAccount>
export type ShareRecord = AccountRecord['shares'][number]

/** The fields that an account's row keeps, by column. */
const accountColumns = {
  externalId: 'external_id',
  accountNumber: 'account_number',
  kind: 'kind',
  currency: 'currency',
  language: 'language',
  email: 'email',
  phone: 'phone',
  country: 'country',
  stateProvince: 'state_province',
  city: 'city',
  address: 'address',
  postalCode: 'postal_code',
  taxId: 'tax_id',
  deliverBy: 'deliver_by',
  paymentTerms: 'payment_terms',
} as const

const further = {
  number: 'number',
  name: 'name',
  studentId: 'student_id',
  mandateId: 'mandate_id',
  mandateIban: 'mandate_iban',
  mandateSignedAt: 'mandate_signed_at',
  mandateSequence: 'mandate_sequence',
  searchText: 'search_text',
} as const

export const accountTable = storedTable(BillingAccount, {
  table: 'billing_accounts',
  alias: 'a',
  stored: accountColumns,
  further,
})

export interface AccountRow extends StoredRow<AccountRecord, typeof accountColumns> {
  readonly shown_name: string
  readonly student_id: string | null
  readonly mandate_id: string | null
  readonly mandate_iban: string | null
  readonly mandate_signed_at: string | null
  readonly mandate_sequence: 'FRST' | 'RCUR' | null
  readonly credit: number
  readonly open: number
  readonly overdue: number
  readonly shares: ShareRecord[]
  readonly student_version: number
}

/** The shares of an alias `h`, as JSON in the order of the students. */
export const sharesAsJson = sql`
  coalesce(jsonb_agg(jsonb_build_object(
             'id', h.id, 'accountId', h.account_id, 'studentId', h.student_id, 'categories', to_jsonb(h.categories),
             'percent', h.percent, 'validFrom', h.valid_from, 'validTo', h.valid_to)
             order by h.student_id, h.valid_from nulls first, h.id), '[]')`

/** Today in the time zone of a tenant, as a day. */
function getToday(tenantId: string): Sql {
  return sql`(select (current_timestamp at time zone t.time_zone)::date from tenants t where t.id = ${tenantId})`
}

function selectAccounts(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${accountTable.selected}, a.updated_at, a.student_id, a.mandate_id, a.mandate_iban, a.mandate_signed_at,
           a.mandate_sequence, a.credit, coalesce(a.name, s.full_name) as shown_name, sums.open, sums.overdue,
           held.shares, coalesce(s.version, 0) as student_version
      from billing_accounts a
      left join students s on s.tenant_id = ${tenantId} and s.id = a.student_id
     cross join lateral (
       select coalesce(sum(o.open_amount), 0) as open,
              coalesce(sum(o.open_amount) filter (where o.due_on < ${getToday(tenantId)}), 0) as overdue
         from obligations o
        where o.tenant_id = ${tenantId} and o.account_id = a.id and o.open_amount <> 0) as sums
     cross join lateral (
       select ${sharesAsJson} as shares
         from billing_shares h where h.tenant_id = ${tenantId} and h.account_id = a.id) as held
     where a.tenant_id = ${tenantId} and ${condition}`
}

/** The account of a student that is to be made. */
export interface NewOwnAccount {
  readonly id: string
  readonly studentId: string
  readonly currency: string
  readonly number: number
  readonly accountNumber: string
}

/** Makes the own accounts of students, and returns them as they read: not those that are there already. */
export function insertOwnAccounts(tenantId: string, made: readonly NewOwnAccount[]): Sql {
  return sql`
    with a as (
      insert into billing_accounts (tenant_id, id, number, account_number, search_text, student_id, kind, currency, language)
      select ${tenantId}, w.id, w.number, w."accountNumber", lower(w."accountNumber"), w."studentId", 'student', w.currency,
             (select t.language from tenants t where t.id = ${tenantId})
        from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as w (
               id uuid, "studentId" uuid, currency text, number integer, "accountNumber" text)
      on conflict do nothing
      returning *
    )
    select ${accountTable.selected}, a.updated_at, a.student_id, a.mandate_id, a.mandate_iban, a.mandate_signed_at,
           a.mandate_sequence, a.credit, s.full_name as shown_name, 0 as open, 0 as overdue, '[]'::jsonb as shares,
           s.version as student_version
      from a join students s on s.tenant_id = ${tenantId} and s.id = a.student_id`
}

export const accounts: ListDefinition<AccountRow, AccountRecord> = {
  entityType: 'billing_account',
  noun: 'billing account',
  table: 'billing_accounts',
  alias: 'a',
  select: selectAccounts,
  toRecord: accountTable.reader<AccountRow>({
    name: (row) => row.shown_name,
    mandate: (row) =>
      row.mandate_id === null
        ? null
        : {
            id: row.mandate_id,
            iban: (row.mandate_iban as string).slice(-4),
            signedAt: row.mandate_signed_at as string,
            sequence: row.mandate_sequence as 'FRST' | 'RCUR',
          },
    shares: (row) => row.shares,
    balance: (row) => subtract(row.open, row.credit),
    overdue: (row) => row.overdue,
    credit: (row) => row.credit,
  }),
  versions: (row) => [row.version, row.student_version, row.open, row.overdue, row.credit],
  filters: {
    studentId: (studentId) => sql`(a.student_id = ${studentId} or exists (
      select from billing_shares h
       where h.tenant_id = a.tenant_id and h.account_id = a.id and h.student_id = ${studentId}))`,
    kind: (kind) => sql`a.kind = ${kind}`,
    externalId: (externalId) => sql`a.external_id = ${externalId}`,
    search: (text) => sql`(
      a.search_text like all (${searchPatterns(text)}::text[])
      or exists (select from students named
                  where named.tenant_id = a.tenant_id and named.id = a.student_id
                    and named.search_text like all (${searchPatterns(text)}::text[])))`,
  } satisfies FiltersOf<(typeof billingAccountOperations)['listBillingAccounts']>,
}
