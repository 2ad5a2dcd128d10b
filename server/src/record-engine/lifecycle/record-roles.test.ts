import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { RecordDesk } from '../../testing/fixtures/resource-client.ts'
import { aCampus, anEnrollment, type Campus } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const permissionError = [403, 'PermissionError']

/** What each role may do with a type: r read, w write, c create, d delete. */
const rights = [
  ['Academics User', 'Student Category', 'rwcd'],
  ['Academics User', 'Instructor', ''],
  ['Academics User', 'Topic', ''],
  ['Instructor', 'Topic', 'rwcd'],
  ['Instructor', 'Student Category', ''],
  ['Instructor', 'Instructor', 'r'],
  ['Education Manager', 'Instructor', 'rwcd'],
  ['Education Manager', 'Student Category', ''],
  ['Accounts User', 'Fee Category', 'rwcd'],
  ['Accounts User', 'Student Category', ''],
  ['Student', 'Fee Category', ''],
  ['Guardian', 'Fee Category', ''],
] as const

const nameFields: Readonly<Record<string, string>> = {
  'Student Category': 'category',
  Topic: 'topic_name',
  Instructor: 'instructor_name',
  'Fee Category': 'category_name',
}

for (const [role, type, may] of rights) {
  test(`the role ${role} may ${may === '' ? 'do nothing' : `do ${may}`} with ${type}`, async () => {
    const { desk } = await aCampus(service)
    const { name } = await desk.make(type, { [nameFields[type] as string]: 'One' })
    const own = desk.as(role)
    const outcomes = {
      r: [await own.read(type, name), await own.list(type, {})],
      w: [await own.update(type, name, { description: 'x' })],
      c: [await own.create(type, { [nameFields[type] as string]: 'Two' })],
      d: [await own.remove(type, name)],
    }
    for (const [right, done] of Object.entries(outcomes)) {
      for (const { status, error, told } of done) {
        if (may.includes(right)) assert.equal(error, null, `${right}: ${told}`)
        else assert.deepEqual([status, error], permissionError, right)
      }
    }
  })
}

test('everybody who has logged in reads programs and settings, which guests may read, and no secret of them', async () => {
  const { desk, program } = await aCampus(service)
  const settings = 'Education Settings'
  await desk.update(settings, settings, { razorpay_secret: 'hidden' })
  const clerk = desk.as('Accounts User')
  assert.equal((await clerk.read('Program', program)).status, 200)
  assert.equal((await clerk.read(settings, settings)).data.razorpay_secret, '******')
  assert.deepEqual([(await clerk.update(settings, settings, { validate_batch: 1 })).error], ['PermissionError'])
})

/** Lets the campus's first student log in. */
async function logIn({ tenant, desk, students }: Campus): Promise<RecordCaller> {
  const email = 'ada.byron@school.example'
  const { password } = await aUser(service, tenant, { email, roles: ['Student'] })
  await desk.update('Education Settings', 'Education Settings', { user_creation_skip: 1 })
  assert.equal((await desk.update('Student', students[0], { user: email })).data.user, email)
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}

test('a student lists and reads what is about itself, asks for leave, and writes no attendance', async () => {
  const campus = await aCampus(service)
  const [own, other] = campus.students
  for (const student of campus.students) await anEnrollment(campus, { student, docstatus: 1 })
  const me = await logIn(campus)
  const { body } = await me.get('/api/resource/Program Enrollment?fields=["student"]')
  assert.deepEqual(body.data, [{ student: own }])
  assert.equal((await me.get(`/api/resource/Student/${own}`)).status, 200)
  const day = { student_group: campus.group, date: '2026-10-06' }
  const leave = { from_date: '2026-10-06', to_date: '2026-10-06', student_group: campus.group }
  const asked = await me.post('/api/resource/Student Leave Application', { student: own, ...leave })
  assert.equal(asked.status, 200, asked.text)
  const drawn = await campus.desk.make('Student Attendance', { student: own, ...day, status: 'Absent' })
  const final = { ...day, date: '2026-10-07', status: 'Absent', docstatus: 1 }
  const submitted = await campus.desk.make('Student Attendance', { student: own, ...final })
  const path = `/api/resource/Student Attendance/${drawn.name}`
  assert.equal((await me.get(path)).body.data.status, 'Absent')
  const refused = [
    await me.get(`/api/resource/Student/${other}`),
    await me.put(`/api/resource/Student/${own}`, { city: 'Elsewhere' }),
    await me.post('/api/resource/Student Attendance', { student: own, ...day, date: '2026-10-08' }),
    await me.put(path, { status: 'Present' }),
    await me.put(path, { status: 'Present', docstatus: 1 }),
    await me.put(`/api/resource/Student Attendance/${submitted.name}`, { status: 'Present' }),
    await me.post('/api/method/frappe.client.save', { doc: { ...drawn, status: 'Present' } }),
    await me.post('/api/method/frappe.client.submit', { doc: { ...drawn, status: 'Present' } }),
    await me.delete(path),
    await me.post('/api/resource/Student Leave Application', { student: other, ...leave }),
    await me.post('/api/resource/Student Leave Application', { student: 'no-such-student', ...leave }),
    await me.post('/api/resource/Student Leave Application', { student: own, ...leave, docstatus: 1 }),
    await me.put(`/api/resource/Student Leave Application/${asked.body.data.name}`, { student: other }),
  ]
  assert.deepEqual(
    refused.map(({ status, body: { exc_type } }) => [status, exc_type]),
    refused.map(() => permissionError),
  )
  const attendances = await campus.desk.list('Student Attendance', { fields: '["student", "status"]' })
  assert.deepEqual(attendances.data, [
    { student: own, status: 'Absent' },
    { student: own, status: 'Absent' },
  ])
})

