import { fees, salesInvoice, student } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'
import { amountText } from '../../money/index.ts'
import { ink, PrintedPages, printedNumber } from '../../pdf/index.ts'
import {
  hasOnlyPersonalRoles,
  isPerson,
  ownershipCondition,
  type RecordEngine,
  RecordError,
  type RecordOf,
  type RecordWork,
  readRecord,
  readsOnlyItsOwn,
} from '../../record-engine/index.ts'
import { getDay } from '../../tenancy/index.ts'
import { loadFeePayments } from '../payments/index.ts'

/** The payment state of a fee on its invoice. */
export type FeeState = 'Draft' | 'Cancelled' | 'Paid' | 'Overdue' | 'Unpaid'

/** The content of an invoice. */
export interface PrintedFee {
  readonly fee: RecordOf<typeof fees>
  readonly state: FeeState
  /** The day of payment, or null. */
  readonly findPaymentDay: string | null
}

/** The payment state of a fee today. */
function getFeeState(fee: RecordOf<typeof fees>, today: string): FeeState {
  if (fee.docstatus === 0) return 'Draft'
  if (fee.docstatus === 2) return 'Cancelled'
  if (fee.outstanding_amount <= 0) return 'Paid'
  return fee.due_date !== null && fee.due_date < today ? 'Overdue' : 'Unpaid'
}

/** The day of a fee's last payment, or null. */
async function findPaymentDay(work: RecordWork, feeName: string): Promise<string | null> {
  const payments = await loadFeePayments(work.tx, feeName)
  if (payments.length === 0 || payments.some(({ status, paidAt }) => status !== 'paid' || paidAt === null)) return null
  const last = payments
    .map(({ paidAt }) => paidAt as string)
    .sort()
    .at(-1) as string
  return getDay(last, work.caller.tenant.timeZone)
}

/**
 * Whether a caller without a staff role may see a student's fees: its own, or those of a student whose guardian it is.
 */
export function maySeeFeesOf(engine: RecordEngine, studentName: string | null): Promise<boolean> {
  return isPerson(engine, student, studentName, 'itself or its guardian')
}

/**
 * The condition on the invoices `r` of a student that a caller sees; null for all. A guardian sees none that another household or a sponsor
 * pays.
 */
export async function seenInvoices(engine: RecordEngine, studentName: string | null): Promise<Sql | null> {
  const { caller, registry } = engine
  if (!readsOnlyItsOwn(caller, { type: fees }) || (await isPerson(engine, student, studentName, 'itself'))) return null
  return ownershipCondition(registry, caller, registry.require(salesInvoice.name), 'r')
}

/** Whether a caller without a staff role may see a fee as a whole: what everybody owes of it. */
async function maySeeWhole(engine: RecordEngine, fee: RecordOf<typeof fees>): Promise<boolean> {
  if (!(await maySeeFeesOf(engine, fee.student))) return false
  const seen = await seenInvoices(engine, fee.student)
  if (seen === null) return true
  const others = await engine.select(salesInvoice, sql`r.fees = ${fee.name} and not ${seen}`, sql`limit 1`)
  return others.length === 0
}

/** The invoice of a fee. Throws `DoesNotExistError`, and `PermissionError` without the right to read it. */
export async function readPrintedFee(engine: RecordEngine, name: string): Promise<PrintedFee> {
  const found = await engine.find(fees, name)
  const isOwn = found !== null && (await maySeeWhole(engine, found))
  const fee = isOwn ? found : ((await readRecord(engine, fees.name, name)) as RecordOf<typeof fees>)
  await setIssuedName(engine, fee)
  return { fee, state: getFeeState(fee, engine.today), findPaymentDay: await findPaymentDay(engine, fee.name) }
}

/** An invoice that was issued names the student as then; records show the name as it is now. */
async function setIssuedName({ tx }: RecordWork, fee: RecordOf<typeof fees>): Promise<void> {
  if (fee.docstatus === 0) return
  const [issued] = await tx.query<{ student_name: string | null }>(
    sql`select student_name from fees where tenant_id = ${tx.tenantId} and name = ${fee.name}`,
  )
  fee.student_name = issued?.student_name ?? fee.student_name
}

/** The invoice for the payer: a guardian may read the fees of a student, but not change them. */
export async function readPayableFee(engine: RecordEngine, name: string): Promise<PrintedFee> {
  const printed = await readPrintedFee(engine, name)
  if (!hasOnlyPersonalRoles(engine.caller)) return printed
  if (await isPerson(engine, student, printed.fee.student, 'itself')) return printed
  throw new RecordError('PermissionError', `${name.slice(0, 140)} is paid by the student, or at the institution.`)
}

