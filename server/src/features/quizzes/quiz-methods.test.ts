import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const utils = '/api/method/education.education.utils'

/** A campus with a quiz of two questions: one has one correct option, the other two. */
async function aQuiz(fields: object = {}) {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const one = await resourceClient.make('Question', {
    question: 'Which bone is in the leg?',
    options: [{ option: 'Femur', is_correct: 1 }, { option: 'Ulna' }],
  })
  const two = await resourceClient.make('Question', {
    question: 'Which bones are in the arm?',
    options: [{ option: 'Radius', is_correct: 1 }, { option: 'Ulna', is_correct: 1 }, { option: 'Tibia' }],
  })
  const question = [{ question_link: one.name }, { question_link: two.name }]
  await resourceClient.make('Quiz', {
    title: 'Bones',
    question,
    passing_score: 60,
    max_attempts: 2,
    duration: 600,
    ...fields,
  })
  const rows = (of: Record<string, unknown>) => (of.options as { name: string }[]).map(({ name }) => name)
  const answers = { [one.name]: rows(one)[0], [two.name]: rows(two).slice(0, 2) }
  return { seededTenant, one, two, answers, half: { ...answers, [two.name]: rows(two).slice(0, 1) } }
}

/** The first student of a campus, logged in with a cookie. */
async function asStudent({ tenant, resourceClient, students }: SeededTenant): Promise<RecordCaller> {
  const { email, password } = await aUser(service, tenant, { email: 'ada@example.org', roles: ['Student'] })
  await resourceClient.update('Student', students[0], { user: email })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}

test('a student answers a quiz: it is marked, kept, audited, and counted as often as the quiz allows', async () => {
  const { seededTenant, one, two, answers, half } = await aQuiz()
  await anEnrollment(seededTenant, { docstatus: 1 })
  const me = await asStudent(seededTenant)
  const asked = { quiz_name: 'Bones', course: 'Anatomy' }
  const before = (await me.get(`${utils}.get_quiz?${new URLSearchParams(asked)}`)).body.message
  assert.deepEqual(before.activity, { is_complete: false, score: null, result: null, time_taken: null })
  assert.deepEqual([before.is_time_bound, before.duration], [0, 600])
  const [first] = before.questions
  assert.deepEqual([first.name, first.question, first.type], [one.name, one.question, 'Single Correct Answer'])
  assert.deepEqual(Object.keys(first.options[0]), ['name', 'option'], 'nobody is told what is right')
  const send = (response: object) => {
    const sent = { ...asked, program: 'Nursing', quiz_response: JSON.stringify(response), time_taken: 42 }
    return me.post(`${utils}.evaluate_quiz`, sent)
  }
  const failed = await send(half)
  assert.deepEqual(failed.body.message, { result: { [one.name]: true, [two.name]: false }, score: 50, status: 'Fail' })
  const passed = await send(answers)
  assert.deepEqual([passed.body.message.score, passed.body.message.status], [100, 'Pass'])
  const over = await send(answers)
  assert.deepEqual([over.status, over.body.message], [200, undefined])
  assert.match(over.body._server_messages, /Maximum attempts/)
  const { activity } = (await me.get(`${utils}.get_quiz?${new URLSearchParams(asked)}`)).body.message
  assert.deepEqual(activity, { is_complete: true, score: '100', result: 'Pass', time_taken: 42 })
  const stored = await seededTenant.resourceClient.list('Quiz Activity', { order_by: 'creation asc' })
  assert.equal(stored.data.length, 2)
  const { data } = await seededTenant.resourceClient.read('Quiz Activity', stored.data[0].name)
  assert.deepEqual(
    [data.student, data.course, data.score, data.status],
    [seededTenant.students[0], 'Anatomy', '50', 'Fail'],
  )
  assert.deepEqual(
    data.result.map((row: { selected_option: string; quiz_result: string }) => [row.selected_option, row.quiz_result]),
    [
      ['Femur', 'Correct'],
      ['Radius', 'Wrong'],
    ],
  )
  assert.deepEqual(await seededTenant.resourceClient.traces('Quiz Activity', data.name), ['quiz_activity.created'])
})

