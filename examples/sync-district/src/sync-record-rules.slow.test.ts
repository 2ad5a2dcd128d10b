import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestTenant } from '../../../server/dist/testing/fixtures/test-service.js'
import { aSync } from './testing/a-sync.ts'
import { aDistrict } from './testing/files.ts'
import { runProgram } from './testing/program.ts'
import { getRecords, getSizes, loadSchoolState, touchedRecords } from './testing/school-state.ts'
import { loadState } from './testing/tenant-state.ts'

const service = await startTestService()

const term = '2021-2022 Fall Semester'
const group = `1 ${term}`
const late = (student: number, day: string, category = 'Tardy', session = term) =>
  `${student},${day},${category},,1,${session}`
const school = {
  students: ['1,Ms,Ada,,Byron,,,2010-12-10', '2,Ms,Allegra,,Byron,,,2012-01-12'],
  contacts: ['11,Anne,,Byron,Female,(950) 111 1111,,,,,'],
  student_contacts: ['1,11,Mother,true,true,true'],
  courses: ['MATH,Mathematics,,1'],
  staff: ['21,Mary,,Somerville,Female,,', '22,Charles,,Babbage,Male,,'],
  sections: [`S1,MATH,1,${term},1,01 - Traditional,`],
  staff_sections: ['21,S1,Teacher of Record,,'],
  attendance: [late(1, '2021-09-01'), late(2, '2021-09-02')],
}

/** The rows of a table of a group, as staff sees them. */
async function loadStaff(tenant: TestTenant) {
  const { secret } = await tenant.token({ kind: 'resource', name: 'staff', roles: ['System Manager'] })
  return getRecords(service, secret)
}

test('rows that cannot be are told in one line each with file, line and reason, and the others are done', async () => {
  const { key, run } = await aSync(service)
  const folder = await aDistrict({
    ...school,
    staff: [...school.staff, '23,Mary,,Somerville,Female,,', '24,Jane,,Marcet,Unheard,,'],
    sections: [...school.sections, `S2,MATH,1,Winter,1,,`, `S3,LATIN,1,${term},1,,`],
    staff_sections: [...school.staff_sections, '99,S1,Teacher of Record,,'],
    attendance: [
      ...school.attendance,
      late(9, '2021-09-01'),
      late(1, '2021-09-03', 'Asleep'),
      late(1, '2021-09-03', 'Tardy', 'Winter'),
      late(1, '', 'Tardy'),
      late(1, '2021-09-31'),
    ],
  })
  const { code, output, errors } = await run(folder)
  assert.equal(code, 1)
  const reported = errors.split('\n').filter((line) => line.includes('.csv:'))
  const starts = [
    'attendance.csv:4 no_student: the tenant has no student 9',
    'attendance.csv:5 unknown_category: Asleep is no kind of attendance that is known here',
    'attendance.csv:6 unknown_session: sessions.csv has no Winter of school 1',
    'attendance.csv:7 missing_value: date is empty',
    'attendance.csv:8 ValidationError: Date: ',
    'sections.csv:3 unknown_session: sessions.csv has no Winter of school 1',
    'sections.csv:4 LinkValidationError: Could not find Course: LATIN',
    'staff.csv:4 repeated_name: Mary Somerville stands in an earlier row, and instructors have no id',
    'staff.csv:5 LinkValidationError: Could not find Gender: Unheard',
    'staff_sections.csv:3 unknown_staff: staff.csv has no 99',
  ]
  assert.deepEqual(
    reported.toSorted().map((line, index) => line.slice(0, starts[index]?.length)),
    starts,
    errors,
  )
  assert.doesNotMatch(errors, /^ +at /m)
  assert.match(output, /instructors +2 created, 1 refused\ngroups +2 created, 1 refused\nmembers +2 linked\n/)
  assert.match(output, /attendance +2 created, 1 refused, 4 left out\nNot everything is in step: 10 failures\.\n/)
  assert.equal(getSizes(await loadSchoolState(service, key))['Student Attendance'], 2)
})

test('an attendance on a holiday of the institution is refused with its words, and made once it is none', async () => {
  const { tenant, key, run } = await aSync(service)
  const staff = await loadStaff(tenant)
  const holidays = [{ holiday_date: '2021-09-02', description: 'Founders’ Day' }]
  await staff.updateDoc('Holiday List', 'Holidays', { from_date: '2021-01-01', holidays })
  const folder = await aDistrict(school)
  const { code, output, errors } = await run(folder)
  assert.equal(code, 1)
  assert.match(errors, /^attendance\.csv:3 ValidationError: .*2021-09-02.*holiday/m)
  assert.match(output, /attendance +1 created, 1 refused\nNot everything is in step: 1 failure\.\n/)
  await staff.updateDoc('Holiday List', 'Holidays', { holidays: [] })
  assert.match((await run(folder)).output, /attendance +1 created, 1 unchanged\nEverything is in step\.\n/)
  assert.equal(getSizes(await loadSchoolState(service, key))['Student Attendance'], 2)
})

test('a student who is not active is a member who is not active, and the attendance is refused with its reason', async () => {
  const { tenant, run } = await aSync(service)
  const folder = await aDistrict(school)
  await run(folder, '--part', 'client')
  const { students } = await loadState(tenant)
  await tenant.api.patch(`/students/${students.get('2').id}`, { status: 'graduated' })
  const { code, output, errors } = await run(folder)
  assert.equal(code, 1)
  assert.match(errors, /^attendance\.csv:3 ValidationError: .*not active in it/m)
  assert.match(output, /members +2 linked\nattendance +1 created, 1 refused\n/)
  const { students: members } = await (await loadStaff(tenant)).getDoc('Student Group', group)
  assert.deepEqual(
    members.map(({ active }: { active: number }) => active),
    [1, 0],
  )
})

