import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPlan, aResult, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

/** Anatomy, 4 credits, and Ethics, 2 credits, with the results 80 % and 40 % of a scale with points, ranked. */
async function aGraduate() {
  const seededTenant = await seedTenant(service)
  const { resourceClient, courses, students } = seededTenant
  await resourceClient.make('Grading Scale', {
    grading_scale_name: 'Letters',
    intervals: [
      { grade_code: 'F', threshold: 0, grade_points: 0 },
      { grade_code: 'C', threshold: 40, grade_points: 2.3 },
      { grade_code: 'A', threshold: 80, grade_points: 4 },
    ],
    docstatus: 1,
  })
  await resourceClient.update('Course', courses[0], { credits: 4 })
  await resourceClient.update('Course', courses[1], { credits: 2 })
  await resourceClient.update('Education Settings', 'Education Settings', { show_rank: 1 })
  const anatomy = await aPlan(seededTenant)
  const ethics = await aPlan(seededTenant, { course: courses[1], schedule_date: '2026-10-02' })
  for (const [plan, scores, student] of [
    [anatomy, { Written: 50, Oral: 30 }, students[0]],
    [ethics, { Written: 20, Oral: 20 }, students[0]],
    [anatomy, { Written: 60, Oral: 40 }, students[1]],
  ] as const) {
    const { error, told } = await aResult(seededTenant, plan, scores, { docstatus: 1, student })
    assert.equal(error, null, told)
  }
  return seededTenant
}

test('get_transcript: grade points weighted by credits, with transfer credits; the card has average and rank', async () => {
  const { resourceClient, students, year } = await aGraduate()
  const transcript = () => resourceClient.call('api.get_transcript', { student: students[0] })
  const { data } = await transcript()
  // (4 × 4 + 2.3 × 2) / 6 = 3.4333…
  assert.deepEqual([data.terms.length, data.terms[0].grade_point_average], [1, 3.43])
  assert.deepEqual([data.cumulative.grade_point_average, data.cumulative.credits_earned], [3.43, 6])
  const credit = { student: students[0], institution: 'City College', course_title: 'Logic', credits: 3, docstatus: 1 }
  await resourceClient.make('Transfer Credit', credit)
  await resourceClient.make('Transfer Credit', {
    ...credit,
    course_title: 'Rhetoric',
    counts_in_average: 1,
    grade_points: 1,
  })
  const after = (await transcript()).data
  // (16 + 4.6 + 3) / 9 = 2.6222…
  assert.deepEqual([after.cumulative.grade_point_average, after.cumulative.credits_earned], [2.62, 12])
  const card = await resourceClient.call('report_card.get_student_report_card', {
    student: students[0],
    academic_year: year,
  })
  assert.equal(card.data.grade_point_average, 3.43)
  assert.deepEqual([card.data.rank.position, card.data.rank.students], [2, 2])
  const none = await resourceClient.create('Transfer Credit', { ...credit, credits: 0 })
  assert.deepEqual([none.status, none.error], [417, 'ValidationError'])
})

test('get_transcript: only the staff reads that of another', async () => {
  const { resourceClient, students } = await aGraduate()
  for (const role of ['Student', 'Instructor']) {
    const { status } = await resourceClient.as(role).call('api.get_transcript', { student: students[0] })
    assert.equal(status, 403)
  }
})
