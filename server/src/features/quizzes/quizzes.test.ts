import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCampus, anEnrollment } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const options = [{ option: 'Femur', is_correct: 1 }, { option: 'Ulna' }, { option: 'Tibia' }]

test('a question has at least two options, at least one correct, and says how many are', async () => {
  const { desk } = await aCampus(service)
  const ask = (rows: object[]) =>
    desk.create('Question', { question: '<p>Which bone is in the leg?</p>', options: rows })
  for (const [rows, reason] of [
    [options.slice(0, 1), /more than one option/],
    [options.slice(1), /at least one correct/],
  ] as const) {
    const refused = await ask(rows)
    assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'])
    assert.match(refused.told, reason)
  }
  const { data } = await ask(options)
  assert.match(data.name, /^QUESTION-\d{5}$/)
  assert.equal(data.question_type, 'Single Correct Answer')
  const second = options.map((row) => ({ ...row, is_correct: 1 }))
  assert.equal(
    (await desk.update('Question', data.name, { options: second })).data.question_type,
    'Multiple Correct Answer',
  )
  assert.deepEqual(await desk.traces('Question', data.name), ['question.created', 'question.updated'])
})

test('a quiz is passed with at most a hundred percent, and shows its questions', async () => {
  const { desk } = await aCampus(service)
  const { name } = await desk.make('Question', { question: 'Which?', options })
  const quiz = { title: 'Bones', question: [{ question_link: name }], is_time_bound: 1, duration: 600 }
  const refused = await desk.create('Quiz', { ...quiz, passing_score: 101 })
  assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'])
  const { passing_score, max_attempts, grading_basis, duration, question } = await desk.make('Quiz', quiz)
  assert.deepEqual([passing_score, max_attempts, grading_basis, duration], [75, 1, 'Latest Highest Score', 600])
  assert.equal((question as { question: string }[])[0]?.question, 'Which?')
  assert.equal((await desk.remove('Question', name)).error, 'LinkExistsError')
  await desk.make('Topic', { topic_name: 'Legs', topic_content: [{ content_type: 'Quiz', content: 'Bones' }] })
  assert.equal((await desk.remove('Quiz', 'Bones')).error, 'LinkExistsError')
})

test('an attempt at a quiz takes student and course from the enrolment, and its answers stay', async () => {
  const campus = await aCampus(service)
  const { desk, students, courses } = campus
  const { name: question } = await desk.make('Question', { question: 'Which?', options })
  await desk.make('Quiz', { title: 'Bones', question: [{ question_link: question }] })
  await anEnrollment(campus, { docstatus: 1 })
  const [enrollment] = (await desk.list('Course Enrollment', {})).data
  const result = [{ question, selected_option: 'Femur', quiz_result: 'Correct' }]
  const made = await desk.make('Quiz Activity', { enrollment: enrollment.name, quiz: 'Bones', status: 'Pass', result })
  assert.deepEqual([made.student, made.course], [students[0], courses[0]])
  const again = await desk.update('Quiz Activity', made.name, { status: 'Fail', result: made.result })
  assert.equal(again.data.status, 'Fail')
  const changed = await desk.update('Quiz Activity', made.name, { result: [] })
  assert.deepEqual([changed.status, changed.error], [417, 'CannotChangeConstantError'])
})

test('every tool keeps what was filled in, and asks for what it needs', async () => {
  const { desk, group, year, students, program } = await aCampus(service)
  const report = 'Student Report Generation Tool'
  const filled = { student: students[0], program, assessment_group: 'All Assessment Groups', academic_year: year }
  assert.equal((await desk.update(report, report, filled)).data.student_name, 'Ada Byron')
  assert.deepEqual((await desk.read(report, report)).data.add_letterhead, 1)
  for (const tool of ['Student Attendance Tool', 'Assessment Result Tool']) {
    const { status, error } = await desk.as('Instructor').update(tool, tool, { student_group: group })
    assert.deepEqual([status, error], [417, 'MandatoryError'], tool)
  }
})
