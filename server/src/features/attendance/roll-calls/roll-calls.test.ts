import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson, aRecordCaller } from '../../../testing/fixtures/factories.ts'
import { aLesson, type SeededTenant, seedTenant } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()

interface Mark {
  readonly student: string
  readonly status: string
  readonly code?: string | null
  readonly minutesLate?: number
  readonly excused?: boolean
  readonly halfDay?: boolean
  readonly version?: string | null
}

const day = '2026-09-01'

async function school({ roles = ['Academics User'], lesson = false } = {}) {
  const seeded = await seedTenant(service)
  const of = lesson ? (await aLesson(seeded)).data.name : seeded.group
  const { caller } = await aPerson(service, seeded.tenant, roles)
  const address = `/console/v1/roll-calls/${encodeURIComponent(of)}/${day}`
  const call = (key: string, ...students: Mark[]) =>
    caller.with({ 'idempotency-key': key }).send('PUT', address, { students })
  return {
    seeded,
    of,
    caller,
    address,
    read: async () => (await caller.get(address)).body.data,
    call: (...students: Mark[]) => call(randomUUID(), ...students),
    callWith: call,
  }
}

const present = (student: string, more: object = {}): Mark => ({ student, status: 'Present', ...more })
const absent = (student: string, more: object = {}): Mark => ({ student, status: 'Absent', ...more })

const stored = async ({ resourceClient }: SeededTenant, fields = '["student","status","docstatus"]') =>
  (await resourceClient.list('Student Attendance', { fields, order_by: 'student asc', limit_page_length: '0' })).data

test('a roll has who is in the group on the day, with codes, leaves and nothing marked yet', async () => {
  const { seeded, of, read } = await school()
  const [ada, alan] = seeded.students
  await seeded.resourceClient.make('Student Leave Application', {
    ...{ student: alan, from_date: day, to_date: day, half_day: 1, student_group: 'Nursing A', docstatus: 1 },
  })
  await seeded.resourceClient.update('Student Group', seeded.group, {
    students: [{ student: ada }, { student: alan, to_date: '2026-09-30' }],
  })
  const roll = await read()
  assert.deepEqual([roll.of, roll.kind, roll.date, roll.studentGroup], [of, 'group', day, seeded.group])
  assert.deepEqual([roll.mayMark, roll.closed, roll.frozenUntil, roll.course], [true, null, null, null])
  assert.deepEqual(
    roll.codes.map(({ code, countsAs }: Record<string, string>) => [code, countsAs]),
    [
      ['P', 'Present'],
      ['A', 'Absent'],
      ['L', 'Late'],
      ['E', 'Excused'],
      ['S', 'Excused'],
    ],
  )
  const [first, second] = roll.students
  assert.deepEqual(first, {
    ...{ student: ada, studentName: 'Ada Byron', rollNumber: first.rollNumber, attendance: null, version: null },
    ...{ status: null, code: null, minutesLate: 0, excused: false, halfDay: false, leave: null },
  })
  assert.deepEqual([second.status, second.halfDay, second.leave.halfDay], ['Leave', true, true])
})

test('a roll is called once, and again says the same: each student is marked once, with audit and event', async () => {
  const { seeded, call, read } = await school()
  const [ada, alan] = seeded.students
  const { next } = (await seeded.tenant.api.get('/events?after=latest')).body
  const marks = [
    present(ada, { minutesLate: 7, version: null }),
    absent(alan, { code: 'S', excused: true, version: null }),
  ]
  const first = await call(...marks)
  assert.deepEqual([first.status, first.body.data.refused], [200, []], first.text)
  assert.deepEqual(
    first.body.data.students.map(({ student, status, code, minutesLate, excused }: Record<string, unknown>) => [
      ...[student, status, code],
      ...[minutesLate, excused],
    ]),
    [
      [ada, 'Present', null, 7, false],
      [alan, 'Absent', 'S', 0, true],
    ],
  )
  const again = await call(...marks)
  assert.deepEqual([again.status, again.body.data.refused], [200, []], 'what is there already is no conflict')
  assert.deepEqual(again.body.data.students, first.body.data.students)
  assert.deepEqual(await stored(seeded), [
    { student: ada, status: 'Present', docstatus: 1 },
    { student: alan, status: 'Absent', docstatus: 1 },
  ])
  const { data } = (await seeded.tenant.api.get(`/events?after=${next}`)).body
  assert.deepEqual(data.map(({ type }: Record<string, unknown>) => type).sort(), [
    'attendance.created',
    'attendance.created',
    'attendance.submitted',
    'attendance.submitted',
  ])
  const audit = (await seeded.tenant.api.get('/audit?entityType=attendance')).body.data
  assert.equal(audit.length, 4)
  assert.deepEqual((await read()).students, first.body.data.students)
})

