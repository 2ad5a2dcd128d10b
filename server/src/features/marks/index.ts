import { markCorrection } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { marksPostingRecord } from './marks-posting.ts'
import { transferCreditRecord } from './transfer-credit.ts'

export { marksMethods } from './marks-methods.ts'

/** The record types of posted marks. */
export const marksRecords: readonly RecordDefinition[] = [
  marksPostingRecord,
  defineRecord(markCorrection, { isWrittenByService: true }),
  transferCreditRecord,
]
