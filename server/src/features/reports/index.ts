export { reportMethods } from './report-methods.ts'
