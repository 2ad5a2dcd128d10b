import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLesson, aScale, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

test('a lesson takes its title, teacher, program, colour and, in a group of a course, the course', async () => {
  const seededTenant = await seedTenant(service)
  const made = await aLesson(seededTenant, { class_schedule_color: 'red', color: '#000000' })
  assert.equal(made.error, null, made.told)
  const { title, instructor_name, color, program } = made.data
  assert.deepEqual(
    { title, instructor_name, color, program },
    {
      title: 'Anatomy by Grace Hopper',
      instructor_name: 'Grace Hopper',
      color: '#FFF0F0',
      program: seededTenant.program,
    },
  )
  await seededTenant.resourceClient.update('Student Group', seededTenant.group, {
    group_based_on: 'Course',
    course: 'Ethics',
  })
  const second = await aLesson(seededTenant, { from_time: '10:00:00', to_time: '11:00:00' })
  assert.equal(second.data.course, 'Ethics')
})

test('a lesson lies within the term of its group, or else within its year', async () => {
  const seededTenant = await seedTenant(service)
  const beyond = await aLesson(seededTenant, { schedule_date: '2027-07-01' })
  assert.deepEqual([beyond.status, beyond.error], [417, 'ValidationError'])
  assert.match(beyond.told, /Academic Year 2026-27/)
  const last = await aLesson(seededTenant, { schedule_date: '2027-06-30' })
  assert.equal(last.error, null)
  await seededTenant.resourceClient.remove('Course Schedule', last.data.name)
  await seededTenant.resourceClient.update('Student Group', seededTenant.group, { academic_term: seededTenant.term })
  const late = await aLesson(seededTenant, { schedule_date: '2026-12-21' })
  assert.match(late.told, /Academic Term 2026-27 \(Autumn\)/)
  assert.equal((await aLesson(seededTenant, { schedule_date: '2026-12-20' })).error, null)
})

test('a lesson whose start is sent with a day is on that day', async () => {
  const seededTenant = await seedTenant(service)
  const made = await aLesson(seededTenant, { from_time: '2026-09-03 09:00:00', to_time: '2026-09-03 10:00:00' })
  assert.deepEqual([made.data.schedule_date, made.data.from_time], ['2026-09-03', '9:00:00'])
  const moved = await seededTenant.resourceClient.update('Course Schedule', made.data.name, {
    from_time: '2026-09-04 09:30:00',
  })
  assert.deepEqual([moved.data.schedule_date, moved.data.from_time], ['2026-09-04', '9:30:00'])
})

test('a lesson ends after it begins', async () => {
  const seededTenant = await seedTenant(service)
  const made = await aLesson(seededTenant, { from_time: '10:00:00', to_time: '9:59:59' })
  assert.deepEqual([made.status, made.error], [417, 'ValidationError'])
  const empty = await aLesson(seededTenant, { from_time: '10:00:00', to_time: '10:00:00' })
  assert.deepEqual([empty.status, empty.error], [417, 'ValidationError'])
})

const taken = { from: '09:00:00', to: '10:00:00' }
for (const [from, to, conflicts] of [
  ['09:30:00', '10:30:00', true],
  ['08:30:00', '09:30:00', true],
  ['09:15:00', '09:45:00', true],
  ['08:00:00', '11:00:00', true],
  ['09:00:00', '10:00:00', true],
  ['10:00:00', '11:00:00', false],
  ['08:00:00', '09:00:00', false],
  ['09:00:00', '09:30:00', true],
  ['09:00:00', '10:30:00', true],
  ['09:30:00', '10:00:00', true],
  ['08:30:00', '10:00:00', true],
] as const) {
  test(`a lesson from ${from} to ${to} ${conflicts ? 'conflicts' : 'does not conflict'} with one from ${taken.from} to ${taken.to}`, async () => {
    const seededTenant = await seedTenant(service)
    const first = await aLesson(seededTenant)
    const second = await aLesson(seededTenant, { from_time: from, to_time: to })
    assert.equal(second.error, conflicts ? 'OverlapError' : null)
    if (!conflicts) return
    assert.equal(second.status, 417)
    assert.match(second.told, new RegExp(`Course Schedule ${first.data.name} .* Student Group`))
  })
}

test('a teacher, a room and a group are each in one lesson at a time; on another day all are free', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, year } = seededTenant
  await aLesson(seededTenant)
  const group = (
    await resourceClient.make('Student Group', {
      student_group_name: 'B',
      academic_year: year,
      group_based_on: 'Activity',
    })
  ).name
  const instructor = (await resourceClient.make('Instructor', { instructor_name: 'Kurt Gödel' })).name
  const room = (await resourceClient.make('Room', { room_name: 'Annexe' })).name
  for (const [fields, label] of [
    [{ student_group: group, instructor }, 'Room'],
    [{ student_group: group, room }, 'Instructor'],
    [{ instructor, room }, 'Student Group'],
  ] as const) {
    const made = await aLesson(seededTenant, fields)
    assert.equal(made.error, 'OverlapError')
    assert.match(made.told, new RegExp(`for ${label} `))
  }
  assert.equal((await aLesson(seededTenant, { student_group: group, instructor, room })).error, null)
  assert.equal((await aLesson(seededTenant, { schedule_date: '2026-09-02' })).error, null)
})

