import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

async function listPeriods({ resourceClient }: SeededTenant): Promise<Record<string, string | null>[]> {
  const fields = '["name","student","program","entry_date","entry_code","exit_date","exit_code"]'
  return (await resourceClient.list('Enrollment History', { fields, order_by: 'entry_date asc' })).data
}

const shown = (periods: readonly Record<string, string | null>[]) =>
  periods.map(({ entry_date, entry_code, exit_date, exit_code }) => [
    entry_date,
    entry_code,
    exit_date,
    exit_code || '',
  ])

test('an enrolment that is submitted is an entry in its program; a further one in the program is none', async () => {
  const seededTenant = await seedTenant(service)
  await anEnrollment(seededTenant)
  assert.deepEqual(await listPeriods(seededTenant), [])
  const { data } = await anEnrollment(seededTenant, { academic_term: seededTenant.term, docstatus: 1 })
  assert.equal(data.docstatus, 1)
  const [period] = await listPeriods(seededTenant)
  assert.deepEqual(shown(await listPeriods(seededTenant)), [['2026-08-03', 'New', null, '']])
  assert.deepEqual(await seededTenant.resourceClient.traces('Enrollment History', period?.name as string), [
    'enrollment_history.created',
  ])
})

test('withdraw_student: ends the time in the program and in the institution, and who is enrolled again re-enters', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, program, year } = seededTenant
  await anEnrollment(seededTenant, { docstatus: 1 })
  const withdraw = (fields: object) =>
    resourceClient.call('api.withdraw_student', { student: students[0], exit_date: '2026-10-01', ...fields })
  for (const [fields, pattern] of [
    [{ exit_code: 'Tired' }, /must be one of/],
    [{ exit_date: '2026-08-02' }, /before the Entry Date 2026-08-03/],
    [{ student: students[1] }, /not in any program/],
  ] as const) {
    const refused = await withdraw(fields)
    assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'], refused.told)
    assert.match(refused.told, pattern)
  }
  assert.equal((await withdraw({ student: 'nobody' })).status, 404)
  assert.equal((await resourceClient.as('Instructor').call('api.withdraw_student', { student: 'x' })).status, 403)
  const left = await withdraw({ exit_code: 'Transfer Out', remarks: 'Moved to the coast' })
  assert.equal(left.error, null, left.told)
  assert.deepEqual(shown(await listPeriods(seededTenant)), [['2026-08-03', 'New', '2026-10-01', 'Transfer Out']])
  const leaver = (await resourceClient.read('Student', students[0])).data
  assert.deepEqual([leaver.date_of_leaving, leaver.reason_for_leaving], ['2026-10-01', 'Moved to the coast'])
  assert.equal((await withdraw({})).status, 417)
  const term = await resourceClient.make('Academic Term', {
    ...{ academic_year: year, term_name: 'Spring', term_start_date: '2027-01-10', term_end_date: '2027-06-30' },
  })
  await resourceClient.make('Program Enrollment', {
    ...{ student: students[0], program, academic_year: year, academic_term: term.name },
    ...{ enrollment_date: '2027-01-10', docstatus: 1 },
  })
  assert.deepEqual(shown(await listPeriods(seededTenant)), [
    ['2026-08-03', 'New', '2026-10-01', 'Transfer Out'],
    ['2027-01-10', 'Re-entry', null, ''],
  ])
  assert.equal((await resourceClient.read('Student', students[0])).data.date_of_leaving, null)
})

test('graduate_student: ends the time in one program, and the institution is not left', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, program } = seededTenant
  await anEnrollment(seededTenant, { docstatus: 1 })
  const done = await resourceClient.call('api.graduate_student', {
    ...{ student: students[0], program, exit_date: '2027-06-30' },
  })
  assert.equal(done.data?.exit_code, 'Graduation', done.told)
  assert.deepEqual(shown(await listPeriods(seededTenant)), [['2026-08-03', 'New', '2027-06-30', 'Graduation']])
  assert.equal((await resourceClient.read('Student', students[0])).data.date_of_leaving, null)
})

test('a cancelled enrolment ends its entry, one in its place goes on with it, and a deleted one takes it along', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const { data } = await anEnrollment(seededTenant, { docstatus: 1 })
  const cancelled = await resourceClient.cancel('Program Enrollment', data.name)
  assert.equal(cancelled.error, null, cancelled.told)
  const [period] = await listPeriods(seededTenant)
  // Before the school year begins the entry goes; later it ends.
  if (period !== undefined) assert.equal(period.exit_code, 'Enrollment Cancelled')
  await anEnrollment(seededTenant, { docstatus: 1 })
  assert.deepEqual(shown(await listPeriods(seededTenant)), [['2026-08-03', 'New', null, '']])
  const removed = await resourceClient.remove('Program Enrollment', data.name)
  assert.equal(removed.error, null, removed.told)
  assert.equal((await listPeriods(seededTenant)).length, 1)
})

test('the history can be corrected, with dates in order, a code for each exit, and one period at a time', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, program } = seededTenant
  await anEnrollment(seededTenant, { docstatus: 1 })
  const [period] = await listPeriods(seededTenant)
  const name = period?.name as string
  for (const [fields, pattern] of [
    [{ exit_date: '2026-08-02', exit_code: 'Other' }, /before the Entry Date/],
    [{ exit_date: '2026-09-02' }, /Choose the Exit Code/],
    [{ exit_code: 'Other' }, /needs an Exit Date/],
  ] as const) {
    const refused = await resourceClient.update('Enrollment History', name, fields)
    assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'], refused.told)
    assert.match(refused.told, pattern)
  }
  const again = { student: students[0], program, entry_code: 'Re-entry' }
  const refused = await resourceClient.create('Enrollment History', { ...again, entry_date: '2026-09-01' })
  assert.match(refused.told, new RegExp(name))
  const corrected = { exit_date: '2026-09-01', exit_code: 'Withdrawal', entry_date: '2026-08-01' }
  assert.equal((await resourceClient.update('Enrollment History', name, corrected)).error, null)
  assert.equal((await resourceClient.create('Enrollment History', { ...again, entry_date: '2026-09-01' })).error, null)
  assert.deepEqual(shown(await listPeriods(seededTenant)), [
    ['2026-08-01', 'New', '2026-09-01', 'Withdrawal'],
    ['2026-09-01', 'Re-entry', null, ''],
  ])
})
