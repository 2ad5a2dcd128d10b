import { computedTypes, recordTypes } from '@matricula/contract/record-types'
import { admissionRecords } from '../features/admissions/index.ts'
import { assessmentRecords } from '../features/assessment/index.ts'
import { attendanceRecords } from '../features/attendance/index.ts'
import { billingRecords } from '../features/billing-accounts/index.ts'
import { calendarRecords } from '../features/calendar/index.ts'
import { courseRecords } from '../features/courses/index.ts'
import { enrollmentRecords } from '../features/enrollment/index.ts'
import { feeRecords } from '../features/fees/index.ts'
import { fileRecords } from '../features/files/index.ts'
import { emailGroupRecords, groupRecords } from '../features/groups/index.ts'
import { guardianRecords } from '../features/guardians/index.ts'
import { instructorRecords } from '../features/instructors/index.ts'
import { marksRecords } from '../features/marks/index.ts'
import { noteRecords } from '../features/notes/index.ts'
import { organisationRecords } from '../features/organisation/index.ts'
import { planningRecords } from '../features/planning/index.ts'
import { programRecords } from '../features/programs/index.ts'
import { quizRecords } from '../features/quizzes/index.ts'
import { reportCardRecords } from '../features/report-card/index.ts'
import { reportRecords } from '../features/reports/index.ts'
import { settingsRecords, siteDefaults } from '../features/settings/index.ts'
import { studentRecords } from '../features/students/index.ts'
import { timetableRecords } from '../features/timetable/index.ts'
import { customFieldRecord, docTypeRecord, RecordRegistry } from '../record-engine/index.ts'

/** Every record type that is declared, with the rules that the features give them. */
export const recordRegistry = new RecordRegistry(
  [...recordTypes, ...computedTypes],
  [
    docTypeRecord,
    customFieldRecord,
    ...organisationRecords,
    ...calendarRecords,
    ...settingsRecords,
    ...programRecords,
    ...courseRecords,
    ...studentRecords,
    ...guardianRecords,
    ...admissionRecords,
    ...enrollmentRecords,
    ...quizRecords,
    ...groupRecords,
    ...emailGroupRecords,
    ...instructorRecords,
    ...timetableRecords,
    ...attendanceRecords,
    ...assessmentRecords,
    ...billingRecords,
    ...feeRecords,
    ...fileRecords,
    ...noteRecords,
    ...planningRecords,
    ...reportCardRecords,
    ...marksRecords,
    ...reportRecords,
  ],
  siteDefaults,
)
