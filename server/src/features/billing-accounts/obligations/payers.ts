import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { together } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { newId } from '../../../values/index.ts'
import { type AccountRow, accounts, insertOwnAccounts } from '../accounts/account-store.ts'
import { nextAccountNumbers, toAccountNumber } from '../accounts/accounts.ts'

/** Whose payment it is, in which currency and posted on which day. */
export interface Charged {
  readonly studentId: string
  readonly currency: string
  readonly day: string
}

/**
 * The id of the account that pays what is charged by itself: that of the largest share of all that is not named, of
 * equal ones the lower number; without one in this currency the student's own, which is made where there is none.
 */
export function findPayer(tx: Transaction, context: ChangeContext, charged: Charged): Promise<string> {
  return together(tx, 'payers', { context, ...charged }, (all, whole) => findPayers(whole, all))
}

async function findPayers(
  tx: Transaction,
  asked: readonly (Charged & { readonly context: ChangeContext })[],
): Promise<string[]> {
  const charged = asked.map(({ studentId, currency, day }) => ({ studentId, currency, day }))
  const wanted = JSON.stringify(charged.map((each, n) => ({ n, ...each })))
  const rows = await tx.query<{ id: string | null }>(sql`
    select coalesce(shared.id, own.id) as id
      from jsonb_to_recordset(${wanted}::jsonb) as w (n integer, "studentId" uuid, currency text, day date)
      left join lateral (
        select a.id from billing_shares h
          join billing_accounts a on a.tenant_id = ${tx.tenantId} and a.id = h.account_id
         where h.tenant_id = ${tx.tenantId} and h.student_id = w."studentId" and h.categories is null
           and a.currency = w.currency and (h.valid_from is null or h.valid_from <= w.day)
           and (h.valid_to is null or w.day <= h.valid_to)
         order by h.percent desc, a.number limit 1) as shared on true
      left join lateral (
        select a.id from billing_accounts a
         where a.tenant_id = ${tx.tenantId} and a.student_id = w."studentId" and a.currency = w.currency limit 1
        ) as own on true
     order by w.n`)
  const missing = asked.filter((_, n) => rows[n]?.id == null)
  const made = new Map<string, string>()
  for (const context of new Set(missing.map((each) => each.context))) {
    const own = missing.filter((each) => each.context === context)
    for (const [key, id] of await ensureOwnAccounts(tx, context, own)) made.set(key, id)
  }
  return charged.map((each, n) => rows[n]?.id ?? (made.get(ownKey(each)) as string))
}

/** A student and a currency in one text. */
export const ownKey = ({ studentId, currency }: Pick<Charged, 'studentId' | 'currency'>) => `${studentId} ${currency}`

/** The own accounts of students by `ownKey`, made where there are none. */
export async function ensureOwnAccounts(
  tx: Transaction,
  context: ChangeContext,
  wanted: readonly Pick<Charged, 'studentId' | 'currency'>[],
): Promise<Map<string, string>> {
  const distinct = [...new Map(wanted.map((each) => [ownKey(each), each])).values()]
  if (distinct.length === 0) return new Map()
  const numbers = await nextAccountNumbers(tx, distinct.length)
  const rows = await tx.query<AccountRow>(
    insertOwnAccounts(
      tx.tenantId,
      distinct.map(({ studentId, currency }, index) => {
        const number = numbers[index] as number
        return { id: newId(), studentId, currency, number, accountNumber: toAccountNumber(number) }
      }),
    ),
  )
  for (const row of rows) {
    const { balance: _, overdue: __, credit: ___, ...after } = accounts.toRecord(row)
    recordChanges(tx, context, [
      { type: 'billing_account.created', list: accounts, entityId: row.id, before: null, after },
    ])
  }
  const made = new Map(
    rows.map(({ id, student_id, currency }) => [ownKey({ studentId: student_id as string, currency }), id]),
  )
  if (made.size === distinct.length) return made
  // Others have made some meanwhile.
  const students = distinct.map(({ studentId }) => studentId)
  const own = await tx.query<{ id: string; studentId: string; currency: string }>(sql`
    select id, student_id as "studentId", currency from billing_accounts
     where tenant_id = ${tx.tenantId} and student_id = any(${students}::uuid[])`)
  return new Map(own.map((each) => [ownKey(each), each.id]))
}
