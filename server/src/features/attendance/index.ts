import { studentAttendanceTool } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { attendanceCodeRecord } from './attendance-codes.ts'
import { studentAttendanceRecord } from './student-attendance.ts'
import { studentLeaveRecord } from './student-leave.ts'

export { seedAttendanceCodes } from './attendance-codes.ts'
export { attendanceMethods } from './attendance-methods.ts'
export { type DayRule, type DayTotal, getAttendanceTotals, getDayTotal } from './day-totals.ts'
export { findHolidays, institutionHolidays } from './holidays.ts'
export { loadDayRule, marksWhere, type StudentMark } from './read-marks.ts'
export { rollCallRoutes } from './roll-calls/roll-call-routes.ts'

/** The record types of attendance. */
export const attendanceRecords: readonly RecordDefinition[] = [
  attendanceCodeRecord,
  studentAttendanceRecord,
  studentLeaveRecord,
  defineRecord(studentAttendanceTool, { isForm: true }),
]
