import type { ChangeContext } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { post, reverse } from '../../ledger/index.ts'
import { ensureCurrency, ensureLedgerAccount, loadBooks } from '../obligations/books.ts'
import { findOpenDay, setBooked } from './book-line.ts'
import type { LineRow } from './line-store.ts'
import { partsOf } from './proposals.ts'

/**
 * Clears direct debits whose money came in: a line all of whose parts name debits that were collected, by end-to-end id and
 * amount, is booked from the clearing account and makes no receipt. Gives the other lines.
 */
export async function clearCollections(
  tx: Transaction,
  context: ChangeContext,
  lines: readonly LineRow[],
): Promise<LineRow[]> {
  const others: LineRow[] = []
  const isKnown = await findCollected(tx, lines)
  for (const line of lines) {
    if (!partsOf(line).every(isKnown) || !(await clearLine(tx, context, line))) others.push(line)
  }
  return others
}

/** Whether a part names a debit that was collected: asked once for all, as hardly a line of a statement does. */
async function findCollected(
  tx: Transaction,
  lines: readonly LineRow[],
): Promise<(part: { readonly endToEndId: string | null }) => boolean> {
  const named = lines.flatMap((line) => partsOf(line).flatMap(({ endToEndId }) => endToEndId ?? []))
  const rows = await tx.query<{ id: string }>(sql`
    select distinct t.end_to_end_id as id from direct_debit_transactions t
     where t.tenant_id = ${tx.tenantId} and t.bank_line_id is null and t.end_to_end_id = any(${[...new Set(named)]}::text[])`)
  const known = new Set(rows.map(({ id }) => id))
  return ({ endToEndId }) => endToEndId !== null && known.has(endToEndId)
}

async function clearLine(tx: Transaction, context: ChangeContext, line: LineRow): Promise<boolean> {
  const parts = partsOf(line)
  const named = parts.filter(({ amount, endToEndId }) => amount > 0 && endToEndId !== null)
  if (named.length < parts.length) return false
  const found = await tx.query<{ id: string }>(sql`
    select t.id
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n ("endToEndId" text, amount numeric)
      join direct_debit_transactions t
        on t.tenant_id = ${tx.tenantId} and t.end_to_end_id = n."endToEndId" and t.amount = n.amount
       and t.currency = ${line.currency} and t.bank_line_id is null
     where t.tenant_id = ${tx.tenantId}`)
  const ids = [...new Set(found.map(({ id }) => id))]
  if (ids.length < parts.length) return false
  await tx.query(sql`
    update direct_debit_transactions set bank_line_id = ${line.id}
     where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
  await postClearing(tx, context, line)
  await setBooked(tx, line.id, 'booked', [])
  return true
}

const clearingVoucher = (lineId: string) => ({ type: 'Journal Entry', name: lineId, isPlain: true }) as const

async function postClearing(tx: Transaction, context: ChangeContext, line: LineRow): Promise<void> {
  const { company } = await loadBooks(tx)
  if (company === null || company.receivable === null) return
  const { id, amount, currency } = line
  ensureCurrency(tx, currency)
  const bank = company.bank ?? company.receivable
  const clearing = await ensureLedgerAccount(tx, company, 'Direct Debit Clearing', 'Asset')
  const postingDate = await findOpenDay(tx, line.bookedOn)
  const remarks = `Direct debits of ${line.bookedOn}`
  const shared = { party: null, costCenter: null, fee: null }
  await post(tx, context, { ...clearingVoucher(id), company: company.name, currency, postingDate, remarks }, [
    { ...shared, account: bank, debit: amount, credit: 0, against: clearing },
    { ...shared, account: clearing, debit: 0, credit: amount, against: bank },
  ])
}

/** Takes back today what a line cleared, if it did. */
export async function unclearCollections(tx: Transaction, context: ChangeContext, { id }: LineRow): Promise<void> {
  const cleared = await tx.query(sql`
    update direct_debit_transactions set bank_line_id = null
     where tenant_id = ${tx.tenantId} and bank_line_id = ${id} returning id`)
  if (cleared.length === 0) return
  const postingDate = todayIn(context.tenant.timeZone)
  await reverse(tx, context, { ...clearingVoucher(id), postingDate, remarks: 'The bank line was matched otherwise.' })
}
