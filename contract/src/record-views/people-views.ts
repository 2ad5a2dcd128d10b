import * as types from '../record-types/declared.ts'
import { recordView } from './record-view.ts'

const address = { title: 'Address' } as const

/** Students, their families, those who apply, and the staff. */
export const peopleViews = [
  recordView(types.student, {
    columns: ['_student_group', '_program', 'student_mobile_number', 'enabled'],
    quickFilters: ['_student_group', '_program', 'enabled'],
    sections: [
      {
        title: 'Person',
        fields: [
          'first_name',
          'middle_name',
          'last_name',
          'date_of_birth',
          'gender',
          'nationality',
          'blood_group',
          'joining_date',
          'enabled',
        ],
      },
      { title: 'Contact', fields: ['student_email_id', 'student_mobile_number', 'user'] },
      { ...address, fields: ['address_line_1', 'address_line_2', 'city', 'state', 'pincode', 'country'] },
      { title: 'Family', fields: ['guardians', 'siblings'] },
      { title: 'Leaving', fields: ['date_of_leaving', 'leaving_certificate_number', 'reason_for_leaving'] },
    ],
    related: [
      [types.programEnrollment, 'student'],
      [types.courseEnrollment, 'student'],
      [types.fees, 'student'],
      [types.studentAttendance, 'student'],
      [types.assessmentResult, 'student'],
      [types.studentLog, 'student'],
      [types.studentLeaveApplication, 'student'],
    ],
  }),
  recordView(types.studentApplicant, {
    columns: ['program', 'academic_year', 'application_status', 'application_date', 'student_email_id', 'paid'],
    quickFilters: ['application_status', 'program', 'academic_year'],
    sections: [
      {
        title: 'Course of study',
        fields: [
          'program',
          'academic_year',
          'academic_term',
          'student_admission',
          'student_category',
          'application_date',
          'application_status',
          'paid',
          'student',
        ],
      },
      {
        title: 'Person',
        fields: ['first_name', 'middle_name', 'last_name', 'date_of_birth', 'gender', 'nationality', 'blood_group'],
      },
      { title: 'Contact', fields: ['student_email_id', 'student_mobile_number'] },
      { ...address, fields: ['address_line_1', 'address_line_2', 'city', 'state', 'pincode', 'country'] },
      { title: 'Family', fields: ['guardians', 'siblings'] },
    ],
  }),
  recordView(types.guardian, {
    columns: ['email_address', 'mobile_number', 'occupation'],
    sections: [
      { title: 'Person', fields: ['guardian_name', 'date_of_birth', 'education', 'occupation', 'designation'] },
      { title: 'Contact', fields: ['email_address', 'mobile_number', 'alternate_number', 'work_address', 'user'] },
      { title: 'Family', fields: ['students', 'interests', 'customer'] },
    ],
  }),
  recordView(types.instructor, {
    columns: ['department', 'employee', 'status'],
    quickFilters: ['status', 'department'],
    related: [[types.courseSchedule, 'instructor']],
  }),
  recordView(types.employee, {
    columns: ['designation', 'department', 'user_id', 'status'],
    quickFilters: ['status', 'department'],
    sections: [
      {
        title: 'Person',
        fields: ['first_name', 'middle_name', 'last_name', 'gender', 'date_of_birth', 'date_of_joining', 'status'],
      },
      { title: 'Contact', fields: ['company_email', 'cell_number', 'user_id'] },
    ],
  }),
  recordView(types.user, {
    columns: ['full_name', 'user_type', 'enabled'],
    quickFilters: ['enabled', 'user_type'],
    sections: [
      { title: 'Person', fields: ['email', 'first_name', 'middle_name', 'last_name', 'username', 'enabled'] },
      { title: 'Contact', fields: ['mobile_no', 'language', 'time_zone'] },
    ],
  }),
]
