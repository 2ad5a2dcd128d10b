import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLesson, anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

/** Fills a tool in and runs one of its methods. */
async function use({ resourceClient }: SeededTenant, tool: string, fields: object, method: string, args: object = {}) {
  const filled = await resourceClient.update(tool, tool, fields)
  assert.equal(filled.error, null, filled.told)
  return resourceClient.run(tool, tool, method, args)
}

const weeks = ({ group, courses, instructor, room }: SeededTenant) => ({
  student_group: group,
  course: courses[0],
  instructor,
  room,
  from_time: '09:00:00',
  to_time: '10:00:00',
  course_start_date: '2026-09-07',
  course_end_date: '2026-09-21',
})

test('schedule_course: lessons are made on the days of the week, the last day included, and days that are taken are reported', async () => {
  const seededTenant = await seedTenant(service)
  await aLesson(seededTenant, { schedule_date: '2026-09-09' })
  const tool = 'Course Scheduling Tool'
  const planned = await use(seededTenant, tool, weeks(seededTenant), 'schedule_course', {
    days: ['Monday', 'Wednesday'],
  })
  assert.equal(planned.error, null, planned.told)
  const { course_schedules: made, ...rest } = planned.data
  assert.deepEqual(
    made.map((lesson: Record<string, string>) => [lesson.schedule_date, lesson.title, lesson.from_time]),
    ['2026-09-07', '2026-09-14', '2026-09-16', '2026-09-21'].map((day) => [day, 'Anatomy by Grace Hopper', '9:00:00']),
  )
  assert.deepEqual(rest, { course_schedules_errors: ['2026-09-09'], rescheduled: [], reschedule_errors: [] })
  const { group: student_group, students } = seededTenant
  const attended = { student: students[0], student_group, course_schedule: made[0].name, docstatus: 1 }
  await seededTenant.resourceClient.make('Student Attendance', attended)
  const later = { from_time: '11:00:00', to_time: '12:00:00', reschedule: 1 }
  const again = await use(seededTenant, tool, later, 'schedule_course', { days: '["Monday"]' })
  assert.deepEqual(
    [again.data.rescheduled, again.data.reschedule_errors, again.data.course_schedules.length],
    [[made[1].name, made[3].name], [made[0].name], 2],
  )
  assert.deepEqual(again.data.course_schedules_errors, ['2026-09-07'])
})

test('schedule_course: a lesson is not taken away where its successor cannot be made, and holidays have none', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, tenant } = seededTenant
  const tool = 'Course Scheduling Tool'
  const { data } = await use(seededTenant, tool, weeks(seededTenant), 'schedule_course', { days: ['Monday'] })
  const [first, second, third] = data.course_schedules.map(({ name }: { name: string }) => name)
  const { data: company } = await resourceClient.read('Company', tenant.name)
  const list = company.default_holiday_list
  const { data: holidays } = await resourceClient.read('Holiday List', list)
  await resourceClient.update('Holiday List', list, {
    holidays: [...holidays.holidays, { holiday_date: '2026-09-14', description: 'Founders Day' }],
  })
  const room = (await resourceClient.make('Room', { room_name: 'Annexe' })).name
  const instructor = (await resourceClient.make('Instructor', { instructor_name: 'Kurt Gödel' })).name
  const other = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'B', academic_year: seededTenant.year, group_based_on: 'Activity' },
  })
  const taken = { room, instructor, student_group: other.name, from_time: '11:00:00', to_time: '12:00:00' }
  await aLesson(seededTenant, { ...taken, schedule_date: '2026-09-21' })
  const moved = { room, from_time: '11:00:00', to_time: '12:00:00', reschedule: 1 }
  const again = await use(seededTenant, tool, moved, 'schedule_course', { days: ['Monday'] })
  assert.deepEqual([again.data.rescheduled, again.data.reschedule_errors], [[first], [third]])
  assert.deepEqual(again.data.course_schedules_errors, ['2026-09-21'])
  for (const name of [second, third]) assert.equal((await resourceClient.read('Course Schedule', name)).status, 200)
})

test('lessons are planned only with days, dates in their order, and all that a lesson needs', async () => {
  const seededTenant = await seedTenant(service)
  const tool = 'Course Scheduling Tool'
  for (const days of [undefined, [], 'Monday', ['Funday'], { a: 1 }, '[']) {
    const { status } = await use(seededTenant, tool, weeks(seededTenant), 'schedule_course', { days })
    assert.ok(status === 417 || status === 400, String(status))
  }
  const backwards = { course_end_date: '2026-09-06' }
  const rejected = await use(seededTenant, tool, backwards, 'schedule_course', { days: ['Monday'] })
  assert.deepEqual([rejected.status, rejected.error], [417, 'ValidationError'])
  const bare = await seededTenant.resourceClient.update(tool, tool, { room: null })
  assert.deepEqual([bare.status, bare.error], [417, 'MandatoryError'])
})