test('what is not answered, or is no option, is wrong; no quiz and no enrolment are refused', async () => {
  const { seededTenant, one, two } = await aQuiz()
  const me = await asStudent(seededTenant)
  const send = async (response: object, more: object = {}) => {
    const sent = { quiz_name: 'Bones', course: 'Anatomy', program: 'Nursing', quiz_response: response, ...more }
    const { status, body } = await me.post(`${utils}.evaluate_quiz`, sent)
    return [status, body.exc_type ?? body.message]
  }
  assert.deepEqual(await send({}), [417, 'ValidationError'])
  await anEnrollment(seededTenant, { docstatus: 1 })
  const wrong = { result: { [one.name]: false, [two.name]: false }, score: 0, status: 'Fail' }
  assert.deepEqual(await send({ [one.name]: { $ne: 1 }, [two.name]: ['x'], __proto__: 1 }), [200, wrong])
  assert.deepEqual(await send({}, { quiz_name: 'Muscles' }), [404, 'DoesNotExistError'])
  assert.deepEqual(await send({}, { quiz_response: 'yes' }), [400, 'JSONDecodeError'])
})

test('the staff try a quiz and leave nothing; whoever may not read quizzes and is no student is refused', async () => {
  const { seededTenant, answers } = await aQuiz()
  const { resourceClient, tenant } = seededTenant
  const sent = { quiz_name: 'Bones', course: 'Anatomy', program: 'Nursing', quiz_response: answers }
  const tried = await resourceClient.as('Instructor').call('utils.evaluate_quiz', sent)
  assert.equal(tried.data.status, 'Pass')
  const shown = await resourceClient.call('utils.get_quiz', sent)
  assert.equal(shown.data.activity, null)
  assert.deepEqual((await resourceClient.list('Quiz Activity', {})).data, [])
  assert.equal((await resourceClient.as('Accounts User').call('utils.get_quiz', sent)).status, 403)
  const { email, password } = await aUser(service, tenant, { email: 'x@example.org', roles: ['Student'] })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  const nobody = guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
  const rejected = await nobody.post(`${utils}.get_quiz`, sent)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [404, 'DoesNotExistError'])
})

test('what a student reads is noted once, with the enrolment in its course', async () => {
  const { seededTenant } = await aQuiz()
  await seededTenant.resourceClient.make('Article', { title: 'Of bones' })
  await anEnrollment(seededTenant, { docstatus: 1 })
  const me = await asStudent(seededTenant)
  const note = (content_type: string, content: string) =>
    me.post(`${utils}.add_activity`, { course: 'Anatomy', content_type, content, program: 'Nursing' })
  const { message: name } = (await note('Article', 'Of bones')).body
  assert.match(name, /^EDU-CA-/)
  assert.equal((await note('Article', 'Of bones')).body.message, name)
  const { data } = await seededTenant.resourceClient.read('Course Activity', name)
  assert.deepEqual([data.student, data.course, data.content], [seededTenant.students[0], 'Anatomy', 'Of bones'])
  assert.deepEqual(await seededTenant.resourceClient.traces('Course Activity', name), ['course_activity.created'])
  assert.deepEqual((await note('Quiz', 'Bones')).body, {})
  assert.equal((await note('Article', 'Of muscles')).body.exc_type, 'LinkValidationError')
  const other = await me.post(`${utils}.add_activity`, {
    course: 'Surgery',
    content_type: 'Article',
    content: 'Of bones',
    program: 'Nursing',
  })
  assert.deepEqual([other.status, other.body.exc_type], [417, 'ValidationError'])
})

test('a student enrols by itself only in a program that allows it, once, and nobody else', async () => {
  const { seededTenant } = await aQuiz()
  const { resourceClient, students, program, year } = seededTenant
  await resourceClient.update('Education Settings', 'Education Settings', { current_academic_year: year })
  const me = await asStudent(seededTenant)
  const enroll = async (more: object = {}) => {
    const { status, body } = await me.post(`${utils}.enroll_in_program`, { program_name: program, ...more })
    return [status, body.exc_type ?? body.message]
  }
  assert.deepEqual(await enroll(), [417, 'ValidationError'])
  assert.equal((await resourceClient.update('Program', program, { allow_self_enroll: 1 })).data.allow_self_enroll, 1)
  const [status, name] = await enroll()
  assert.equal(status, 200)
  assert.deepEqual(await enroll(), [200, name])
  assert.deepEqual(await enroll({ student: students[1] }), [403, 'PermissionError'])
  const { data } = await resourceClient.read('Program Enrollment', name)
  assert.deepEqual([data.student, data.docstatus, data.academic_year], [students[0], 1, year])
  const other = await resourceClient.call('utils.enroll_in_program', {
    program_name: program,
    student: students[1],
  })
  assert.equal((await resourceClient.read('Program Enrollment', other.data)).data.student, students[1])
  const rejected = await resourceClient.as('Instructor').call('utils.enroll_in_program', {
    program_name: program,
    student: students[1],
  })
  assert.equal(rejected.status, 403)
})
