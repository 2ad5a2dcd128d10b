import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEnrollment, seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService()
const seeded = await seedTenant(service)
const { resourceClient, students, year, group, instructor, program, courses } = seeded
await resourceClient.make('Academic Year', {
  ...{ academic_year_name: '2027-28', year_start_date: '2027-08-01', year_end_date: '2028-06-30' },
})
const { name: open } = await resourceClient.make('Student Admission', {
  ...{ title: 'Open', academic_year: year, program_details: [{ program }] },
})
const structure = { academic_year: year, program }
const applicant = { first_name: 'Ann', student_admission: open, program, academic_year: year }
const { name: young } = await resourceClient.make('Student', { first_name: 'Eve', date_of_birth: '2020-08-20' })
await resourceClient.make('Academic Year', {
  ...{ academic_year_name: '2020-21', year_start_date: '2020-08-01', year_end_date: '2021-06-30' },
})
const { name: asked } = await resourceClient.make('Question', {
  ...{ question: 'Which?', options: [{ option: 'a', is_correct: 1 }, { option: 'b' }] },
})
const quiz = { title: 'Timed', question: [{ question_link: asked }], passing_score: 50, max_attempts: 1 }
const credit = { student: students[0], institution: 'Elsewhere', course_title: 'Bones', credits: 3 }
await resourceClient.make('Transfer Credit', { ...credit, docstatus: 1 })

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
    /before the Date of Joining: 2001-01-01 is not before 2001-01-01/,
  ],
  ['Student Group', members({ group_roll_number: -1 }), /#1.*roll number -1/],
  ['Student Group', members({ from_date: '2027-07-01' }), /#1.*outside the Academic Year 2026-27/],
  ['Student Group', members({ to_date: '2026-07-31' }), /#1.*outside the Academic Year 2026-27/],
  ['Student Group', { instructors: [{ instructor }, { instructor }] }, /#2.*listed already/],
  [
    'Fee Structure',
    { academic_year: year, program, components: [{ fees_category: 'Tuition', amount: -0.01 }] },
    /must not sum up to less than 0: they are -0\.01/,
  ],
  ['Student Group', { max_strength: -1 }, /Max Strength \(-1\) cannot be less than zero/],
  [
    'Holiday List',
    { holiday_list_name: 'H', from_date: '2026-09-02', to_date: '2026-09-01' },
    /To Date must not be before From Date: 2026-09-01 is before 2026-09-02/,
  ],
  [
    'Holiday List',
    {
      ...{ holiday_list_name: 'H', from_date: '2026-09-01', to_date: '2026-09-01' },
      holidays: [{ holiday_date: '2026-09-02', description: 'Feast' }],
    },
    /#1: the holiday on 2026-09-02 is not between From Date \(2026-09-01\)/,
  ],
  [
    'Academic Year',
    { academic_year_name: 'Y', year_start_date: '2028-03-01', year_end_date: '2028-02-29' },
    /2028-02-29 is before 2028-03-01/,
  ],
  [
    'Grading Scale',
    {
      grading_scale_name: 'G',
      intervals: [
        { grade_code: 'F', threshold: 0 },
        { grade_code: 'E', threshold: 0 },
      ],
    },
    /#2: the threshold 0% appears more than once/,
  ],
  [
    'Fee Structure',
    { ...structure, components: [{ fees_category: 'Tuition', amount: 1, discount: 101 }] },
    /#1.*not 101/,
  ],
  [
    'Student Applicant',
    { ...applicant, program: 'Other' },
    /Open takes no applications for Other\. Choose one of Nursing/,
  ],
  ['Student Applicant', { ...applicant, academic_year: '2027-28' }, /Open admits to the Academic Year 2026-27/],
  [
    'Program Enrollment',
    { student: young, program, academic_year: '2020-21', enrollment_date: '2020-08-20' },
    /2020-08-20 is not after the Date of Birth of .*2020-08-20/,
  ],
  ['Student', { first_name: 'Eve', date_of_birth: '2999-01-01' }, /before today, \d{4}-\d\d-\d\d: 2999-01-01 is not/],
  [
    'Student',
    { first_name: 'Eve', date_of_birth: '2012-01-01', joining_date: '2020-01-02', date_of_leaving: '2020-01-01' },
    /2020-01-02 is after 2020-01-01/,
  ],
  [
    'Student Group',
    members({ student: young, from_date: '2027-01-10' }),
    /#1.*left on 2027-01-10.*cannot join on 2027-01-10/,
  ],
  ['Quiz', { ...quiz, duration: -5 }, /Duration \(-5 seconds\) cannot be less than 0/],
  ['Quiz', { ...quiz, is_time_bound: 1 }, /Enter the Duration of a quiz that is time-bound/],
  [
    'Question',
    { question: 'Q', options: [{ option: 'a', is_correct: 1 }, { option: 'a ' }] },
    /#2: the option is that of row #1/,
  ],
  ['Transfer Credit', { ...credit }, /Bones of Elsewhere is a transfer credit of .* already: /],
  ['Transfer Credit', { ...credit, completed_on: '2999-01-01' }, /Completed On \(2999-01-01\) is after today/],
  [
    'Student Promotion',
    { program, academic_year: '2027-28', new_program: program, new_academic_year: year },
    /2026-27 \(from 2026-08-01\) is before 2027-28/,
  ],
]
await resourceClient.make('Program', { program_name: 'Other' })
await resourceClient.update('Student', young, { date_of_leaving: '2027-01-10' })

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
  const stored = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Moved', academic_year: year, group_based_on: 'Activity' },
    ...members({ to_date: '2026-12-01' }),
  })
  const moved = await resourceClient.update('Student Group', stored.name, { academic_year: '2027-28' })
  assert.equal(moved.status, 200, moved.told)
})

