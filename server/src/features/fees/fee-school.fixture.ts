import assert from 'node:assert/strict'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import type { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import type { TestService, TestTenant } from '../../testing/fixtures/test-service.ts'

/** The academic year of the seeded schools. */
export const year = '2026-27'

/** A tenant with its caller and a submitted fee structure. */
export interface School {
  readonly tenant: TestTenant
  readonly records: RecordCaller
  readonly structure: string
}

/** Creates a record and asserts success. */
export async function make(records: RecordCaller, type: string, fields: object) {
  const { status, body, text } = await records.post(`/api/resource/${encodeURIComponent(type)}`, fields)
  assert.equal(status, 200, `${type}: ${text}`)
  return body.data
}

/** A tenant with a year, a program and a submitted fee structure of 1 000 and 200. */
export async function aSchool(service: TestService, settings = {}): Promise<School> {
  const tenant = await service.tenant(settings)
  const records = await aRecordCaller(service, tenant)
  await make(records, 'Academic Year', {
    academic_year_name: year,
    year_start_date: '2026-08-01',
    year_end_date: '2027-07-31',
  })
  await make(records, 'Program', { program_name: 'Physics' })
  for (const category_name of ['Tuition', 'Laboratory']) await make(records, 'Fee Category', { category_name })
  const structure = await make(records, 'Fee Structure', {
    program: 'Physics',
    academic_year: year,
    docstatus: 1,
    components: [
      { fees_category: 'Tuition', amount: 1000 },
      { fees_category: 'Laboratory', amount: 200 },
    ],
  })
  assert.equal(structure.total_amount, 1200)
  return { tenant, records, structure: structure.name }
}

let students = 0

/** An enrolled student, with the name of the enrolment. */
export async function enroll({ records }: School, fields = {}): Promise<{ student: string; enrollment: string }> {
  students += 1
  const student = await make(records, 'Student', { first_name: 'Ada', last_name: `Number ${students}` })
  const enrollment = await make(records, 'Program Enrollment', {
    student: student.name,
    program: 'Physics',
    academic_year: year,
    enrollment_date: '2026-08-15',
    docstatus: 1,
    ...fields,
  })
  return { student: student.name, enrollment: enrollment.name }
}

/** The fields of a student's fee of 1 200. */
export function feeFields(
  school: School,
  { student, enrollment }: { student: string; enrollment: string },
  fields = {},
) {
  return {
    student,
    program_enrollment: enrollment,
    fee_structure: school.structure,
    company: school.tenant.name,
    posting_date: '2026-09-01',
    due_date: '2026-09-30',
    receivable_account: 'Debtors',
    components: [
      { fees_category: 'Tuition', description: 'Autumn', amount: 1000 },
      { fees_category: 'Laboratory', amount: 200 },
    ],
    ...fields,
  }
}
