import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { aLesson, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const attendance = ({ resourceClient, students, group }: SeededTenant, fields: object = {}) =>
  resourceClient.create('Student Attendance', {
    ...{ student: students[0], student_group: group, date: '2026-09-01', docstatus: 1 },
    ...fields,
  })

const read = async ({ resourceClient }: SeededTenant, name: string) => {
  const { data } = await resourceClient.read('Student Attendance', name)
  return [data.status, data.attendance_code, data.minutes_late, data.excused]
}

const call = ({ resourceClient, group }: SeededTenant, present: object[], absent: object[], fields: object = {}) =>
  resourceClient.call('api.mark_attendance', {
    ...{ students_present: present, students_absent: absent, student_group: group, date: '2026-09-01' },
    ...fields,
  })

async function getMarks({ resourceClient, students }: SeededTenant, filters: object = {}) {
  const { data } = await resourceClient.list('Student Attendance', {
    fields: '["name","status","attendance_code","minutes_late","excused","half_day"]',
    filters: JSON.stringify({ student: students[0], ...filters }),
    order_by: 'creation asc',
  })
  return data
}

test('a new institution has codes in its languages, in order', async () => {
  const own = await seedTenant(service)
  const { data } = await own.resourceClient.list('Attendance Code', {
    fields: '["code","label","counts_as"]',
    order_by: 'position asc',
  })
  assert.deepEqual(
    data.map(({ code, counts_as }: Record<string, string>) => [code, counts_as]),
    [
      ['P', 'Present'],
      ['A', 'Absent'],
      ['L', 'Late'],
      ['E', 'Excused'],
      ['S', 'Excused'],
    ],
  )
  const { data: sick } = await own.resourceClient.read('Attendance Code', 'S')
  const labels = Object.fromEntries(sick.translations.map((row: Record<string, string>) => [row.language, row.label]))
  assert.deepEqual([sick.label, labels], ['Sick', { es: 'Enfermedad', pt: 'Doença' }])
})

test('a code decides status, excuse and minutes, and clients read the status', async () => {
  const own = await seedTenant(service)
  await own.resourceClient.make('Attendance Code', { code: 'T', label: 'Tardy', counts_as: 'Late', minutes: 10 })
  for (const [day, fields, expected] of [
    ['01', { attendance_code: 'E' }, ['Absent', 'E', 0, 1]],
    ['02', { attendance_code: 'A', status: 'Present' }, ['Absent', 'A', 0, 0]],
    ['03', { attendance_code: 'T' }, ['Present', 'T', 10, 0]],
    ['04', { attendance_code: 'T', minutes_late: 3 }, ['Present', 'T', 3, 0]],
    ['07', { status: 'Absent', excused: 1 }, ['Absent', null, 0, 1]],
    ['08', { minutes_late: 5 }, ['Present', null, 5, 0]],
  ] as const) {
    const { data, told } = await attendance(own, { date: `2026-09-${day}`, ...fields })
    assert.ok(data !== null, told)
    assert.deepEqual(await read(own, data.name), expected)
  }
})

test('a status that is changed takes away the code and the details that do not go with it', async () => {
  const own = await seedTenant(service)
  const { resourceClient } = own
  const { data } = await attendance(own, { attendance_code: 'E' })
  const change = (fields: object) => resourceClient.update('Student Attendance', data.name, fields)
  assert.equal((await change({ status: 'Present' })).error, null)
  assert.deepEqual(await read(own, data.name), ['Present', null, 0, 0])
  assert.equal((await change({ attendance_code: 'L', minutes_late: 7 })).error, null)
  assert.deepEqual(await read(own, data.name), ['Present', 'L', 7, 0])
  assert.equal((await change({ status: 'Absent' })).error, null)
  assert.deepEqual(await read(own, data.name), ['Absent', null, 0, 0])
})

test('a detail that does not go with the status is refused, and a code that is disabled or unknown', async () => {
  const own = await seedTenant(service)
  const { resourceClient } = own
  await resourceClient.make('Attendance Code', { code: 'X', label: 'Old', counts_as: 'Absent', disabled: 1 })
  for (const [fields, error, pattern] of [
    [{ status: 'Absent', minutes_late: 5 }, 'ValidationError', /Minutes Late/],
    [{ excused: 1 }, 'ValidationError', /Excused is an absence/],
    [{ half_day: 1 }, 'ValidationError', /Half Day/],
    [{ minutes_late: -1 }, 'ValidationError', /from 0 to 1440/],
    [{ minutes_late: 1441 }, 'ValidationError', /from 0 to 1440/],
    [{ attendance_code: 'P', minutes_late: 5 }, 'ValidationError', /Attendance Code P/],
    [{ attendance_code: 'X' }, 'ValidationError', /disabled/],
    [{ attendance_code: 'nothing' }, 'LinkValidationError', /nothing/],
  ] as const) {
    const made = await attendance(own, fields)
    assert.deepEqual([made.status, made.error], [417, error], JSON.stringify(fields))
    assert.match(made.told, pattern)
  }
  const late = { code: 'Q', label: 'Q', counts_as: 'Absent', minutes: 5 }
  assert.equal((await resourceClient.create('Attendance Code', late)).error, 'ValidationError')
  const used = await attendance(own, { attendance_code: 'E' })
  assert.equal(used.error, null)
  assert.equal((await resourceClient.remove('Attendance Code', 'E')).error, 'LinkExistsError')
  const teacher = resourceClient.as('Instructor')
  assert.equal((await teacher.create('Attendance Code', { code: 'Z', label: 'Z', counts_as: 'Absent' })).status, 403)
  assert.equal((await teacher.read('Attendance Code', 'P')).status, 200)
})

test('a roll call takes codes and details, and repeated without them keeps those of marks that stay', async () => {
  const own = await seedTenant(service)
  const [ada, alan] = own.students
  const excused = { student: ada, attendance_code: 'E' }
  const late = { student: alan, attendance_code: 'L', minutes_late: '12' }
  const first = await call(own, [late], [excused])
  assert.equal(first.error, null, first.told)
  const roll = async () =>
    (
      await own.resourceClient.call(
        'doctype.student_attendance_tool.student_attendance_tool.get_student_attendance_records',
        { based_on: 'Student Group', student_group: own.group, date: '2026-09-01' },
      )
    ).data.map(({ student_name, group_roll_number, ...mark }: Record<string, unknown>) => mark)
  const expected = [
    { student: ada, status: 'Absent', attendance_code: 'E', excused: 1 },
    { student: alan, status: 'Present', attendance_code: 'L', minutes_late: 12 },
  ]
  assert.deepEqual(await roll(), expected)
  assert.equal((await call(own, [{ student: alan }], [{ student: ada }])).error, null)
  assert.deepEqual(await roll(), expected)
  assert.equal((await call(own, [{ student: ada }], [{ student: alan }])).error, null)
  assert.deepEqual(await roll(), [
    { student: ada, status: 'Present' },
    { student: alan, status: 'Absent' },
  ])
  for (const [present, absent, error, pattern] of [
    [[excused], [], 'ValidationError', /E counts as Excused/],
    [[], [{ student: ada, attendance_code: 'L' }], 'ValidationError', /L counts as Late/],
    [[{ student: ada, minutes_late: '1,5' }], [], 'FrappeTypeError', /minutes_late/],
    [[{ student: ada, attendance_code: 7 }], [], 'FrappeTypeError', /attendance_code/],
    [[], [{ student: ada, excused: 'yes' }], 'FrappeTypeError', /excused/],
  ] as const) {
    const refused = await call(own, [...present], [...absent])
    assert.deepEqual([refused.status, refused.error], [417, error])
    assert.match(refused.told, pattern)
  }
})

test('a half day of leave counts half, leaves the lessons to their rolls, and is given back when it is cancelled', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students, group } = own
  const [student] = students
  const early = (await aLesson(own)).data.name
  await call(own, [{ student }], [], { course_schedule: early })
  const leave = { student, from_date: '2026-09-01', to_date: '2026-09-01', student_group: group, half_day: 1 }
  const two = await resourceClient.create('Student Leave Application', { ...leave, to_date: '2026-09-02' })
  assert.deepEqual([two.status, two.error], [417, 'InvalidDates'])
  const made = await resourceClient.make('Student Leave Application', { ...leave, docstatus: 1 })
  assert.equal(made.total_leave_days, 0.5)
  const later = (await aLesson(own, { from_time: '11:00:00', to_time: '12:00:00' })).data.name
  await call(own, [], [{ student }], { course_schedule: later })
  assert.deepEqual(
    (await getMarks(own)).map((row: Record<string, unknown>) => [row.status, row.half_day, row.excused]),
    [
      ['Present', 0, 0],
      ['Leave', 1, 0],
      ['Absent', 0, 1],
    ],
  )
  await resourceClient.cancel('Student Leave Application', made.name)
  assert.equal((await getMarks(own, { docstatus: 1 })).length, 2)
})

