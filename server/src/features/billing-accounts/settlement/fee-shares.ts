import { together } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { subtract, sumExactly, takePercent } from '../../../money/index.ts'
import { addDays } from '../../../record-engine/index.ts'
import type { ShareRecord } from '../accounts/account-store.ts'
import { isValidOn } from '../accounts/shares.ts'

/** A part of the terms by which an account pays. */
export interface Term {
  readonly portion: number
  readonly basedOn: string
  readonly days: number
}

/** What is to be known of an account that pays. */
interface Payer {
  readonly currency: string
  /** The terms by which it pays; without any it pays at once. */
  readonly terms: readonly Term[]
}

/** A share with its account. */
type PayerShare = ShareRecord & Payer

/** Who may pay a student's fees. */
export interface Payers {
  readonly studentId: string
  /** The own accounts of the student. */
  readonly own: readonly (Payer & { readonly id: string })[]
  /** By account number. */
  readonly shares: readonly PayerShare[]
}

/** The terms of an account `a`, as JSON. */
const termsAsJson = sql`
  (select coalesce(jsonb_agg(jsonb_build_object(
                     'portion', d.invoice_portion, 'basedOn', coalesce(d.due_date_based_on, ''), 'days', d.credit_days)
                     order by d.idx), '[]')
     from payment_terms_templates t
     join payment_terms_templates_terms d on d.tenant_id = t.tenant_id and d.parent_id = t.id
    where t.tenant_id = a.tenant_id and t.name = a.payment_terms)`

/** The student of a code with the accounts and the shares of the fees. */
export function loadPayers(tx: Transaction, studentCode: string): Promise<Payers> {
  return together(tx, 'payers of fees', studentCode, async (codes, whole) => {
    const rows = await whole.query<Payers & { code: string }>(sql`
      select s.student_code as code, s.id as "studentId",
             (select coalesce(jsonb_agg(jsonb_build_object(
                       'id', a.id, 'currency', a.currency, 'terms', ${termsAsJson})), '[]')
                from billing_accounts a where a.tenant_id = s.tenant_id and a.student_id = s.id) as own,
             (select coalesce(jsonb_agg(jsonb_build_object(
                       'id', h.id, 'accountId', h.account_id, 'studentId', h.student_id,
                       'categories', to_jsonb(h.categories), 'percent', h.percent, 'validFrom', h.valid_from,
                       'validTo', h.valid_to, 'currency', a.currency, 'terms', ${termsAsJson})
                       order by a.number, h.id), '[]')
                from billing_shares h
                join billing_accounts a on a.tenant_id = h.tenant_id and a.id = h.account_id
               where h.tenant_id = s.tenant_id and h.student_id = s.id) as shares
        from students s where s.tenant_id = ${whole.tenantId} and s.student_code = any(${[...codes]}::text[])`)
    const byCode = new Map(rows.map((row) => [row.code, row]))
    return codes.map((code) => byCode.get(code) as Payers)
  })
}

/** The terms by which an account pays: a student's own, or one that a share names. */
export function findTerms({ own, shares }: Payers, accountId: string): readonly Term[] {
  const account = own.find(({ id }) => id === accountId) ?? shares.find((share) => share.accountId === accountId)
  return account?.terms ?? []
}

/** What one account pays of a fee. */
export interface AccountTotal {
  /** Null: the student's own account. */
  readonly accountId: string | null
  readonly total: number
}

/**
 * What each account pays of a fee: each component by percent, rounded to the minor unit, the rest to the highest account
 * number. Shares that name the category of a component win; without any the student's own account pays.
 */
export function shareFee(
  { shares }: Pick<Payers, 'shares'>,
  components: readonly { readonly category: string | null; readonly amount: number }[],
  currency: string,
  day: string,
): AccountTotal[] {
  const valid = shares.filter((share) => isValidOn(share, day))
  const totals = new Map<string | null, number>()
  const add = (accountId: string | null, amount: number) =>
    totals.set(accountId, sumExactly(totals.get(accountId) ?? 0, amount))
  for (const { category, amount } of components) {
    const named = valid.filter((share) => category !== null && share.categories?.includes(category))
    const rows = named.length > 0 ? named : valid.filter((share) => share.categories === null)
    let rest = amount
    for (const [index, share] of rows.entries()) {
      const part = index === rows.length - 1 ? rest : takePercent(amount, share.percent, currency)
      // An account in another currency cannot owe it.
      add(share.currency === currency ? share.accountId : null, part)
      rest = subtract(rest, part)
    }
    if (rows.length === 0) add(null, amount)
  }
  return withoutNegatives([...totals].map(([accountId, total]) => ({ accountId, total })))
}

/** A discount that exceeds what an account is to pay lessens what the one pays that pays the most. */
function withoutNegatives(totals: readonly AccountTotal[]): AccountTotal[] {
  const surplus = sumExactly(...totals.filter(({ total }) => total < 0).map(({ total }) => total))
  const positive = totals.filter(({ total }) => total > 0)
  if (surplus === 0) return positive
  const most = positive.reduce((one, other) => (other.total > one.total ? other : one), positive[0] as AccountTotal)
  return positive.map((each) => (each === most ? { ...each, total: sumExactly(each.total, surplus) } : each))
}

/** An instalment: an amount with its due day. */
export interface Instalment {
  readonly amount: number
  readonly dueOn: string
}

/** A total cut into instalments by terms, each rounded, the rest in the latest one; none of 0. */
export function cutIntoInstalments(
  total: number,
  terms: readonly Term[],
  { currency, postedOn, dueOn }: { readonly currency: string; readonly postedOn: string; readonly dueOn: string },
): Instalment[] {
  if (terms.length === 0) return [{ amount: total, dueOn }]
  const dated = terms
    .map((term) => ({ ...term, dueOn: dueDay(term, postedOn) }))
    .sort((one, other) => (one.dueOn < other.dueOn ? -1 : one.dueOn > other.dueOn ? 1 : 0))
  let rest = total
  const cut = dated.map((term, index) => {
    const amount = index === dated.length - 1 ? rest : takePercent(total, term.portion, currency)
    rest = subtract(rest, amount)
    return { amount, dueOn: term.dueOn }
  })
  return cut.filter(({ amount }) => amount > 0)
}

/** The day on which a term is due. */
function dueDay({ basedOn, days }: Term, postedOn: string): string {
  if (!basedOn.includes('end of the invoice month')) return addDays(postedOn, days)
  const [year = 0, month = 1] = postedOn.split('-').map(Number)
  const end = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return addDays(end, days)
}
