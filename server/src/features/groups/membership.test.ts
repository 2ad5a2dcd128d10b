import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const tool = 'doctype.student_attendance_tool.student_attendance_tool.get_student_attendance_records'
const names = (rows: readonly { student: string }[]) => rows.map(({ student }) => student)

async function roll({ resourceClient, group }: SeededTenant, date?: string, of = group): Promise<string[]> {
  const asked = { based_on: 'Student Group', student_group: of, ...(date && { date }) }
  return names((await resourceClient.call(tool, asked)).data)
}

const setMembers = async ({ resourceClient, group }: SeededTenant, students: object[]) => {
  const { error, told } = await resourceClient.update('Student Group', group, { students })
  assert.equal(error, null, told)
}

async function aGroup({ resourceClient, year, program }: SeededTenant, name: string, fields: object = {}) {
  const basis = { student_group_name: name, academic_year: year, group_based_on: 'Activity', program }
  return (await resourceClient.make('Student Group', { ...basis, ...fields })).name
}

const daysFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const mark = ({ resourceClient, group }: SeededTenant, student: string, date: string) =>
  resourceClient.create('Student Attendance', { student, student_group: group, date, docstatus: 1 })

test('a roll, a late mark and the list of a group go by the days of the membership, the first and the last included', async () => {
  const own = await seedTenant(service)
  const [ada, alan] = own.students
  await setMembers(own, [{ student: ada, from_date: '2026-09-02', to_date: '2026-09-04' }, { student: alan }])
  for (const [day, members] of [
    ['2026-09-01', [alan]],
    ['2026-09-02', [ada, alan]],
    ['2026-09-04', [ada, alan]],
    ['2026-09-05', [alan]],
  ] as const) {
    assert.deepEqual((await roll(own, day)).sort(), [...members].sort(), day)
    const { data } = await own.resourceClient.call('api.get_student_group_students', {
      student_group: own.group,
      date: day,
    })
    assert.deepEqual(names(data).sort(), [...members].sort(), day)
    const marked = await mark(own, ada, day)
    const isMember = (members as readonly string[]).includes(ada)
    assert.equal(marked.error, isMember ? null : 'ValidationError', day)
    if (!isMember) assert.match(marked.told, new RegExp(`not active in it on ${day}`))
  }
  const all = await own.resourceClient.call('api.get_student_group_students', {
    student_group: own.group,
    include_inactive: 1,
  })
  assert.equal(all.data.length, 2)
})

test('a student leaves rolls and charges on the date of leaving, and without one when disabled', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students, program, year, group } = own
  const [ada, alan] = students
  for (const student of students) await anEnrollment(own, { student, docstatus: 1 })
  const charged = async (posting_date: string) =>
    (
      await resourceClient.call('doctype.fee_schedule.fee_schedule.get_total_students', {
        student_group: group,
        academic_year: year,
        academic_term: '',
        student_category: '',
        program,
        posting_date,
      })
    ).data
  await resourceClient.update('Student', ada, { date_of_leaving: '2026-10-01' })
  assert.deepEqual((await roll(own, '2026-09-30')).sort(), [...students].sort())
  assert.deepEqual([await charged('2026-09-30'), await charged('2026-10-01')], [2, 1])
  assert.deepEqual(await roll(own, '2026-10-01'), [alan])
  await resourceClient.update('Student', alan, { enabled: 0 })
  assert.deepEqual(await roll(own, '2026-09-30'), [ada])
  assert.equal(await charged('2026-09-30'), 1)
  const other = await aStudent(own.tenant.api)
  const rows = [{ student: ada }, { student: alan }, { student: other.studentCode }]
  const { data } = await resourceClient.read('Student Group', group)
  const kept = data.students.map(({ name }: { name: string }) => ({ name }))
  const added = await resourceClient.update('Student Group', group, { students: [...kept, rows[2]] })
  assert.equal(added.error, null, 'a leaver in the group is no reason to refuse another change of it')
})

test('a student leaves the groups of a program with the day on which the last enrolment in it is cancelled', async () => {
  const own = await seedTenant(service)
  const { resourceClient, students } = own
  const [ada, alan] = students
  const [yesterday, today] = [daysFromToday(-1), daysFromToday(0)]
  const { data: enrollment } = await anEnrollment(own, { docstatus: 1 })
  assert.deepEqual((await roll(own, today)).sort(), [...students].sort())
  await resourceClient.cancel('Program Enrollment', enrollment.name)
  assert.deepEqual(await roll(own, today), [alan])
  assert.deepEqual((await roll(own, yesterday)).sort(), [...students].sort())
  await anEnrollment(own, { docstatus: 1 })
  assert.ok((await roll(own, today)).includes(ada), 'enrolled again, the student is back')
})

test('a monthly sheet shows the days on which a student was in the group', async () => {
  const own = await seedTenant(service)
  const [ada, alan] = own.students
  await mark(own, alan, '2026-09-07')
  await setMembers(own, [
    { student: ada, from_date: '2026-09-10', to_date: '2026-09-11' },
    { student: ada, from_date: '2026-09-21' },
    { student: alan, to_date: '2026-08-31' },
  ])
  await mark(own, ada, '2026-09-10')
  const caller = await aRecordCaller(service, own.tenant)
  const sheet = async (month: string) => {
    const filters = { month, year: '2026', student_group: own.group }
    const asked = { report_name: 'Student Monthly Attendance Sheet', filters }
    return (await caller.post('/api/method/frappe.desk.query_report.run', asked)).body.message.result
  }
  const september = await sheet('Sep')
  assert.deepEqual(names(september), [ada, alan], 'who was marked stays on the sheet')
  const [first, second] = september
  assert.deepEqual(
    [9, 10, 11, 12, 20, 21, 30].map((day) => first[String(day)]),
    ['-', 'P', '', '-', '-', '', ''],
  )
  assert.deepEqual([second['7'], second['8'], second['Total Present']], ['P', '-', 1])
  assert.deepEqual(names(await sheet('Oct')), [ada])
})

