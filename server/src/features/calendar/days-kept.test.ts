import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../testing/fixtures/resource-client.ts'
import { aLesson, anEnrollment, aPlan, aScale, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const inYear2027 = { academic_year_name: '2027-28', year_start_date: '2027-08-01', year_end_date: '2028-06-30' }

function assertRejected({ status, error, told }: Outcome, reason: RegExp): void {
  assert.deepEqual([status, error], [417, 'ValidationError'], told)
  assert.match(told, reason)
}

test('a year keeps the enrolments, lessons and examinations that are dated within it, to the day', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, year, term } = seeded
  await aScale(seeded)
  const { data: enrollment } = await anEnrollment(seeded, { enrollment_date: '2026-08-10' })
  const { data: lesson } = await aLesson(seeded, { schedule_date: '2027-06-29' })
  await aPlan(seeded, { schedule_date: '2027-06-28' })
  await resourceClient.remove('Academic Term', term)
  const shorten = (fields: object) => resourceClient.update('Academic Year', year, fields)
  assertRejected(
    await shorten({ year_start_date: '2026-08-11' }),
    new RegExp(`Program Enrollment ${enrollment.name} is of 2026-08-10.*2026-08-11 to 2027-06-30`),
  )
  assertRejected(
    await shorten({ year_end_date: '2027-06-28' }),
    new RegExp(`Course Schedule ${lesson.name} is of 2027-`),
  )
  assert.equal((await resourceClient.remove('Course Schedule', lesson.name)).error, null)
  assertRejected(await shorten({ year_end_date: '2027-06-27' }), /Assessment Plan EDU-ASP-\S+ is of 2027-06-28/)
  assert.deepEqual(await resourceClient.traces('Academic Year', year), ['academic_year.created'])
  const longer = await shorten({ year_start_date: '2026-08-10', year_end_date: '2027-06-28' })
  assert.equal(longer.error, null, longer.told)
  assert.equal((await shorten({ year_start_date: '2026-08-01' })).error, null, 'a longer year keeps them all')
})

test('a term keeps the lessons of its groups, and stays in its year while records name it', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, group, term } = seeded
  const later = await resourceClient.make('Academic Year', inYear2027)
  const moved = { academic_year: later.name, term_start_date: '2027-08-01', term_end_date: '2027-12-20' }
  assert.equal((await resourceClient.update('Student Group', group, { academic_term: term })).error, null)
  await aLesson(seeded, { schedule_date: '2026-12-20' })
  const change = (fields: object) => resourceClient.update('Academic Term', term, fields)
  assertRejected(await change({ term_end_date: '2026-12-19' }), /Course Schedule \S+ is of 2026-12-20/)
  assertRejected(await change(moved), /Student Group Nursing A is of .*, and of the Academic Year 2026-27/)
  const free = await resourceClient.make('Academic Term', {
    ...{ academic_year: seeded.year, term_name: 'Free', term_start_date: '2026-08-01', term_end_date: '2026-08-31' },
  })
  assert.equal((await resourceClient.update('Academic Term', free.name, moved)).error, null)
})

test('a group keeps its lessons and its attendance within its year, and its lessons within its term', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, group, term, students } = seeded
  const later = await resourceClient.make('Academic Year', inYear2027)
  const move = (fields: object) => resourceClient.update('Student Group', group, fields)
  const { data: lesson } = await aLesson(seeded, { schedule_date: '2027-02-01' })
  assertRejected(
    await move({ academic_term: term }),
    /is of 2027-02-01, which would lie outside \(2026-08-01 to 2026-12-20\)/,
  )
  await resourceClient.remove('Course Schedule', lesson.name)
  assert.equal((await move({ academic_term: term })).error, null)
  assert.equal((await move({ academic_term: null })).error, null)
  const attendance = { student: students[0], student_group: group, date: '2026-09-01', status: 'Present', docstatus: 1 }
  const { name } = await resourceClient.make('Student Attendance', attendance)
  assertRejected(await move({ academic_year: later.name }), new RegExp(`Student Attendance ${name} is of 2026-09-01`))
  await resourceClient.cancel('Student Attendance', name)
  assert.equal((await move({ academic_year: later.name })).error, null)
})

test('the current term is of the current year: another year alone clears it, another term is refused', async () => {
  const { resourceClient, year, term } = await seedTenant(service)
  const later = await resourceClient.make('Academic Year', inYear2027)
  const settings = 'Education Settings'
  const set = (fields: object) => resourceClient.update(settings, settings, fields)
  assert.equal((await set({ current_academic_year: year, current_academic_term: term })).error, null)
  const next = await set({ current_academic_year: later.name })
  assert.deepEqual([next.error, next.data.current_academic_term], [null, null])
  assert.match(next.told, new RegExp(`${later.name}, and was cleared`))
  assertRejected(await set({ current_academic_term: term }), /does not belong to the Academic Year 2027-28/)
  assertRejected(await set({ waiting_list_offer_days: -1 }), /Days to Accept a Place \(-1\)/)
  assert.equal((await set({ current_academic_year: year, current_academic_term: term })).error, null)
})

test('an instructor’s log and a note about a student name terms and groups of their year', async () => {
  const { resourceClient, term, group, program, students } = await seedTenant(service)
  const later = await resourceClient.make('Academic Year', inYear2027)
  const row = { academic_year: later.name, program }
  for (const [fields, reason] of [
    [{ academic_term: term }, /Row #1: the Academic Term .* is of the Academic Year 2026-27, not of 2027-28/],
    [{ student_group: group }, /Row #1: the Student Group Nursing A is of the Academic Year 2026-27, not of 2027-28/],
  ] as const) {
    const instructor = { instructor_name: 'Mary', instructor_log: [{ ...row, ...fields }] }
    assertRejected(await resourceClient.create('Instructor', instructor), reason)
  }
  const note = { student: students[0], academic_year: later.name, academic_term: term }
  assertRejected(await resourceClient.create('Student Log', note), /does not belong to the Academic Year 2027-28/)
})
