import { contactAssociations, contacts } from './contacts.ts'
import type { InterchangePart } from './interchange-part.ts'
import { lessonAttendance, schoolAttendance } from './student-attendance.ts'
import { enrollments, studentsAtSchool } from './student-enrollments.ts'
import { students } from './students.ts'

/** The documents of an export, by the name of their root element (Ed-Fi Data Standard 5.2, bulk interchange). */
export const interchanges: Readonly<Record<string, readonly InterchangePart[]>> = {
  InterchangeStudent: [students],
  InterchangeContact: [contacts, contactAssociations],
  InterchangeStudentEnrollment: [enrollments, studentsAtSchool],
  InterchangeStudentAttendance: [schoolAttendance, lessonAttendance],
}
