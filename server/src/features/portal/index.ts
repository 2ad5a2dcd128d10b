export { portalMethods } from './portal-methods.ts'
