import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printedText } from '../../testing/fixtures/files/printed-text.ts'
import { aPlan, aResult, aScale, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

interface Posted extends SeededTenant {
  readonly plan: string
  readonly result: string
}

/** A group in a term, with a plan and a submitted result of 50 and 20 of its first student. */
async function aTerm(): Promise<Posted> {
  const seededTenant = await seedTenant(service)
  await aScale(seededTenant)
  const { resourceClient, group, term } = seededTenant
  await resourceClient.update('Student Group', group, { academic_term: term })
  const plan = await aPlan(seededTenant)
  const { data, told } = await aResult(seededTenant, plan, { Written: 50, Oral: 20 }, { docstatus: 1 })
  assert.ok(data, told)
  return { ...seededTenant, plan, result: data.name }
}

const post = ({ resourceClient, courses, term }: SeededTenant, fields: object = {}) =>
  resourceClient.call('api.post_marks', { course: courses[0], academic_term: term, ...fields })

const correct = ({ resourceClient, plan, students }: Posted, scores: object, fields: object = {}) =>
  resourceClient.call('api.correct_marks', {
    assessment_plan: plan,
    student: students[0],
    scores,
    reason: 'The second page was not counted.',
    ...fields,
  })

const readCard = ({ resourceClient, students, term }: SeededTenant, fields: object = {}) =>
  resourceClient.call('report_card.get_student_report_card', { student: students[0], academic_term: term, ...fields })

function assertRejected(outcome: { status: number; error: string | null; told: string }, message: RegExp) {
  assert.deepEqual([outcome.status, outcome.error], [417, 'ValidationError'], outcome.told)
  assert.match(outcome.told, message)
}

test('post_marks: posts a course in a term once, and names who has no result', async () => {
  const seededTenant = await aTerm()
  const { resourceClient, plan, students, courses, term, year } = seededTenant
  const posted = await post(seededTenant)
  assert.equal(posted.error, null, posted.told)
  assert.equal(posted.data.results, 1)
  assert.deepEqual(posted.data.missing, [{ student: students[1], assessment_plan: plan }])
  const { data } = await resourceClient.read('Marks Posting', posted.data.name)
  assert.deepEqual([data.course, data.academic_term, data.academic_year, data.results], [courses[0], term, year, 1])
  assert.ok(data.posted_by && data.posted_on)
  assertRejected(await post(seededTenant), /already posted/)
  assertRejected(await post(seededTenant, { student_group: seededTenant.group }), /already posted/)
})

test('post_marks: drafts, no results, an unknown course and a term of another year are refused', async () => {
  const seededTenant = await aTerm()
  const { resourceClient, plan, students } = seededTenant
  const draft = await aResult(seededTenant, plan, { Written: 1 }, { student: students[1] })
  assertRejected(await post(seededTenant), /1 result of .* is a draft. Submit or delete/)
  await resourceClient.remove('Assessment Result', draft.data.name)
  assertRejected(await post(seededTenant, { course: seededTenant.courses[1] }), /no submitted results/)
  const unknown = await post(seededTenant, { course: 'None' })
  assert.deepEqual([unknown.status, unknown.error], [417, 'LinkValidationError'])
  assertRejected(await post(seededTenant, { academic_term: '', academic_year: '' }), /Name the Academic Term/)
  const twice = await Promise.all([post(seededTenant), post(seededTenant)])
  assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 417])
})

test('Marks Posting: is never changed, and never deleted', async () => {
  const seededTenant = await aTerm()
  const { name } = (await post(seededTenant)).data
  assertRejected(await seededTenant.resourceClient.update('Marks Posting', name, { comment: 'x' }), /cannot be changed/)
  const read = await seededTenant.resourceClient.read('Marks Posting', name)
  const same = await seededTenant.resourceClient.update('Marks Posting', name, read.data)
  assert.deepEqual([same.error, same.data], [null, read.data], 'what is sent back as it was read changes nothing')
  assertRejected(await seededTenant.resourceClient.remove('Marks Posting', name), /stay posted/)
  assert.deepEqual(await seededTenant.resourceClient.traces('Marks Posting', name), ['marks_posting.created'])
})

test('Assessment Result: posted marks take no new result, change or cancellation, nor a new plan', async () => {
  const seededTenant = await aTerm()
  const { resourceClient, plan, result, students } = seededTenant
  const late = await aPlan(seededTenant, {
    docstatus: 0,
    schedule_date: '2026-10-02',
    assessment_criteria: [{ assessment_criteria: 'Oral', maximum_score: 100 }],
    assessment_group: await aGroup(seededTenant),
  })
  await post(seededTenant)
  assertRejected(await resourceClient.cancel('Assessment Result', result), /are posted. Use correct_marks/)
  assertRejected(await aResult(seededTenant, plan, { Written: 1 }, { student: students[1] }), /are posted/)
  assertRejected(await resourceClient.update('Assessment Plan', late, { docstatus: 1 }), /are posted/)
})

