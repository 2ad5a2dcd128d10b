import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { addContractFormats } from '../http/operations/formats.ts'
import { buildRecordOpenApi } from '../resource-api/reference/record-openapi.ts'
import { records } from '../testing/fixtures/all-records.ts'
import { aRecordCaller } from '../testing/fixtures/factories.ts'
import type { RecordResponse } from '../testing/fixtures/record-caller.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant({ name: 'Hillside College' })
const caller = await aRecordCaller(service, tenant)
const year = '2026-27'
const term = `${year} (Autumn)`

async function make(type: string, fields: object) {
  const { status, body, text } = await caller.post(`/api/resource/${encodeURIComponent(type)}`, fields)
  assert.equal(status, 200, `${type}: ${text}`)
  return body.data
}

await make('Academic Year', { academic_year_name: year, year_start_date: '2026-08-01', year_end_date: '2027-07-31' })
await make('Academic Term', {
  academic_year: year,
  term_name: 'Autumn',
  term_start_date: '2026-08-01',
  term_end_date: '2026-12-20',
})
await make('Course', { course_name: 'Optics' })
await make('Program', { program_name: 'Physics', courses: [{ course: 'Optics' }] })
await make('Program', { program_name: 'Arts' })
const student = await make('Student', { first_name: 'Ada', last_name: 'Lovelace' })
const enrollment = await make('Program Enrollment', {
  student: student.name,
  program: 'Physics',
  academic_year: year,
  academic_term: term,
  enrollment_date: '2026-08-15',
  docstatus: 1,
})
await make('Fee Category', { category_name: 'Tuition' })
const structure = await make('Fee Structure', {
  program: 'Physics',
  academic_year: year,
  academic_term: term,
  docstatus: 1,
  components: [{ fees_category: 'Tuition', amount: 900 }],
})
await make('Student Group', {
  student_group_name: 'Physics 1',
  group_based_on: 'Activity',
  academic_year: year,
  program: 'Physics',
  students: [{ student: student.name }],
})

test('POST /api/resource/Fees makes a draft', async () => {
  const fee = {
    student: student.name,
    program_enrollment: enrollment.name,
    fee_structure: structure.name,
    company: 'Hillside College',
    posting_date: '2026-09-01',
    due_date: '2026-09-30',
    receivable_account: 'Debtors',
    components: [{ fees_category: 'Tuition', description: 'Autumn', amount: 900 }],
    academic_year: year,
    academic_term: term,
  }
  const { status, body } = await caller.post('/api/resource/Fees', fee)
  assert.equal(status, 200)
  assert.equal(body.data.docstatus, 0)
  assert.equal(body.data.components[0].amount, 900)
  assert.equal(body.data.components[0].description, 'Autumn')
  const { program_enrollment: _, ...unenrolled } = fee
  const rejected = await caller.post('/api/resource/Fees', unenrolled)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
  assert.match(rejected.body.exception, /Set student and program_enrollment/)
})

test('PUT /api/resource/Education%20Settings/Education%20Settings changes any of its fields', async () => {
  const settings = {
    current_academic_year: year,
    current_academic_term: term,
    attendance_freeze_date: '2026-08-31',
    validate_batch: 0,
    validate_course: 0,
    instructor_created_by: 'User',
  }
  const { status, body } = await caller.put('/api/resource/Education%20Settings/Education%20Settings', settings)
  assert.equal(status, 200)
  for (const [field, value] of Object.entries(settings)) assert.equal(body.data[field], value, field)
  const read = await caller.get('/api/resource/Education%20Settings/Education%20Settings')
  assert.equal(read.body.data.attendance_freeze_date, '2026-08-31')
})

test('POST /api/resource/Instructor makes an instructor without an employee', async () => {
  const { status, body } = await caller.post('/api/resource/Instructor', {
    instructor_name: 'Grace Hopper',
    gender: 'Female',
    department: 'Computing',
    status: 'Active',
  })
  assert.equal(status, 200)
  assert.equal(body.data.name, 'Grace Hopper')
  assert.equal(body.data.department, 'Computing')
  const nameless = await caller.post('/api/resource/Instructor', { status: 'Active' })
  assert.equal(nameless.status, 417)
})

test('POST /api/resource/School%20House makes a house of a unique name', async () => {
  const house = { house_name: 'Red', description: 'By the river' }
  const { status, body } = await caller.post('/api/resource/School%20House', house)
  assert.equal(status, 200)
  assert.equal(body.data.name, 'Red')
  assert.equal(body.data.description, 'By the river')
  const again = await caller.post('/api/resource/School%20House', house)
  assert.deepEqual([again.status, again.body.exc_type], [409, 'DuplicateEntryError'])
  const nameless = await caller.post('/api/resource/School%20House', { house_name: ' ' })
  assert.deepEqual([nameless.status, nameless.body.exc_type], [417, 'ValidationError'])
  assert.match(nameless.body.exception, /Set house_name/)
})

