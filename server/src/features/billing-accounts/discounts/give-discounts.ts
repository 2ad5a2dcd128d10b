import { sql, type Transaction } from '../../../database/index.ts'
import { subtract, sumExactly } from '../../../money/index.ts'
import { loadBillingSettings } from '../billing-settings.ts'
import { type AccountTotal, loadPayers, type Payers, shareFee } from '../settlement/fee-shares.ts'
import { type Component, computeDiscounts, type DiscountComponent } from './discount-amounts.ts'

/** A fee that is made from a structure, before it has discounts. */
export interface DiscountedFee {
  readonly studentCode: string
  readonly studentCategory: string | null
  readonly currency: string
  /** The posting date, on which shares are judged. */
  readonly day: string
  readonly components: readonly Component[]
}

/** The discounts of each fee, in the order of the fees: money that was paid in advance counts for the first of them. */
export async function giveDiscounts(tx: Transaction, fees: readonly DiscountedFee[]): Promise<DiscountComponent[][]> {
  const { discounts } = await loadBillingSettings(tx)
  if (discounts.length === 0) return fees.map(() => [])
  const children = await loadChildren(tx, fees)
  const isEarly = discounts.some(({ kind }) => kind === 'early_payment')
  const payers = isEarly ? await Promise.all(fees.map(({ studentCode }) => loadPayers(tx, studentCode))) : []
  const credits = await loadCredits(tx, payers)
  return fees.map(({ components, currency, studentCategory, day }, index) => {
    const own = payers[index]
    const credit = own && new FeeCredit(credits, own, currency, day)
    const given = computeDiscounts(discounts, components, currency, {
      studentCategory,
      child: children[index] ?? { age: 1, entry: 1 },
      isPaidAhead: (wanted) => credit?.covers(wanted) ?? false,
    })
    credit?.use([...components, ...given])
    return given
  })
}

/**
 * Which child of its family each student is, by age and by entry. Siblings are students with a share on one family account
 * on the day, without those who have left; of several families the one counts in which the student comes last.
 */
async function loadChildren(
  tx: Transaction,
  fees: readonly DiscountedFee[],
): Promise<{ age: number; entry: number }[]> {
  const asked = JSON.stringify(fees.map(({ studentCode, day }, n) => ({ n, studentCode, day })))
  const rows = await tx.query<{ n: number; age: number; entry: number }>(sql`
    with asked as (
      select w.n, w.day, s.id
        from jsonb_to_recordset(${asked}::jsonb) as w (n integer, "studentCode" text, day date)
        join students s on s.tenant_id = ${tx.tenantId} and s.student_code = w."studentCode"),
    families as (
      select distinct w.n, w.day, w.id as own, h.account_id
        from asked w
        join billing_shares h on h.tenant_id = ${tx.tenantId} and h.student_id = w.id
        join billing_accounts a on a.tenant_id = h.tenant_id and a.id = h.account_id and a.kind = 'family'
       where (h.valid_from is null or h.valid_from <= w.day) and (h.valid_to is null or w.day <= h.valid_to)),
    children as (
      select distinct f.n, f.own, f.account_id, s.id, s.date_of_birth, s.joining_date, s.created_at
        from families f
        join billing_shares h on h.tenant_id = ${tx.tenantId} and h.account_id = f.account_id
        join students s on s.tenant_id = h.tenant_id and s.id = h.student_id
       where (h.valid_from is null or h.valid_from <= f.day) and (h.valid_to is null or f.day <= h.valid_to)
         and (s.id = f.own or s.status not in ('graduated', 'withdrawn'))),
    ranked as (
      select n, own, id,
             row_number() over (partition by n, account_id order by date_of_birth nulls last, created_at, id) as age,
             row_number() over (partition by n, account_id order by joining_date nulls last, created_at, id) as entry
        from children)
    select n, max(age)::integer as age, max(entry)::integer as entry from ranked where id = own group by n`)
  const children = new Map(rows.map(({ n, age, entry }) => [n, { age, entry }]))
  return fees.map((_, n) => children.get(n) ?? { age: 1, entry: 1 })
}

/** The credit of an account that is not needed for what is open. */
interface Credit {
  readonly accountId: string
  /** Whose own account it is. */
  readonly studentId: string | null
  readonly currency: string
  amount: number
}

async function loadCredits(tx: Transaction, payers: readonly Payers[]): Promise<Credit[]> {
  if (payers.length === 0) return []
  const accounts = payers.flatMap(({ shares }) => shares.map(({ accountId }) => accountId))
  const students = payers.map(({ studentId }) => studentId)
  return tx.query<Credit>(sql`
    select a.id as "accountId", a.student_id as "studentId", a.currency,
           a.credit - coalesce((select sum(o.open_amount) from obligations o
                                 where o.tenant_id = a.tenant_id and o.account_id = a.id and o.open_amount <> 0), 0) as amount
      from billing_accounts a
     where a.tenant_id = ${tx.tenantId}
       and (a.id = any(${accounts}::uuid[]) or a.student_id = any(${students}::uuid[]))`)
}

/** The credit of those who pay a fee. */
class FeeCredit {
  readonly #credits: readonly Credit[]
  readonly #payers: Payers
  readonly #currency: string
  readonly #day: string

  constructor(credits: readonly Credit[], payers: Payers, currency: string, day: string) {
    this.#credits = credits
    this.#payers = payers
    this.#currency = currency
    this.#day = day
  }

  /** Whether each account has as much credit as it is to pay. */
  covers(components: readonly Component[]): boolean {
    return this.#totals(components).every(({ accountId, total }) => total <= (this.#find(accountId)?.amount ?? 0))
  }

  /** Lets the credit count as used by the fee. */
  use(components: readonly Component[]): void {
    for (const { accountId, total } of this.#totals(components)) {
      const credit = this.#find(accountId)
      if (credit !== undefined) credit.amount = subtract(credit.amount, total)
    }
  }

  #totals(components: readonly Component[]): AccountTotal[] {
    if (sumExactly(...components.map(({ amount }) => amount)) <= 0) return []
    return shareFee(this.#payers, components, this.#currency, this.#day)
  }

  #find(accountId: string | null): Credit | undefined {
    return this.#credits.find((each) =>
      accountId === null
        ? each.studentId === this.#payers.studentId && each.currency === this.#currency
        : each.accountId === accountId,
    )
  }
}
