export {
  cancelFeePayment,
  createFeePayment,
  findFeePayment,
  isOpen,
  lockFeePayment,
  payFee,
} from './fee-payments.ts'
export { overdueJob } from './overdue.ts'
export { paymentRoutes } from './payment-routes.ts'
export { type PaymentRecord, payments } from './payment-store.ts'
export { paymentUpserting } from './payments.ts'
