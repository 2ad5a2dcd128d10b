import type { Database } from '../../../database/index.ts'
import { readOne } from '../../../entities/index.ts'
import { accounts } from '../accounts/account-store.ts'
import { readObligations } from '../obligations/obligation-list.ts'
import { type ReceiptRecord, receipts } from '../receipts/receipt-store.ts'
import type { readDocument } from '../reports/document.ts'
import { readSender } from './letter-facts.ts'
import { printDocument } from './print-documents.ts'
import { printReceipt } from './print-letters.ts'

/** A file that is sent. */
interface PrintedFile {
  readonly bytes: Buffer
  readonly fileName: string
}

interface TenantOfLetters {
  readonly id: string
  readonly name: string
}

/** The name of a file after the number of a document, which may have any characters. */
const toFileName = (number: string) => `${number.replace(/[^\w.-]+/g, '-')}.pdf`

/** The letter of a receipt. */
export async function printReceiptFile(
  database: Database,
  tenant: TenantOfLetters,
  receipt: ReceiptRecord,
): Promise<PrintedFile> {
  const { record: account } = await readOne(database, tenant.id, accounts, receipt.accountId)
  const ids = receipt.allocations.map(({ paymentId }) => paymentId)
  const paid = await readObligations(database, tenant.id, ids)
  const bytes = await printReceipt(await readSender(database, tenant), account, receipt, paid)
  return { bytes, fileName: toFileName(receipt.receiptNumber) }
}

/** The letter of a document of an account, in the language of the account. */
export async function printAccountDocument(
  database: Database,
  tenant: TenantOfLetters,
  { id, document }: Awaited<ReturnType<typeof readDocument>>,
): Promise<PrintedFile> {
  if (document.kind === 'receipt') {
    return printReceiptFile(database, tenant, (await readOne(database, tenant.id, receipts, id)).record)
  }
  const { record: account } = await readOne(database, tenant.id, accounts, document.accountId)
  const bytes = await printDocument(await readSender(database, tenant), account, document)
  return { bytes, fileName: toFileName(document.number) }
}
