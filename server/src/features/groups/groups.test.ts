import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const seededTenant = await seedTenant(service)

let counter = 0
function group({ resourceClient, year }: SeededTenant, fields: object) {
  counter += 1
  const basis = { student_group_name: `Group ${counter}`, academic_year: year, group_based_on: 'Activity' }
  return resourceClient.create('Student Group', { ...basis, ...fields })
}

async function refused(fields: object, pattern: RegExp) {
  const made = await group(seededTenant, fields)
  assert.deepEqual([made.status, made.error], [417, 'ValidationError'])
  assert.match(made.told, pattern)
}

test('a group based on a course names it, and with a batch the program too', async () => {
  await refused({ group_based_on: 'Course' }, /Course/)
  await seededTenant.resourceClient.make('Student Batch Name', { batch_name: 'Blue' })
  await refused({ group_based_on: 'Course', course: seededTenant.courses[0], batch: 'Blue' }, /Program/)
  assert.equal((await group(seededTenant, { group_based_on: 'Course', course: seededTenant.courses[0] })).error, null)
})

test('a group based on a batch names the program', async () => {
  await refused({ group_based_on: 'Batch' }, /Program/)
  assert.equal((await group(seededTenant, { group_based_on: 'Batch', program: seededTenant.program })).error, null)
})

test('a group has at most as many students as its strength, which is not negative', async () => {
  const students = seededTenant.students.map((student) => ({ student }))
  await refused({ max_strength: -1 }, /less than zero/)
  await refused({ max_strength: 1, students }, /more than 1/)
  assert.equal((await group(seededTenant, { max_strength: 2, students })).error, null)
  assert.equal((await group(seededTenant, { max_strength: 0, students })).error, null)
})

test('a disabled student is in a group only inactive, or when the group is disabled', async () => {
  const { studentCode: student } = await aStudent(seededTenant.tenant.api, { status: 'inactive' })
  await refused({ students: [{ student }] }, /disabled/)
  assert.equal((await group(seededTenant, { students: [{ student, active: 0 }] })).error, null)
  assert.equal((await group(seededTenant, { disabled: 1, students: [{ student }] })).error, null)
})