test('a call that is sent twice with one key is done once, and another with that key is refused', async () => {
  const { seeded, callWith } = await school()
  const [ada, alan] = seeded.students
  const key = randomUUID()
  const [one, two] = await Promise.all([callWith(key, present(ada)), callWith(key, present(ada))])
  assert.ok(
    [one, two].every(({ status, body }) => status === 200 || body.code === 'idempotency_key_in_use'),
    `${one.text} ${two.text}`,
  )
  assert.equal((await callWith(key, present(ada))).status, 200)
  assert.equal((await stored(seeded)).length, 1)
  const other = await callWith(key, absent(alan))
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'], other.text)
})

test('a roll call without a key is refused', async () => {
  const { seeded, caller, address } = await school()
  const { status, body } = await caller.send('PUT', address, { students: [present(seeded.students[0])] })
  assert.deepEqual([status, body.code], [400, 'idempotency_key_missing'])
})

test('a correction changes what was marked, and keeps both values in the audit', async () => {
  const { seeded, call, read } = await school()
  const [ada, alan] = seeded.students
  await call(absent(ada), present(alan))
  const [before] = (await read()).students
  const corrected = await call(present(ada, { minutesLate: 20, version: before.version }))
  assert.deepEqual(corrected.body.data.refused, [], corrected.text)
  const [first, second] = (await read()).students
  assert.deepEqual([first.attendance, first.status, first.minutesLate], [before.attendance, 'Present', 20])
  assert.notEqual(first.version, before.version)
  assert.equal(second.status, 'Present', 'who is not listed stays')
  const audit = (await seeded.tenant.api.get('/audit?entityType=attendance')).body.data
  const change = audit.find(
    ({ before, after }: Record<string, { status?: string }>) =>
      before?.status === 'Absent' && after?.status === 'Present',
  )
  assert.equal(change?.after.minutes_late, 20)
})

test('two mark at once: the same student asks the second one, another student is marked by each', async () => {
  const { seeded, call, read } = await school()
  const [ada, alan] = seeded.students
  const both = await Promise.all([
    call(absent(ada, { version: null }), present(alan, { version: null })),
    call(present(ada, { version: null }), present(alan, { version: null })),
  ])
  assert.deepEqual(
    both.map(({ status, body }) => [status, body.data.refused.map(({ code }: { code: string }) => code).join()]).sort(),
    [
      [200, ''],
      [200, 'changed_meanwhile'],
    ],
  )
  const rejected = both.find(({ body }) => body.data.refused.length > 0)
  assert.equal(rejected?.body.data.refused[0].student, ada)
  const [theirs] = (await read()).students
  assert.deepEqual(rejected?.body.data.students[0], theirs, 'the answer shows what the other one marked')
  const mine = await call(absent(ada, { code: 'A' }))
  assert.deepEqual([mine.body.data.refused, mine.body.data.students[0].code], [[], 'A'], 'without a version it holds')
})

test('who cannot be marked is refused alone with the reason', async () => {
  const { seeded, call } = await school()
  const [ada, alan] = seeded.students
  await seeded.resourceClient.update('Attendance Code', 'S', { disabled: 1 })
  for (const [mark, code] of [
    [present('EDU-STU-2026-99999'), 'unknown_student'],
    [absent(ada, { code: 'S' }), 'unknown_code'],
    [absent(ada, { code: 'None' }), 'unknown_code'],
    [present(ada, { code: 'A' }), 'detail_does_not_fit'],
    [absent(ada, { minutesLate: 5 }), 'detail_does_not_fit'],
    [present(ada, { code: 'P', minutesLate: 5 }), 'detail_does_not_fit'],
    [present(ada, { excused: true }), 'detail_does_not_fit'],
    [absent(ada, { code: 'A', excused: true }), 'detail_does_not_fit'],
    [present(ada, { halfDay: true }), 'detail_does_not_fit'],
  ] as const) {
    const { status, body, text } = await call(mark, present(alan))
    assert.deepEqual([status, body.data.refused.map((each: { code: string }) => each.code)], [200, [code]], text)
  }
  assert.deepEqual(await stored(seeded), [{ student: alan, status: 'Present', docstatus: 1 }])
})