async function report(own: SeededTenant, report_name: string, filters: object) {
  const caller = await aRecordCaller(service, own.tenant)
  return (await caller.post('/api/method/frappe.desk.query_report.run', { report_name, filters })).body.message
}

const card = async ({ resourceClient, students, year }: SeededTenant, fields: object = {}) =>
  (
    await resourceClient.call('report_card.get_student_report_card', {
      ...{ student: students[0], academic_year: year },
      ...fields,
    })
  ).data.attendance

test('a report card counts each day once, by the rule of the institution, and excused absences apart', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students } = own
  const [student] = students
  await call(own, [{ student, minutes_late: 5 }], [])
  for (const [from_time, to_time, isThere] of [
    ['09:00:00', '10:00:00', false],
    ['11:00:00', '12:00:00', true],
  ] as const) {
    const course_schedule = (await aLesson(own, { from_time, to_time })).data.name
    await call(own, isThere ? [{ student }] : [], isThere ? [] : [{ student }], { course_schedule })
  }
  await call(own, [], [{ student, attendance_code: 'S' }], { date: '2026-09-02' })
  await call(own, [], [{ student, half_day: 1 }], { date: '2026-09-03' })
  const ofRule = async (attendance_total_based_on: string) => {
    await resourceClient.update('Education Settings', 'Education Settings', { attendance_total_based_on })
    return card(own)
  }
  const late = { late: 1, minutes_late: 5, leave: 0, excused: 1, total: 3 }
  assert.deepEqual(await ofRule('Daily Roll'), { ...late, present: 1.5, absent: 0.5, percentage: 50 })
  assert.deepEqual(await ofRule('First Lesson'), { ...late, present: 0.5, absent: 1.5, percentage: 16.67 })
  assert.deepEqual(await ofRule('Every Lesson'), { ...late, present: 1, absent: 1, percentage: 33.33 })
  const sheet = await report(own, 'Student Monthly Attendance Sheet', {
    ...{ month: 'Sep', year: '2026', student_group: own.group },
  })
  const row = sheet.result.find((each: { student: string }) => each.student === student)
  assert.deepEqual([row['1'], row['2'], row['3'], row['Total Absent'], row['Total Excused']], ['P/A', 'E', 'P/A', 1, 1])
})

