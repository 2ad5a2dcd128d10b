import type { Sql } from '../../database/index.ts'
import { contactAssociations, contacts } from './contacts.ts'
import { lessonAttendance, schoolAttendance } from './student-attendance.ts'
import { enrollments, studentsAtSchool } from './student-enrollments.ts'
import { students } from './students.ts'

/** One kind of elements of an interchange. */
export interface InterchangePart<Row extends object = never> {
  /** The rows, read one after the other. */
  readonly select: (tenantId: string) => Sql
  /** The element of a row. */
  readonly toXml: (row: Row, schoolId: number) => string
  readonly name: string
}

/** The documents of an export, by the name of their root element (Ed-Fi Data Standard 5.2, bulk interchange). */
export const interchanges: Readonly<Record<string, readonly InterchangePart[]>> = {
  InterchangeStudent: [students],
  InterchangeContact: [contacts, contactAssociations],
  InterchangeStudentEnrollment: [enrollments, studentsAtSchool],
  InterchangeStudentAttendance: [schoolAttendance, lessonAttendance],
}
