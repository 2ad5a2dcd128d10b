import { amountText } from '../../../money/index.ts'
import type { AccountRecord } from '../accounts/account-store.ts'
import type { DocumentRecord } from '../reports/document.ts'
import { Letters, lettersFor, money, type Sender } from './letter.ts'

/**
 * A document of an account, other than a receipt, as a PDF on A4; of an invoice with something open, how to pay what is
 * due next.
 */
export async function printDocument(sender: Sender, account: AccountRecord, document: DocumentRecord): Promise<Buffer> {
  const messages = lettersFor(account)
  const { kind, number, date, currency, amount, openAmount, isCancelled, reason, reference } = document
  const title = findTitle(document, messages)
  const about = { title: `${title} ${number}`, language: account.language }
  const letter = await Letters.open(sender, about, [account, document])
  letter.begin(title, account)
  letter.facts([
    [messages.number, number],
    [messages.date, date],
    [messages.account, account.accountNumber],
    [messages.amount, money(amount, currency)],
    ...(reference === null ? [] : [[messages.reference, reference] as const]),
    ...(kind !== 'invoice' || isCancelled
      ? []
      : [[messages.open, openAmount === 0 ? messages.paidInFull : money(openAmount, currency)] as const]),
  ])
  if (reason !== null) letter.text(`${messages.reason}: ${reason}`)
  if (document.items.length > 0) {
    letter.table(
      [
        { heading: kind === 'invoice' ? messages.chargedItems : messages.creditedItems, width: 0.5 },
        { heading: messages.student, width: 0.3 },
        { heading: messages.amount, width: 0.2, align: 'right' },
      ],
      document.items.map((item) => [item.description, item.studentName ?? '', amountText(item.amount, currency)]),
    )
  }
  if (kind === 'invoice') addInstalments(letter, account, document)
  if (kind === 'invoice' || kind === 'credit_note') letter.ownText(kind)
  const next = isCancelled ? undefined : document.instalments.find((each) => each.openAmount > 0)
  if (next !== undefined) letter.payment(account, { amount: next.openAmount, reference: next.paymentReference })
  return letter.finish(number)
}

function findTitle({ kind, isCancelled }: DocumentRecord, messages: ReturnType<typeof lettersFor>): string {
  switch (kind) {
    case 'invoice':
      return isCancelled ? messages.cancelledInvoice : messages.invoice
    case 'payout':
      return isCancelled ? messages.reversedPayout : messages.payout
    default:
      return messages.kinds[kind]
  }
}

/** When what is to be paid of an invoice, and under which reference. */
function addInstalments(letter: Letters, account: AccountRecord, { currency, instalments }: DocumentRecord): void {
  const messages = lettersFor(account)
  letter.table(
    [
      { heading: messages.dueOn, width: 0.2 },
      { heading: messages.reference, width: 0.4 },
      { heading: messages.amount, width: 0.2, align: 'right' },
      { heading: messages.open, width: 0.2, align: 'right' },
    ],
    instalments.map(({ dueDate, paymentReference, amount, openAmount }) => [
      ...[dueDate, paymentReference],
      ...[amountText(amount, currency), amountText(openAmount, currency)],
    ]),
  )
}
