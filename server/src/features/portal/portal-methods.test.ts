import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCatalogue, anApplication, aRecordCaller, aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const api = '/api/method/education.education.api'
const doctypes = '/api/method/education.education.doctype'

async function school(): Promise<{ tenant: TestTenant; staff: RecordCaller }> {
  const tenant = await service.tenant()
  const staff = await aRecordCaller(service, tenant)
  const year = { academic_year_name: '2026-27', year_start_date: '2026-08-01', year_end_date: '2027-06-30' }
  await make(staff, 'Academic Year', year)
  return { tenant, staff }
}

async function make(staff: RecordCaller, type: string, fields: object) {
  const { status, body, text } = await staff.post(`/api/resource/${encodeURIComponent(type)}`, fields)
  assert.equal(status, 200, text)
  return body.data
}

async function logIn(tenant: TestTenant, email: string, roles: readonly string[]): Promise<RecordCaller> {
  const { password } = await aUser(service, tenant, { email, name: 'Ada Byron', roles })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}

test('enroll_student: creates a student in both APIs, admits the applicant, and drafts the enrolment', async () => {
  const { tenant, staff } = await school()
  const { programId } = await aCatalogue(service, tenant)
  const application = await anApplication(tenant.api, {
    givenNames: 'Ada',
    familyNames: 'Byron',
    email: 'ada@example.org',
    country: 'Reino Unido',
    programId,
    academicYear: '2026-27',
    contacts: [
      {},
      { displayName: 'Annabella', role: 'billing', relationshipLabel: 'Madre', isPrimary: true, metadata: { a: 1 } },
    ],
  })
  const { status, body, text } = await staff.post(`${api}.enroll_student`, { source_name: application.applicationCode })
  assert.equal(status, 200, text)
  const { docstatus, program, academic_year, student: code, student_name } = body.message
  assert.deepEqual([docstatus, program, academic_year, student_name], [0, 'Nursing', '2026-27', 'Ada Byron'])
  const { body: applications } = await tenant.api.get(`/admissions/applications/${application.id}`)
  assert.equal(applications.data.status, 'enrolled')
  const { body: students } = await tenant.api.get(`/students/${applications.data.studentId}`)
  const { studentCode, givenNames, familyNames, email, country, programId: enrolledIn, academicYear } = students.data
  assert.deepEqual(
    [studentCode, givenNames, familyNames, email, country, enrolledIn, academicYear],
    [code, 'Ada', 'Byron', 'ada@example.org', 'Reino Unido', programId, '2026-27'],
  )
  const [contact, ...others] = students.data.contacts
  assert.deepEqual(
    [contact.displayName, contact.role, contact.relationshipLabel, contact.isPrimary, contact.metadata, others.length],
    ['Annabella', 'billing', 'Madre', true, { a: 1 }, 0],
  )
  assert.equal((await tenant.traces(application.id)).events.at(-1), 'admission_application.status_changed')
  assert.equal((await tenant.traces(students.data.id)).events[0], 'student.created')
  const { body: guardians } = await staff.post(`${api}.get_student_guardians`, { student: code })
  assert.match(guardians.message[0].guardian, /^EDU-GRD-/)
  const again = await staff.post(`${api}.enroll_student`, { source_name: application.applicationCode })
  assert.deepEqual([again.status, again.body.exc_type], [417, 'ValidationError'])
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 1)
  const unknown = await staff.post(`${api}.enroll_student`, { source_name: 'EDU-APP-1999-00001' })
  assert.deepEqual([unknown.status, unknown.body.exc_type], [404, 'DoesNotExistError'])
})