test('PUT /api/resource/Student%20Attendance/<attendance_id> with docstatus 1 submits it', async () => {
  const draft = await make('Student Attendance', {
    student: student.name,
    student_group: 'Physics 1',
    date: '2026-10-05',
    status: 'Present',
  })
  assert.equal(draft.docstatus, 0)
  const { status, body } = await caller.put(`/api/resource/Student%20Attendance/${draft.name}`, { docstatus: 1 })
  assert.equal(status, 200)
  assert.equal(body.data.docstatus, 1)
})

test('POST …report_card.get_student_report_card gives the grade report of a student', async () => {
  const { status, body } = await caller.post('/api/method/education.education.report_card.get_student_report_card', {
    student: student.name,
    academic_year: year,
    academic_term: term,
  })
  assert.equal(status, 200)
  assert.equal(body.message.student, student.name)
  assert.equal(body.message.student_name, 'Ada Lovelace')
  assert.equal(body.message.attendance.present, 1)
  assert.deepEqual(body.message.courses, [])
})

test('POST …api.get_fee_structure gives the structure of a program and a term', async () => {
  const args = { program: 'Physics', academic_term: term }
  const { status, body } = await caller.post('/api/method/education.education.api.get_fee_structure', args)
  assert.deepEqual([status, body], [200, { message: structure.name }])
})

test('POST …api.get_student_group_students gives the students of a group', async () => {
  const path = '/api/method/education.education.api.get_student_group_students'
  const { status, body } = await caller.post(path, { student_group: 'Physics 1', include_inactive: 0 })
  assert.deepEqual([status, body], [200, { message: [{ student: student.name, student_name: 'Ada Lovelace' }] }])
})

test('POST …course.get_programs_without_course gives the programs that lack a course', async () => {
  const path = '/api/method/education.education.doctype.course.course.get_programs_without_course'
  const { status, body } = await caller.post(path, { course: 'Optics' })
  assert.deepEqual([status, body], [200, { message: ['Arts'] }])
})

const document = buildRecordOpenApi(
  service.address,
  records.registry.all().map(({ type }) => type),
  [...records.methods.values()],
)
const ajv = new Ajv2020({ allErrors: true, strict: false })
addContractFormats(ajv)
ajv.addSchema(document, 'document')

/** Fails unless an answer is what the OpenAPI document says of an operation. */
function assertDescribed(response: RecordResponse, path: string, verb: string): void {
  assert.equal(response.status, 200, response.text)
  const pointer = ['paths', path, verb, 'responses', '200', 'content', 'application/json', 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const validate = ajv.getSchema(`document#/${pointer}`)
  assert.ok(validate !== undefined, `${verb} ${path}`)
  assert.ok(
    validate(response.body),
    `${verb} ${path}: ${ajv.errorsText(validate.errors)} in ${response.text.slice(0, 500)}`,
  )
}

test('the OpenAPI document says what the nine operations, reads and lists really answer', async () => {
  const house = await caller.post('/api/resource/School%20House', { house_name: 'Green' })
  assertDescribed(house, '/api/resource/School%20House', 'post')
  const settings = '/api/resource/Education%20Settings'
  assertDescribed(await caller.put(`${settings}/Education%20Settings`, {}), `${settings}/{name}`, 'put')
  const instructor = await caller.post('/api/resource/Instructor', { instructor_name: 'Lise Meitner' })
  assertDescribed(instructor, '/api/resource/Instructor', 'post')
  for (const type of ['Fees', 'Student Attendance', 'Student', 'Program', 'Fee Structure', 'GL Entry']) {
    const path = `/api/resource/${encodeURIComponent(type)}`
    const list = await caller.get(`${path}?fields=["*"]`)
    assertDescribed(list, path, 'get')
    for (const { name } of list.body.data) assertDescribed(await caller.get(`${path}/${name}`), `${path}/{name}`, 'get')
  }
  for (const [method, args] of [
    ['report_card.get_student_report_card', { student: student.name, academic_year: year }],
    ['api.get_fee_structure', { program: 'Physics', academic_term: term }],
    ['api.get_fee_structure', { program: 'Physics', academic_term: term, as_dict: 1 }],
    ['api.get_fee_structure', { program: 'Nothing' }],
    ['api.get_student_group_students', { student_group: 'Physics 1' }],
    ['doctype.course.course.get_programs_without_course', { course: 'Optics' }],
  ] as const) {
    const path = `/api/method/education.education.${method}`
    assertDescribed(await caller.post(path, args), path, 'post')
  }
})
