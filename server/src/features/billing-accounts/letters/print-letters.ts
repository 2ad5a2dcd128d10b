import { messagesIn } from '@matricula/pages'
import { amountText, sumExactly } from '../../../money/index.ts'
import type { AccountRecord } from '../accounts/account-store.ts'
import type { DunningNoticeRecord } from '../dunning/dunning-store.ts'
import type { ObligationRecord } from '../obligations/obligation-list.ts'
import type { ReceiptRecord } from '../receipts/receipt-store.ts'
import type { StatementRecord } from '../reports/statement.ts'
import { Letters, lettersFor, money, type Sender } from './letter.ts'

/** A receipt as a PDF on A4, with what it pays. */
export async function printReceipt(
  sender: Sender,
  account: AccountRecord,
  receipt: ReceiptRecord,
  paid: readonly ObligationRecord[],
): Promise<Buffer> {
  const messages = lettersFor(account)
  const { receiptNumber, receivedOn, method, reference, amount, currency, allocations, unallocated, status } = receipt
  const title = status === 'reversed' ? messages.reversedReceipt : messages.receipt
  const about = { title: `${title} ${receiptNumber}`, language: account.language }
  const letter = await Letters.open(sender, about, [account, receipt, paid])
  letter.begin(title, account)
  letter.facts([
    [messages.number, receiptNumber],
    [messages.receivedOn, receivedOn],
    [messages.account, account.accountNumber],
    [messages.method, messages.methods[method]],
    ...(reference === null ? [] : [[messages.reference, reference] as const]),
    [messages.amount, money(amount, currency)],
    ...(unallocated === 0 ? [] : [[messages.credit, money(unallocated, currency)] as const]),
  ])
  if (allocations.length > 0) {
    const byId = new Map(paid.map((obligation) => [obligation.paymentId, obligation]))
    letter.table(
      [
        { heading: messages.paidItems, width: 0.45 },
        { heading: messages.student, width: 0.35 },
        { heading: messages.amount, width: 0.2, align: 'right' },
      ],
      allocations.map((allocation) => {
        const obligation = byId.get(allocation.paymentId)
        const texts = [obligation?.description ?? '', obligation?.studentName ?? '']
        return [...texts, amountText(allocation.amount, currency)]
      }),
    )
  }
  letter.ownText('receipt')
  return letter.finish(receiptNumber)
}

/** The statement of an account as a PDF on A4, with how to pay what is open now. */
export async function printStatement(
  sender: Sender,
  account: AccountRecord,
  statement: StatementRecord,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Buffer> {
  const messages = lettersFor(account)
  const { currency, accountNumber } = account
  const about = { title: `${messages.statement} ${accountNumber}`, language: account.language }
  const letter = await Letters.open(sender, about, [account, statement])
  letter.begin(messages.statement, account)
  letter.facts([
    [messages.account, accountNumber],
    [messages.balance, money(statement.closingBalance, currency)],
    [messages.date, messages.period(from, to)],
  ])
  const shown = (amount: number) => (amount === 0 ? '' : amountText(amount, currency))
  const balance = (label: string, amount: number) => ['', label, '', '', '', amountText(amount, currency)]
  letter.table(
    [
      { heading: messages.date, width: 0.13 },
      { heading: messages.document, width: 0.2 },
      { heading: messages.number, width: 0.28 },
      { heading: messages.charged, width: 0.13, align: 'right' },
      { heading: messages.settled, width: 0.13, align: 'right' },
      { heading: messages.balance, width: 0.13, align: 'right' },
    ],
    [
      balance(messages.openingBalance, statement.openingBalance),
      ...statement.lines.map(({ date, kind, number, debit, credit, balance: after }) => {
        return [date, messages.kinds[kind], number, shown(debit), shown(credit), amountText(after, currency)]
      }),
      balance(messages.closingBalance, statement.closingBalance),
    ],
  )
  letter.ownText('statement')
  letter.payment(account, { amount: account.balance, reference: null })
  return letter.finish(`${accountNumber} · ${messages.period(from, to)}`)
}

/** A notice that was sent, with its payer and what is overdue. */
export interface PrintedNotice {
  readonly notice: DunningNoticeRecord
  readonly account: AccountRecord
  readonly items: readonly ObligationRecord[]
}

/** The reminders of a run that are to be delivered on paper, each on pages of its own. */
export async function printReminders(sender: Sender, notices: readonly PrintedNotice[]): Promise<Buffer> {
  const { reminder } = messagesIn(sender.language).letters
  const about = { title: reminder, language: notices[0]?.account.language ?? sender.language }
  const letters = await Letters.open(sender, about, [notices, notices.map(({ account }) => lettersFor(account))])
  for (const { notice, account, items } of notices) {
    const messages = lettersFor(account)
    letters.begin(notice.subject ?? messages.reminder, account)
    letters.text(notice.text ?? '')
    letters.table(
      [
        { heading: messages.openItems, width: 0.4 },
        { heading: messages.student, width: 0.25 },
        { heading: messages.dueOn, width: 0.15 },
        { heading: messages.amount, width: 0.2, align: 'right' },
      ],
      notice.items.map(({ paymentId, amount }) => {
        const obligation = items.find((each) => each.paymentId === paymentId)
        const texts = [
          obligation?.description ?? '',
          obligation?.studentName ?? '',
          obligation?.dueDate.slice(0, 10) ?? '',
        ]
        return [...texts, amountText(amount, notice.currency)]
      }),
    )
    letters.ownText('reminder')
    const [only, ...others] = items
    const reference = others.length === 0 && notice.fee === 0 ? (only?.paymentReference ?? null) : null
    letters.payment(account, { amount: sumExactly(notice.amount, notice.fee), reference })
  }
  return letters.finish(sender.institution)
}
