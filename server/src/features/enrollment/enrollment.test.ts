import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

test('an enrolment takes the student’s name and the required courses of the program, and leaves a trace', async () => {
  const seededTenant = await seedTenant(service)
  const made = await anEnrollment(seededTenant)
  assert.match(made.data.name, /^EDU-ENR-\d{4}-00001$/)
  assert.equal(made.data.student_name, 'Ada Byron')
  const courses = made.data.courses.map(({ course }: { course: string }) => course)
  assert.deepEqual(courses.sort(), [...seededTenant.courses])
  assert.deepEqual(await seededTenant.resourceClient.traces('Program Enrollment', made.data.name), [
    'program_enrollment.created',
  ])
})

test('courses that are sent are kept as they are', async () => {
  const seededTenant = await seedTenant(service)
  const made = await anEnrollment(seededTenant, { courses: [{ course: seededTenant.courses[1] }] })
  assert.deepEqual(
    made.data.courses.map(({ course, course_name }: Record<string, string>) => [course, course_name]),
    [['Ethics', 'Ethics']],
  )
})

test('a student is enrolled in a program once for a year and term, also when two do it at once', async () => {
  const seededTenant = await seedTenant(service)
  const outcomes = await Promise.all([anEnrollment(seededTenant), anEnrollment(seededTenant)])
  const [made, rejected] = outcomes[0]?.error === null ? outcomes : outcomes.reverse()
  assert.deepEqual([made?.error, rejected?.status, rejected?.error], [null, 417, 'ValidationError'])
  assert.match(rejected?.told ?? '', new RegExp(made?.data.name))
  assert.equal((await anEnrollment(seededTenant, { academic_term: seededTenant.term })).error, null)
  assert.equal((await seededTenant.resourceClient.submit('Program Enrollment', made?.data.name)).error, null)
  assert.equal((await seededTenant.resourceClient.cancel('Program Enrollment', made?.data.name)).error, null)
  assert.equal((await anEnrollment(seededTenant)).error, null)
})

test('on submission the student joined on the first enrolment date and is enrolled in each course once', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, courses } = seededTenant
  await anEnrollment(seededTenant, { academic_term: seededTenant.term, enrollment_date: '2026-08-20' })
  const made = await anEnrollment(seededTenant, { enrollment_date: '2026-09-05', docstatus: 1 })
  assert.equal((await resourceClient.read('Student', students[0])).data.joining_date, '2026-08-20')
  const listed = await courseEnrollments(resourceClient, made.data.name)
  assert.deepEqual(listed.map(({ course }) => course).sort(), [...courses])
  const [first] = listed
  assert.deepEqual([first?.student, first?.enrollment_date, first?.program], [students[0], '2026-09-05', 'Nursing'])
  assert.match(first?.name ?? '', /^EDU-CE-\d{4}-\d{5}$/)
})

test('a cancelled enrolment is no joining date any more: the next one is, and the last one stays', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, term } = seededTenant
  const joined = async () => (await resourceClient.read('Student', students[0])).data.joining_date
  const first = await anEnrollment(seededTenant, { enrollment_date: '2026-08-10', docstatus: 1 })
  const second = await anEnrollment(seededTenant, {
    ...{ academic_term: term, enrollment_date: '2026-09-05', docstatus: 1 },
  })
  assert.equal(await joined(), '2026-08-10')
  for (const { data } of [first, second]) {
    const cancelled = await resourceClient.cancel('Program Enrollment', data.name)
    assert.equal(cancelled.error, null, cancelled.told)
    assert.equal(await joined(), '2026-09-05')
  }
})

test('a cancelled enrolment takes its course enrolments along, unless the student did something in a course', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const { data } = await anEnrollment(seededTenant, { docstatus: 1 })
  const [first] = await courseEnrollments(resourceClient, data.name)
  await resourceClient.make('Article', { title: 'Bones' })
  const activity = await resourceClient.make('Course Activity', {
    enrollment: first?.name,
    content_type: 'Article',
    content: 'Bones',
    activity_date: '2026-09-10 10:00:00',
  })
  assert.deepEqual([activity.course, activity.student], [first?.course, data.student])
  const blocked = await resourceClient.cancel('Program Enrollment', data.name)
  assert.deepEqual([blocked.status, blocked.error], [417, 'LinkExistsError'])
  await resourceClient.remove('Course Activity', activity.name)
  assert.equal((await resourceClient.cancel('Program Enrollment', data.name)).error, null)
  assert.deepEqual(await courseEnrollments(resourceClient, data.name), [])
})

