import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { together } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { nextNames } from '../../entities/index.ts'
import { isBalanced } from '../../money/index.ts'
import { newId } from '../../values/index.ts'
import { fiscalYearByFirstMonth, fiscalYearSettings } from '../settings/index.ts'

/** A ledger line before it is posted: a debit or a credit of one account. */
export interface LedgerLine {
  readonly account: string
  readonly debit: number
  readonly credit: number
  readonly against: string
  readonly party: string | null
  readonly costCenter: string | null
  /** The fee that the line charges or settles. */
  readonly fee: string | null
  /** The billing account whose debt or credit it is, by id. */
  readonly billingAccount?: string | null
}

/** The voucher of ledger lines. */
export interface Voucher {
  readonly type: string
  readonly name: string
  readonly company: string
  readonly currency: string
  readonly postingDate: string
  readonly remarks: string
  /** Whether the lines reverse others: both are flagged. */
  readonly isReversal?: boolean
  /**
   * Whether the lines are those of a document with an audit of its own: they are named by their ids, so that nobody waits
   * for a counter, and have no events.
   */
  readonly isPlain?: boolean
}

/** The lines of a voucher. */
interface Posting {
  readonly context: ChangeContext
  readonly voucher: Voucher
  readonly lines: readonly LedgerLine[]
}

/** Posts balanced lines (double-entry bookkeeping). Throws an Error for unbalanced ones, which is a defect. */
export async function post(tx: Transaction, context: ChangeContext, voucher: Voucher, lines: readonly LedgerLine[]) {
  if (!isBalanced(lines)) throw new Error(`the ledger lines of ${voucher.type} ${voucher.name} do not balance`)
  const series = getNamingSeries(voucher.postingDate)
  const names = voucher.isPlain === true ? [] : await nextNames(tx, series, lines.length)
  const named = lines.map((line, index) => {
    const id = newId()
    return { id, name: names[index] ?? series + id, ...line }
  })
  await together(tx, 'ledger', { context, voucher, lines: named }, async (postings) => {
    await postAll(tx, postings)
    return postings
  })
}

interface NamedPosting extends Posting {
  readonly lines: readonly (LedgerLine & { readonly id: string; readonly name: string })[]
}

async function postAll(tx: Transaction, postings: readonly NamedPosting[]): Promise<void> {
  const rows = postings.flatMap(({ context, voucher, lines }) =>
    lines.map((line) => ({
      ...line,
      by: context.actor.name,
      postingDate: voucher.postingDate,
      currency: voucher.currency,
      voucherType: voucher.type,
      voucherName: voucher.name,
      remarks: voucher.remarks,
      company: voucher.company,
      isReversal: voucher.isReversal === true ? 1 : 0,
    })),
  )
  const days = [...new Set(postings.map(({ voucher }) => voucher.postingDate))]
  const fiscalYears = Object.fromEntries(days.map((day) => [day, fiscalYearByFirstMonth(day)]))
  tx.send(sql`
    insert into gl_entries (tenant_id, id, name, owner, modified_by, docstatus, posting_date, account, party_type, party,
                            cost_center, debit, credit, account_currency, against, against_voucher_type,
                            against_voucher, voucher_type, voucher_no, remarks, fiscal_year, company, is_cancelled,
                            billing_account_id)
    select ${tx.tenantId}, line.id, line.name, line.by, line.by, 1, line."postingDate"::date, line.account,
           case when line.party is null then null else 'Student' end, line.party, line."costCenter", line.debit, line.credit,
           line.currency, line.against, case when line.fee is null then null else 'Fees' end, line.fee,
           line."voucherType", line."voucherName", line.remarks, fiscal.years #>> array[line."postingDate", settings.month],
           line.company, line."isReversal", line."billingAccount"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line (
        id uuid, name text, by text, "postingDate" text, account text, debit numeric, credit numeric, currency text, against text,
        party text, "costCenter" text, fee text, "voucherType" text, "voucherName" text, remarks text, company text,
        "isReversal" integer, "billingAccount" uuid),
           (select ${JSON.stringify(fiscalYears)}::jsonb as years) as fiscal,
           ${fiscalYearSettings(tx.tenantId)} as settings`)
  for (const { context, voucher, lines } of postings) {
    if (voucher.isPlain === true) continue
    recordChanges(
      tx,
      context,
      lines.map(({ id, name, ...line }) => ({
        type: 'gl_entry.created',
        entityType: 'gl_entry',
        entityId: id,
        before: null,
        after: { name, ...line, voucherType: voucher.type, voucherName: voucher.name },
      })),
    )
  }
}

function getNamingSeries(postingDate: string): string {
  return `ACC-GLE-${postingDate.slice(0, 4)}-`
}

/** A posted line. */
interface PostedLine extends LedgerLine {
  readonly company: string
  readonly currency: string
}

/** Reverses the postings of a voucher: its lines are flagged and mirrored on a day. Does nothing without postings. */
export async function reverse(
  tx: Transaction,
  context: ChangeContext,
  voucher: Pick<Voucher, 'type' | 'name' | 'postingDate' | 'remarks' | 'isPlain'>,
): Promise<void> {
  const lines = await tx.query<PostedLine>(sql`
    update gl_entries
       set is_cancelled = 1, version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and voucher_type = ${voucher.type} and voucher_no = ${voucher.name}
       and is_cancelled = 0
    returning account, debit, credit, against, party, cost_center as "costCenter", against_voucher as fee, company,
              account_currency as currency, billing_account_id as "billingAccount"`)
  const [first] = lines
  if (first === undefined) return
  const { company, currency } = first
  await post(
    tx,
    context,
    { ...voucher, company, currency, isReversal: true },
    lines.map(({ account, debit, credit, against, party, costCenter, fee, billingAccount }) => ({
      account,
      debit: credit,
      credit: debit,
      against,
      party,
      costCenter,
      fee,
      billingAccount: billingAccount ?? null,
    })),
  )
}