test('a record does not stand above itself in its tree, at once or by others', async () => {
  const root = 'All Assessment Groups'
  const node = (assessment_group_name: string, parent_assessment_group: string) =>
    resourceClient.make('Assessment Group', { assessment_group_name, parent_assessment_group, is_group: 1 })
  await node('Year', root)
  await node('Half', 'Year')
  await node('Test', 'Half')
  for (const [above, pattern] of [
    ['Year', /Parent Assessment Group: Year is the record itself/],
    ['Half', /Half is below Year/],
    ['Test', /Test is below Year/],
  ] as const) {
    const { status, error, told } = await resourceClient.update('Assessment Group', 'Year', {
      parent_assessment_group: above,
    })
    assert.deepEqual([status, error], [417, 'ValidationError'], above)
    assert.match(told, pattern)
  }
  assert.equal(
    (await resourceClient.update('Assessment Group', 'Test', { parent_assessment_group: 'Year' })).status,
    200,
  )
  assert.deepEqual(await resourceClient.traces('Assessment Group', 'Year'), ['assessment_group.created'])
})

test('a code that attendance is marked with keeps what it counts as', async () => {
  const code = await resourceClient.make('Attendance Code', { code: 'X', label: 'Trip', counts_as: 'Absent' })
  const change = () => resourceClient.update('Attendance Code', code.name, { counts_as: 'Present' })
  assert.equal((await change()).status, 200)
  const date = '2026-09-07'
  await resourceClient.make('Student Attendance', {
    student: students[0],
    student_group: group,
    date,
    attendance_code: 'X',
  })
  const refused = await resourceClient.update('Attendance Code', code.name, { counts_as: 'Absent' })
  assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'])
  assert.match(refused.told, /marked with X, which counts as Present\. Disable this code/)
  assert.equal((await resourceClient.update('Attendance Code', code.name, { label: 'Excursion' })).status, 200)
})

test('an enrolment takes a course once that its program lists twice', async () => {
  const { name: law } = await resourceClient.make('Program', {
    ...{ program_name: 'Law', courses: [{ course: courses[0] }, { course: courses[1] }, { course: courses[0] }] },
  })
  const { data, error, told } = await anEnrollment(seeded, { program: law, student: students[1] })
  assert.equal(error, null, told)
  assert.deepEqual(
    data.courses.map(({ course }: { course: string }) => course),
    [courses[0], courses[1]],
  )
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
  const own = { ...fields, student: students[0], course: courses[0] }
  const afterYear = await resourceClient.create('Course Enrollment', { ...own, enrollment_date: '2027-07-01' })
  assert.deepEqual([afterYear.status, afterYear.error], [417, 'ValidationError'])
  assert.match(afterYear.told, /2027-07-01 is outside the Academic Year 2026-27.*nearest day is 2027-06-30/)
  const { data: draft } = await anEnrollment(seeded, { student: students[1], docstatus: 1 })
  await resourceClient.cancel('Program Enrollment', draft.name)
  const cancelled = await resourceClient.create('Course Enrollment', {
    ...{ ...own, student: students[1], program_enrollment: draft.name },
  })
  assert.deepEqual([cancelled.status, cancelled.error], [417, 'ValidationError'])
  assert.match(cancelled.told, /is cancelled\. Name one that is not/)
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
