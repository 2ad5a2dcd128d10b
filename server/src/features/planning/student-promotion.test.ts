import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const next = '2027-28'

async function aSchool(size: number) {
  const seededTenant = await seedTenant(service)
  const { resourceClient, program, year } = seededTenant
  const dates = { year_start_date: '2027-08-01', year_end_date: '2028-06-30' }
  await resourceClient.make('Academic Year', { academic_year_name: next, ...dates })
  await resourceClient.make('Program', { program_name: 'Midwifery' })
  for (const batch_name of ['First', 'Second']) await resourceClient.make('Student Batch Name', { batch_name })
  await anEnrollment(seededTenant, { docstatus: 1, student_batch_name: 'First' })
  const students = [seededTenant.students[0] as string]
  while (students.length < size) {
    const { name } = await resourceClient.make('Student', { first_name: 'Emmy' })
    const fields = { student: name, program, academic_year: year, enrollment_date: '2026-08-04', docstatus: 1 }
    await resourceClient.make('Program Enrollment', { ...fields, student_batch_name: 'First' })
    students.push(name)
  }
  return { ...seededTenant, all: students }
}

const aPromotion = ({ resourceClient, program, year }: SeededTenant, fields: object = {}) =>
  resourceClient.make('Student Promotion', {
    ...{ program, academic_year: year, new_program: 'Midwifery', new_academic_year: next },
    ...{ new_student_batch: 'Second', enrollment_date: '2027-08-02', ...fields },
  })

async function finish({ resourceClient }: SeededTenant, promotion: string, method: 'start' | 'undo') {
  const started = await resourceClient.call(`api.${method}_promotion`, { promotion })
  assert.equal(started.error, null, started.told)
  await until(async () => {
    const { data } = await resourceClient.call('api.get_promotion_progress', { promotion })
    return !['Queued', 'Undo Queued'].includes(data.status)
  }, `the end of ${promotion}`)
  return (await resourceClient.read('Student Promotion', promotion)).data
}

/** What a promotion may change, without the versions and times of records. */
async function snapshot({ tenant }: SeededTenant): Promise<unknown> {
  const select = (table: string, columns: string) =>
    service.database.inspect(`select ${columns} from ${table} where tenant_id = $1 order by 1`, [tenant.id])
  return Promise.all([
    select('program_enrollments', 'name, docstatus, student, program, academic_year, student_batch_name'),
    select('course_enrollments', 'name, student, course, program_enrollment'),
    select(
      'enrollment_history',
      'name, student, program, entry_date, entry_code, exit_date, coalesce(exit_code, $$$$)',
    ),
    select('students', 'student_code, joining_date, date_of_leaving'),
    select('fees', 'name'),
  ])
}

test('a promotion: the preview names what becomes of each student, and changes nothing', async () => {
  const school = await aSchool(3)
  const [first, second, third] = school.all
  const promotion = await aPromotion(school)
  const rows = promotion.students as { name: string; student: string }[]
  assert.deepEqual(rows.map(({ student }) => student).sort(), [...school.all].sort())
  const decided = rows.map((row) => ({ name: row.name, decision: row.student === second ? 'Graduate' : 'Promote' }))
  await school.resourceClient.update('Student Promotion', promotion.name, { students: decided })
  await school.resourceClient.update('Student', third as string, { enabled: 0 })
  const before = await snapshot(school)
  const seen = await school.resourceClient.call('api.preview_promotion', { promotion: promotion.name })
  assert.equal(seen.error, null, seen.told)
  assert.deepEqual([seen.data.total, seen.data.refused], [3, 1])
  const outcomes = Object.fromEntries(
    seen.data.students.map((row: Record<string, string>) => [row.student, [row.outcome, row.message]]),
  )
  assert.deepEqual(outcomes[first as string], ['Promoted', null])
  assert.deepEqual(outcomes[second as string], ['Graduated', null])
  assert.equal(outcomes[third as string][0], 'Refused')
  assert.match(outcomes[third as string][1], /is disabled/)
  assert.deepEqual(await snapshot(school), before)
  const rejected = await finish(school, promotion.name, 'start')
  assert.equal(rejected.status, 'Failed')
  assert.match(rejected.error_log, /is disabled/)
  assert.deepEqual(await snapshot(school), before)
})