test('with validate_batch and validate_course the students of a group are enrolled in what it is based on', async () => {
  const own = await seedTenant(service)
  const { resourceClient, program, year, courses, students } = own
  const [enrolled, other] = students
  await resourceClient.update('Education Settings', 'Education Settings', { validate_batch: 1, validate_course: 1 })
  const fields = { student: enrolled, program, academic_year: year, enrollment_date: '2026-08-03', docstatus: 1 }
  assert.equal((await resourceClient.create('Program Enrollment', fields)).error, null)
  for (const basis of [
    { group_based_on: 'Batch', program },
    { group_based_on: 'Course', course: courses[0] },
  ]) {
    assert.equal((await group(own, { ...basis, students: [{ student: enrolled }] })).error, null)
    const made = await group(own, { ...basis, students: [{ student: enrolled }, { student: other }] })
    assert.deepEqual([made.status, made.error], [417, 'ValidationError'])
    assert.match(made.told, /Row #2: .* is not enrolled/)
  }
})

test('students without a roll number get the next ones, and no two have the same', async () => {
  const [ada, alan] = seededTenant.students
  const made = await group(seededTenant, { students: [{ student: ada }, { student: alan, group_roll_number: 7 }] })
  assert.deepEqual(
    made.data.students.map((row: { group_roll_number: number }) => row.group_roll_number),
    [8, 7],
  )
  await refused(
    {
      students: [
        { student: ada, group_roll_number: 3 },
        { student: alan, group_roll_number: 3 },
      ],
    },
    /Row #2: .* 3 /,
  )
})

test('a student is in a group once; the refusal names both rows', async () => {
  const [ada, alan] = seededTenant.students
  await refused({ students: [{ student: ada }, { student: alan }, { student: ada }] }, /rows 1 and 3/)
})

test('who left a group may come back on a later day, and nobody leaves before joining', async () => {
  const [student] = seededTenant.students
  const left = { student, from_date: '2026-09-01', to_date: '2026-09-30' }
  const again = { student, from_date: '2026-10-01' }
  const { data } = await group(seededTenant, { students: [left, again] })
  assert.deepEqual(
    data.students.map((row: typeof left) => [row.from_date, row.to_date]),
    [
      ['2026-09-01', '2026-09-30'],
      ['2026-10-01', null],
    ],
  )
  await refused({ students: [left, { student, from_date: '2026-09-30' }] }, /rows 1 and 2 on the same days/)
  await refused({ students: [{ student, from_date: '2026-09-02', to_date: '2026-09-01' }] }, /Row #1: .*before joining/)
  assert.equal(
    (await group(seededTenant, { students: [{ student, from_date: '2026-09-01', to_date: '2026-09-01' }] })).error,
    null,
  )
})

test('get_student_group_students gives the active students by roll number, or all of them', async () => {
  const [ada, alan] = seededTenant.students
  const made = await group(seededTenant, {
    students: [
      { student: ada, group_roll_number: 9 },
      { student: alan, group_roll_number: 2, active: 0 },
    ],
  })
  const ask = async (include_inactive?: unknown) =>
    (
      await seededTenant.resourceClient.call('api.get_student_group_students', {
        student_group: made.data.name,
        include_inactive,
      })
    ).data
  const active = [{ student: ada, student_name: 'Ada Byron' }]
  const all = [{ student: alan, student_name: 'Alan Turing' }, ...active]
  for (const no of [undefined, null, 0, '0', false, '']) assert.deepEqual(await ask(no), active)
  for (const yes of [1, '1', true, 'yes']) assert.deepEqual(await ask(yes), all)
  const unknown = await seededTenant.resourceClient.call('api.get_student_group_students', { student_group: 'none' })
  assert.deepEqual([unknown.status, unknown.answer.body], [200, { message: [] }])
  const missing = await seededTenant.resourceClient.call('api.get_student_group_students')
  assert.deepEqual([missing.status, missing.error], [417, 'FrappeTypeError'])
})

test('the instructors of a group are told, and the students who may join it', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students, year, program } = own
  assert.deepEqual((await resourceClient.call('api.get_instructors', { student_group: own.group })).data, [
    own.instructor,
  ])
  const groups = 'doctype.student_group.student_group'
  const selection = { academic_year: year, group_based_on: 'Batch', program }
  const nobody = await resourceClient.call(`${groups}.get_students`, selection)
  assert.deepEqual([nobody.data, nobody.told], [[], 'No students found.'])
  for (const student of students)
    await resourceClient.make('Program Enrollment', { student, program, academic_year: year, docstatus: 1 })
  assert.deepEqual((await resourceClient.call(`${groups}.get_students`, selection)).data, [
    { student: students[0], student_name: 'Ada Byron', active: 1 },
    { student: students[1], student_name: 'Alan Turing', active: 1 },
  ])
  const made = await group(own, { students: [{ student: students[0] }] })
  const fetch = async (filters: object) =>
    (
      await resourceClient.call(`${groups}.fetch_students`, {
        txt: 'a',
        searchfield: 'name',
        start: 0,
        page_len: 10,
        filters,
      })
    ).data
  assert.deepEqual(await fetch({ ...selection, student_group: made.data.name }), [[students[1], 'Alan Turing']])
  assert.equal((await fetch({ group_based_on: 'Activity' })).length, 2)
})

test('the guardians of a group are listed in an Email Group of its name, each address once, and added to it later', async () => {
  const { resourceClient, students, group: name, tenant } = await seedTenant(service)
  const update = (fields: object) => resourceClient.call('api.update_email_group', fields)
  const guardians = []
  for (const email_address of ['Annabella@example.org', 'annabella@example.org', null]) {
    guardians.push(
      await resourceClient.make('Guardian', { guardian_name: 'Annabella', ...(email_address && { email_address }) }),
    )
  }
  await resourceClient.update('Student', students[0], { guardians: guardians.map((one) => ({ guardian: one.name })) })
  const made = await update({ doctype: 'Student Group', name })
  assert.deepEqual([made.status, made.data], [200, null])
  const members = async () =>
    (await resourceClient.list('Email Group Member', { fields: '["email","email_group"]', order_by: 'email asc' })).data
  assert.deepEqual(await members(), [{ email: 'annabella@example.org', email_group: name }])
  assert.equal((await resourceClient.read('Email Group', name)).data.total_subscribers, 1)
  const george = await resourceClient.make('Guardian', { guardian_name: 'George', email_address: 'george@example.org' })
  await resourceClient.update('Student', students[1], { guardians: [{ guardian: george.name }] })
  await update({ doctype: 'Student Group', name })
  assert.equal((await members()).length, 2)
  const [audit] = await service.database.inspect<{ count: number }>(
    `select count(*)::int as count from audit_entries where tenant_id = $1 and action = 'email_group_member.created'`,
    [tenant.id],
  )
  assert.equal(audit?.count, 2)
  const twice = await resourceClient.create('Email Group Member', { email_group: name, email: 'GEORGE@example.org' })
  assert.deepEqual([twice.status, twice.error], [417, 'UniqueValidationError'])
  assert.equal((await update({ doctype: 'Student Group', name: 'nobody' })).status, 404)
  const rejected = await resourceClient.as('Instructor').call('api.update_email_group', {
    doctype: 'Student Group',
    name,
  })
  assert.equal(rejected.status, 403)
})
