import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLesson, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const days = { from_date: '2026-09-01', to_date: '2026-09-02' }
const apply = ({ resourceClient, students, program }: SeededTenant, leave_data: object) =>
  resourceClient.call('api.apply_leave', {
    leave_data: { student: students[0], student_name: 'Ada Byron', total_days: 2, ...leave_data },
    program_name: program,
  })
const marked = async ({ resourceClient, students }: SeededTenant) =>
  (
    await resourceClient.list('Student Attendance', {
      filters: JSON.stringify({ student: students[0], docstatus: 1 }),
      fields: '["date", "status", "student_group", "course_schedule", "leave_application"]',
      order_by: 'date, student_group, course_schedule',
    })
  ).data
const applications = async ({ resourceClient }: SeededTenant) =>
  (await resourceClient.list('Student Leave Application', { limit_page_length: '0' })).data

test('a leave that is asked for is a submitted application with its reason, which marks each day in each group', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group, program, year } = seededTenant
  const second = await resourceClient.make('Student Group', {
    student_group_name: 'Nursing B',
    academic_year: year,
    group_based_on: 'Activity',
    program,
    students: [{ student: students[0], active: 1 }],
  })
  const {
    error,
    told: reported,
    data: name,
  } = await apply(seededTenant, { ...days, reason: '  A wedding <script>x</script> ' })
  assert.equal(error, null, reported)
  const { data: leave } = await resourceClient.read('Student Leave Application', name)
  assert.deepEqual(
    [leave.student, leave.from_date, leave.to_date, leave.total_leave_days, leave.docstatus, leave.student_group],
    [students[0], '2026-09-01', '2026-09-02', 2, 1, group],
  )
  assert.match(leave.reason, /^A wedding /)
  assert.ok(!leave.reason.includes('<script>'))
  const row = (date: string, student_group: string) => ({
    ...{ date, status: 'Leave', student_group, leave_application: name },
  })
  const rows = (await marked(seededTenant)).map(({ course_schedule, ...rest }: Record<string, unknown>) => rest)
  assert.deepEqual(rows, [
    row('2026-09-01', group),
    row('2026-09-01', second.name),
    row('2026-09-02', group),
    row('2026-09-02', second.name),
  ])
  assert.deepEqual(await resourceClient.traces('Student Leave Application', name), [
    'student_leave_application.created',
    'student_leave_application.submitted',
  ])
  assert.equal((await resourceClient.cancel('Student Leave Application', name)).error, null)
  assert.deepEqual(await marked(seededTenant), [], 'cancelled, it takes all of them back')
})

test('a leave changes nothing that is marked already, and comes once for its days', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  const absent = { student: students[0], student_group: group, date: '2026-09-02', status: 'Absent', docstatus: 1 }
  await resourceClient.make('Student Attendance', absent)
  const rejected = await apply(seededTenant, { ...days, reason: 'Ill' })
  assert.deepEqual([rejected.status, rejected.error], [417, 'ValidationError'])
  assert.match(rejected.told, /2026-09-02 is marked already/)
  assert.deepEqual(
    (await marked(seededTenant)).map(({ status }: { status: string }) => status),
    ['Absent'],
  )
  const later = { from_date: '2026-09-07', to_date: '2026-09-09', reason: 'Ill' }
  const twice = await Promise.all([apply(seededTenant, later), apply(seededTenant, later)])
  assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 417])
  assert.equal((await applications(seededTenant)).length, 1)
  assert.equal((await marked(seededTenant)).length, 4)
})

