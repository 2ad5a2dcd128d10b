import { feeDeskOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/index.ts'
import { readFamily } from './family.ts'
import { findFamilies } from './find-families.ts'
import { readJointReceipt } from './joint-receipt.ts'
import { takePayment } from './take-payment.ts'

/** The operations of the desk where families pay. */
export const feeDeskRoutes: Route[] = implement(feeDeskOperations, {
  findFamilies: (database, { context, query }) => findFamilies(database, context.tenant.id, query.q),
  readFamily: async (database, { context, query }) => ({
    record: await readFamily(database, context.tenant, query.of, query.id.toLowerCase()),
    entityTag: null,
  }),
  readJointReceipt: (database, { context: { tenant }, query, mediaType }) =>
    readJointReceipt(database, tenant, query.ids.split(','), mediaType === 'application/pdf'),
  takePayment: async (tx, { context, body }) => ({ record: await takePayment(tx, context, body), entityTag: null }),
})
