import { student, studentLog } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { studentStorage } from './student-record-storage.ts'
import { studentRules } from './student-rules.ts'

/** Students, by what they are grouped, and what is noted about them. */
export const studentRecords: readonly RecordDefinition[] = [
  defineRecord(student, {
    rules: studentRules,
    storage: studentStorage,
    indexes: [['name'], ['creation'], ['enabled', 'modified']],
  }),
  defineRecord(studentLog, { rules: { validate: [requireTermOfYear] } }),
]
