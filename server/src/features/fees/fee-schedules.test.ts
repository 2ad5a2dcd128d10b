import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aSchool, enroll, make, type School, year } from './fee-school.fixture.ts'

const service = await startTestService()

async function aGroup(school: School, size: number): Promise<string[]> {
  const members = await Promise.all(Array.from({ length: size }, () => enroll(school)))
  await make(school.records, 'Student Group', {
    student_group_name: 'Everybody',
    group_based_on: 'Activity',
    academic_year: year,
    program: 'Physics',
    students: members.map(({ student }) => ({ student })),
  })
  return members.map(({ student }) => student)
}

async function aSchedule(school: School, fields = {}) {
  return make(school.records, 'Fee Schedule', {
    fee_structure: school.structure,
    academic_year: year,
    due_date: '2026-10-31',
    company: school.tenant.name,
    student_groups: [{ student_group: 'Everybody' }],
    docstatus: 1,
    ...fields,
  })
}

const runCreateFees = (school: School, name: string) =>
  school.records.post('/api/method/run_doc_method', { dt: 'Fee Schedule', dn: name, method: 'create_fees' })

test('fee schedules: charge every student of their groups once, by pipelined statements', async () => {
  const school = await aSchool(service)
  const members = await aGroup(school, 12)
  const schedule = await aSchedule(school)
  assert.equal(schedule.grand_total, 12 * 1200)
  assert.equal(schedule.student_groups[0].total_students, '12')
  const written = await statementsLike(
    /insert into (fees|fees_components|gl_entries|payments|naming_series) /,
    async () => {
      const created = await runCreateFees(school, schedule.name)
      assert.equal(created.status, 200, created.text)
    },
  )
  // Twelve fees have sixty such rows. Statements that wait for an earlier result may be sent separately.
  assert.ok(written.length >= 6 && written.length <= 24, `${written.length} statements`)
  const fees = await school.records.get(
    `/api/resource/Fees?limit_page_length=0&fields=["student","docstatus"]&filters={"fee_schedule":"${schedule.name}"}`,
  )
  assert.deepEqual(fees.body.data.map(({ student }: { student: string }) => student).sort(), members.sort())
  assert.ok(fees.body.data.every(({ docstatus }: { docstatus: number }) => docstatus === 1))
  const read = await school.records.get(`/api/resource/Fee Schedule/${schedule.name}`)
  assert.equal(read.body.data.fee_creation_status, 'Successful')
  const again = await runCreateFees(school, schedule.name)
  assert.equal(again.status, 417)
  assert.equal((await school.tenant.api.get('/payments?limit=1')).body.pagination.total, 12)
})

test('fee schedules: without the right to submit fees no schedule or enrolment creates any', async () => {
  const school = await aSchool(service)
  const [student] = await aGroup(school, 1)
  const schedule = await aSchedule(school)
  const academics = await aRecordCaller(service, school.tenant, ['Academics User'])
  const rejected = await runCreateFees({ ...school, records: academics }, schedule.name)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
  await make(school.records, 'Program', { program_name: 'Chemistry' })
  const enrollment = { student, program: 'Chemistry', academic_year: year, docstatus: 1 }
  const charged = await academics.post('/api/resource/Program Enrollment', {
    ...enrollment,
    fees: [{ fee_structure: school.structure }],
  })
  assert.deepEqual([charged.status, charged.body.exc_type], [403, 'PermissionError'])
  await make(academics, 'Program Enrollment', enrollment)
  assert.equal((await school.tenant.api.get('/payments?limit=1')).body.pagination.total, 0)
})

test('fee schedules: two concurrent calls create the fees once', async () => {
  const school = await aSchool(service)
  await aGroup(school, 5)
  const schedule = await aSchedule(school)
  const answers = await Promise.all([runCreateFees(school, schedule.name), runCreateFees(school, schedule.name)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 417])
  assert.equal((await school.tenant.api.get('/payments?limit=1')).body.pagination.total, 5)
})

test('fee schedules: a rejected fee leaves none, and the schedule has the reason', async () => {
  const school = await aSchool(service)
  await aGroup(school, 4)
  const schedule = await aSchedule(school)
  await service.database.inspect('update accounts set disabled = 1 where tenant_id = $1 and account_name = $2', [
    school.tenant.id,
    'Fees Income',
  ])
  const rejected = await runCreateFees(school, schedule.name)
  assert.equal(rejected.status, 417)
  const read = await school.records.get(`/api/resource/Fee Schedule/${schedule.name}`)
  assert.deepEqual([read.body.data.fee_creation_status, read.body.data.status], ['Failed', 'Failed'])
  assert.match(read.body.data.error_log, /disabled/)
  const list = await school.records.get('/api/resource/Fees')
  assert.deepEqual(list.body.data, [])
  assert.equal((await school.tenant.api.get('/payments?limit=1')).body.pagination.total, 0)
})

