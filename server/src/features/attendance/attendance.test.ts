import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { aLesson, anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const attendance = ({ resourceClient, students, group }: SeededTenant, fields: object = {}) =>
  resourceClient.create('Student Attendance', {
    student: students[0],
    student_group: group,
    date: '2026-09-01',
    ...fields,
  })

const settings = ({ resourceClient }: SeededTenant, fields: object) =>
  resourceClient.update('Education Settings', 'Education Settings', fields)

async function holiday({ resourceClient }: SeededTenant, ...days: string[]) {
  const rows = days.map((holiday_date) => ({ holiday_date, description: 'Holiday' }))
  const changed = await resourceClient.update('Holiday List', 'Holidays', { holidays: rows })
  assert.equal(changed.error, null, changed.told)
}

function refused(outcome: { status: number; error: string | null; told: string }, pattern: RegExp) {
  assert.deepEqual([outcome.status, outcome.error], [417, 'ValidationError'])
  assert.match(outcome.told, pattern)
}

test('an attendance is made, submitted by PUT with docstatus 1 and changed in its status alone, with its traces', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const made = await attendance(seededTenant)
  assert.match(made.data.name, /^EDU-ATT-\d{4}-00001$/)
  assert.deepEqual([made.data.status, made.data.docstatus, made.data.link_nvfk], ['Present', 0, 'Nursing'])
  const submitted = await resourceClient.submit('Student Attendance', made.data.name)
  assert.deepEqual([submitted.status, submitted.data.docstatus], [200, 1])
  assert.equal(
    (await resourceClient.update('Student Attendance', made.data.name, { status: 'Absent' })).data.status,
    'Absent',
  )
  const moved = await resourceClient.update('Student Attendance', made.data.name, { date: '2026-09-02' })
  assert.deepEqual([moved.status, moved.error], [417, 'UpdateAfterSubmitError'])
  assert.deepEqual(await resourceClient.traces('Attendance', made.data.name), [
    'attendance.created',
    'attendance.submitted',
    'attendance.updated',
  ])
})

test('an attendance is of a group or of a lesson, which says the day and the group', async () => {
  const seededTenant = await seedTenant(service)
  const neither = await attendance(seededTenant, { student_group: null })
  refused(neither, /Student Group or Course Schedule/)
  assert.match(neither.answer.body._server_messages, /Mandatory Fields/)
  const lesson = (await aLesson(seededTenant)).data.name
  const made = await attendance(seededTenant, { student_group: null, course_schedule: lesson, date: '2026-11-11' })
  assert.deepEqual([made.data.date, made.data.student_group], ['2026-09-01', seededTenant.group])
})

test('only active members of a group are there or not', async () => {
  const seededTenant = await seedTenant(service)
  const { studentCode: otherTenant } = await aStudent(seededTenant.tenant.api, { fullName: 'Eve Stranger' })
  refused(await attendance(seededTenant, { student: otherTenant }), /does not belong/)
  const rows = seededTenant.students.map((student, index) => ({ student, active: index }))
  await seededTenant.resourceClient.update('Student Group', seededTenant.group, { students: rows })
  refused(await attendance(seededTenant), /not active/)
})

test('a student has one attendance per group and day, and one per lesson; a cancelled one does not count', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const first = await attendance(seededTenant, { docstatus: 1 })
  const second = await attendance(seededTenant)
  refused(second, new RegExp(first.data.name))
  assert.match(second.answer.body._server_messages, /Duplicate Entry/)
  const course_schedule = (await aLesson(seededTenant, { schedule_date: '2026-09-02' })).data.name
  assert.equal((await attendance(seededTenant, { course_schedule })).error, null)
  refused(await attendance(seededTenant, { course_schedule }), /lesson/)
  await resourceClient.cancel('Student Attendance', first.data.name)
  assert.equal((await attendance(seededTenant)).error, null)
})

