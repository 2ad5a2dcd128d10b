import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startTestService } from '../../../server/dist/testing/fixtures/test-service.js'
import { aSync, type Sync } from './testing/a-sync.ts'
import { assertFields } from './testing/assert-fields.ts'
import { type CsvRow, csvRows, district, edit, partOfDistrict } from './testing/files.ts'
import type { Ended } from './testing/program.ts'
import { getRecords, getSizes, loadSchoolState, touchedRecords } from './testing/school-state.ts'
import { lastPosition, loadEvents, loadState } from './testing/tenant-state.ts'

const service = await startTestService()
// All that the files say of teaching; the students left out have no part in it.
const whole = await partOfDistrict(1)

describe('the teaching of a district that is synced to its end', () => {
  let sync: Sync
  let first: Ended
  before(async () => {
    sync = await aSync(service)
    first = await sync.run(whole)
  })

  test('the first run makes every year, term, course, instructor, group and attendance of the files, once', async () => {
    assert.equal(first.code, 0, first.errors)
    assert.match(first.output, /years +1 created\nterms +2 created\ncourses +84 created\ninstructors +68 created\n/)
    assert.match(first.output, /groups +538 created\nmembers +413 linked\nattendance +1916 created, 1 left out\n/)
    assert.match(first.output, /^Everything is in step\.$/m)
    assert.deepEqual(getSizes(await loadSchoolState(service, sync.key)), {
      'Academic Year': 1,
      'Academic Term': 2,
      Course: 84,
      Instructor: 68,
      'Student Group': 538,
      'Student Attendance': 1916,
    })
  })

  test('the second event of a student on a day is told as a note, which is why 1917 events are 1916 attendances', () => {
    assert.match(
      first.errors,
      /^note: attendance\.csv:5 second_event_of_day: Partial of 604822 on 2021-12-15 is left out: one attendance is kept of a day, that of line 4$/m,
    )
  })

  test('every event is a submitted attendance of its student, day and school, with the status that its category means', async () => {
    const state = await loadSchoolState(service, sync.key)
    const { students } = await loadState(sync.tenant)
    const events = (await csvRows(district, 'attendance.csv')).filter(
      ({ student_id: id, date, category }) => !(id === '604822' && date === '2021-12-15' && category === 'Partial'),
    )
    const reported: Record<string, string> = {
      'Excused Absence': 'Leave',
      'Unexcused Absence': 'Absent',
      Tardy: 'Present',
    }
    const wanted = events.map(({ student_id: id, date, category, school_id: school, session_name: session }) =>
      [students.get(id as string).studentCode, date, reported[category as string], `${school} ${session}`, 1].join('|'),
    )
    const found = [...(state['Student Attendance']?.values() ?? [])].map(
      ({ student, date, status, student_group: group, docstatus }) =>
        [student, date, status, group, docstatus].join('|'),
    )
    assert.deepEqual(found.sort(), wanted.sort())
  })

  test('years, terms, courses, instructors and groups say what the files say', async () => {
    const state = await loadSchoolState(service, sync.key)
    const of = (type: string, name: string) => state[type]?.get(name)
    assertFields(of('Academic Year', '2021-2022'), { year_start_date: '2021-08-23', year_end_date: '2022-05-27' })
    assertFields(of('Academic Term', '2021-2022 (Spring Semester)'), {
      academic_year: '2021-2022',
      term_name: 'Spring Semester',
      term_start_date: '2022-01-04',
      term_end_date: '2022-05-27',
    })
    for (const { course_code: code, title, academic_subject: subject } of await csvRows(district, 'courses.csv')) {
      assertFields(of('Course', code as string), { course_name: code, description: `${title}\n${subject}` })
    }
    const staff = new Map<string, CsvRow>()
    for (const row of await csvRows(district, 'staff.csv')) {
      const name = [row.first_name, row.middle_name, row.last_surname].filter(Boolean).join(' ')
      staff.set(row.staff_id as string, { name })
      assertFields(of('Instructor', name), { instructor_name: name, gender: row.sex, status: 'Active', employee: null })
    }
    const teaching = await csvRows(district, 'staff_sections.csv')
    const sections = await csvRows(district, 'sections.csv')
    const teachers = await getRecords(service, sync.key).getDocList<CsvRow>('Student Group', {
      fields: ['name', 'instructors.instructor'] as never,
      filters: [['group_based_on', '=', 'Course']],
      limit: 0,
    })
    for (const { section_id: id, course_code: course, session_name: session } of sections) {
      const name = `${id} ${course}`
      assertFields(of('Student Group', name), {
        group_based_on: 'Course',
        course,
        academic_year: '2021-2022',
        academic_term: `2021-2022 (${session?.replace('2021-2022 ', '')})`,
      })
      const wanted = teaching
        .filter(({ section_id: own }) => own === id)
        .map(({ staff_id: by }) => staff.get(by as string))
      const found = teachers.filter((row) => row.name === name && row.instructor).map(({ instructor }) => instructor)
      assert.deepEqual(found.sort(), [...new Set(wanted.map((each) => each?.name))].sort(), name)
    }
    const school = await getRecords(service, sync.key).getDoc('Student Group', '255901107 2021-2022 Spring Semester')
    assertFields(school, { group_based_on: 'Activity', academic_term: '2021-2022 (Spring Semester)' })
    assert.deepEqual([school.students.length, school.instructors.length], [113, 0])
  })

  test('a second run changes nothing, no stamp and no event, and says so of every kind', async () => {
    const state = await loadSchoolState(service, sync.key)
    const position = await lastPosition(service, sync.tenant)
    const second = await sync.run(whole, '--part', 'records')
    assert.equal(second.code, 0, second.errors)
    assert.equal(
      second.output,
      [
        'years        1 unchanged',
        'terms        2 unchanged',
        'courses      84 unchanged',
        'instructors  68 unchanged',
        'groups       538 unchanged',
        'members      413 unchanged',
        'attendance   1916 unchanged, 1 left out',
        'Nothing changed: everything was in step already.\n',
      ].join('\n'),
    )
    assert.deepEqual(await loadEvents(service, sync.tenant, position), {})
    assert.deepEqual(touchedRecords(state, await loadSchoolState(service, sync.key)), {})
  })

  test('a run with some rows edited touches those and no other record', async () => {
    const state = await loadSchoolState(service, sync.key)
    const people = await loadState(sync.tenant)
    const folder = await partOfDistrict(1)
    await edit(folder, 'courses.csv', 'ALG-1,Algebra I,', 'ALG-1,Algebra One,')
    await edit(folder, 'staff.csv', '207288,Barry,,Tanner,Male,', '207288,Barry,,Tanner,Other,')
    const taught = '\n207219,25590110701Trad101ELA0112011,Teacher of Record,2021-08-23,2021-12-17\n'
    await edit(
      folder,
      'staff_sections.csv',
      `staff_id,section_id,position,begin_date,end_date${taught}`,
      'staff_id,section_id,position,begin_date,end_date\n',
    )
    const event = '\n604822,2021-11-09,'
    await edit(folder, 'attendance.csv', `${event}Excused`, `${event}Unexcused`)
    const term = '255901001,2021-2022 Fall Semester'
    await edit(folder, 'attendance.csv', event, `\n604826,2021-09-01,Tardy,Tardy,${term}${event}`)
    const third = await sync.run(folder, '--part', 'records')
    assert.equal(third.code, 0, third.errors)
    assert.match(third.output, /courses +1 updated, 83 unchanged\ninstructors +1 updated, 67 unchanged\n/)
    assert.match(third.output, /groups +2 updated, 536 unchanged\nmembers +1 linked, 413 unchanged\n/)
    assert.match(
      third.output,
      /attendance +1 created, 1 updated, 1915 unchanged, 1 left out\nEverything is in step\.\n/,
    )
    const now = await loadSchoolState(service, sync.key)
    const { 'Student Attendance': attendances = [], ...touched } = touchedRecords(state, now)
    assert.deepEqual(touched, {
      Course: ['ALG-1'],
      Instructor: ['Barry Tanner'],
      'Student Group': [`${term.replace(',', ' ')}`, '25590110701Trad101ELA0112011 ELA-01'].sort(),
    })
    assert.deepEqual(
      attendances
        .map((name) => now['Student Attendance']?.get(name))
        .map(({ student, date, status, docstatus }) => [student, date, status, docstatus])
        .sort(([, one], [, other]) => String(one).localeCompare(String(other))),
      [
        [people.students.get('604826').studentCode, '2021-09-01', 'Present', 1],
        [people.students.get('604822').studentCode, '2021-11-09', 'Absent', 1],
      ],
    )
    assert.match((await sync.run(folder, '--part', 'records')).output, /^Nothing changed/m)
  })
})
