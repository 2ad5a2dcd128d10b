import { billingAccountOperations } from './accounts.ts'
import { bankStatementOperations } from './bank-statements.ts'
import { directDebitOperations } from './direct-debits.ts'
import { billingDocumentOperations } from './documents.ts'
import { dunningOperations } from './dunning.ts'
import { obligationOperations } from './obligations.ts'
import { payoutOperations } from './payouts.ts'
import { receiptOperations } from './receipts.ts'
import { billingReportOperations } from './reports.ts'

export * from './accounts.ts'
export * from './amounts.ts'
export * from './bank-statements.ts'
export * from './direct-debits.ts'
export * from './documents.ts'
export * from './dunning.ts'
export * from './obligations.ts'
export * from './payouts.ts'
export * from './receipts.ts'
export * from './reports.ts'

/** The operations of billing accounts. */
export const billingOperations = {
  ...billingAccountOperations,
  ...obligationOperations,
  ...receiptOperations,
  ...payoutOperations,
  ...billingDocumentOperations,
  ...bankStatementOperations,
  ...billingReportOperations,
  ...dunningOperations,
  ...directDebitOperations,
}