test('members that staff added stay, with their roll numbers; a teacher who left a section is taken out of its group', async () => {
  const { tenant, key, run } = await aSync(service)
  await run(await aDistrict({ ...school, attendance: [late(2, '2021-09-02')] }))
  const staff = await loadStaff(tenant)
  const { studentCode: guest } = (await tenant.api.post('/students', { fullName: 'Guest' }, { 'idempotency-key': 'g' }))
    .body.data
  const { students } = await staff.getDoc('Student Group', group)
  await staff.updateDoc('Student Group', group, { students: [...students, { student: guest, group_roll_number: 70 }] })
  const folder = await aDistrict({ ...school, staff_sections: ['22,S1,Teacher of Record,,'] })
  const { output, errors, code } = await run(folder)
  assert.equal(code, 0, errors)
  assert.match(output, /groups +2 updated\nmembers +1 linked, 1 unchanged\n/)
  const after = await staff.getDoc('Student Group', group)
  const rolls = after.students.map((row: Record<string, unknown>) => row.group_roll_number)
  assert.deepEqual([after.students[1].student, rolls], [guest, [1, 70, 71]])
  const section = await staff.getDoc('Student Group', 'S1 MATH')
  assert.deepEqual(
    section.instructors.map(({ instructor }: { instructor: string }) => instructor),
    ['Charles Babbage'],
  )
  const state = await loadSchoolState(service, key)
  assert.match((await run(folder)).output, /^Nothing changed/m)
  assert.deepEqual(touchedRecords(state, await loadSchoolState(service, key)), {})
})

test('a draft of an attendance is submitted, and one that is gone from the file stays', async () => {
  const { tenant, key, run } = await aSync(service)
  const folder = await aDistrict({ ...school, attendance: [late(2, '2021-09-02')] })
  await run(folder)
  const staff = await loadStaff(tenant)
  const { studentCode: student } = (await loadState(tenant)).students.get('2')
  await staff.createDoc('Student Attendance', { student, student_group: group, date: '2021-09-06', status: 'Absent' })
  const changed = await aDistrict({ ...school, attendance: [late(2, '2021-09-06')] })
  assert.match((await run(changed)).output, /attendance +1 updated\nEverything is in step\.\n/)
  const found = [...((await loadSchoolState(service, key))['Student Attendance']?.values() ?? [])]
  assert.deepEqual(found.map(({ date, status, docstatus }) => [date, status, docstatus]).sort(), [
    ['2021-09-02', 'Present', 1],
    ['2021-09-06', 'Present', 1],
  ])
})

test('where schools keep different days, a year and a term reach from the first of them to the last', async () => {
  const { key, run } = await aSync(service)
  const sessions = [
    `${term},2021-2022,Fall Semester,2021-08-23,2021-12-17,1`,
    `${term},2021-2022,Fall Semester,2021-08-20,2021-12-10,2`,
  ]
  assert.equal((await run(await aDistrict({ ...school, sessions }))).code, 0)
  const longer = [...sessions, 'Spring,2021-2022,Spring,2022-01-04,2022-05-27,1']
  const { output } = await run(await aDistrict({ ...school, sessions: longer }))
  assert.match(output, /years +1 updated\nterms +1 created, 1 unchanged\n/)
  const state = await loadSchoolState(service, key)
  const year = state['Academic Year']?.get('2021-2022')
  const fall = state['Academic Term']?.get('2021-2022 (Fall Semester)')
  assert.deepEqual([year.year_start_date, year.year_end_date], ['2021-08-20', '2022-05-27'])
  assert.deepEqual([fall.term_start_date, fall.term_end_date], ['2021-08-20', '2021-12-17'])
})

test('one part is run alone, and only with the credentials that it needs', async () => {
  const { tenant, key, run } = await aSync(service)
  const folder = await aDistrict(school)
  assert.doesNotMatch((await run(folder, '--part', 'client')).output, /courses|attendance/)
  assert.equal(getSizes(await loadSchoolState(service, key)).Course, 0)
  const records = await run(folder, '--part', 'records')
  assert.doesNotMatch(records.output, /students|payments/)
  assert.match(records.output, /courses +1 created\n/)
  const { secret } = await tenant.token({ name: 'alone' })
  const alone = ['--url', service.address, '--data', folder]
  const cases: [string[], RegExp][] = [
    [['--token', secret, '--part', 'records'], /^--part records needs a --key beside the token\./],
    [['--token', secret, '--part', 'both'], /^--part both needs a --key beside the token\./],
    [['--key', key], /^--key needs --token too/],
    [['--part', 'some'], /^--part some is not possible\./],
  ]
  for (const [args, line] of cases) {
    const { code, errors } = await runProgram({ args: [...alone, ...args] })
    assert.equal(code, 2)
    assert.match(errors, line)
  }
})

test('a key that every record would be refused for ends the run with one line; files that are not whole with none sent', async () => {
  const { tenant, key, run } = await aSync(service)
  const folder = await aDistrict(school)
  const { code, errors } = await run(folder, '--key', 'mtr_nonsense')
  assert.equal(code, 1)
  assert.match(errors, /^AuthenticationError: This key is not valid here\./m)
  const { secret } = await tenant.token({ kind: 'resource', name: 'reader', roles: ['Academics User'] })
  assert.match((await run(folder, '--key', secret)).errors, /^PermissionError: .+$/m)
  const before = getSizes(await loadSchoolState(service, key))
  const broken = await run(await aDistrict({ ...school, staff_sections: [] }))
  assert.deepEqual([broken.code, broken.errors], [1, 'staff_sections.csv has no rows.'])
  assert.deepEqual(getSizes(await loadSchoolState(service, key)), before)
})
