export { requestPages } from './request-page.ts'
