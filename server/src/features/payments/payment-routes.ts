import { customFieldResources, Payment, paymentOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { type UpsertPlatform, upsertsOf } from '../../http/upserts.ts'
import { deletedRecords } from '../../platform/deleted-records.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { showCustomFields } from '../../records/index.ts'
import { payments } from './payment-store.ts'
import { createPayment, paymentUpserting, type Settle, updatePayment } from './payments.ts'

/** The operations of payments. `settle` lets fees follow their payments. */
export const paymentRoutes = (settle: Settle, platform: UpsertPlatform) => {
  const upserts = upsertsOf(paymentUpserting(settle), paymentOperations.upsertPaymentByExternalId, platform)
  const routes = implement(
    paymentOperations,
    {
      listPayments: (database, { context, query }) => readPage(database, context.tenant.id, payments, query),
      listDeletedPayments: (database, { context, query }) =>
        readPage(database, context.tenant.id, deletedRecords(payments), query),
      getPayment: (database, { context, params }) => readOne(database, context.tenant.id, payments, params.id),
      createPayment: (tx, { context, body }) => createPayment(tx, context, body),
      updatePayment: (tx, { context, params, body }) => updatePayment(tx, context, params.id, body, settle),
      upsertPaymentByExternalId: upserts.one,
      batchPayments: upserts.batch,
    },
    { meeting: ['createPayment', 'updatePayment', 'upsertPaymentByExternalId'] },
  )
  return showCustomFields(customFieldResources.payments, Payment, routes)
}
