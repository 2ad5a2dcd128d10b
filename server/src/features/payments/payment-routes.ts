import { customFieldResources, Payment, paymentOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { deletedRecords } from '../../platform/deleted-records.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { showCustomFields } from '../../records/index.ts'
import { payments } from './payment-store.ts'
import { createPayment, type Settle, updatePayment, upsertPayment } from './payments.ts'

/** The operations of payments. `settle` lets fees follow their payments. */
export const paymentRoutes = (settle: Settle) =>
  showCustomFields(
    customFieldResources.payments,
    Payment,
    implement(paymentOperations, {
      listPayments: (database, { context, query }) => readPage(database, context.tenant.id, payments, query),
      listDeletedPayments: (database, { context, query }) =>
        readPage(database, context.tenant.id, deletedRecords(payments), query),
      getPayment: (database, { context, params }) => readOne(database, context.tenant.id, payments, params.id),
      createPayment: (tx, { context, body }) => createPayment(tx, context, body),
      updatePayment: (tx, { context, params, body }) => updatePayment(tx, context, params.id, body, settle),
      upsertPaymentByExternalId: (tx, { context, params, body }) =>
        upsertPayment(tx, context, params.externalId, body, settle),
    }),
  )
