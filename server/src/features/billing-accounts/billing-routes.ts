import { billingAccountOperations, billingOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { getUpserts, implement, type Route, type UpsertPlatform } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { todayIn } from '../../tenancy/index.ts'
import { accounts } from './accounts/account-store.ts'
import { accountUpserting, createAccount, updateAccount } from './accounts/accounts.ts'
import { replaceStudentShares } from './accounts/shares.ts'
import { prepareImport } from './bank-statements/import-statement.ts'
import { listLines } from './bank-statements/line-list.ts'
import { matchLine, unmatchLine } from './bank-statements/match-line.ts'
import { bankStatements } from './bank-statements/statement-store.ts'
import { collect } from './direct-debits/collect.ts'
import { directDebits } from './direct-debits/direct-debit-store.ts'
import { writeInitiation } from './direct-debits/initiation-file.ts'
import { returnDebits } from './direct-debits/returns.ts'
import { dunningRuns } from './dunning/dunning-store.ts'
import { holdDunning } from './dunning/hold.ts'
import { previewNotice, requireText } from './dunning/preview.ts'
import { createDunningRun } from './dunning/propose.ts'
import { sendDunningRun } from './dunning/send.ts'
import { readTimeline } from './dunning/timeline.ts'
import { readPrintedNotices, readSender } from './letters/letter-facts.ts'
import { printAccountDocument, printReceiptFile } from './letters/print-account-document.ts'
import { printReminders, printStatement } from './letters/print-letters.ts'
import { credit, split, writeOff } from './obligations/adjustments.ts'
import { listObligations } from './obligations/obligation-list.ts'
import { payouts } from './payouts/payout-store.ts'
import { createPayout, reversePayout } from './payouts/payouts.ts'
import { receipts } from './receipts/receipt-store.ts'
import { createReceipt, reverseOne } from './receipts/receipts.ts'
import { listAgeing } from './reports/ageing.ts'
import { readDocument } from './reports/document.ts'
import { journalFile, readJournal, toEntry } from './reports/journal.ts'
import { readStatement } from './reports/statement.ts'

/** The operations of billing accounts. Without `sendsMail` reminders are printed. */
export function billingRoutes(platform: UpsertPlatform, sendsMail: boolean): Route[] {
  const upserts = getUpserts(accountUpserting, billingAccountOperations.upsertBillingAccountByExternalId, platform)
  return implement(billingOperations, {
    listBillingAccounts: (database, { context, query }) => readPage(database, context.tenant.id, accounts, query),
    getBillingAccount: (database, { context, params }) => readOne(database, context.tenant.id, accounts, params.id),
    createBillingAccount: (tx, { context, body }) => createAccount(tx, context, body),
    upsertBillingAccountByExternalId: upserts.one,
    updateBillingAccount: (tx, { context, params, body }) => updateAccount(tx, context, params.id, body),
    replaceStudentShares: async (tx, { context, params, body }) =>
      plain(await replaceStudentShares(tx, context, params.studentId, body.shares)),
    listObligations: (database, { context, params, query }) =>
      listObligations(database, context.tenant.id, params.id, query),
    splitObligation: async (tx, { context, params, body }) => plain(await split(tx, context, params.paymentId, body)),
    writeOffObligation: async (tx, { context, params, body }) =>
      plain(await writeOff(tx, context, params.paymentId, body)),
    creditObligation: async (tx, { context, params, body }) => plain(await credit(tx, context, params.paymentId, body)),
    listReceipts: (database, { context, query }) => readPage(database, context.tenant.id, receipts, query),
    getReceipt: async (database, { context: { tenant }, params, mediaType }) => {
      const found = await readOne(database, tenant.id, receipts, params.id)
      if (mediaType !== 'application/pdf') return found
      return { ...found, entityTag: null, file: await printReceiptFile(database, tenant, found.record) }
    },
    getStatement: async (database, { context: { tenant }, params, query, mediaType }) => {
      const record = await readStatement(database, tenant, params.id, query)
      if (mediaType !== 'application/pdf') return plain(record)
      const { record: account } = await readOne(database, tenant.id, accounts, params.id)
      const to = query.to ?? todayIn(tenant.timeZone)
      const span = { from: query.from ?? record.lines[0]?.date ?? to, to }
      const bytes = await printStatement(await readSender(database, tenant), account, record, span)
      return { ...plain(record), file: { bytes, fileName: `statement-${account.accountNumber}.pdf` } }
    },
    getBillingDocument: async (database, { context: { tenant }, params, mediaType }) => {
      const { id, number } = params
      const found = await readDocument((text) => database.read(tenant.id, text), tenant.id, id, number)
      if (mediaType !== 'application/pdf') return plain(found.document)
      return { ...plain(found.document), file: await printAccountDocument(database, tenant, found) }
    },
    listPayouts: (database, { context, query }) => readPage(database, context.tenant.id, payouts, query),
    getPayout: (database, { context, params }) => readOne(database, context.tenant.id, payouts, params.id),
    createPayout: (tx, { context, body }) => createPayout(tx, context, body),
    reversePayout: (tx, { context, params, body }) => reversePayout(tx, context, params.id, body ?? {}),
    listAgeing: (database, { context, query }) => listAgeing(database, context.tenant, query),
    getJournal: async (database, { context, query, mediaType }) => {
      const { id } = context.tenant
      if (mediaType === 'application/json') {
        const entries: ReturnType<typeof toEntry>[] = []
        for await (const batch of readJournal(database, id, query))
          for (const entry of batch) entries.push(toEntry(entry))
        return plain({ entries })
      }
      const fileName = `journal-${query.from}-${query.to}.${endings[mediaType]}`
      return { ...plain({ entries: [] }), file: { bytes: await journalFile(database, id, mediaType, query), fileName } }
    },
    createReceipt: (tx, { context, body }) => createReceipt(tx, context, body),
    importBankStatement: { prepare: prepareImport },
    listBankStatements: (database, { context, query }) => readPage(database, context.tenant.id, bankStatements, query),
    getBankStatement: async (database, { context, params }) => {
      const { record } = await readOne(database, context.tenant.id, bankStatements, params.id)
      return plain(record)
    },
    listBankStatementLines: (database, { context, params, query }) =>
      listLines(database, context.tenant.id, params.id, query),
    matchBankStatementLine: async (tx, { context, params, body }) => plain(await matchLine(tx, context, params, body)),
    unmatchBankStatementLine: async (tx, { context, params }) => plain(await unmatchLine(tx, context, params)),
    listDirectDebits: (database, { context, query }) => readPage(database, context.tenant.id, directDebits, query),
    getDirectDebit: async (database, { context: { tenant }, params, mediaType }) => {
      const found = await readOne(database, tenant.id, directDebits, params.id)
      if (mediaType !== 'application/xml') return found
      const { id, collectionDate } = found.record
      const bytes = await writeInitiation(database, tenant.id, id)
      return { ...found, entityTag: null, file: { bytes, fileName: `direct-debits-${collectionDate}.xml` } }
    },
    createDirectDebit: (tx, { context, body }) => collect(tx, context, body),
    returnDirectDebits: (tx, { context, params, body }) => returnDebits(tx, context, params.id, body),
    reverseReceipt: (tx, { context, params, body }) => reverseOne(tx, context, params.id, body ?? {}),
    createDunningRun: (tx, { context, body }) => createDunningRun(tx, context, body ?? {}),
    listDunningRuns: (database, { context, query }) => readPage(database, context.tenant.id, dunningRuns, query),
    getDunningRun: async (database, { context: { tenant }, params, mediaType }) => {
      const found = await readOne(database, tenant.id, dunningRuns, params.id)
      if (mediaType !== 'application/pdf') return found
      const notices = await readPrintedNotices(database, tenant.id, found.record)
      const bytes = await printReminders(await readSender(database, tenant), notices)
      return { ...found, entityTag: null, file: { bytes, fileName: `reminders-${found.record.asOf}.pdf` } }
    },
    getDunningNotice: async (database, { context: { tenant }, params, mediaType }) => {
      const printed = await previewNotice(database, tenant, params, sendsMail)
      if (mediaType !== 'application/pdf') return plain(printed.notice)
      const { notice, account } = printed
      requireText(notice)
      const bytes = await printReminders(await readSender(database, tenant), [printed])
      return { ...plain(notice), file: { bytes, fileName: `reminder-${account.accountNumber}.pdf` } }
    },
    sendDunningRun: (tx, { context, params, body }) => sendDunningRun(tx, context, params.id, body ?? {}, sendsMail),
    holdDunning: async (tx, { context, params, body }) => plain(await holdDunning(tx, context, params.paymentId, body)),
    getBillingTimeline: (database, { context, params }) => readTimeline(database, context.tenant.id, params.id),
  })
}

/** The endings of journals by their media types. */
const endings: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/x-hledger': 'journal',
  'text/x-beancount': 'beancount',
}

/** A record without an entity tag. */
const plain = <Item>(record: Item) => ({ record, entityTag: null })