test('courses: missing ones are found and added in programs, courses and topics', async () => {
  const { tenant, staff } = await school()
  await aCatalogue(service, tenant)
  await make(staff, 'Program', { program_name: 'Law' })
  await make(staff, 'Topic', { topic_name: 'Bones' })
  await make(staff, 'Article', { title: 'Of bones' })
  const ask = async (path: string, args: object) => (await staff.post(`${doctypes}.${path}`, args)).body.message
  assert.deepEqual(await ask('course.course.get_programs_without_course', { course: 'Anatomy' }), ['Law'])
  assert.deepEqual(await ask('course.course.get_programs_without_course', { course: 'nothing' }), ['Law', 'Nursing'])
  const added = { course: 'Anatomy', programs: '["Law", "Nursing"]' }
  assert.equal((await staff.post(`${doctypes}.course.course.add_course_to_programs`, added)).status, 200)
  assert.deepEqual(await ask('course.course.get_programs_without_course', { course: 'Anatomy' }), [])
  const { body: courses } = await staff.post(`${api}.get_course_list_based_on_program`, { program_name: 'Law' })
  assert.deepEqual(courses.message, ['Anatomy'])
  assert.deepEqual(await ask('topic.topic.get_courses_without_topic', { topic: 'Bones' }), ['Anatomy'])
  await ask('topic.topic.add_topic_to_courses', { topic: 'Bones', courses: ['Anatomy'] })
  assert.deepEqual(await ask('topic.topic.get_courses_without_topic', { topic: 'Bones' }), [])
  assert.deepEqual(await ask('article.article.get_topics_without_article', { article: 'Of bones' }), ['Bones'])
  const content = { content_type: 'Article', content: 'Of bones', topics: ['Bones'] }
  await ask('topic.topic.add_content_to_topics', content)
  assert.deepEqual(await ask('article.article.get_topics_without_article', { article: 'Of bones' }), [])
  assert.deepEqual(await ask('quiz.quiz.get_topics_without_quiz', { quiz: 'Q' }), ['Bones'])
  const wrong = await staff.post(`${doctypes}.course.course.add_course_to_programs`, {
    course: 'Anatomy',
    programs: [1],
  })
  assert.deepEqual([wrong.status, wrong.body.exc_type], [417, 'ValidationError'])
})

test('inviting a guardian: creates a user once, and needs an e-mail address', async () => {
  const { staff } = await school()
  const mute = await make(staff, 'Guardian', { guardian_name: 'George' })
  const known = await make(staff, 'Guardian', { guardian_name: 'Annabella', email_address: 'A@example.org' })
  const invite = (guardian: string) => staff.post(`${doctypes}.guardian.guardian.invite_guardian`, { guardian })
  const rejected = await invite(mute.name)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
  const invited = await invite(known.name)
  assert.equal(invited.body.message, 'a@example.org')
  assert.match(invited.body._server_messages, /No mail is sent from here/)
  assert.equal((await invite(known.name)).body.message, 'a@example.org')
})

test('portal methods: a student reads its user, record, enrolment and groups, and no other guardians', async () => {
  const { tenant, staff } = await school()
  await aCatalogue(service, tenant)
  await staff.put('/api/resource/Education Settings/Education Settings', {
    current_academic_year: '2026-27',
    school_college_name_abbreviation: 'SCH',
    user_creation_skip: 1,
  })
  const me = await logIn(tenant, 'ada@school.example', ['Student'])
  const without = await me.get(`${api}.get_student_info`)
  assert.deepEqual([without.status, without.body.exc_type], [417, 'ValidationError'])
  const own = await make(staff, 'Student', { first_name: 'Ada', user: 'ada@school.example' })
  await make(staff, 'Program Enrollment', {
    student: own.name,
    program: 'Nursing',
    academic_year: '2026-27',
    docstatus: 1,
  })
  const { body: who } = await me.get(`${api}.get_user_info`)
  assert.deepEqual(
    [who.message.name, who.message.user_type, who.message.session_user],
    ['ada@school.example', 'Website User', true],
  )
  const { body, text } = await me.get(`${api}.get_student_info`)
  assert.equal(body.message?.name, own.name, text)
  assert.equal(body.message.current_program.program, 'Nursing')
  assert.deepEqual(body.message.student_groups, [])
  assert.equal('guardians' in body.message, false)
  assert.deepEqual((await me.get(`${api}.get_school_abbr_logo`)).body.message, { name: 'SCH', logo: null })
  const other = await aStudent(tenant.api)
  const foreign = await me.get(`${api}.get_student_guardians?student=${other.studentCode}`)
  assert.deepEqual([foreign.status, foreign.body.exc_type], [403, 'PermissionError'])
  assert.deepEqual((await me.get(`${api}.get_student_guardians?student=${own.name}`)).body.message, [])
  assert.equal((await staff.get(`${api}.get_student_info`)).body.message ?? null, null)
})
