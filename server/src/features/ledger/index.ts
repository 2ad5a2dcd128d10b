export { type LedgerLine, post, reverse } from './ledger.ts'