test('a group has on no day more students than its strength', async () => {
  const own = await seedTenant(service)
  const [ada, alan] = own.students
  const group = (students: object[], fields: object = {}) =>
    own.resourceClient.create('Student Group', {
      student_group_name: `Group of ${JSON.stringify(students).length} ${Math.random()}`,
      academic_year: own.year,
      group_based_on: 'Activity',
      max_strength: 1,
      students,
      ...fields,
    })
  const until = { student: ada, to_date: '2026-09-30' }
  assert.equal((await group([until, { student: alan, from_date: '2026-10-01' }])).error, null)
  const both = await group([until, { student: alan, from_date: '2026-09-30' }])
  assert.deepEqual([both.status, both.error], [417, 'ValidationError'])
  assert.match(both.told, /more than 1 students in this group: there would be 2 on 2026-09-30/)
  assert.equal((await group([until, { student: alan, active: 0 }])).error, null)
  await own.resourceClient.update('Student', ada, { date_of_leaving: '2026-09-15' })
  assert.equal((await group([until, { student: alan, from_date: '2026-09-15' }])).error, null)
})

test('move_student ends a membership the day before and begins the other one, in both groups or in none', async () => {
  const own = await seedTenant(service)
  const { resourceClient, group, students } = own
  const [ada, alan] = students
  const second = await aGroup(own, 'Nursing B')
  await mark(own, ada, '2026-10-05')
  const move = { student: ada, from_group: group, to_group: second, date: '2026-10-05' }
  const { error, told, data } = await resourceClient.call('api.move_student', move)
  assert.deepEqual([error, data], [null, move], told)
  assert.match(told, /1 attendance records of Nursing A/)
  assert.deepEqual((await roll(own, '2026-10-04')).sort(), [...students].sort())
  assert.deepEqual(await roll(own, '2026-10-05'), [alan])
  assert.deepEqual([await roll(own, '2026-10-04', second), await roll(own, '2026-10-05', second)], [[], [ada]])
  for (const name of [group, second]) {
    assert.equal((await resourceClient.traces('Student Group', name)).at(-1), 'student_group.updated')
  }
  const back = await resourceClient.call('api.move_student', {
    ...{ student: ada, from_group: second, to_group: group, date: '2026-10-05' },
  })
  assert.equal(back.error, null, back.told)
  assert.deepEqual(await roll(own, '2026-10-05', second), [], 'who was never there has no row')
  assert.deepEqual((await resourceClient.read('Student Group', second)).data.students, [])
  assert.deepEqual((await roll(own, '2026-10-05')).sort(), [...students].sort())
})

test('a move to a full, disabled, unknown or same group is refused, as one of somebody who is not there, and changes nothing', async () => {
  const own = await seedTenant(service)
  const { resourceClient, group, students } = own
  const [ada, alan] = students
  const full = await aGroup(own, 'Full', { max_strength: 1, students: [{ student: alan }] })
  const disabled = await aGroup(own, 'Disabled', { disabled: 1 })
  const nextYear = await resourceClient.make('Academic Year', {
    ...{ academic_year_name: '2027-28', year_start_date: '2027-08-01', year_end_date: '2028-06-30' },
  })
  const later = await aGroup(own, 'Later', { academic_year: nextYear.name })
  const before = (await resourceClient.read('Student Group', group)).data
  const valid = { student: ada, from_group: group, to_group: full, date: '2026-10-05' }
  for (const [changed, status, pattern] of [
    [{}, 417, /more than 1/],
    [{ to_group: disabled }, 417, /disabled/],
    [{ to_group: later }, 417, /2027-28/],
    [{ to_group: group }, 417, /another group/],
    [{ to_group: 'None' }, 404, /None/],
    [{ student: 'Nobody' }, 417, /does not belong/],
    [{ from_group: full, to_group: group }, 417, /does not belong/],
    [{ date: '2026-02-30' }, 417, /date/],
  ] as const) {
    const moved = await resourceClient.call('api.move_student', { ...valid, ...changed })
    assert.equal(moved.status, status, moved.told)
    assert.match(moved.told, pattern)
  }
  assert.deepEqual((await resourceClient.read('Student Group', group)).data, before)
  const teacher = await resourceClient.as('Instructor').call('api.move_student', valid)
  assert.deepEqual([teacher.status, teacher.error], [403, 'PermissionError'])
  const other = await seedTenant(service)
  const foreign = await other.resourceClient.call('api.move_student', { ...valid, student: ada })
  assert.ok([404, 417].includes(foreign.status))
})

test('of two moves of a student at once one is made', async () => {
  const own = await seedTenant(service)
  const [ada] = own.students
  const targets = [await aGroup(own, 'B'), await aGroup(own, 'C')]
  const moves = await Promise.all(
    targets.map((to_group) =>
      own.resourceClient.call('api.move_student', {
        ...{ student: ada, from_group: own.group, to_group, date: '2026-10-05' },
      }),
    ),
  )
  assert.deepEqual(moves.map(({ status }) => status).sort(), [200, 417])
})
