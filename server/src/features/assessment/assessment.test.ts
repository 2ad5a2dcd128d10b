import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { aLesson, aPlan, aResult, aScale, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

async function school(): Promise<SeededTenant> {
  const seededTenant = await seedTenant(service)
  await aScale(seededTenant)
  return seededTenant
}

function refused(outcome: { status: number; error: string | null; told: string }, pattern: RegExp) {
  assert.deepEqual([outcome.status, outcome.error], [417, 'ValidationError'])
  assert.match(outcome.told, pattern)
}

test('a tenant starts with the root of the assessment groups, below which all others are', async () => {
  const { resourceClient } = await school()
  const root = await resourceClient.read('Assessment Group', 'All Assessment Groups')
  assert.deepEqual([root.data.is_group, root.data.parent_assessment_group], [1, null])
  const parent_assessment_group = root.data.name
  assert.equal(
    (await resourceClient.create('Assessment Group', { assessment_group_name: 'X' })).error,
    'MandatoryError',
  )
  await resourceClient.make('Assessment Group', { assessment_group_name: 'Midterm', parent_assessment_group })
  assert.equal((await resourceClient.remove('Assessment Group', root.data.name)).error, 'LinkExistsError')
})

test('a criterion has none of the names that stand beside criteria in a result', async () => {
  const { resourceClient } = await school()
  for (const assessment_criteria of ['Total', 'total score', 'TOTAL GRADE', 'Maximum Score', 'score', 'Grade']) {
    refused(await resourceClient.create('Assessment Criteria', { assessment_criteria }), /rename/)
  }
  assert.equal((await resourceClient.create('Assessment Criteria', { assessment_criteria: 'Scores' })).error, null)
})

test('a grading scale has each threshold once, and one at 0', async () => {
  const { resourceClient } = await school()
  const scale = (...thresholds: number[]) =>
    resourceClient.create('Grading Scale', {
      grading_scale_name: `S ${thresholds}`,
      intervals: thresholds.map((threshold) => ({ grade_code: 'A', threshold })),
    })
  refused(await scale(0, 50, 50), /more than once/)
  refused(await scale(10, 50), /0%/)
  refused(await scale(0, -5), /below 0/)
  assert.equal((await scale(0)).error, null)
  assert.equal((await scale()).error, 'MandatoryError')
})

test('a grade is that of the highest threshold that is reached', async () => {
  const { resourceClient } = await school()
  const grade = async (percentage: unknown) =>
    (await resourceClient.call('api.get_grade', { grading_scale: 'Letters', percentage })).data
  assert.deepEqual(
    [await grade(100), await grade(80), await grade('79.9'), await grade(50), await grade(0), await grade(-1)],
    ['A', 'A', 'B', 'B', 'F', ''],
  )
  const none = await resourceClient.call('api.get_grade', { grading_scale: 'none', percentage: 5 })
  assert.deepEqual([none.status, none.error], [404, 'DoesNotExistError'])
})

test('the maxima of a plan’s criteria add up to its own', async () => {
  const seededTenant = await school()
  await aPlan(seededTenant)
  const made = await seededTenant.resourceClient.create('Assessment Plan', {
    student_group: seededTenant.group,
    course: seededTenant.courses[0],
    assessment_group: 'All Assessment Groups',
    grading_scale: 'Letters',
    schedule_date: '2026-10-02',
    from_time: '09:00:00',
    to_time: '10:00:00',
    maximum_assessment_score: 100,
    assessment_criteria: [{ assessment_criteria: 'Oral', maximum_score: 99.5 }],
  })
  refused(made, /99\.5.*100/)
})

test('a plan takes year, term, program, course and scale from its group and course', async () => {
  const seededTenant = await school()
  const { resourceClient, group, courses } = seededTenant
  await resourceClient.update('Student Group', group, {
    group_based_on: 'Course',
    course: courses[0],
    academic_term: seededTenant.term,
  })
  await resourceClient.update('Course', courses[0], { default_grading_scale: 'Letters' })
  const name = await aPlan(seededTenant, { course: null, grading_scale: null })
  const { data } = await resourceClient.read('Assessment Plan', name)
  assert.deepEqual(
    [data.course, data.grading_scale, data.program, data.academic_year, data.academic_term],
    [courses[0], 'Letters', 'Nursing', seededTenant.year, seededTenant.term],
  )
})

test('a criterion is assessed once for a group, course and assessment group', async () => {
  const seededTenant = await school()
  const first = await aPlan(seededTenant)
  const again = { schedule_date: '2026-10-02' }
  await assert.rejects(aPlan(seededTenant, again), new RegExp(`already assessed Written .*${first}`))
  await seededTenant.resourceClient.cancel('Assessment Plan', first)
  assert.ok(await aPlan(seededTenant, again))
})

test('a plan is at a time when group, room and supervisor are free; touching times are free', async () => {
  const seededTenant = await school()
  const { room, instructor } = seededTenant
  await aLesson(seededTenant, { schedule_date: '2026-10-01', from_time: '08:00:00', to_time: '09:00:00' })
  assert.ok(await aPlan(seededTenant, { room, supervisor: instructor }))
  const other = await seededTenant.resourceClient.make('Student Group', {
    student_group_name: 'Other',
    academic_year: seededTenant.year,
    group_based_on: 'Activity',
  })
  for (const fields of [{ room }, { supervisor: instructor }]) {
    const made = aPlan(seededTenant, {
      student_group: other.name,
      from_time: '09:30:00',
      to_time: '10:30:00',
      ...fields,
    })
    await assert.rejects(made, /conflicts with Assessment Plan/)
  }
})

test('a result takes its maxima from the plan, and its grades and total from its scores', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  const made = await aResult(seededTenant, plan, { Written: 50, Oral: 19.5 })
  assert.equal(made.error, null, made.told)
  const { data } = made
  assert.deepEqual(
    [data.total_score, data.maximum_score, data.grade, data.course, data.student_group, data.grading_scale],
    [69.5, 100, 'B', 'Anatomy', seededTenant.group, 'Letters'],
  )
  assert.deepEqual(
    data.details.map((row: Record<string, unknown>) => [
      row.assessment_criteria,
      row.maximum_score,
      row.score,
      row.grade,
    ]),
    [
      ['Written', 60, 50, 'A'],
      ['Oral', 40, 19.5, 'F'],
    ],
  )
  assert.deepEqual(await seededTenant.resourceClient.traces('Assessment Result', data.name), [
    'assessment_result.created',
  ])
})

