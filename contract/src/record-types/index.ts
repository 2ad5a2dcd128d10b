import { academicTerm, academicYear } from './academic-calendar.ts'
import { studentAdmission, studentApplicant } from './admissions.ts'
import {
  assessmentCriteria,
  assessmentCriteriaGroup,
  assessmentGroup,
  assessmentPlan,
  assessmentResult,
  gradingScale,
} from './assessment.ts'
import { studentAttendance, studentLeaveApplication } from './attendance.ts'
import { article, course, topic } from './courses.ts'
import { emailGroup, emailGroupMember } from './email-groups.ts'
import { courseActivity, courseEnrollment, programEnrollment } from './enrollment.ts'
import { feeCategory, feeSchedule, feeStructure, fees, paymentRecord } from './fees.ts'
import { file } from './files.ts'
import { studentGroup } from './groups.ts'
import { guardian } from './guardians.ts'
import { instructor } from './instructors.ts'
import {
  account,
  company,
  costCenter,
  country,
  currency,
  department,
  designation,
  employee,
  gender,
  glEntry,
  holidayList,
  language,
} from './organisation.ts'
import { role, user } from './people.ts'
import { program } from './programs.ts'
import { question, quiz, quizActivity } from './quizzes.ts'
import type { RecordType } from './record-type.ts'
import { educationSettings } from './settings.ts'
import { schoolHouse, student, studentBatchName, studentCategory, studentLanguage, studentLog } from './students.ts'
import { courseSchedule, room } from './timetable.ts'
import {
  assessmentResultTool,
  courseSchedulingTool,
  programEnrollmentTool,
  studentAttendanceTool,
  studentGroupCreationTool,
  studentReportGenerationTool,
} from './tools.ts'

/** Every type of record of the Resource and Method API that stands by itself; the types of rows hang on them. */
export const recordTypes: readonly RecordType[] = [
  student,
  guardian,
  studentCategory,
  studentLanguage,
  studentBatchName,
  schoolHouse,
  studentLog,
  studentAdmission,
  studentApplicant,
  program,
  course,
  topic,
  article,
  academicYear,
  academicTerm,
  programEnrollment,
  courseEnrollment,
  courseActivity,
  question,
  quiz,
  quizActivity,
  studentGroup,
  emailGroup,
  emailGroupMember,
  instructor,
  room,
  courseSchedule,
  studentAttendance,
  studentLeaveApplication,
  feeCategory,
  feeStructure,
  feeSchedule,
  fees,
  paymentRecord,
  gradingScale,
  assessmentGroup,
  assessmentCriteriaGroup,
  assessmentCriteria,
  assessmentPlan,
  assessmentResult,
  educationSettings,
  courseSchedulingTool,
  programEnrollmentTool,
  studentGroupCreationTool,
  studentAttendanceTool,
  assessmentResultTool,
  studentReportGenerationTool,
  company,
  account,
  costCenter,
  glEntry,
  currency,
  country,
  language,
  gender,
  department,
  designation,
  employee,
  holidayList,
  user,
  role,
  file,
]

export * from './academic-calendar.ts'
export * from './admissions.ts'
export * from './assessment.ts'
export * from './attendance.ts'
export * from './courses.ts'
export * from './email-groups.ts'
export * from './enrollment.ts'
export * from './fees.ts'
export * from './files.ts'
export * from './groups.ts'
export * from './guardians.ts'
export * from './instructors.ts'
export * from './organisation.ts'
export * from './people.ts'
export * from './programs.ts'
export * from './quizzes.ts'
export * from './record-type.ts'
export * from './settings.ts'
export * from './students.ts'
export * from './timetable.ts'
export * from './tools.ts'