test('a course enrolment is made once, and never becomes another’s', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const { data } = await anEnrollment(seededTenant, { docstatus: 1 })
  const [first] = await courseEnrollments(resourceClient, data.name)
  const { student, course, program_enrollment, enrollment_date } = first ?? {}
  const second = await resourceClient.create('Course Enrollment', {
    student,
    course,
    program_enrollment,
    enrollment_date,
  })
  assert.deepEqual([second.status, second.error], [417, 'ValidationError'])
  assert.match(second.answer.body._server_messages, /Duplicate Entry/)
  const moved = await resourceClient.update('Course Enrollment', first?.name ?? '', {
    student: seededTenant.students[1],
  })
  assert.deepEqual([moved.status, moved.error], [417, 'CannotChangeConstantError'])
})

test('a course activity needs a course enrolment that exists', async () => {
  const { resourceClient } = await seedTenant(service)
  await resourceClient.make('Article', { title: 'Bones' })
  const made = await resourceClient.create('Course Activity', {
    enrollment: 'none',
    content_type: 'Article',
    content: 'Bones',
    activity_date: '2026-09-10 10:00:00',
  })
  assert.deepEqual([made.status, made.error], [417, 'LinkValidationError'])
})

test('courses, batch and house of a submitted enrolment still change, the program does not', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  await resourceClient.make('Student Batch Name', { batch_name: 'Blue' })
  const { data } = await anEnrollment(seededTenant, { docstatus: 1 })
  const changed = await resourceClient.update('Program Enrollment', data.name, {
    student_batch_name: 'Blue',
    courses: [],
  })
  assert.deepEqual([changed.error, changed.data.student_batch_name, changed.data.courses], [null, 'Blue', []])
  const rejected = await resourceClient.update('Program Enrollment', data.name, { enrollment_date: '2026-08-01' })
  assert.deepEqual([rejected.status, rejected.error], [417, 'UpdateAfterSubmitError'])
})

test('get_courses names the courses that everybody in the program takes', async () => {
  const seededTenant = await seedTenant(service)
  const { data } = await anEnrollment(seededTenant)
  const { data: courses } = await seededTenant.resourceClient.run('Program Enrollment', data.name, 'get_courses')
  assert.deepEqual(courses.map(({ course }: { course: string }) => course).sort(), [...seededTenant.courses])
})

test('the current enrolment is the first of the year, the current year where none is named', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, year } = seededTenant
  const ask = (args: object) => resourceClient.call('api.get_current_enrollment', { student: students[0], ...args })
  const unset = await ask({})
  assert.deepEqual([unset.status, unset.error], [417, 'ValidationError'])
  assert.equal((await ask({ academic_year: year })).data, null)
  const first = await anEnrollment(seededTenant)
  await anEnrollment(seededTenant, { academic_term: seededTenant.term })
  await resourceClient.update('Education Settings', 'Education Settings', { current_academic_year: year })
  assert.deepEqual((await ask({})).data, {
    program_enrollment: first.data.name,
    student_name: 'Ada Byron',
    program: 'Nursing',
    student_batch: null,
    student_category: null,
    academic_term: null,
    academic_year: year,
  })
})

test('the programs of a student are those of submitted enrolments', async () => {
  const seededTenant = await seedTenant(service)
  const ask = () => seededTenant.resourceClient.call('api.get_student_programs', { student: seededTenant.students[0] })
  const { data } = await anEnrollment(seededTenant)
  assert.deepEqual((await ask()).data, [])
  await seededTenant.resourceClient.submit('Program Enrollment', data.name)
  assert.deepEqual((await ask()).data, [{ program: 'Nursing', name: data.name }])
})

const search = 'doctype.program_enrollment.program_enrollment'

test('courses of a program and students who are not enrolled yet are found by what was typed', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, program, students, year } = seededTenant
  const courses = await resourceClient.call(`${search}.get_program_courses`, { txt: 'eth', filters: { program } })
  assert.deepEqual(courses.data, [['Ethics', 'Ethics']])
  const nowhere = await resourceClient.call(`${search}.get_program_courses`, { txt: '' })
  assert.deepEqual([nowhere.data, nowhere.told], [[], 'Please select a Program first.'])
  await anEnrollment(seededTenant)
  const free = await resourceClient.call(`${search}.get_students`, { txt: '', filters: { academic_year: year } })
  assert.deepEqual(free.data, [[students[1], 'Alan Turing']])
  const none = await resourceClient.call(`${search}.get_students`, {
    txt: "x' or 1=1",
    searchfield: 'name"',
    filters: {},
  })
  assert.deepEqual([none.status, none.data], [200, []])
})

async function courseEnrollments(
  resourceClient: Awaited<ReturnType<typeof seedTenant>>['resourceClient'],
  enrollment: string,
) {
  const fields = JSON.stringify(['name', 'course', 'student', 'program', 'enrollment_date', 'program_enrollment'])
  const filters = JSON.stringify({ program_enrollment: enrollment })
  const { data } = await resourceClient.list('Course Enrollment', { fields, filters })
  return data as Record<string, string>[]
}
