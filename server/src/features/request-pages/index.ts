export { requestPages } from './request-page.ts'
export { requestReceiptComposer } from './request-receipts.ts'
