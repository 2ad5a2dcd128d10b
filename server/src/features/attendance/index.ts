import { studentAttendanceTool } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { studentAttendanceRecord } from './student-attendance.ts'
import { studentLeaveRecord } from './student-leave.ts'

export { attendanceMethods } from './attendance-methods.ts'
export { findHolidays, institutionHolidays } from './holidays.ts'

/** The record types of attendance. */
export const attendanceRecords: readonly RecordDefinition[] = [
  studentAttendanceRecord,
  studentLeaveRecord,
  defineRecord(studentAttendanceTool, { isForm: true }),
]