test('a leave from lessons marks those of the program that nobody has marked, and one from one lesson that one alone', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students } = seededTenant
  const settings = { attendance_based_on_course_schedule: 1 }
  assert.equal((await resourceClient.update('Education Settings', 'Education Settings', settings)).error, null)
  const lesson = async (schedule_date: string, from_time: string, to_time: string) =>
    (await aLesson(seededTenant, { schedule_date, from_time, to_time })).data.name
  const first = await lesson('2026-09-01', '09:00:00', '10:00:00')
  const second = await lesson('2026-09-01', '11:00:00', '12:00:00')
  const third = await lesson('2026-09-02', '09:00:00', '10:00:00')
  const present = { student: students[0], course_schedule: first, status: 'Present', docstatus: 1 }
  await resourceClient.make('Student Attendance', present)
  const { error, told: reported, data: name } = await apply(seededTenant, { ...days, reason: 'Ill' })
  assert.equal(error, null, reported)
  const statuses = async () =>
    Object.fromEntries(
      (await marked(seededTenant)).map(({ course_schedule, status }: Record<string, string>) => [
        course_schedule,
        status,
      ]),
    )
  assert.deepEqual(await statuses(), { [first]: 'Present', [second]: 'Leave', [third]: 'Leave' })
  const { data: leave } = await resourceClient.read('Student Leave Application', name)
  assert.deepEqual([leave.attendance_based_on, leave.course_schedule, leave.reason], ['Course Schedule', second, 'Ill'])
  const none = await apply(seededTenant, { ...days, reason: 'Ill' })
  assert.deepEqual([none.status, none.error], [417, 'ValidationError'])
  assert.equal((await resourceClient.cancel('Student Leave Application', name)).error, null)
  assert.deepEqual(await statuses(), { [first]: 'Present' }, 'what was marked by others stays')
})

test('what cannot be a leave is refused in words, and leaves nothing behind', async () => {
  const seededTenant = await seedTenant(service)
  for (const [sent, type] of [
    [{ ...days, to_date: '2026-08-31' }, 'InvalidDates'],
    [{ ...days, to_date: '2030-01-01' }, 'InvalidDates'],
    [{ ...days, from_date: 'yesterday' }, 'InvalidDates'],
    [{ ...days, student: 7 }, 'FrappeTypeError'],
    [{ ...days, reason: { a: 1 } }, 'FrappeTypeError'],
    [{ to_date: '2026-09-02' }, 'FrappeTypeError'],
    [{ ...days, reason: 'x'.repeat(2_000_000) }, 'CharacterLengthExceededError'],
  ] as const) {
    const { status, error } = await apply(seededTenant, sent)
    assert.ok([417, 413].includes(status), `${type}: ${status}`)
    if (type !== 'CharacterLengthExceededError') assert.equal(error, type)
  }
  const elsewhere = await seededTenant.resourceClient.call('api.apply_leave', {
    leave_data: { ...days, student: seededTenant.students[0] },
    program_name: 'Law',
  })
  assert.deepEqual([elsewhere.status, elsewhere.error], [417, 'ValidationError'])
  assert.deepEqual(await applications(seededTenant), [])
  assert.deepEqual(await marked(seededTenant), [])
})

test('a leave of half a day is of one day, marks half of it, and leaves its lessons to their rolls', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  await resourceClient.update('Education Settings', 'Education Settings', { attendance_based_on_course_schedule: 1 })
  await aLesson(seededTenant)
  const day = { from_date: '2026-09-01', to_date: '2026-09-01' }
  for (const [sent, error] of [
    [{ ...days, half_day: 1 }, 'InvalidDates'],
    [{ ...day, half_day: 'morning' }, 'FrappeTypeError'],
  ] as const) {
    assert.equal((await apply(seededTenant, sent)).error, error, JSON.stringify(sent))
  }
  assert.deepEqual(await applications(seededTenant), [])
  const { error, told: reported, data: name } = await apply(seededTenant, { ...day, half_day: '1' })
  assert.equal(error, null, reported)
  const { data: leave } = await resourceClient.read('Student Leave Application', name)
  assert.deepEqual([leave.half_day, leave.total_leave_days, leave.docstatus], [1, 0.5, 1])
  const { data } = await resourceClient.list('Student Attendance', {
    fields: '["status", "half_day", "course_schedule", "leave_application"]',
  })
  assert.deepEqual(data, [{ status: 'Leave', half_day: 1, course_schedule: null, leave_application: name }])
})
