export { reportCardMethods } from './report-card-methods.ts'
