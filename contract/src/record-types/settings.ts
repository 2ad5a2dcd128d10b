import { recordType } from './record-type.ts'

export const educationSettings = recordType({
  name: 'Education Settings',
  plural: 'education_settings',
  summary: 'How the institution runs its academic side.',
  kind: 'single',
  naming: { by: 'type' },
  permissions: {
    'System Manager': ['read', 'write', 'create', 'delete'],
    'Education Manager': ['read', 'write', 'create', 'delete'],
    Guest: ['read'],
  },
  fields: {
    current_academic_year: { type: 'Link', label: 'Current Academic Year', target: 'Academic Year' },
    current_academic_term: { type: 'Link', label: 'Current Academic Term', target: 'Academic Term' },
    attendance_freeze_date: { type: 'Date', label: 'Attendance Freeze Date' },
    validate_batch: { type: 'Check', label: 'Validate Batch for Students in Student Group', default: 0 },
    validate_course: { type: 'Check', label: 'Validate Enrolled Course for Students in Student Group', default: 0 },
    academic_term_reqd: { type: 'Check', label: 'Make Academic Term Mandatory', default: 0 },
    user_creation_skip: { type: 'Check', label: 'Skip User creation for new Student', default: 0 },
    create_so: { type: 'Check', label: 'Create Sales Order instead of Sales Invoice', default: 0 },
    auto_submit_sales_invoice: {
      type: 'Check',
      label: 'Submit Sales Invoice from Program Enrollment / Fee Schedule',
      default: 0,
    },
    sales_invoice_posting_date_fee_schedule: {
      type: 'Check',
      label: 'Sales Invoice Posting Date should be same as Fee Schedule Posting Date',
      default: 1,
    },
    auto_submit_sales_order: {
      type: 'Check',
      label: 'Submit Sales Order from Program Enrollment / Fee Schedule',
      default: 0,
    },
    sales_order_transaction_date_fee_schedule: {
      type: 'Check',
      label: 'Sales Order Posting Date should be same as Fee Schedule Posting Date',
      default: 1,
    },
    instructor_created_by: {
      type: 'Select',
      label: 'Instructor Records to be created by',
      options: ['Full Name', 'Naming Series', 'Employee Number', 'User', 'Employee', 'Instructor'],
      default: 'Full Name',
    },
    attendance_based_on_course_schedule: { type: 'Check', label: 'Attendance Based on Course Schedule', default: 0 },
    razorpay_key: { type: 'Data', label: 'Razorpay Key' },
    razorpay_secret: { type: 'Password', label: 'Razorpay Secret' },
    school_college_name_abbreviation: { type: 'Data', label: 'School / College Name Abbreviation' },
    school_college_logo: { type: 'Attach Image', label: 'School / College Logo' },
    validate_attendance_year: { type: 'Check', label: 'Validate Attendance Year', default: 0 },
    welcome_new_students: { type: 'Check', label: 'Mail New Students a Link to Set a Password', default: 0 },
    private_uploads: { type: 'Check', label: 'Keep Uploads Private Unless Said Otherwise', default: 0 },
    strict_links: { type: 'Check', label: 'Strict Links', default: 0 },
  },
})