test('of two attendances of the same student and day at once one is made', async () => {
  const seededTenant = await seedTenant(service)
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => attendance(seededTenant, { docstatus: 1 })))
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 417, 417, 417])
  const { data } = await seededTenant.resourceClient.list('Student Attendance', {})
  assert.equal(data.length, 1)
})

test('nobody is marked on a holiday, nor where the institution has no list of them', async () => {
  const seededTenant = await seedTenant(service)
  await holiday(seededTenant, '2026-09-01')
  refused(await attendance(seededTenant), /holiday/)
  assert.equal((await attendance(seededTenant, { date: '2026-09-02' })).error, null)
  await seededTenant.resourceClient.update('Company', seededTenant.tenant.name, { default_holiday_list: null })
  refused(await attendance(seededTenant, { date: '2026-09-03' }), /Default Holiday List/)
})

test('attendance on or before the freeze date is neither made nor submitted, changed, cancelled or deleted', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students } = seededTenant
  const draft = await attendance(seededTenant)
  const submitted = await attendance(seededTenant, { student: students[1], docstatus: 1 })
  const name = submitted.data.name
  await settings(seededTenant, { attendance_freeze_date: '2026-09-01' })
  for (const outcome of [
    await attendance(seededTenant, { date: '2026-09-01' }),
    await attendance(seededTenant, { date: '2026-08-31' }),
    await resourceClient.submit('Student Attendance', draft.data.name),
    await resourceClient.update('Student Attendance', draft.data.name, { date: '2026-09-02' }),
    await resourceClient.remove('Student Attendance', draft.data.name),
    await resourceClient.update('Student Attendance', name, { status: 'Absent' }),
    await resourceClient.cancel('Student Attendance', name),
  ]) {
    refused(outcome, /frozen/)
  }
  assert.equal((await resourceClient.read('Student Attendance', name)).data.status, 'Present')
  assert.equal((await attendance(seededTenant, { date: '2026-09-02' })).error, null)
})

test('attendance outside the group’s year is refused only with validate_attendance_year', async () => {
  const seededTenant = await seedTenant(service)
  assert.equal((await attendance(seededTenant, { date: '2026-07-31' })).error, null)
  await settings(seededTenant, { validate_attendance_year: 1 })
  refused(await attendance(seededTenant, { date: '2026-07-30' }), /outside the academic year 2026-27/)
  refused(await attendance(seededTenant, { date: '2027-07-01' }), /outside/)
  assert.equal((await attendance(seededTenant, { date: '2026-08-01' })).error, null)
  assert.equal((await attendance(seededTenant, { date: '2027-06-30' })).error, null)
})

const leave = ({ resourceClient, students, group }: SeededTenant, fields: object = {}) =>
  resourceClient.create('Student Leave Application', {
    student: students[0],
    from_date: '2026-09-07',
    to_date: '2026-09-10',
    student_group: group,
    ...fields,
  })

async function marked({ resourceClient, students }: SeededTenant) {
  const fields = JSON.stringify(['date', 'status', 'docstatus', 'leave_application'])
  const filters = JSON.stringify({ student: students[0] })
  const { data } = await resourceClient.list('Student Attendance', { fields, filters, order_by: 'date asc' })
  return (data as { date: string; status: string; docstatus: number }[]).map((row) => [
    row.date,
    row.status,
    row.docstatus,
  ])
}

test('a leave over a holiday counts and marks the other days, also one that was marked before', async () => {
  const seededTenant = await seedTenant(service)
  await holiday(seededTenant, '2026-09-08')
  await attendance(seededTenant, { date: '2026-09-09', docstatus: 1 })
  const made = await leave(seededTenant)
  assert.equal(made.data.total_leave_days, 3)
  assert.equal((await seededTenant.resourceClient.submit('Student Leave Application', made.data.name)).error, null)
  assert.deepEqual(await marked(seededTenant), [
    ['2026-09-07', 'Leave', 1],
    ['2026-09-09', 'Leave', 1],
    ['2026-09-10', 'Leave', 1],
  ])
})

