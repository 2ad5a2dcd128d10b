export { guardianMethods } from './guardian-methods.ts'
export { guardianRecords } from './guardian-records.ts'
