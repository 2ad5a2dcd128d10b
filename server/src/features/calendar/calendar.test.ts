import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outcome, RecordDesk } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const year = { academic_year_name: '2026', year_start_date: '2026-01-01', year_end_date: '2026-12-31' }
const term = { academic_year: '2026', term_name: 'T', term_start_date: '2026-01-01', term_end_date: '2026-06-30' }

async function institution(): Promise<RecordDesk> {
  const desk = new RecordDesk(service, await service.tenant())
  await desk.make('Academic Year', year)
  return desk
}

function assertRefused({ status, error, told }: Outcome, reason: RegExp): void {
  assert.deepEqual([status, error], [417, 'ValidationError'], told)
  assert.match(told, reason)
}

test('a year does not end before it begins; it may last one day', async () => {
  const desk = await institution()
  assertRefused(
    await desk.update('Academic Year', '2026', { year_end_date: '2025-12-31' }),
    /End Date cannot be earlier/,
  )
  assert.equal((await desk.update('Academic Year', '2026', { year_end_date: '2026-01-01' })).error, null)
})

test('a term comes once in a year by its name, which it must have', async () => {
  const desk = await institution()
  const { name } = await desk.make('Academic Term', term)
  assert.equal(name, '2026 (T)')
  assertRefused(await desk.create('Academic Term', term), /already exists/)
  assertRefused(await desk.create('Academic Term', { ...term, term_name: '' }), /must not be empty/)
  assert.equal((await desk.update('Academic Term', name, { term_end_date: '2026-07-31' })).error, null)
  const { name: second } = await desk.make('Academic Term', { ...term, term_name: 'U' })
  assertRefused(await desk.update('Academic Term', second, { term_name: 'T' }), /already exists/)
})

test('a term lies within its year, in the order of its days', async () => {
  const desk = await institution()
  for (const [days, reason] of [
    [{ term_start_date: '2026-07-01' }, /End Date cannot be earlier than the Term Start Date/],
    [{ term_start_date: '2025-12-31' }, /earlier than the Year Start Date/],
    [{ term_end_date: '2027-01-01' }, /later than the Year End Date/],
  ] as const) {
    assertRefused(await desk.create('Academic Term', { ...term, ...days }), reason)
  }
})

test('the current year and term of the settings stay as long as they are current; what a tool was filled in with does not', async () => {
  const desk = await institution()
  const { name } = await desk.make('Academic Term', term)
  const settings = 'Education Settings'
  await desk.update(settings, settings, { current_academic_year: '2026', current_academic_term: name })
  const refused = await desk.remove('Academic Term', name)
  assert.deepEqual([refused.status, refused.error], [417, 'LinkExistsError'])
  assert.match(refused.told, /linked with Education Settings\./)
  await desk.update(settings, settings, { current_academic_year: null, current_academic_term: null })
  const tool = 'Program Enrollment Tool'
  await desk.make('Program', { program_name: 'Physics' })
  const filled = {
    get_students_from: 'Student Applicant',
    program: 'Physics',
    academic_year: '2026',
    academic_term: name,
  }
  assert.equal((await desk.update(tool, tool, filled)).error, null)
  assert.equal((await desk.remove('Academic Term', name)).status, 202)
})
