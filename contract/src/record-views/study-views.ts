import * as types from '../record-types/declared.ts'
import { recordView } from './record-view.ts'

/** What is taught, to whom, when, with what result and for which money. */
export const studyViews = [
  recordView(types.program, {
    columns: ['program_abbreviation', 'department', 'allow_self_enroll'],
    quickFilters: ['department'],
    related: [
      [types.programEnrollment, 'program'],
      [types.studentGroup, 'program'],
      [types.studentApplicant, 'program'],
      [types.feeStructure, 'program'],
    ],
  }),
  recordView(types.course, {
    columns: ['department', 'default_grading_scale'],
    quickFilters: ['department'],
    related: [
      [types.courseSchedule, 'course'],
      [types.studentGroup, 'course'],
      [types.assessmentPlan, 'course'],
    ],
  }),
  recordView(types.programEnrollment, {
    columns: ['student_name', 'program', 'academic_year', 'student_batch_name', 'enrollment_date'],
    quickFilters: ['program', 'academic_year', 'student_batch_name'],
    sections: [
      {
        title: 'Course of study',
        fields: [
          'student',
          'student_name',
          'program',
          'academic_year',
          'academic_term',
          'enrollment_date',
          'student_batch_name',
          'student_category',
          'school_house',
          'boarding_student',
        ],
      },
    ],
  }),
  recordView(types.studentGroup, {
    columns: ['group_based_on', 'academic_year', 'program', 'course', 'max_strength', 'disabled'],
    quickFilters: ['academic_year', 'program', 'course', 'disabled'],
    sections: [
      {
        title: 'Course of study',
        fields: [
          'student_group_name',
          'group_based_on',
          'academic_year',
          'academic_term',
          'program',
          'course',
          'batch',
          'student_category',
          'max_strength',
          'disabled',
        ],
      },
      { title: 'People', fields: ['students', 'instructors'] },
    ],
    related: [
      [types.courseSchedule, 'student_group'],
      [types.studentAttendance, 'student_group'],
      [types.assessmentPlan, 'student_group'],
    ],
  }),
  recordView(types.courseSchedule, {
    columns: ['course', 'student_group', 'instructor_name', 'room', 'schedule_date', 'from_time', 'to_time'],
    quickFilters: ['schedule_date', 'student_group', 'room'],
    sections: [
      { title: 'Course of study', fields: ['student_group', 'course', 'program', 'instructor', 'instructor_name'] },
      { title: 'Time and place', fields: ['schedule_date', 'from_time', 'to_time', 'room', 'class_schedule_color'] },
    ],
  }),
  recordView(types.studentAttendance, {
    columns: ['student_name', 'date', 'status', 'student_group'],
    quickFilters: ['status', 'date', 'student_group'],
  }),
  recordView(types.assessmentPlan, {
    columns: ['student_group', 'course', 'schedule_date', 'maximum_assessment_score'],
    quickFilters: ['academic_year', 'course', 'student_group'],
    sections: [
      {
        title: 'Course of study',
        fields: [
          'assessment_name',
          'student_group',
          'assessment_group',
          'course',
          'program',
          'academic_year',
          'academic_term',
          'grading_scale',
        ],
      },
      {
        title: 'Time and place',
        fields: ['schedule_date', 'from_time', 'to_time', 'room', 'examiner', 'examiner_name', 'supervisor'],
      },
      { title: 'Result', fields: ['maximum_assessment_score', 'assessment_criteria'] },
    ],
    related: [[types.assessmentResult, 'assessment_plan']],
  }),
  recordView(types.assessmentResult, {
    columns: ['student_name', 'course', 'assessment_group', 'total_score', 'maximum_score', 'grade'],
    quickFilters: ['course', 'academic_year', 'student_group'],
  }),
  recordView(types.fees, {
    columns: ['student_name', 'program', 'posting_date', 'due_date', 'grand_total', 'outstanding_amount'],
    quickFilters: ['program', 'academic_year', 'due_date'],
    sections: [
      {
        title: 'Course of study',
        fields: ['student', 'student_name', 'program_enrollment', 'program', 'academic_year', 'academic_term'],
      },
      { title: 'Dates', fields: ['posting_date', 'due_date'] },
      {
        title: 'Amounts',
        fields: [
          'fee_structure',
          'currency',
          'components',
          'grand_total',
          'outstanding_amount',
          'grand_total_in_words',
        ],
      },
      { title: 'Accounting', fields: ['company', 'receivable_account', 'income_account', 'cost_center'] },
    ],
  }),
  recordView(types.paymentRecord, {
    columns: ['student', 'amount', 'currency', 'status', 'against_invoice'],
    quickFilters: ['status'],
  }),
  recordView(types.academicYear, {
    columns: ['year_start_date', 'year_end_date'],
    related: [[types.academicTerm, 'academic_year']],
  }),
]