test('a student in two groups is in one lesson at a time; who is inactive in one of them is not bound', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, year, students, courses } = seededTenant
  await aLesson(seededTenant)
  const group = await resourceClient.make('Student Group', {
    student_group_name: 'Choir',
    academic_year: year,
    group_based_on: 'Activity',
    students: [{ student: students[0] }],
  })
  const instructor = (await resourceClient.make('Instructor', { instructor_name: 'Kurt Gödel' })).name
  const room = (await resourceClient.make('Room', { room_name: 'Annexe' })).name
  const other = { student_group: group.name, instructor, room, course: courses[1] }
  const made = await aLesson(seededTenant, { ...other, from_time: '09:59:00', to_time: '10:30:00' })
  assert.deepEqual([made.status, made.error], [417, 'OverlapError'])
  assert.match(made.told, new RegExp(`for Student ${students[0]}, who is in both groups`))
  assert.equal((await aLesson(seededTenant, { ...other, from_time: '10:00:00', to_time: '10:30:00' })).error, null)
  await resourceClient.update('Student Group', group.name, { students: [{ student: students[0], active: 0 }] })
  assert.equal((await aLesson(seededTenant, { ...other, from_time: '09:00:00', to_time: '09:30:00' })).error, null)
})

test('a lesson that is saved again does not conflict with itself', async () => {
  const seededTenant = await seedTenant(service)
  const { data } = await aLesson(seededTenant)
  const changed = await seededTenant.resourceClient.update('Course Schedule', data.name, {
    class_schedule_color: 'pink',
  })
  assert.deepEqual([changed.error, changed.data.color], [null, '#FEEEF8'])
})

test('of two lessons at once in one room one is made', async () => {
  const seededTenant = await seedTenant(service)
  const outcomes = await Promise.all([aLesson(seededTenant), aLesson(seededTenant)])
  assert.deepEqual(outcomes.map(({ error }) => error).sort(), [null, 'OverlapError'].sort())
})

test('an examination takes its group, its room and its supervisor from lessons', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, group, courses, instructor } = seededTenant
  await resourceClient.make('Assessment Criteria', { assessment_criteria: 'Written' })
  const plan = await resourceClient.make('Assessment Plan', {
    student_group: group,
    course: courses[0],
    assessment_group: 'All Assessment Groups',
    grading_scale: await aScale(seededTenant),
    schedule_date: '2026-09-01',
    from_time: '09:00:00',
    to_time: '10:00:00',
    supervisor: instructor,
    maximum_assessment_score: 10,
    assessment_criteria: [{ assessment_criteria: 'Written', maximum_score: 10 }],
  })
  const lesson = await aLesson(seededTenant)
  assert.equal(lesson.error, 'OverlapError')
  assert.match(lesson.told, new RegExp(`Assessment Plan ${plan.name}`))
})

test('a calendar shows the lessons of some days, as filters have them', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, group, courses, room } = seededTenant
  const { data } = await aLesson(seededTenant)
  await aLesson(seededTenant, { schedule_date: '2026-09-02' })
  const ask = (args: object) =>
    resourceClient.call('api.get_course_schedule_events', { start: '2026-09-01', end: '2026-09-01', ...args })
  const lesson = {
    name: data.name,
    course: courses[0],
    color: '#EDF6FD',
    from_time: '2026-09-01 09:00:00',
    to_time: '2026-09-01 10:00:00',
    room,
    student_group: group,
    allDay: 0,
  }
  assert.deepEqual((await ask({})).data, [lesson])
  assert.equal((await ask({ end: '2026-09-30' })).data.length, 2)
  for (const filters of [{ room }, [['room', '=', room]], ['Course Schedule', 'room', '=', room], '{}', []]) {
    assert.deepEqual((await ask({ filters })).data, [lesson])
  }
  assert.deepEqual((await ask({ filters: { room: 'none' } })).data, [])
  const forbidden = await resourceClient
    .as('Accounts User')
    .call('api.get_course_schedule_events', { start: '2026-09-01', end: '2026-09-01' })
  assert.deepEqual([forbidden.status, forbidden.error], [403, 'PermissionError'])
  assert.equal((await ask({ start: 'soon' })).error, 'FrappeTypeError')
})

test('a student sees the lessons of the own groups by day', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, group, program, room, courses, instructor } = seededTenant
  const { data } = await aLesson(seededTenant)
  const ask = (student_groups: unknown) =>
    resourceClient.call('api.get_course_schedule_for_student', { program_name: program, student_groups })
  assert.deepEqual((await ask([{ label: group }])).data, [
    {
      schedule_date: '2026-09-01',
      room,
      class_schedule_color: 'blue',
      course: courses[0],
      from_time: '9:00:00',
      to_time: '10:00:00',
      instructor,
      title: data.title,
      name: data.name,
    },
  ])
  assert.deepEqual((await ask([])).data, [])
  for (const bad of [null, 'x{', '[1]', { label: group }]) {
    const { status } = await ask(bad)
    assert.ok(status === 417 || status === 400, String(status))
  }
})
