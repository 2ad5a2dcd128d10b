import { issuedReportCard, studentReportGenerationTool } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'

export { issueReportCards } from './issue-report-cards.ts'
export { loadReportCards } from './load-report-cards.ts'
export { CardPrinter, cardPrintsJob } from './prints/card-printer.ts'
export { cardPrintRoutes } from './prints/print-routes.ts'
export type { ReportCard, ReportPeriod } from './report-card.ts'
export { reportCardMethods } from './report-card-methods.ts'

/** The form that asks for a printed report card, with what was filled in last, and the cards that were issued. */
export const reportCardRecords: readonly RecordDefinition[] = [
  defineRecord(studentReportGenerationTool, { isForm: true }),
  defineRecord(issuedReportCard, { isWrittenByService: true }),
]