test('a cancelled leave cancels the attendance of its days', async () => {
  const seededTenant = await seedTenant(service)
  await attendance(seededTenant, { date: '2026-09-11', docstatus: 1 })
  const made = await leave(seededTenant, { docstatus: 1 })
  assert.equal((await seededTenant.resourceClient.cancel('Student Leave Application', made.data.name)).error, null)
  assert.deepEqual(
    (await marked(seededTenant)).map(([day, , docstatus]) => [day, docstatus]),
    [
      ['2026-09-07', 2],
      ['2026-09-08', 2],
      ['2026-09-09', 2],
      ['2026-09-10', 2],
      ['2026-09-11', 1],
    ],
  )
})

test('a leave with mark_as_present marks the student as present', async () => {
  const seededTenant = await seedTenant(service)
  await leave(seededTenant, { to_date: '2026-09-07', mark_as_present: 1, docstatus: 1 })
  assert.deepEqual(await marked(seededTenant), [['2026-09-07', 'Present', 1]])
})

test('leaves do not overlap, by a single day neither', async () => {
  const seededTenant = await seedTenant(service)
  const first = await leave(seededTenant)
  for (const [from_date, to_date] of [
    ['2026-09-08', '2026-09-12'],
    ['2026-09-01', '2026-09-09'],
    ['2026-09-08', '2026-09-09'],
    ['2026-09-01', '2026-09-30'],
    ['2026-09-07', '2026-09-10'],
    ['2026-09-10', '2026-09-12'],
    ['2026-09-01', '2026-09-07'],
    ['2026-09-07', '2026-09-07'],
    ['2026-09-07', '2026-09-12'],
    ['2026-09-01', '2026-09-10'],
  ]) {
    refused(await leave(seededTenant, { from_date, to_date }), new RegExp(first.data.name))
  }
  assert.equal((await leave(seededTenant, { from_date: '2026-09-11', to_date: '2026-09-12' })).error, null)
  assert.equal((await leave(seededTenant, { student: seededTenant.students[1] })).error, null)
})

test('a leave does not end before it begins, nor last longer than a year', async () => {
  const seededTenant = await seedTenant(service)
  for (const to_date of ['2026-09-06', '2027-09-08']) {
    const made = await leave(seededTenant, { to_date })
    assert.deepEqual([made.status, made.error], [417, 'InvalidDates'])
  }
})

test('a leave over frozen days is refused as a whole', async () => {
  const seededTenant = await seedTenant(service)
  const made = await leave(seededTenant)
  await settings(seededTenant, { attendance_freeze_date: '2026-09-08' })
  refused(await seededTenant.resourceClient.submit('Student Leave Application', made.data.name), /frozen/)
  assert.deepEqual(await marked(seededTenant), [])
})

test('mark_attendance submits everybody’s attendance or nobody’s', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  const rows = (...names: string[]) => JSON.stringify(names.map((student) => ({ student, student_name: 'x' })))
  const call = (present: unknown, absent: unknown, date: string) =>
    resourceClient.call('api.mark_attendance', {
      students_present: present,
      students_absent: absent,
      student_group: group,
      date,
    })
  const done = await call(rows(students[0]), rows(students[1]), '2026-09-01')
  assert.deepEqual([done.status, done.answer.body.message], [200, undefined])
  assert.match(done.told, /success/)
  const filters = JSON.stringify([['date', '=', '2026-09-01']])
  const { data } = await resourceClient.list('Student Attendance', {
    fields: '["student","status","docstatus"]',
    filters,
    order_by: 'student asc',
  })
  assert.deepEqual(data, [
    { student: students[0], status: 'Present', docstatus: 1 },
    { student: students[1], status: 'Absent', docstatus: 1 },
  ])
  refused(await call(rows(students[0]), rows(students[0]), '2026-09-02'), /named twice/)
  const none = await resourceClient.call('api.check_attendance_records_exist', {
    student_group: group,
    date: '2026-09-02',
  })
  assert.deepEqual(none.data, [])
  const found = await resourceClient.call('api.check_attendance_records_exist', {
    student_group: group,
    date: '2026-09-01',
  })
  assert.equal(found.data.length, 2)
  for (const bad of ['{}', '[1]', '[{"student":""}]', 7]) {
    const outcome = await call(bad, '[]', '2026-09-03')
    assert.deepEqual([outcome.status, outcome.error], [417, 'FrappeTypeError'])
  }
})

