import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEnrollment, seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService()
const seeded = await seedTenant(service)
const { resourceClient, students, year, group, instructor, program } = seeded

const admission = { academic_year: year, admission_start_date: '2026-05-01', admission_end_date: '2026-06-01' }
const members = (fields: object) => ({ students: [{ student: students[0], ...fields }] })

/** Records that cannot be true, and what is said of each. */
const wrong: readonly (readonly [type: string, fields: object, pattern: RegExp])[] = [
  [
    'Student Admission',
    { ...admission, admission_end_date: '2026-04-30' },
    /cannot end on 2026-04-30, before it starts/,
  ],
  ['Student Admission', { ...admission, program_details: [{ program, min_age: 6, max_age: 5 }] }, /#1.*6 is above.*5/],
  ['Student Admission', { ...admission, program_details: [{ program, min_age: -1 }] }, /#1.*age cannot be less than 0/],
  ['Student Admission', { ...admission, program_details: [{ program, application_fee: -1 }] }, /#1.*Fee -1/],
  ['Student Admission', { ...admission, program_details: [{ program }, { program }] }, /#2.*listed already/],
  ['Guardian', { guardian_name: 'Ada', date_of_birth: '2999-01-01' }, /Date of Birth must be a day before today/],
  ['Employee', { first_name: 'Ada', date_of_birth: '2999-01-01' }, /Date of Birth must be a day before today/],
  [
    'Employee',
    { first_name: 'Ada', date_of_birth: '2001-01-01', date_of_joining: '2001-01-01' },
    /before the Date of J/,
  ],
  ['Student Group', members({ group_roll_number: -1 }), /#1.*roll number -1/],
  ['Student Group', members({ from_date: '2027-07-01' }), /#1.*outside the Academic Year 2026-27/],
  ['Student Group', members({ to_date: '2026-07-31' }), /#1.*outside the Academic Year 2026-27/],
  ['Student Group', { instructors: [{ instructor }, { instructor }] }, /#2.*listed already/],
  [
    'Fee Structure',
    { academic_year: year, program, components: [{ fees_category: 'Tuition', amount: -0.01 }] },
    /must not sum up to less than 0/,
  ],
]

const needed: Readonly<Record<string, object>> = {
  'Student Group': { student_group_name: 'Nursing B', academic_year: year, group_based_on: 'Activity' },
}

test('a record that contradicts itself is refused with the row and what would be right, and nothing is stored', async () => {
  for (const [type, fields, pattern] of wrong) {
    const before = (await resourceClient.list(type, { fields: '["count(name) as count"]' })).data[0].count
    const { status, error, told } = await resourceClient.create(type, { ...needed[type], ...fields })
    assert.deepEqual([status, error], [417, 'ValidationError'], `${type} ${JSON.stringify(fields)}`)
    assert.match(told, pattern)
    const after = (await resourceClient.list(type, { fields: '["count(name) as count"]' })).data[0].count
    assert.equal(after, before, type)
  }
})

test('a record at the boundary is taken: one day, the first and the last day of the year, no bound of age', async () => {
  for (const [type, fields] of [
    ['Student Admission', { ...admission, admission_end_date: '2026-05-01' }],
    ['Student Admission', { ...admission, title: 'Ages', program_details: [{ program, min_age: 6, max_age: 6 }] }],
    ['Student Admission', { ...admission, title: 'From', program_details: [{ program, min_age: 6 }] }],
    ['Employee', { first_name: 'Ada', date_of_birth: '2001-01-01', date_of_joining: '2001-01-02' }],
    ['Student Group', members({ from_date: '2027-06-30', group_roll_number: 0 })],
    ['Student Group', { ...members({ to_date: '2026-08-01' }), student_group_name: 'Nursing C' }],
    ['Fee Structure', { academic_year: year, program, components: [{ fees_category: 'Tuition', amount: 0 }] }],
  ] as const) {
    const { status, told } = await resourceClient.create(type, { ...needed[type], ...fields })
    assert.equal(status, 200, `${type} ${told}`)
  }
})

test('a member whose days were stored before the year was changed stops no other change of the group', async () => {
  const later = await resourceClient.make('Academic Year', {
    ...{ academic_year_name: '2027-28', year_start_date: '2027-08-01', year_end_date: '2028-06-30' },
  })
  const stored = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Moved', academic_year: year, group_based_on: 'Activity' },
    ...members({ to_date: '2026-12-01' }),
  })
  const moved = await resourceClient.update('Student Group', stored.name, { academic_year: later.name })
  assert.equal(moved.status, 200, moved.told)
})

test('course enrolments: the program enrolment is one of the student, and lists a course once', async () => {
  const twice = await anEnrollment(seeded, { courses: [{ course: 'Anatomy' }, { course: 'Anatomy' }] })
  assert.deepEqual([twice.status, twice.error], [417, 'ValidationError'])
  assert.match(twice.told, /#2.*Anatomy is listed already/)
  const { data: enrollment } = await anEnrollment(seeded)
  const fields = { program_enrollment: enrollment.name, course: 'Ethics', enrollment_date: '2026-08-03' }
  const anothers = await resourceClient.create('Course Enrollment', { ...fields, student: students[1] })
  assert.deepEqual([anothers.status, anothers.error], [417, 'ValidationError'])
  assert.match(anothers.told, new RegExp(`${enrollment.name} is not one of the student ${students[1]}`))
  assert.equal((await resourceClient.create('Course Enrollment', { ...fields, student: students[0] })).status, 200)
})

test('an e-mail address is unique in any case among students and among applicants, also of two that come at once', async () => {
  for (const [type, fields] of [
    ['Student', { first_name: 'Ann' }],
    ['Student Applicant', { first_name: 'Ann', program, academic_year: year }],
  ] as const) {
    const addresses = ['ann@example.org', 'Ann@Example.org', 'ANN@EXAMPLE.ORG']
    const outcomes = await Promise.all(
      addresses.map((student_email_id) => resourceClient.create(type, { ...fields, student_email_id })),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 417, 417], type)
    assert.ok(outcomes.every(({ error }) => error === null || error === 'UniqueValidationError'))
    const other = await resourceClient.create(type, { ...fields, student_email_id: 'änn@example.org' })
    assert.notEqual(other.error, 'UniqueValidationError', 'accents count')
  }
  assert.equal(
    (await resourceClient.list('Student', { filters: '{"student_email_id":["like","ann@example.org"]}' })).data.length,
    1,
  )
  assert.equal((await resourceClient.read('Student Group', group)).status, 200)
})
