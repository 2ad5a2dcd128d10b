import { amountText } from '../../../money/index.ts'
import { ink, PrintedPages } from '../../../pdf/index.ts'
import type { AccountRecord } from '../accounts/account-store.ts'
import type { ReceiptRecord } from '../receipts/receipt-store.ts'
import type { StatementRecord } from './statement.ts'

const money = (amount: number, currency: string) => `${currency} ${amountText(amount, currency)}`

/** The receipt as a PDF on A4. */
export async function printReceipt(
  institution: string,
  account: AccountRecord,
  receipt: ReceiptRecord,
): Promise<Buffer> {
  const { receiptNumber, receivedOn, method, reference, amount, currency, allocations, unallocated, status } = receipt
  const pages = await PrintedPages.open({ title: `Receipt ${receiptNumber}`, author: institution }, [account, receipt])
  pages.head(institution, status === 'reversed' ? 'Receipt (reversed)' : 'Receipt')
  pages.facts([
    ['Number', receiptNumber],
    ['Received on', receivedOn],
    ['Account', `${account.accountNumber} ${account.name}`],
    ['Method', method.replace('_', ' ')],
    ['Reference', reference ?? '–'],
    ['Amount', money(amount, currency)],
    ['Allocated to', `${allocations.length} ${allocations.length === 1 ? 'obligation' : 'obligations'}`],
    ['Credit', money(unallocated, currency)],
  ])
  return pages.finish(receiptNumber)
}

/** The statement of an account as a PDF on A4. */
export async function printStatement(
  institution: string,
  account: AccountRecord,
  statement: StatementRecord,
  days: string,
): Promise<Buffer> {
  const { currency, accountNumber, name } = account
  const pages = await PrintedPages.open({ title: `Statement ${accountNumber}`, author: institution }, [
    account,
    statement,
  ])
  pages.head(institution, 'Statement of account')
  pages.facts([
    ['Account', accountNumber],
    ['Name', name],
    ['Period', days],
    ['Balance', money(statement.closingBalance, currency)],
  ])
  pages.y += 14
  const row = (texts: readonly string[], bold = false) => {
    pages.keep(20)
    const { y } = pages
    const width = pages.width / texts.length
    for (const [index, text] of texts.entries()) {
      const align = index < 3 ? 'left' : 'right'
      pages.text(text, { x: pages.margin + index * width, y, width: width - 4, align, size: 9, bold })
    }
    pages.y = y + 16
  }
  row(['Date', 'Document', 'Number', 'Debit', 'Credit', 'Balance'], true)
  pages.rule(ink.line)
  pages.y += 4
  row(['', 'Opening balance', '', '', '', amountText(statement.openingBalance, currency)])
  for (const { date, kind, number, debit, credit, balance } of statement.lines) {
    row([
      date,
      kind.replace('_', ' '),
      number,
      debit === 0 ? '' : amountText(debit, currency),
      credit === 0 ? '' : amountText(credit, currency),
      amountText(balance, currency),
    ])
  }
  row(['', 'Closing balance', '', '', '', amountText(statement.closingBalance, currency)], true)
  return pages.finish(`${accountNumber} · ${days}`)
}
