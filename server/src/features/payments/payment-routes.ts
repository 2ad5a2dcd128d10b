import { customFieldResources, Payment, paymentOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { getUpserts, implement, type UpsertPlatform } from '../../http/index.ts'
import { deletedRecords, readPage } from '../../listing/index.ts'
import { showCustomFields } from '../../record-engine/index.ts'
import { payments } from './payment-store.ts'
import { createPayment, type PaymentFollower, paymentUpserting, updatePayment } from './payments.ts'

/** The operations of payments. */
export const paymentRoutes = (follower: PaymentFollower, platform: UpsertPlatform) => {
  const upserts = getUpserts(paymentUpserting(follower), paymentOperations.upsertPaymentByExternalId, platform)
  const routes = implement(
    paymentOperations,
    {
      listPayments: (database, { context, query }) => readPage(database, context.tenant.id, payments, query),
      listDeletedPayments: (database, { context, query }) =>
        readPage(database, context.tenant.id, deletedRecords(payments), query),
      getPayment: (database, { context, params }) => readOne(database, context.tenant.id, payments, params.id),
      createPayment: (tx, { context, body }) => createPayment(tx, context, body, follower),
      updatePayment: (tx, { context, params, body }) => updatePayment(tx, context, params.id, body, follower),
      upsertPaymentByExternalId: upserts.one,
      batchPayments: upserts.batch,
    },
    { groupCommit: ['createPayment', 'updatePayment', 'upsertPaymentByExternalId'] },
  )
  return showCustomFields(customFieldResources.payments, Payment, routes)
}
