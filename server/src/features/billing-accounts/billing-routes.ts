import { billingAccountOperations, billingOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { getUpserts, implement, type Route, type UpsertPlatform } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { accounts } from './accounts/account-store.ts'
import { accountUpserting, createAccount, updateAccount } from './accounts/accounts.ts'
import { replaceStudentShares } from './accounts/shares.ts'
import { credit, split, writeOff } from './obligations/adjustments.ts'
import { listObligations } from './obligations/obligation-list.ts'
import { receipts } from './receipts/receipt-store.ts'
import { createReceipt, reverseOne } from './receipts/receipts.ts'

/** The operations of billing accounts. */
export function billingRoutes(platform: UpsertPlatform): Route[] {
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
    getReceipt: (database, { context, params }) => readOne(database, context.tenant.id, receipts, params.id),
    createReceipt: (tx, { context, body }) => createReceipt(tx, context, body),
    reverseReceipt: (tx, { context, params, body }) => reverseOne(tx, context, params.id, body ?? {}),
  })
}

/** A record without an entity tag. */
const plain = <Item>(record: Item) => ({ record, entityTag: null })