test('a promotion: enrols all in the new batch once, ends the former program, and is taken back as a whole', async () => {
  const school = await aSchool(3)
  const { resourceClient } = school
  const before = await snapshot(school)
  const promotion = await aPromotion(school)
  const done = await finish(school, promotion.name, 'start')
  assert.deepEqual([done.status, done.done, done.error_log], ['Completed', 3, null])
  const again = await resourceClient.call('api.start_promotion', { promotion: promotion.name })
  assert.deepEqual([again.status, again.data.status], [200, 'Completed'])
  const filters = JSON.stringify({ academic_year: next })
  const made = await resourceClient.list('Program Enrollment', {
    ...{ filters, fields: '["program","docstatus","enrollment_date","student_batch_name"]' },
  })
  const enrolled = { program: 'Midwifery', docstatus: 1, enrollment_date: '2027-08-02', student_batch_name: 'Second' }
  assert.deepEqual(made.data, [enrolled, enrolled, enrolled])
  const history = await resourceClient.list('Enrollment History', {
    ...{ filters: JSON.stringify({ student: school.all[1] }), order_by: 'entry_date asc' },
    fields: '["program","entry_code","exit_date","exit_code"]',
  })
  assert.deepEqual(
    history.data.map((row: Record<string, string | null>) => [row.program, row.entry_code]),
    [
      [school.program, 'New'],
      ['Midwifery', 'Promotion'],
    ],
  )
  assert.deepEqual([history.data[0].exit_date, history.data[0].exit_code], ['2027-08-02', 'Promotion'])
  const changed = await resourceClient.update('Student Promotion', promotion.name, { new_student_batch: 'First' })
  assert.deepEqual([changed.status, changed.error], [417, 'ValidationError'])
  const traces = await resourceClient.traces('Program Enrollment', done.students[0].new_enrollment)
  assert.ok(traces.includes('program_enrollment.created'))
  const undone = await finish(school, promotion.name, 'undo')
  assert.deepEqual([undone.status, undone.error_log], ['Undone', null])
  assert.deepEqual(await snapshot(school), before)
})

test('a promotion: what was changed since is not taken back, nor is anything else', async () => {
  const school = await aSchool(2)
  const promotion = await aPromotion(school)
  const done = await finish(school, promotion.name, 'start')
  const [row] = done.students
  await school.resourceClient.update('Program Enrollment', row.new_enrollment, { student_batch_name: 'First' })
  const before = await snapshot(school)
  const kept = await finish(school, promotion.name, 'undo')
  assert.equal(kept.status, 'Completed')
  assert.match(kept.error_log, /was changed since/)
  assert.deepEqual(await snapshot(school), before)
})

test('a promotion: takes rights, a student once, and terms of the years', async () => {
  const school = await aSchool(1)
  const promotion = await aPromotion(school)
  const academics = school.resourceClient.as('Academics User')
  for (const method of ['preview', 'start', 'undo']) {
    assert.equal((await academics.call(`api.${method}_promotion`, { promotion: promotion.name })).status, 403, method)
  }
  const missing = await school.resourceClient.call('api.start_promotion', { promotion: 'none' })
  assert.equal(missing.status, 404)
  const [student] = school.all
  for (const [fields, pattern] of [
    [{ students: [{ student }, { student }] }, /rows 1 and 2/],
    [{ new_academic_term: school.term }, /does not belong/],
  ] as const) {
    const refused = await school.resourceClient.update('Student Promotion', promotion.name, fields)
    assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'], refused.told)
    assert.match(refused.told, pattern)
  }
})

test('promotion and undo leave the records as they were, whatever was decided', async () => {
  const decision = fc.constantFrom('Promote', 'Retain', 'Graduate', 'Exclude')
  const school = await aSchool(4)
  await fc.assert(
    fc.asyncProperty(
      fc.array(decision, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      async (decisions, isSubmitted) => {
        const before = await snapshot(school)
        const students = school.all.map((student, index) => ({ student, decision: decisions[index] }))
        const promotion = await aPromotion(school, { students, submit_enrollments: isSubmitted ? 1 : 0 })
        const done = await finish(school, promotion.name, 'start')
        assert.deepEqual([done.status, done.error_log], ['Completed', null])
        const undone = await finish(school, promotion.name, 'undo')
        assert.deepEqual([undone.status, undone.error_log], ['Undone', null])
        assert.deepEqual(await snapshot(school), before)
      },
    ),
    { numRuns: 4 },
  )
})
