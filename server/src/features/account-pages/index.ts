export { accountPages } from './account-pages.ts'