test('a score is at most its maximum, and of a criterion of the plan', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  refused(await aResult(seededTenant, plan, { Written: 60.5, Oral: 1 }), /Row #1: .* 60/)
  await seededTenant.resourceClient.make('Assessment Criteria', { assessment_criteria: 'Practical' })
  refused(await aResult(seededTenant, plan, { Written: 1, Practical: 1 }), /Row #2: Practical is no criterion/)
})

test('a result is of an active member of the plan’s group', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  const { studentCode } = await aStudent(seededTenant.tenant.api, { fullName: 'Eve Stranger' })
  const made = await aResult(seededTenant, plan, { Written: 1, Oral: 1 }, { student: studentCode })
  assert.deepEqual([made.status, made.error], [417, 'StudentNotInGroupError'])
})

test('a student has one result in a plan, also when two are made at once; a cancelled one does not count', async () => {
  const seededTenant = await school()
  const plan = await aPlan(seededTenant)
  const outcomes = await Promise.all(
    [1, 2].map(() => aResult(seededTenant, plan, { Written: 1, Oral: 1 }, { docstatus: 1 })),
  )
  const made = outcomes.find(({ error }) => error === null)
  const other = outcomes.find(({ error }) => error !== null)
  refused(other as NonNullable<typeof other>, new RegExp(made?.data.name))
  await seededTenant.resourceClient.cancel('Assessment Result', made?.data.name)
  assert.equal((await aResult(seededTenant, plan, { Written: 1, Oral: 1 })).error, null)
})

test('scores are entered again and again until they are submitted', async () => {
  const seededTenant = await school()
  const { resourceClient, students, group } = seededTenant
  const assessment_plan = await aPlan(seededTenant)
  const enter = (Written: unknown, comment?: string) =>
    resourceClient.call('api.mark_assessment_result', {
      assessment_plan,
      scores: JSON.stringify({
        student: students[0],
        assessment_details: { Written, Oral: 20 },
        total_score: 1,
        comment,
      }),
    })
  const first = await enter(30, 'Late')
  const { name } = first.data
  assert.deepEqual(first.data, {
    name,
    student: students[0],
    total_score: 50,
    grade: 'B',
    details: { Written: 'B', Oral: 'B' },
  })
  assert.equal((await enter('60')).data.total_score, 80)
  assert.equal((await enter(60)).data.grade, 'A')
  assert.deepEqual(await resourceClient.traces('Assessment Result', name), [
    'assessment_result.created',
    'assessment_result.updated',
  ])
  const shown = await resourceClient.call('api.get_assessment_students', { assessment_plan, student_group: group })
  assert.deepEqual(shown.data, [
    {
      student: students[0],
      student_name: 'Ada Byron',
      assessment_details: { Written: ['60.0', 'A'], Oral: ['20.0', 'B'], total_score: ['80.0', 'A'], comment: 'Late' },
      docstatus: 0,
      name,
    },
    { student: students[1], student_name: 'Alan Turing', assessment_details: null },
  ])
  const submit = () => resourceClient.call('api.submit_assessment_results', { assessment_plan, student_group: group })
  assert.equal((await submit()).data, 1)
  assert.equal((await submit()).data, 0)
  refused(await enter(1), /already submitted/)
  const { data } = await resourceClient.call('api.get_result', { student: students[0], assessment_plan })
  assert.deepEqual([data.name, data.docstatus, data.details.length], [name, 1, 2])
  assert.equal((await resourceClient.call('api.get_result', { student: students[1], assessment_plan })).data, null)
})

test('the criteria of a course and of a plan are told in their order', async () => {
  const seededTenant = await school()
  const assessment_plan = await aPlan(seededTenant)
  const [course] = seededTenant.courses
  const weights = [
    { assessment_criteria: 'Written', weightage: 70 },
    { assessment_criteria: 'Oral', weightage: 30 },
  ]
  await seededTenant.resourceClient.update('Course', course, { assessment_criteria: weights })
  assert.deepEqual((await seededTenant.resourceClient.call('api.get_assessment_criteria', { course })).data, weights)
  assert.deepEqual((await seededTenant.resourceClient.call('api.get_assessment_details', { assessment_plan })).data, [
    { assessment_criteria: 'Written', maximum_score: 60, docstatus: 1 },
    { assessment_criteria: 'Oral', maximum_score: 40, docstatus: 1 },
  ])
})