test('roll calls show what is marked of the active students', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  await attendance(seededTenant, { docstatus: 1, status: 'Absent' })
  const tool = 'doctype.student_attendance_tool.student_attendance_tool.get_student_attendance_records'
  const { data } = await resourceClient.call(tool, {
    based_on: 'Student Group',
    student_group: group,
    date: '2026-09-01',
  })
  assert.deepEqual(data, [
    { student: students[0], student_name: 'Ada Byron', group_roll_number: 1, status: 'Absent' },
    { student: students[1], student_name: 'Alan Turing', group_roll_number: 2 },
  ])
  const course_schedule = (await aLesson(seededTenant)).data.name
  const lesson = await resourceClient.call(tool, { based_on: 'Course Schedule', course_schedule })
  assert.deepEqual(
    lesson.data.map(({ status }: { status?: string }) => status),
    [undefined, undefined],
  )
})

test('a student’s attendance, groups and the years of attendance are told', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  const first = await attendance(seededTenant, { docstatus: 1 })
  await attendance(seededTenant, { date: '2027-01-11' })
  const { data } = await resourceClient.call('api.get_student_attendance', {
    student: students[0],
    student_group: group,
  })
  assert.deepEqual(data, [{ date: '2026-09-01', status: 'Present', name: first.data.name }])
  const own = 'doctype.student_leave_application.student_leave_application.get_student_groups'
  assert.deepEqual((await resourceClient.call(own, { student: students[0] })).data, [group])
  const years = 'report.student_monthly_attendance_sheet.student_monthly_attendance_sheet.get_year_list'
  assert.equal((await resourceClient.call(years)).data, '2027\n2026')
})

test('apply_leave marks each day in each group of the program, or each lesson that is not marked yet', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, program } = seededTenant
  const leave_data = { student: students[0], from_date: '2026-09-01', to_date: '2026-09-02' }
  const call = (data: object) => resourceClient.call('api.apply_leave', { leave_data: data, program_name: program })
  assert.equal((await call(leave_data)).error, null)
  assert.deepEqual(await marked(seededTenant), [
    ['2026-09-01', 'Leave', 1],
    ['2026-09-02', 'Leave', 1],
  ])
  await settings(seededTenant, { attendance_based_on_course_schedule: 1 })
  const later = { ...leave_data, from_date: '2026-09-03', to_date: '2026-09-04' }
  refused(await call(later), /no classes/)
  await aLesson(seededTenant, { schedule_date: '2026-09-03' })
  assert.equal((await call(later)).error, null)
  assert.deepEqual((await marked(seededTenant)).at(-1), ['2026-09-03', 'Leave', 1])
  for (const to_date of ['2026-08-31', '2030-01-01', 'tomorrow']) {
    assert.equal((await call({ ...leave_data, to_date })).error, 'InvalidDates')
  }
})