test('methods: a role without any right is refused by each that tells of students, groups, instructors, plans and fees', async () => {
  const campus = await aCampus(service)
  const nobody = await aRecordCaller(service, campus.tenant, ['Librarian'])
  const prefix = '/api/method/education.education'
  const year = '2026-2027'
  const calls = [
    ['api.get_student_group_students', { student_group: campus.group }],
    ['api.get_instructors', { student_group: campus.group }],
    ['api.get_assessment_details', { assessment_plan: 'Any' }],
    ['api.get_assessment_criteria', { course: 'Any' }],
    ['api.get_grade', { grading_scale: 'Any', percentage: 50 }],
    ['api.get_fee_structure', { program: campus.program }],
    ['api.get_fee_components', { fee_structure: 'Any' }],
    ['api.get_fee_schedule', { program: campus.program }],
    ['doctype.fee_schedule.fee_schedule.get_total_students', { student_group: campus.group, academic_year: year }],
    ['doctype.fee_schedule.fee_schedule.get_fee_structure', { source_name: 'Any' }],
    ['doctype.fee_structure.fee_structure.get_amount_distribution_based_on_fee_plan', { components: [] }],
    ['doctype.program_enrollment.program_enrollment.get_students', { txt: 'a' }],
    ['doctype.student_group.student_group.get_students', { academic_year: year }],
    ['doctype.student_group.student_group.fetch_students', { filters: {}, searchfield: 'student_mobile_number' }],
    ['doctype.student_leave_application.student_leave_application.get_student_groups', { student: campus.students[0] }],
  ] as const
  for (const [method, args] of calls) {
    const { status, body } = await nobody.post(`${prefix}.${method}`, args)
    assert.deepEqual([status, body.exc_type], permissionError, method)
  }
  const searched = await nobody.post('/api/method/frappe.desk.search.search_widget', {
    doctype: 'Student',
    txt: 'a',
  })
  assert.deepEqual([searched.status, searched.body.exc_type], permissionError)
})

test('Guardian and Student: whose account a person is takes the right to change users, by every way in', async () => {
  const campus = await aCampus(service)
  const { desk } = campus
  await aUser(service, campus.tenant, { email: 'mine@example.org', roles: ['Guardian'] })
  const { name } = await desk.make('Guardian', { guardian_name: 'Eve' })
  const officer = desk.as('Academics User')
  const outcomes = [
    await officer.update('Guardian', name, { user: 'mine@example.org' }),
    await officer.create('Guardian', { guardian_name: 'Other', user: 'mine@example.org' }),
    await officer.update('Student', campus.students[0], { user: 'mine@example.org' }),
  ]
  for (const { status, error } of outcomes) assert.deepEqual([status, error], permissionError)
  assert.equal((await officer.update('Guardian', name, { mobile_number: '+57 1 555 0100' })).error, null)
  assert.equal((await desk.update('Guardian', name, { user: 'mine@example.org' })).error, null)
  assert.equal((await officer.update('Guardian', name, { user: 'mine@example.org', occupation: 'Smith' })).error, null)
})

test('whoever is given a role of the staff by a form is of the staff, and may work at its desk; nobody else is', async () => {
  const tenant = await service.tenant()
  const desk = new RecordDesk(service, tenant)
  for (const [name, roles, type] of [
    ['officer', ['Admissions Officer'], 'System User'],
    ['parent', ['Guardian'], 'Website User'],
    ['both', ['Guardian', 'Academics User'], 'System User'],
    ['nobody', [], 'Website User'],
  ] as const) {
    const rows = roles.map((role) => ({ role }))
    const made = await desk.make('User', { email: `${name}@made.example`, first_name: name, roles: rows })
    assert.equal(made.user_type, type, name)
  }
  const given = await desk.update('User', 'nobody@made.example', { roles: [{ role: 'Instructor' }] })
  assert.equal(given.data.user_type, 'System User')
})
