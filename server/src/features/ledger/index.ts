export { type LedgerLine, post, reverse, type Voucher } from './ledger.ts'