test('Program Enrollment Tool: each student of an earlier enrolment is found once, and enrolled in the new batch as a draft', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, program, year, students } = seededTenant
  const tool = 'Program Enrollment Tool'
  const choice = { get_students_from: 'Program Enrollment', program, academic_year: year }
  const none = await use(seededTenant, tool, choice, 'get_students')
  assert.deepEqual([none.status, none.error], [417, 'ValidationError'])
  for (const batch of ['First', 'Second']) await resourceClient.make('Student Batch Name', { batch_name: batch })
  await anEnrollment(seededTenant, { docstatus: 1, student_batch_name: 'First' })
  const autumn = { academic_term: seededTenant.term, enrollment_date: '2026-08-04', student_batch_name: 'First' }
  assert.equal((await anEnrollment(seededTenant, { ...autumn, docstatus: 1 })).error, null)
  const found = await use(seededTenant, tool, choice, 'get_students')
  assert.deepEqual(
    found.data.map(({ student }: { student: string }) => student),
    [students[0]],
  )
  await resourceClient.make('Academic Year', {
    academic_year_name: '2027-28',
    year_start_date: '2027-08-01',
    year_end_date: '2028-06-30',
  })
  const next = {
    students: found.data,
    new_program: program,
    new_academic_year: '2027-28',
    new_student_batch: 'Second',
    enrollment_date: '2027-08-02',
  }
  const done = await use(seededTenant, tool, next, 'enroll_students')
  assert.equal(done.error, null, done.told)
  assert.match(done.told, /1 students have been enrolled/)
  const filters = JSON.stringify({ academic_year: '2027-28' })
  const { data } = await resourceClient.list('Program Enrollment', {
    filters,
    fields: '["student","docstatus","enrollment_date","student_batch_name"]',
  })
  const promoted = { student: students[0], docstatus: 0, enrollment_date: '2027-08-02', student_batch_name: 'Second' }
  assert.deepEqual(data, [promoted])
})

test('approved applicants are found and enrolled: each becomes a student with a draft enrolment', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, program, year } = seededTenant
  const applicant = await resourceClient.make('Student Applicant', {
    first_name: 'Mary',
    last_name: 'Somerville',
    student_email_id: 'mary@example.org',
    program,
    academic_year: year,
    application_status: 'Approved',
  })
  const tool = 'Program Enrollment Tool'
  const choice = { get_students_from: 'Student Applicant', program, academic_year: year }
  const found = await use(seededTenant, tool, choice, 'get_students')
  assert.deepEqual(found.data, [{ student_applicant: applicant.name, student_name: 'Mary Somerville' }])
  const done = await use(seededTenant, tool, { students: found.data }, 'enroll_students')
  assert.equal(done.error, null, done.told)
  const { data } = await resourceClient.list('Program Enrollment', { fields: '["student_name","program","docstatus"]' })
  assert.deepEqual(data, [{ student_name: 'Mary Somerville', program, docstatus: 0 }])
})

test('enroll_student: the applicant’s term is kept, by its name or its name within the year, and the date lies in the year', async () => {
  const { resourceClient, program } = await seedTenant(service)
  const academic_year = '2031-32'
  const dates = { year_start_date: '2031-08-01', year_end_date: '2032-06-30' }
  await resourceClient.make('Academic Year', { academic_year_name: academic_year, ...dates })
  const within = { term_start_date: '2031-08-01', term_end_date: '2031-12-31' }
  const term = await resourceClient.make('Academic Term', { academic_year, term_name: 'Autumn', ...within })
  const applicant = await resourceClient.make('Student Applicant', {
    ...{ first_name: 'Mary', student_email_id: 'mary@example.org', program, academic_year, academic_term: term.name },
  })
  const enrolled = await resourceClient.call('api.enroll_student', { source_name: applicant.name })
  assert.equal(enrolled.error, null, enrolled.told)
  assert.deepEqual([enrolled.data.academic_term, enrolled.data.enrollment_date], [term.name, '2031-08-01'])
})

test('groups are proposed for batches and courses, and made with the students who are enrolled', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, program, year, students, courses } = seededTenant
  await resourceClient.make('Student Batch Name', { batch_name: 'Blue' })
  await anEnrollment(seededTenant, { student_batch_name: 'Blue', docstatus: 1 })
  const tool = 'Student Group Creation Tool'
  const basis = {
    program,
    academic_year: year,
    courses: [{ group_based_on: 'Batch', batch: 'Blue', student_group_name: 'x' }],
  }
  const proposed = await use(seededTenant, tool, basis, 'get_courses')
  assert.deepEqual(
    proposed.data.map(({ student_group_name }: { student_group_name: string }) => student_group_name).sort(),
    [`Anatomy/${program}/${year}`, `Ethics/${program}/${year}`, `${program}/Blue/${year}`].sort(),
  )
  const separate = await use(seededTenant, tool, { separate_groups: 1 }, 'get_courses')
  assert.ok(
    separate.data.some(
      (row: { student_group_name: string }) => row.student_group_name === `Ethics/${program}/Blue/${year}`,
    ),
  )
  const made = await use(seededTenant, tool, { courses: proposed.data }, 'create_student_groups')
  assert.equal(made.error, null, made.told)
  const group = await resourceClient.read('Student Group', `${courses[0]}/${program}/${year}`)
  assert.deepEqual(
    group.data.students.map(({ student }: { student: string }) => student),
    [students[0]],
  )
  const lacking = await use(
    seededTenant,
    tool,
    { courses: [{ group_based_on: 'Batch', student_group_name: 'y' }] },
    'create_student_groups',
  )
  assert.deepEqual([lacking.status, lacking.error], [417, 'ValidationError'])
  assert.match(lacking.told, /Row #1: Batch is missing/)
})
