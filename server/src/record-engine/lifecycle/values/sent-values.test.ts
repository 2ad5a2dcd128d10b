import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedTenant } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()

function assertRejected(outcome: { status: number; error: string | null; told: string }, message: RegExp) {
  assert.deepEqual([outcome.status, outcome.error], [417, 'ValidationError'], outcome.told)
  assert.match(outcome.told, message)
}

test('a number in text is digits with at most one decimal point and commas between thousands', async () => {
  const { resourceClient, program, year } = await seedTenant(service)
  await resourceClient.create('Fee Category', { category_name: 'Tuition' })
  const structure = (amount: unknown) =>
    resourceClient.create('Fee Structure', {
      academic_year: year,
      program,
      components: [{ fees_category: 'Tuition', amount }],
    })
  for (const amount of [
    '12,50',
    '1.250,50',
    '1.2.3',
    '0x10',
    '1e3',
    '1,2345',
    ',5',
    '12abc',
    'ten',
    '٣',
    'NaN',
    'Infinity',
  ]) {
    assertRejected(await structure(amount), /Components, row 1: Amount: ".*" is not a number. Write digits/)
  }
  for (const [amount, stored] of [
    ['1,250.50', 1250.5],
    [' 12.5 ', 12.5],
    ['1250', 1250],
    ['+7', 7],
  ]) {
    const made = await structure(amount)
    assert.deepEqual([made.error, made.data.components[0].amount], [null, stored], String(amount))
  }
})

test('a number in text that is none is refused in a field, in a filter and in an argument, and an empty one is unset', async () => {
  const { resourceClient, group } = await seedTenant(service)
  assertRejected(
    await resourceClient.update('Student Group', group, { max_strength: '12abc' }),
    /Max Strength: "12abc"/,
  )
  const unset = await resourceClient.update('Student Group', group, { max_strength: '' })
  assert.equal(unset.data.max_strength, 0)
  for (const value of ['abc', '1,5', '0x1']) {
    const filters = JSON.stringify([['max_strength', '=', value]])
    assertRejected(await resourceClient.list('Student Group', { filters }), /is not a number/)
  }
  const among = JSON.stringify([['max_strength', 'in', ['0', 'x']]])
  assertRejected(await resourceClient.list('Student Group', { filters: among }), /"x" is not a number/)
  const grade = await resourceClient.call('api.get_grade', { grading_scale: 'none', percentage: '79,9' })
  assert.deepEqual([grade.status, grade.error], [417, 'FrappeTypeError'])
  assert.match(grade.told, /The argument percentage must be a number, not "79,9"/)
})

test('a row that is sent by its name keeps the fields that were not sent, null clears one, and a new row gets its defaults', async () => {
  const { resourceClient, group, students } = await seedTenant(service)
  const { data } = await resourceClient.read('Student Group', group)
  const [first] = data.students
  assert.deepEqual([first.active, first.group_roll_number > 0], [1, true])
  const changed = await resourceClient.update('Student Group', group, {
    students: [{ name: first.name, student: first.student }, { student: students[1] }],
  })
  assert.equal(changed.error, null, changed.told)
  const [row, added] = changed.data.students
  assert.deepEqual([row.name, row.active, row.group_roll_number], [first.name, 1, first.group_roll_number])
  assert.deepEqual([added.student, added.active], [students[1], 1])
  const inactive = await resourceClient.update('Student Group', group, { students: [{ name: row.name, active: 0 }] })
  assert.deepEqual([inactive.data.students.length, inactive.data.students[0].active], [1, 0])
  const cleared = await resourceClient.update('Student Group', group, { students: [{ name: row.name, student: null }] })
  assert.equal(cleared.error, 'MandatoryError')
})

test('the courses of a program stay required when a course is added to it', async () => {
  const { resourceClient, program, courses } = await seedTenant(service)
  const before = (await resourceClient.update('Program', program, { courses: [{ course: courses[0] }] })).data.courses
  assert.equal(before[0].required, 1)
  const after = await resourceClient.update('Program', program, {
    courses: [{ name: before[0].name }, { course: courses[1], required: 0 }],
  })
  assert.deepEqual(
    after.data.courses.map((row: { course: string; required: number }) => [row.course, row.required]),
    [
      [courses[0], 1],
      [courses[1], 0],
    ],
  )
})