test('a request that no roll call can be is refused whole', async () => {
  const { seeded, call, caller } = await school()
  const [ada] = seeded.students
  for (const marks of [[], [{ student: ada, status: 'Leave' }], [present(ada, { minutesLate: 1441 })], [present('')]]) {
    const { status, body } = await call(...(marks as Mark[]))
    assert.deepEqual([status, body.code], [400, 'validation_failed'], JSON.stringify(marks))
  }
  const twice = await call(present(ada), absent(ada))
  assert.deepEqual([twice.status, twice.body.code], [422, 'rule_violated'])
  assert.deepEqual(await stored(seeded), [])
  const nowhere = await caller.get('/console/v1/roll-calls/Nowhere/2026-09-01')
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'resource_not_found'])
  const noDay = await caller.get(`/console/v1/roll-calls/${encodeURIComponent(seeded.group)}/2026-02-30`)
  assert.deepEqual([noDay.status, noDay.body.code], [404, 'resource_not_found'])
})

test('a leave that the office has granted stays, whatever the roll says', async () => {
  const { seeded, call, read } = await school()
  const [ada, alan] = seeded.students
  const before = await read()
  const leave = await seeded.resourceClient.make('Student Leave Application', {
    ...{ student: ada, from_date: day, to_date: day, student_group: seeded.group, docstatus: 1 },
  })
  const called = await call(
    present(ada, { version: before.students[0].version }),
    present(alan, { version: before.students[1].version }),
  )
  assert.deepEqual(called.body.data.refused, [], called.text)
  const [first, second] = called.body.data.students
  assert.deepEqual([first.status, first.leave.name, second.status], ['Leave', leave.name, 'Present'])
})

test('a lesson is called by its name on its day, beside the daily roll', async () => {
  const { seeded, of, read, call, caller } = await school({ lesson: true })
  const [ada, alan] = seeded.students
  const roll = await read()
  assert.deepEqual(
    [roll.kind, roll.course, roll.room, roll.instructor, roll.from, roll.to],
    ['lesson', 'Anatomy', 'Lecture Hall', 'Grace Hopper', '09:00', '10:00'],
  )
  const called = await call(absent(ada, { halfDay: true }), present(alan, { code: 'L' }))
  assert.deepEqual(called.body.data.refused, [], called.text)
  const marked = await stored(seeded, '["student","status","course_schedule","date","student_group"]')
  assert.deepEqual(marked, [
    { student: ada, status: 'Absent', course_schedule: of, date: day, student_group: seeded.group },
    { student: alan, status: 'Present', course_schedule: of, date: day, student_group: seeded.group },
  ])
  const elsewhere = await caller.get(`/console/v1/roll-calls/${of}/2026-09-02`)
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [404, 'resource_not_found'])
  const daily = await caller.get(`/console/v1/roll-calls/${encodeURIComponent(seeded.group)}/${day}`)
  assert.deepEqual(
    daily.body.data.students.map(({ status }: { status: string | null }) => status),
    [null, null],
  )
})

test('nobody marks a holiday or a frozen day, and the roll says why', async () => {
  const { seeded, read, call } = await school()
  const { resourceClient, students } = seeded
  await resourceClient.update('Education Settings', 'Education Settings', { attendance_freeze_date: day })
  const frozen = await read()
  assert.deepEqual([frozen.mayMark, frozen.closed, frozen.frozenUntil], [false, 'frozen', day])
  const refused = await call(present(students[0]))
  assert.deepEqual([refused.status, refused.body.code], [422, 'rule_violated'])
  assert.match(refused.body.detail, /frozen/)
  assert.deepEqual(await stored(seeded), [])
})

const dayOf = async ({ caller }: Pick<Awaited<ReturnType<typeof school>>, 'caller'>, query = '') => {
  const { status, body, text } = await caller.get(`/console/v1/roll-calls?date=${day}${query}`)
  assert.equal(status, 200, text)
  return body.data.rolls.map(({ of, isExpected, students, marked }: Record<string, unknown>) => [
    ...[of, isExpected],
    ...[students, marked],
  ])
}

