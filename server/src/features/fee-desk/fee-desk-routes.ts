import { feeDeskOperations } from '@matricula/contract'
import { implement, mayUse, type Route, requireUse } from '../../http/index.ts'
import { readFamily } from './family.ts'
import { findFamilies } from './find-families.ts'
import { readJointReceipt } from './joint-receipt.ts'
import { takePayment } from './take-payment.ts'

/** The operations of the desk where families pay. */
export const feeDeskRoutes: Route[] = implement(feeDeskOperations, {
  findFamilies: (database, { context, query }) =>
    findFamilies(database, context.tenant.id, query.q, mayUse(context.caller, 'students:read')),
  readFamily: async (database, { context, query: { of, id } }) => {
    // Who is a guardian of whom stands in the records of students.
    if (of === 'guardian') requireUse(context.caller, 'students:read')
    const showsSiblings = mayUse(context.caller, 'students:read')
    return {
      record: await readFamily(database, context.tenant, { of, id: id.toLowerCase() }, showsSiblings),
      entityTag: null,
    }
  },
  readJointReceipt: (database, { context: { tenant }, query, mediaType }) =>
    readJointReceipt(database, tenant, query.ids.split(','), mediaType === 'application/pdf'),
  takePayment: async (tx, { context, body }) => ({ record: await takePayment(tx, context, body), entityTag: null }),
})
