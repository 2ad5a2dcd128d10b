export { chargeEnrollment, setFeeAmounts } from './enrollment-fees.ts'
export { feeMethods } from './fee-methods.ts'
export { feeRecords } from './fee-records.ts'
export { settleFee } from './settle-fee.ts'