async function aGroup({ resourceClient }: SeededTenant): Promise<string> {
  const { name } = await resourceClient.make('Assessment Group', {
    assessment_group_name: 'Finals',
    parent_assessment_group: 'All Assessment Groups',
  })
  return name
}

test('correct_marks: keeps the old and the new value, by whom, when and why', async () => {
  const seededTenant = await aTerm()
  const { resourceClient, plan, result, students } = seededTenant
  assertRejected(await correct(seededTenant, { Written: 55 }), /are not posted/)
  await post(seededTenant)
  assertRejected(await correct(seededTenant, { Written: 55 }, { reason: ' ' }), /Give the reason/)
  assertRejected(await correct(seededTenant, { Written: 50 }), /Nothing changes/)
  assertRejected(await correct(seededTenant, { Written: 61 }), /Maximum Score, 60/)
  const corrected = await correct(seededTenant, { Written: 60 })
  assert.equal(corrected.error, null, corrected.told)
  assert.deepEqual([corrected.data.total_score, corrected.data.grade], [80, 'A'])
  const { data } = await resourceClient.read('Mark Correction', corrected.data.mark_correction)
  assert.deepEqual(
    [
      data.student,
      data.assessment_plan,
      data.old_result,
      data.new_result,
      data.old_total,
      data.old_grade,
      data.new_total,
      data.new_grade,
    ],
    [students[0], plan, result, corrected.data.assessment_result, 70, 'B', 80, 'A'],
  )
  assert.ok(data.corrected_by && data.corrected_on)
  assert.equal(data.reason, 'The second page was not counted.')
  const [change] = data.changes
  assert.deepEqual(
    [change.assessment_criteria, change.old_score, change.new_score, change.old_outcome, change.new_outcome],
    ['Written', 50, 60, 'Assessed', 'Assessed'],
  )
  assert.equal((await resourceClient.read('Assessment Result', result)).data.docstatus, 2)
  assertRejected(await resourceClient.cancel('Assessment Result', corrected.data.assessment_result), /are posted/)
})

test('correct_marks: gives a mark to who had none, also to one who left the group, and takes Excused', async () => {
  const seededTenant = await aTerm()
  const { students } = seededTenant
  await post(seededTenant)
  const added = await correct(seededTenant, { Written: 30, Oral: 'Excused' }, { student: students[1] })
  assert.equal(added.error, null, added.told)
  assert.deepEqual([added.data.total_score, added.data.grade], [30, 'B'])
  await seededTenant.resourceClient.update('Student Group', seededTenant.group, {
    students: [{ student: students[1] }],
  })
  const left = await correct(seededTenant, { Oral: 40 })
  assert.equal(left.error, null, left.told)
})

test('Mark Correction: nobody writes it but correct_marks, and who may not post marks may neither', async () => {
  const seededTenant = await aTerm()
  await post(seededTenant)
  const made = await seededTenant.resourceClient.create('Mark Correction', { student: seededTenant.students[0] })
  assert.deepEqual([made.status, made.error], [403, 'PermissionError'])
  const teacher = seededTenant.resourceClient.as('Instructor')
  for (const method of ['api.post_marks', 'api.correct_marks']) {
    const { status } = await teacher.call(method, {
      course: 'Anatomy',
      assessment_plan: seededTenant.plan,
      student: seededTenant.students[0],
      scores: {},
      reason: 'x',
    })
    assert.equal(status, 403)
  }
})

test('get_student_report_card: a posted card says so and stays when name, scale or credits change', async () => {
  const seededTenant = await aTerm()
  const { resourceClient, students, courses } = seededTenant
  assert.equal((await readCard(seededTenant)).data.posted, undefined)
  await post(seededTenant)
  const { data: first } = await readCard(seededTenant)
  assert.equal(first.posted.edition, 1)
  assert.ok(first.posted.issued_on)
  await resourceClient.update('Student', students[0], { first_name: 'Augusta', last_name: 'King' })
  await resourceClient.update('Course', courses[0], { credits: 5 })
  await resourceClient.cancel('Grading Scale', 'Letters')
  assert.deepEqual((await readCard(seededTenant)).data, first)
  const pdf = await readCard(seededTenant, { format: 'pdf' })
  assert.match(printedText(pdf.answer.bytes), /Ada Byron[\s\S]*Posted/)
  await correct(seededTenant, { Written: 60 })
  const { data: second } = await readCard(seededTenant)
  assert.deepEqual([second.posted.edition, second.courses[0].total_score], [2, 80])
  const issues = await resourceClient.list('Issued Report Card', { fields: '["edition"]', order_by: 'creation' })
  assert.ok(issues.data.length >= 2)
})
