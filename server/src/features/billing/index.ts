export { billingMethods } from './billing-methods.ts'