test('discounts: count in the structure, and in the fee created from it', async () => {
  const school = await aSchool(service)
  const structure = await make(school.records, 'Fee Structure', {
    program: 'Physics',
    academic_year: year,
    docstatus: 1,
    components: [{ fees_category: 'Tuition', amount: 1000, discount: 12.5 }],
  })
  assert.equal(structure.total_amount, 875)
  await aGroup(school, 2)
  const schedule = await aSchedule({ ...school, structure: structure.name })
  await runCreateFees(school, schedule.name)
  const { body } = await school.tenant.api.get('/payments?limit=10')
  assert.deepEqual(
    body.data.map(({ amount }: { amount: number }) => amount),
    [875, 875],
  )
})

test('fee schedules: for a program charge its enrolments only, once each', async () => {
  const school = await aSchool(service)
  const { records } = school
  await make(records, 'Program', { program_name: 'Chemistry' })
  const both = await enroll(school)
  const chemistry = { student: both.student, program: 'Chemistry', academic_year: year, docstatus: 1 }
  await make(records, 'Program Enrollment', chemistry)
  const onlyChemistry = await enroll(school, { program: 'Chemistry' })
  const members = [{ student: both.student }, { student: onlyChemistry.student }]
  for (const student_group_name of ['Everybody', 'Choir']) {
    const group = { student_group_name, group_based_on: 'Activity', academic_year: year, students: members }
    await make(records, 'Student Group', group)
  }
  const student_groups = [{ student_group: 'Everybody' }, { student_group: 'Choir' }]
  const schedule = await aSchedule(school, { student_groups })
  assert.deepEqual([schedule.program, schedule.grand_total], ['Physics', 1200])
  const count = await records.get(
    `/api/method/education.education.doctype.fee_schedule.fee_schedule.get_total_students?student_group=Choir&academic_year=${year}&program=Physics`,
  )
  assert.equal(count.body.message, 1)
  const created = await runCreateFees(school, schedule.name)
  assert.deepEqual([created.status, created.body.message?.fees], [200, 1], created.text)
  const fees = await records.get('/api/resource/Fees?fields=["student","program","program_enrollment"]')
  assert.deepEqual(fees.body.data, [{ student: both.student, program: 'Physics', program_enrollment: both.enrollment }])
})

test('get_total_students: returns the number without the right to read enrolments and groups', async () => {
  const school = await aSchool(service)
  await aGroup(school, 3)
  const count = async (role: string, student_group = 'Everybody') => {
    const caller = await aRecordCaller(service, school.tenant, [role])
    const query = new URLSearchParams({ student_group, academic_year: year })
    const path = '/api/method/education.education.doctype.fee_schedule.fee_schedule.get_total_students'
    return { caller, answer: await caller.get(`${path}?${query}`) }
  }
  const { caller, answer: response } = await count('Accounts User')
  assert.deepEqual([response.status, response.body], [200, { message: 3 }])
  for (const type of ['Program Enrollment', 'Student Group']) {
    assert.equal((await caller.get(`/api/resource/${type}`)).status, 403, type)
  }
  assert.deepEqual((await count('Accounts User', 'No such group')).answer.body, { message: 0 })
  for (const role of ['Instructor', 'Admissions Officer', 'Student', 'Guardian']) {
    const rejected = (await count(role)).answer
    assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'], role)
  }
})

test('fee schedules: fourteen run concurrently while other requests are served', async () => {
  const school = await aSchool(service)
  await aGroup(school, 3)
  const schedules = await Promise.all(Array.from({ length: 14 }, () => aSchedule(school)))
  const other = await service.tenant()
  const charging = Promise.all(schedules.map(({ name }) => runCreateFees(school, name)))
  const created = await other.api.post('/students', { fullName: 'Ada' })
  assert.equal(created.status, 201)
  for (const { status, text } of await charging) assert.equal(status, 200, text)
  assert.equal((await school.tenant.api.get('/payments?limit=1')).body.pagination.total, 42)
})
