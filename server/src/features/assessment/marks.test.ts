import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPlan, aResult, aScale, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

async function school(): Promise<SeededTenant> {
  const seededTenant = await seedTenant(service)
  await aScale(seededTenant)
  return seededTenant
}

function assertRejected(outcome: { status: number; error: string | null; told: string }, message: RegExp) {
  assert.deepEqual([outcome.status, outcome.error], [417, 'ValidationError'], outcome.told)
  assert.match(outcome.told, message)
}

const enter = (seededTenant: SeededTenant, plan: string, assessment_details: object) =>
  seededTenant.resourceClient.call('api.mark_assessment_result', {
    assessment_plan: plan,
    scores: { student: seededTenant.students[0], assessment_details },
  })

test('mark_assessment_result: a score in text is digits with a decimal point, and everything else is refused', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  for (const Written of ['5,5', 'absent', '0x10', '1e1', '5 5', '--5']) {
    assertRejected(await enter(seededTenant, plan, { Written }), /Written: .* is not a number/)
  }
  const entered = await enter(seededTenant, plan, { Written: '5.5', Oral: '40' })
  assert.deepEqual([entered.error, entered.data.total_score], [null, 45.5], entered.told)
})

test('mark_assessment_result: an empty score is not assessed, and is out of the sum', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  const entered = await enter(seededTenant, plan, { Written: 54, Oral: '' })
  const { data } = await seededTenant.resourceClient.read('Assessment Result', entered.data.name)
  assert.deepEqual([data.total_score, data.maximum_score, data.grade], [54, 60, 'A'])
  assert.deepEqual(
    data.details.map((row: Record<string, unknown>) => [row.assessment_criteria, row.outcome, row.grade]),
    [
      ['Written', 'Assessed', 'A'],
      ['Oral', 'Not Assessed', null],
    ],
  )
  const again = await enter(seededTenant, plan, { Written: 54, Oral: 0 })
  assert.deepEqual([again.data.total_score, again.data.details.Oral], [54, 'F'])
})

test('Assessment Result: each criterion of the plan stands once, and one that was not sent is not assessed', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  const details = [
    { assessment_criteria: 'Written', score: 60 },
    { assessment_criteria: 'Written', score: 60 },
  ]
  const twice = await aResult(seededTenant, plan, {}, { details })
  assertRejected(twice, /Row #2: Written is there more than once/)
  const one = await aResult(seededTenant, plan, { Oral: 40 })
  assert.equal(one.error, null, one.told)
  assert.deepEqual([one.data.total_score, one.data.maximum_score, one.data.grade], [40, 40, 'A'])
  assert.deepEqual(one.data.details[1].outcome, 'Not Assessed')
})

test('Assessment Result: what is excused is out of the sum, and with nothing assessed there is no grade', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  const details = [
    { assessment_criteria: 'Written', score: 30, outcome: 'Excused' },
    { assessment_criteria: 'Oral', score: 0, outcome: 'Not Assessed' },
  ]
  const none = await aResult(seededTenant, plan, {}, { details })
  assert.deepEqual([none.data.total_score, none.data.maximum_score, none.data.grade ?? null], [0, 0, null])
})

test('Assessment Result: a score is from 0 to the maximum, or more where the plan allows a bonus', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant, {
    assessment_criteria: [
      { assessment_criteria: 'Written', maximum_score: 60 },
      { assessment_criteria: 'Oral', maximum_score: 40, allow_bonus: 1 },
    ],
  })
  assertRejected(
    await aResult(seededTenant, plan, { Written: -0.5, Oral: 1 }),
    /Row #1: the score of Written, -0.5, cannot be less than 0/,
  )
  assertRejected(
    await aResult(seededTenant, plan, { Written: 60.5, Oral: 1 }),
    /cannot be greater than its Maximum Score, 60/,
  )
  const most = await aResult(seededTenant, plan, { Written: 60, Oral: 45 })
  assert.deepEqual([most.error, most.data.total_score], [null, 105])
})

test('Assessment Result: results are entered of a submitted plan only', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant, { docstatus: 0 })
  assertRejected(await aResult(seededTenant, plan, { Written: 1 }), /Submit the Assessment Plan/)
})

test('Assessment Plan: criteria stand once with a maximum above 0, and it ends after it begins within its year', async () => {
  const seededTenant = await school()
  await aPlan(seededTenant)
  const attempt = (fields: object) =>
    seededTenant.resourceClient.create('Assessment Plan', {
      student_group: seededTenant.group,
      course: seededTenant.courses[1],
      assessment_group: 'All Assessment Groups',
      grading_scale: 'Letters',
      schedule_date: '2026-10-05',
      from_time: '09:00:00',
      to_time: '10:00:00',
      maximum_assessment_score: 100,
      assessment_criteria: [{ assessment_criteria: 'Written', maximum_score: 100 }],
      ...fields,
    })
  const rows = (...maxima: number[]) =>
    maxima.map((maximum_score) => ({ assessment_criteria: 'Written', maximum_score }))
  assertRejected(await attempt({ assessment_criteria: rows(50, 50) }), /Row #2: Written is there more than once/)
  assertRejected(await attempt({ assessment_criteria: rows(0), maximum_assessment_score: 0 }), /must be greater than 0/)
  assertRejected(await attempt({ to_time: '09:00:00' }), /must be after From Time/)
  assertRejected(await attempt({ schedule_date: '2031-10-05' }), /outside the Academic Year/)
  assert.equal((await attempt({})).error, null)
})
