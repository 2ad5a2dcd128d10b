import type { Database } from '../../../database/index.ts'
import { readOne } from '../../../entities/index.ts'
import { amountText, sumExactly } from '../../../money/index.ts'
import { type AccountRecord, accounts } from '../accounts/account-store.ts'
import { readObligations } from '../obligations/obligation-list.ts'
import type { ReceiptRecord } from '../receipts/receipt-store.ts'
import { Letters, lettersFor, money } from './letter.ts'
import { readSender } from './letter-facts.ts'

/**
 * Receipts of one payment for several accounts as one PDF on A4, in the language of the first account: each with its number
 * and what it pays, and the sum in each currency.
 *
 * @param receipts At least one, none reversed
 */
export async function printJointReceipt(
  database: Database,
  tenant: { readonly id: string; readonly name: string },
  receipts: readonly ReceiptRecord[],
): Promise<Buffer> {
  const payers = new Map<string, AccountRecord>()
  for (const { accountId } of receipts) {
    if (payers.has(accountId)) continue
    payers.set(accountId, (await readOne(database, tenant.id, accounts, accountId)).record)
  }
  const [first, ...others] = [...payers.values()] as [AccountRecord, ...AccountRecord[]]
  const ids = receipts.flatMap(({ allocations }) => allocations.map(({ paymentId }) => paymentId))
  const paid = new Map((await readObligations(database, tenant.id, ids)).map((each) => [each.paymentId, each]))
  const messages = lettersFor(first)
  const numbers = receipts.map(({ receiptNumber }) => receiptNumber).join(', ')
  const about = { title: `${messages.receipt} ${numbers}`, language: first.language }
  const content = [[...payers.values()], receipts, [...paid.values()]]
  const letter = await Letters.open(await readSender(database, tenant), about, content)
  // Several payers may live at several places.
  const names = [...new Set([first, ...others].map(({ name }) => name))].join(', ')
  letter.begin(
    messages.receipt,
    others.length === 0 ? first : { ...first, name: names, address: null, postalCode: null, city: null, country: null },
  )
  const distinct = (texts: readonly (string | null)[]) => [...new Set(texts.filter((text) => text))].join(', ')
  const reference = distinct(receipts.map((each) => each.reference))
  const currencies = [...new Set(receipts.map(({ currency }) => currency))]
  const totals = currencies.map((currency) =>
    money(sumExactly(...receipts.flatMap((each) => (each.currency === currency ? [each.amount] : []))), currency),
  )
  letter.facts([
    [messages.receivedOn, distinct(receipts.map(({ receivedOn }) => receivedOn))],
    [messages.method, distinct(receipts.map(({ method }) => messages.methods[method]))],
    ...(reference === '' ? [] : [[messages.reference, reference] as const]),
    [messages.amount, totals.join(', ')],
  ])
  const rows = receipts.flatMap((receipt) => {
    const { receiptNumber, accountId, currency, unallocated } = receipt
    const head = [receiptNumber, payers.get(accountId)?.name ?? '']
    const row = (what: string, student: string, amount: number, isFirst: boolean) => {
      return [...(isFirst ? head : ['', '']), what, student, `${amountText(amount, currency)} ${currency}`]
    }
    const parts = receipt.allocations.map(({ paymentId, amount }, index) => {
      const { description = '', studentName = '' } = paid.get(paymentId) ?? {}
      return row(description, studentName, amount, index === 0)
    })
    return unallocated === 0 ? parts : [...parts, row(messages.credit, '', unallocated, parts.length === 0)]
  })
  letter.table(
    [
      { heading: messages.number, width: 0.19 },
      { heading: messages.account, width: 0.19 },
      { heading: messages.paidItems, width: 0.24 },
      { heading: messages.student, width: 0.2 },
      { heading: messages.amount, width: 0.18, align: 'right' },
    ],
    [...rows, ...totals.map((total) => [messages.total, '', '', '', total])],
  )
  letter.ownText('receipt')
  return letter.finish(numbers)
}
