import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const options = [{ option: 'Femur', is_correct: 1 }, { option: 'Ulna' }, { option: 'Tibia' }]

test('a question has at least two options, at least one correct, and says how many are', async () => {
  const { resourceClient } = await seedTenant(service)
  const ask = (rows: object[]) =>
    resourceClient.create('Question', { question: '<p>Which bone is in the leg?</p>', options: rows })
  for (const [rows, reason] of [
    [options.slice(0, 1), /more than one option/],
    [options.slice(1), /at least one correct/],
  ] as const) {
    const rejected = await ask(rows)
    assert.deepEqual([rejected.status, rejected.error], [417, 'ValidationError'])
    assert.match(rejected.told, reason)
  }
  const { data } = await ask(options)
  assert.match(data.name, /^QUESTION-\d{5}$/)
  assert.equal(data.question_type, 'Single Correct Answer')
  const second = options.map((row) => ({ ...row, is_correct: 1 }))
  assert.equal(
    (await resourceClient.update('Question', data.name, { options: second })).data.question_type,
    'Multiple Correct Answer',
  )
  assert.deepEqual(await resourceClient.traces('Question', data.name), ['question.created', 'question.updated'])
})

test('a quiz is passed with nought to a hundred percent, asks a question once, and shows its questions', async () => {
  const { resourceClient } = await seedTenant(service)
  const { name } = await resourceClient.make('Question', { question: 'Which?', options })
  const quiz = { title: 'Bones', question: [{ question_link: name }], is_time_bound: 1, duration: 600 }
  for (const [wrong, pattern] of [
    [{ passing_score: 101 }, /greater than 100/],
    [{ passing_score: -1 }, /less than 0/],
    [{ max_attempts: -1 }, /less than 0/],
    [{ question: [{ question_link: name }, { question_link: name }] }, /Row #2: .* is asked already/],
  ] as const) {
    const rejected = await resourceClient.create('Quiz', { ...quiz, ...wrong })
    assert.deepEqual([rejected.status, rejected.error], [417, 'ValidationError'])
    assert.match(rejected.told, pattern)
  }
  const { passing_score, max_attempts, grading_basis, duration, question } = await resourceClient.make('Quiz', quiz)
  assert.deepEqual([passing_score, max_attempts, grading_basis, duration], [75, 1, 'Latest Highest Score', 600])
  assert.equal((question as { question: string }[])[0]?.question, 'Which?')
  assert.equal((await resourceClient.remove('Question', name)).error, 'LinkExistsError')
  await resourceClient.make('Topic', {
    topic_name: 'Legs',
    topic_content: [{ content_type: 'Quiz', content: 'Bones' }],
  })
  assert.equal((await resourceClient.remove('Quiz', 'Bones')).error, 'LinkExistsError')
})

test('an attempt at a quiz takes student and course from the enrolment, and its answers stay', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, courses } = seededTenant
  const { name: question } = await resourceClient.make('Question', { question: 'Which?', options })
  await resourceClient.make('Quiz', { title: 'Bones', question: [{ question_link: question }] })
  await anEnrollment(seededTenant, { docstatus: 1 })
  const [enrollment] = (await resourceClient.list('Course Enrollment', {})).data
  const result = [{ question, selected_option: 'Femur', quiz_result: 'Correct' }]
  const made = await resourceClient.make('Quiz Activity', {
    enrollment: enrollment.name,
    quiz: 'Bones',
    status: 'Pass',
    result,
  })
  assert.deepEqual([made.student, made.course], [students[0], courses[0]])
  const again = await resourceClient.update('Quiz Activity', made.name, { status: 'Fail', result: made.result })
  assert.equal(again.data.status, 'Fail')
  const changed = await resourceClient.update('Quiz Activity', made.name, { result: [] })
  assert.deepEqual([changed.status, changed.error], [417, 'CannotChangeConstantError'])
})

test('every tool keeps what was filled in, and asks for what it needs', async () => {
  const { resourceClient, group, year, students, program } = await seedTenant(service)
  const report = 'Student Report Generation Tool'
  const filled = { student: students[0], program, assessment_group: 'All Assessment Groups', academic_year: year }
  assert.equal((await resourceClient.update(report, report, filled)).data.student_name, 'Ada Byron')
  assert.deepEqual((await resourceClient.read(report, report)).data.add_letterhead, 1)
  for (const tool of ['Student Attendance Tool', 'Assessment Result Tool']) {
    const { status, error } = await resourceClient.as('Instructor').update(tool, tool, { student_group: group })
    assert.deepEqual([status, error], [417, 'MandatoryError'], tool)
  }
})