/** The columns of the components, with positions as fractions of the width. */
const columns = [
  { heading: 'Component', left: 0, width: 0.32, align: 'left' },
  { heading: 'Description', left: 0.32, width: 0.32, align: 'left' },
  { heading: 'Discount', left: 0.64, width: 0.13, align: 'right' },
  { heading: 'Amount', left: 0.77, width: 0.23, align: 'right' },
] as const

const stateColors: Readonly<Record<FeeState, string>> = {
  Draft: ink.faint,
  Cancelled: ink.faint,
  Paid: '#1f7a46',
  Overdue: '#b3261e',
  Unpaid: '#9a5b00',
}

/** The invoice of a fee as a PDF on A4; of a paid fee it is the receipt. */
export async function buildFeePdf(
  { fee, state, findPaymentDay: paidDay }: PrintedFee,
  madeOn: string,
): Promise<Buffer> {
  const kind = state === 'Paid' ? 'Fee receipt' : 'Fee invoice'
  const institution = fee.company ?? ''
  const pages = await PrintedPages.open({ title: `${kind} ${fee.name}`, author: institution }, fee)
  pages.head(institution, kind)
  pages.facts([
    ['Number', fee.name],
    ['Status', state],
    ['Date', fee.posting_date ?? '–'],
    ['Due date', fee.due_date ?? '–'],
    ['Student', fee.student_name ?? fee.student ?? '–'],
    ['Student ID', fee.student ?? '–'],
    ['Program', fee.program ?? '–'],
    ['Academic year', [fee.academic_year, fee.academic_term].filter((part) => part).join(', ') || '–'],
    ...(paidDay === null ? [] : [['Paid on', paidDay] as const]),
  ])
  pages.y += 14
  components(pages, fee)
  totals(pages, fee, state)
  return pages.finish(`${fee.name} · made on ${madeOn.slice(0, 16)}`)
}

function components(pages: PrintedPages, fee: PrintedFee['fee']): void {
  const hasDiscount = fee.components.some(({ discount }) => discount > 0)
  const cells = (texts: readonly string[], style: { bold?: boolean; color?: string; size?: number }) => {
    const { y } = pages
    const ends = columns.map(({ left, width, align }, index) => {
      pages.text(texts[index] ?? '', {
        x: pages.margin + 8 + left * (pages.width - 16),
        y,
        width: width * (pages.width - 16) - 6,
        align,
        ...style,
      })
      return pages.y
    })
    pages.y = Math.max(...ends) + 5
  }
  const heading = () => {
    const { y } = pages
    pages.band(20)
    pages.y = y + 5
    const shown = columns.map((column) => (column.heading === 'Discount' && !hasDiscount ? '' : column.heading))
    cells(shown, { size: 9, color: ink.faint })
    pages.y = y + 26
  }
  heading()
  for (const { fees_category, description, discount, amount } of fee.components) {
    const texts = [
      fees_category ?? '',
      description ?? '',
      discount > 0 ? `${printedNumber(discount)} %` : '',
      formatMoney(amount, fee.currency),
    ]
    const heights = texts.map((text, index) =>
      pages.getHeight(text, (columns[index]?.width ?? 0) * (pages.width - 16) - 6, 10),
    )
    if (pages.keep(Math.max(...heights) + 8)) heading()
    cells(texts, {})
    pages.rule(ink.line)
    pages.y += 5
  }
}

function totals(pages: PrintedPages, fee: PrintedFee['fee'], state: FeeState): void {
  pages.keep(110)
  pages.y += 4
  const line = (label: string, value: string, style: { size?: number; color?: string }) => {
    const { y } = pages
    const half = pages.width / 2
    pages.text(label, { x: pages.margin + half, y, width: half / 2, bold: true, ...style })
    pages.text(value, { x: pages.margin + half, y, width: half - 14, align: 'right', bold: true, ...style })
    pages.y += 4
  }
  line('Total', formatMoney(fee.grand_total, fee.currency), { size: 12 })
  if (state !== 'Cancelled') {
    line('Outstanding', formatMoney(fee.outstanding_amount, fee.currency), { color: stateColors[state] })
  }
  pages.y += 10
  if (fee.grand_total_in_words) {
    pages.text('In words', { size: 9, color: ink.faint })
    pages.text(fee.grand_total_in_words, {})
    pages.y += 10
  }
  pages.text(state, { bold: true, size: 14, color: stateColors[state] })
}

/** An amount with its currency code, which every font and screen reader supports. */
function formatMoney(amount: number, currency: string | null): string {
  return `${currency ?? ''} ${amountText(amount, currency ?? '')}`.trim()
}
