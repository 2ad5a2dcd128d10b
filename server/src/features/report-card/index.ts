import { studentReportGenerationTool } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'

export { reportCardMethods } from './report-card-methods.ts'

/** The form that asks for a printed report card, with what was filled in last. */
export const reportCardRecords: readonly RecordDefinition[] = [
  defineRecord(studentReportGenerationTool, { isForm: true }),
]
