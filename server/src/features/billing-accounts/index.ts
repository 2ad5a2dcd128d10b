export { accounts as billingAccounts } from './accounts/account-store.ts'
export { billingRecords } from './billing-records.ts'
export { billingRoutes } from './billing-routes.ts'
export {
  billingSettingErrors,
  billingSettings,
  loadBillingSettings,
  saveBillingSettings,
} from './billing-settings.ts'
export { directDebits } from './direct-debits/direct-debit-store.ts'
export { writeInitiation } from './direct-debits/initiation-file.ts'
export { giveDiscounts } from './discounts/give-discounts.ts'
export { dunningMailComposer } from './dunning/notice-mail.ts'
export { entryMethods } from './invoices/entry-methods.ts'
export { loadInvoiceLetter } from './letters/invoice-letter.ts'
export { printJointReceipt } from './letters/print-joint-receipt.ts'
export { loadBooks } from './obligations/books.ts'
export { lockObligations } from './obligations/lock-obligations.ts'
export { receipts } from './receipts/receipt-store.ts'
export { createReceipt } from './receipts/receipts.ts'
export { listAgeing } from './reports/ageing.ts'
export { journalFile } from './reports/journal.ts'
export { readStatement } from './reports/statement.ts'
export { chargeOlderJob } from './settlement/charge-older-job.ts'
export { cancelFeeObligations, chargeFee, payFeeByCard } from './settlement/fee-obligations.ts'
export { paymentFollower } from './settlement/follow-payments.ts'
export { findInvoiceOfFee } from './settlement/invoice-of-fee.ts'
export { refundCardReceipts } from './settlement/refund-card.ts'