test('a report card of a term has the attendance of that term, and leaves to come do not count yet', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students, group, year, term } = own
  const spring = await resourceClient.make('Academic Term', {
    ...{ academic_year: year, term_name: 'Spring', term_start_date: '2026-12-21', term_end_date: '2027-06-30' },
  })
  await attendance(own, { status: 'Absent' })
  const future = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const leave = { student: students[0], student_group: group, from_date: future, to_date: future, docstatus: 1 }
  await resourceClient.make('Student Leave Application', leave)
  const none = { total: 0, present: 0, absent: 0, leave: 0, percentage: null }
  const one = { total: 1, present: 0, absent: 1, leave: 0, percentage: 0 }
  assert.deepEqual(await card(own, { academic_term: term }), one)
  assert.deepEqual(await card(own, { academic_term: spring.name }), none)
  assert.deepEqual(await card(own), one)
})

test('a student stands once in the report of absent students, with the groups', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students, group, year } = own
  const second = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Choir', academic_year: year, group_based_on: 'Activity' },
    students: [{ student: students[0] }],
  })
  const course_schedule = (await aLesson(own)).data.name
  for (const place of [{ student_group: group }, { student_group: second.name }, { course_schedule }]) {
    assert.equal((await attendance(own, { status: 'Absent', ...place })).error, null)
  }
  const { result } = await report(own, 'Absent Student Report', { date: '2026-09-01' })
  assert.deepEqual(
    result.map((row: Record<string, string>) => [row.student, row.student_group]),
    [[students[0], `Choir, ${group}`]],
  )
})
