import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outcome, ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const year = { academic_year_name: '2026', year_start_date: '2026-01-01', year_end_date: '2026-12-31' }
const term = { academic_year: '2026', term_name: 'T', term_start_date: '2026-01-01', term_end_date: '2026-06-30' }

async function institution(): Promise<ResourceClient> {
  const resourceClient = new ResourceClient(service, await service.tenant())
  await resourceClient.make('Academic Year', year)
  return resourceClient
}

function assertRejected({ status, error, told: reported }: Outcome, reason: RegExp): void {
  assert.deepEqual([status, error], [417, 'ValidationError'], reported)
  assert.match(reported, reason)
}

test('a year does not end before it begins; it may last one day', async () => {
  const resourceClient = await institution()
  assertRejected(
    await resourceClient.update('Academic Year', '2026', { year_end_date: '2025-12-31' }),
    /End Date cannot be earlier/,
  )
  assert.equal((await resourceClient.update('Academic Year', '2026', { year_end_date: '2026-01-01' })).error, null)
})

test('a term comes once in a year by its name, which it must have', async () => {
  const resourceClient = await institution()
  const { name } = await resourceClient.make('Academic Term', term)
  assert.equal(name, '2026 (T)')
  assertRejected(await resourceClient.create('Academic Term', term), /already exists/)
  assertRejected(await resourceClient.create('Academic Term', { ...term, term_name: '' }), /must not be empty/)
  assert.equal((await resourceClient.update('Academic Term', name, { term_end_date: '2026-07-31' })).error, null)
  const { name: second } = await resourceClient.make('Academic Term', { ...term, term_name: 'U' })
  assertRejected(await resourceClient.update('Academic Term', second, { term_name: 'T' }), /already exists/)
})

test('a term lies within its year, in the order of its days', async () => {
  const resourceClient = await institution()
  for (const [days, reason] of [
    [{ term_start_date: '2026-07-01' }, /End Date cannot be earlier than the Term Start Date/],
    [{ term_start_date: '2025-12-31' }, /earlier than the Year Start Date/],
    [{ term_end_date: '2027-01-01' }, /later than the Year End Date/],
  ] as const) {
    assertRejected(await resourceClient.create('Academic Term', { ...term, ...days }), reason)
  }
})

test('the current year and term of the settings stay as long as they are current; what a tool was filled in with does not', async () => {
  const resourceClient = await institution()
  const { name } = await resourceClient.make('Academic Term', term)
  const settings = 'Education Settings'
  await resourceClient.update(settings, settings, { current_academic_year: '2026', current_academic_term: name })
  const rejected = await resourceClient.remove('Academic Term', name)
  assert.deepEqual([rejected.status, rejected.error], [417, 'LinkExistsError'])
  assert.match(rejected.told, /linked with Education Settings\./)
  await resourceClient.update(settings, settings, { current_academic_year: null, current_academic_term: null })
  const tool = 'Program Enrollment Tool'
  await resourceClient.make('Program', { program_name: 'Physics' })
  const filled = {
    get_students_from: 'Student Applicant',
    program: 'Physics',
    academic_year: '2026',
    academic_term: name,
  }
  assert.equal((await resourceClient.update(tool, tool, filled)).error, null)
  assert.equal((await resourceClient.remove('Academic Term', name)).status, 202)
})

test('a year cannot shrink below its terms', async () => {
  const resourceClient = await institution()
  await resourceClient.make('Academic Term', term)
  const shrunk = await resourceClient.update('Academic Year', '2026', { year_end_date: '2026-06-29' })
  assertRejected(shrunk, /The Academic Term 2026 \(T\) .* would lie outside the year/)
  assert.equal((await resourceClient.update('Academic Year', '2026', { year_end_date: '2026-06-30' })).error, null)
})

test('a term belongs to the year of the record that names it', async () => {
  const resourceClient = await institution()
  const { name } = await resourceClient.make('Academic Term', term)
  const next = { academic_year_name: '2027', year_start_date: '2027-01-01', year_end_date: '2027-12-31' }
  await resourceClient.make('Academic Year', next)
  await resourceClient.make('Program', { program_name: 'Physics' })
  await resourceClient.make('Fee Category', { category_name: 'Tuition' })
  const student = (await resourceClient.make('Student', { first_name: 'Ada' })).name
  for (const [type, fields] of [
    ['Student Group', { student_group_name: 'A', group_based_on: 'Activity' }],
    ['Program Enrollment', { student, program: 'Physics', enrollment_date: '2027-02-01' }],
    ['Fee Structure', { program: 'Physics', components: [{ fees_category: 'Tuition', amount: 1 }] }],
  ] as const) {
    const made = await resourceClient.create(type, { ...fields, academic_year: '2027', academic_term: name })
    assertRejected(made, /2026 \(T\) does not belong to the Academic Year 2027/)
  }
  const late = await resourceClient.create('Program Enrollment', {
    ...{ student, program: 'Physics', academic_year: '2027', enrollment_date: '2028-01-01' },
  })
  assertRejected(late, /Enrollment Date 2028-01-01 is outside the Academic Year 2027/)
})