test('mark_attendance again, or corrected, leaves everybody whom it names marked once as it says, and a leave as it is', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  const [ada, alan] = students
  const rows = (...names: string[]) => JSON.stringify(names.map((student) => ({ student })))
  const call = (present: string, absent: string, context: object = { student_group: group, date: '2026-09-01' }) =>
    resourceClient.call('api.mark_attendance', { students_present: present, students_absent: absent, ...context })
  const state = async () => {
    const asked = { fields: '["student","status","docstatus","name","modified"]', order_by: 'student asc' }
    return (await resourceClient.list('Student Attendance', asked)).data
  }
  assert.equal((await call(rows(ada, alan), '[]')).error, null)
  const first = await state()
  const again = await call(rows(ada, alan), '[]')
  assert.match(again.told, /success/)
  assert.deepEqual(await state(), first)
  assert.equal((await call(rows(ada), rows(alan))).error, null)
  const corrected = (await state()).map(({ status, docstatus, name }: Record<string, unknown>) => [
    status,
    docstatus,
    name,
  ])
  assert.deepEqual(corrected, [
    ['Present', 1, first[0].name],
    ['Absent', 1, first[1].name],
  ])
  // Somebody's draft of it is taken up, and who is away with a leave stays so.
  await resourceClient.make('Student Attendance', { student: ada, student_group: group, date: '2026-09-02' })
  await resourceClient.make('Student Attendance', {
    student: alan,
    student_group: group,
    date: '2026-09-02',
    status: 'Leave',
    docstatus: 1,
  })
  const context = { student_group: group, date: '2026-09-02' }
  assert.equal((await call('[]', rows(ada, alan), context)).error, null)
  const { data } = await resourceClient.list('Student Attendance', {
    fields: '["status","docstatus"]',
    filters: '[["date","=","2026-09-02"]]',
    order_by: 'student asc',
  })
  assert.deepEqual(data, [
    { status: 'Absent', docstatus: 1 },
    { status: 'Leave', docstatus: 1 },
  ])
  const course_schedule = (await aLesson(seededTenant, { schedule_date: '2026-09-03' })).data.name
  for (const present of [rows(ada), '[]', rows(ada)]) {
    const absent = present === '[]' ? rows(ada) : '[]'
    assert.equal((await call(present, absent, { course_schedule })).error, null)
  }
  const lesson = await resourceClient.list('Student Attendance', {
    fields: '["status"]',
    filters: `[["course_schedule","=","${course_schedule}"]]`,
  })
  assert.deepEqual(lesson.data, [{ status: 'Present' }])
  const both = await Promise.all(
    Array.from({ length: 3 }, () => call(rows(ada, alan), '[]', { student_group: group, date: '2026-09-04' })),
  )
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('a student reads the own attendance alone, and marks nobody without the right', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  await anEnrollment(seededTenant)
  const asked = await resourceClient
    .as('Student')
    .call('api.get_student_attendance', { student: students[0], student_group: group })
  assert.deepEqual([asked.status, asked.error], [403, 'PermissionError'])
  const mark = { students_present: '[]', students_absent: '[]', student_group: group, date: '2026-09-01' }
  const marking = await resourceClient.as('Instructor').call('api.mark_attendance', mark)
  assert.deepEqual([marking.status, marking.error], [403, 'PermissionError'])
})

const statuses = async ({ resourceClient, students }: SeededTenant) => {
  const fields = JSON.stringify([
    'date',
    'status',
    'docstatus',
    'student_group',
    'course_schedule',
    'leave_application',
  ])
  const filters = JSON.stringify({ student: students[0], docstatus: ['<', 2] })
  return (await resourceClient.list('Student Attendance', { fields, filters, order_by: 'creation asc' })).data
}

test('a cancelled leave gives back what it replaced, and cancels only what it made', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, year, students } = seededTenant
  const choir = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Choir', academic_year: year, group_based_on: 'Activity' },
    students: [{ student: students[0] }],
  })
  await attendance(seededTenant, { date: '2026-09-07', docstatus: 1 })
  await attendance(seededTenant, { date: '2026-09-08', student_group: choir.name, status: 'Absent', docstatus: 1 })
  const made = await leave(seededTenant, { docstatus: 1 })
  assert.equal((await statuses(seededTenant)).length, 5)
  assert.ok((await statuses(seededTenant)).every((row: { status: string }) => row.status === 'Leave'))
  assert.equal((await resourceClient.cancel('Student Leave Application', made.data.name)).error, null)
  assert.deepEqual(
    (await statuses(seededTenant)).map((row: Record<string, string>) => [
      ...[row.date, row.status, row.student_group, row.leave_application],
    ]),
    [
      ['2026-09-07', 'Present', seededTenant.group, null],
      ['2026-09-08', 'Absent', choir.name, null],
    ],
  )
})

