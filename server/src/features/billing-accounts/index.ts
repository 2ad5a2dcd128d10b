export { billingRecords } from './billing-records.ts'
export { billingRoutes } from './billing-routes.ts'
export {
  type BillingSettings,
  billingSettingErrors,
  billingSettings,
  loadBillingSettings,
  saveBillingSettings,
} from './billing-settings.ts'
export { loadBooks } from './obligations/books.ts'
export { chargeOlderJob } from './settlement/charge-older-job.ts'
export { cancelFeeObligations, chargeFee, payFeeByCard } from './settlement/fee-obligations.ts'
export { paymentFollower } from './settlement/follow-payments.ts'
