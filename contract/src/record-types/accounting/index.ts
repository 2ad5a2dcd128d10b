export * from './billing.ts'
export * from './fees.ts'
export * from './invoices.ts'