test('the office sees what is not marked yet: daily rolls, or lessons where attendance is kept by them', async () => {
  const own = await school()
  const { seeded, call } = own
  const { resourceClient, group, students } = seeded
  const first = (await aLesson(seeded)).data.name
  const second = (await aLesson(seeded, { from_time: '11:00:00', to_time: '12:00:00' })).data.name
  assert.deepEqual(await dayOf(own), [
    [first, false, 2, 0],
    [second, false, 2, 0],
    [group, true, 2, 0],
  ])
  await call(present(students[0]))
  assert.deepEqual(await dayOf(own, '&only=open'), [[group, true, 2, 1]])
  await call(present(students[1]))
  assert.deepEqual(await dayOf(own, '&only=open'), [])
  const rule = (attendance_total_based_on: string) =>
    resourceClient.update('Education Settings', 'Education Settings', { attendance_total_based_on })
  await rule('First Lesson')
  assert.deepEqual(await dayOf(own, '&only=open'), [[first, true, 2, 0]])
  await rule('Every Lesson')
  assert.deepEqual(await dayOf(own, '&only=open'), [
    [first, true, 2, 0],
    [second, true, 2, 0],
  ])
  const elsewhere = await own.caller.get('/console/v1/roll-calls?date=2028-01-10')
  assert.deepEqual(elsewhere.body.data.rolls, [], 'a day outside the year of the group has no roll of it')
})

test('a teacher calls the rolls of the own groups and lessons, and no others', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, tenant, group, students, year, program } = seeded
  const { caller, email } = await aPerson(service, tenant, ['Instructor'])
  const employee = await resourceClient.make('Employee', { first_name: 'Grace', gender: 'Female', user_id: email })
  await resourceClient.update('Instructor', seeded.instructor, { employee: employee.name })
  const other = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Nursing B', academic_year: year, group_based_on: 'Activity', program },
    students: [{ student: students[0] }],
  })
  const { name: lesson } = (await aLesson(seeded)).data
  const mine = await caller.get(`/console/v1/roll-calls?date=${day}&only=mine`)
  assert.equal(mine.status, 200, mine.text)
  assert.deepEqual(
    mine.body.data.rolls.map(({ of, isMine }: Record<string, unknown>) => [of, isMine]),
    [
      [lesson, true],
      [group, true],
    ],
  )
  assert.equal((await caller.get(`/console/v1/roll-calls?date=${day}`)).body.data.rolls.length, 2)
  const address = (of: string) => `/console/v1/roll-calls/${encodeURIComponent(of)}/${day}`
  const keyed = () => caller.with({ 'idempotency-key': randomUUID() })
  const called = await keyed().send('PUT', address(lesson), { students: [absent(students[0], { version: null })] })
  assert.deepEqual([called.status, called.body.data?.refused], [200, []], called.text)
  const foreign = await keyed().send('PUT', address(other.name), { students: [absent(students[0])] })
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'insufficient_role'])
  assert.equal((await caller.get(address(other.name))).status, 403)
})

test('rolls are for those who keep attendance, of this institution', async () => {
  const { seeded, address, caller } = await school()
  for (const roles of [['Guardian'], ['Accounts User'], ['Student']]) {
    const { caller: other } = await aPerson(service, seeded.tenant, roles)
    for (const path of [address, `/console/v1/roll-calls?date=${day}`]) {
      const { status, body } = await other.get(path)
      assert.deepEqual([status, body.code], [403, 'insufficient_role'], `${roles} ${path}`)
    }
    const put = await other
      .with({ 'idempotency-key': randomUUID() })
      .send('PUT', address, { students: [present(seeded.students[0])] })
    assert.deepEqual([put.status, put.body.code], [403, 'insufficient_role'], roles.join())
  }
  const foreign = await aPerson(service, await service.tenant(), ['Academics User'])
  const { status, body } = await foreign.caller.get(address)
  assert.deepEqual([status, body.code], [404, 'resource_not_found'])
  assert.equal((await caller.get(address)).status, 200)
  assert.deepEqual(await stored(seeded), [])
  const viaMethod = await aRecordCaller(service, seeded.tenant)
  assert.equal((await viaMethod.get('/console/v1/roll-calls')).status, 401)
})