test('a cancelled leave can be deleted, and what it made stays cancelled', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const made = await leave(seededTenant, { docstatus: 1 })
  await resourceClient.cancel('Student Leave Application', made.data.name)
  const gone = await resourceClient.remove('Student Leave Application', made.data.name)
  assert.deepEqual([gone.status, gone.error], [202, null], gone.told)
  assert.ok((await marked(seededTenant)).every(([, , docstatus]) => docstatus === 2))
})

test('a leave for the whole day covers the lessons of the day, those that are called after it too', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students } = seededTenant
  const early = (await aLesson(seededTenant, { schedule_date: '2026-09-07' })).data.name
  const later = (
    await aLesson(seededTenant, { schedule_date: '2026-09-07', from_time: '11:00:00', to_time: '12:00:00' })
  ).data.name
  const call = (course_schedule: string) =>
    resourceClient.call('api.mark_attendance', {
      ...{ course_schedule, students_present: students.map((student) => ({ student })), students_absent: [] },
    })
  assert.equal((await call(early)).error, null)
  const made = await leave(seededTenant, { to_date: '2026-09-07', docstatus: 1 })
  assert.equal((await call(later)).error, null)
  assert.deepEqual(
    (await statuses(seededTenant)).map((row: Record<string, string>) => [row.course_schedule, row.status]),
    [
      [early, 'Leave'],
      [null, 'Leave'],
      [later, 'Leave'],
    ],
  )
  await resourceClient.cancel('Student Leave Application', made.data.name)
  assert.deepEqual(
    (await statuses(seededTenant)).map((row: Record<string, string>) => [row.course_schedule, row.status]),
    [[early, 'Present']],
  )
})

test('the roll of a day is called beside the rolls of its lessons, in either order', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  const everybody = { students_present: students.map((student) => ({ student })), students_absent: [] }
  for (const [day, isLessonFirst] of [
    ['2026-09-07', true],
    ['2026-09-08', false],
  ] as const) {
    const lesson = (await aLesson(seededTenant, { schedule_date: day })).data.name
    const calls = [
      { ...everybody, course_schedule: lesson },
      { ...everybody, student_group: group, date: day },
    ]
    for (const call of isLessonFirst ? calls : calls.reverse()) {
      const outcome = await resourceClient.call('api.mark_attendance', call)
      assert.equal(outcome.error, null, outcome.told)
    }
  }
  assert.equal((await statuses(seededTenant)).length, 4)
})

test('a leave from one lesson leaves the other lessons of the day, and is on the day of its lesson', async () => {
  const seededTenant = await seedTenant(service)
  const first = (await aLesson(seededTenant, { schedule_date: '2026-09-07' })).data.name
  const second = (
    await aLesson(seededTenant, { schedule_date: '2026-09-07', from_time: '11:00:00', to_time: '12:00:00' })
  ).data.name
  const from = (course_schedule: string, day = '2026-09-07') =>
    leave(seededTenant, {
      ...{ attendance_based_on: 'Course Schedule', course_schedule, student_group: null },
      ...{ from_date: day, to_date: day },
    })
  assert.equal((await from(first)).error, null)
  refused(await from(first), /already exists/)
  assert.equal((await from(second)).error, null)
  const elsewhere = await from(second, '2026-09-08')
  assert.deepEqual([elsewhere.status, elsewhere.error], [417, 'InvalidDates'])
  refused(await leave(seededTenant, { to_date: '2026-09-07' }), /already exists/)
})

test('of five leaves at once that share a day one is taken', async () => {
  const seededTenant = await seedTenant(service)
  const outcomes = await Promise.all(
    [5, 6, 7, 8, 9].map((day) =>
      leave(seededTenant, { from_date: `2026-09-0${day}`, to_date: `2026-09-1${day}`, docstatus: 1 }),
    ),
  )
  assert.equal(outcomes.filter(({ error }) => error === null).length, 1)
})
