import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aUser } from '../../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../../testing/fixtures/record-caller.ts'
import { ResourceClient } from '../../../testing/fixtures/resource-client.ts'
import { anEnrollment, type SeededTenant, seedTenant } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

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
    const { resourceClient } = await seedTenant(service)
    const { name } = await resourceClient.make(type, { [nameFields[type] as string]: 'One' })
    const own = resourceClient.as(role)
    const outcomes = {
      r: [await own.read(type, name), await own.list(type, {})],
      w: [await own.update(type, name, { description: 'x' })],
      c: [await own.create(type, { [nameFields[type] as string]: 'Two' })],
      d: [await own.remove(type, name)],
    }
    for (const [right, done] of Object.entries(outcomes)) {
      for (const { status, error, told: reported } of done) {
        if (may.includes(right)) assert.equal(error, null, `${right}: ${reported}`)
        else assert.deepEqual([status, error], permissionError, right)
      }
    }
  })
}

test('everybody who has logged in reads programs and settings, which guests may read, and no secret of them', async () => {
  const { resourceClient, program } = await seedTenant(service)
  const settings = 'Education Settings'
  await resourceClient.update(settings, settings, { razorpay_secret: 'hidden' })
  const clerk = resourceClient.as('Accounts User')
  assert.equal((await clerk.read('Program', program)).status, 200)
  assert.equal((await clerk.read(settings, settings)).data.razorpay_secret, '******')
  assert.deepEqual([(await clerk.update(settings, settings, { validate_batch: 1 })).error], ['PermissionError'])
})

/** Lets the campus's first student log in. */
async function logIn({ tenant, resourceClient, students }: SeededTenant): Promise<RecordCaller> {
  const email = 'ada.byron@school.example'
  const { password } = await aUser(service, tenant, { email, roles: ['Student'] })
  await resourceClient.update('Education Settings', 'Education Settings', { user_creation_skip: 1 })
  assert.equal((await resourceClient.update('Student', students[0], { user: email })).data.user, email)
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}

test('a student lists and reads what is about itself, asks for leave, and writes no attendance', async () => {
  const seededTenant = await seedTenant(service)
  const [own, other] = seededTenant.students
  for (const student of seededTenant.students) await anEnrollment(seededTenant, { student, docstatus: 1 })
  const me = await logIn(seededTenant)
  const { body } = await me.get('/api/resource/Program Enrollment?fields=["student"]')
  assert.deepEqual(body.data, [{ student: own }])
  assert.equal((await me.get(`/api/resource/Student/${own}`)).status, 200)
  const day = { student_group: seededTenant.group, date: '2026-10-06' }
  const leave = { from_date: '2026-10-06', to_date: '2026-10-06', student_group: seededTenant.group }
  const asked = await me.post('/api/resource/Student Leave Application', { student: own, ...leave })
  assert.equal(asked.status, 200, asked.text)
  const drawn = await seededTenant.resourceClient.make('Student Attendance', { student: own, ...day, status: 'Absent' })
  const final = { ...day, date: '2026-10-07', status: 'Absent', docstatus: 1 }
  const submitted = await seededTenant.resourceClient.make('Student Attendance', { student: own, ...final })
  const path = `/api/resource/Student Attendance/${drawn.name}`
  assert.equal((await me.get(path)).body.data.status, 'Absent')
  const rejected = [
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
    rejected.map(({ status, body: { exc_type } }) => [status, exc_type]),
    rejected.map(() => permissionError),
  )
  const attendances = await seededTenant.resourceClient.list('Student Attendance', { fields: '["student", "status"]' })
  assert.deepEqual(attendances.data, [
    { student: own, status: 'Absent' },
    { student: own, status: 'Absent' },
  ])
})

test('methods: a role without any right is refused by each that tells of students, groups, instructors, plans and fees', async () => {
  const seededTenant = await seedTenant(service)
  const nobody = await aRecordCaller(service, seededTenant.tenant, ['Librarian'])
  const prefix = '/api/method/education.education'
  const year = '2026-2027'
  const calls = [
    ['api.get_student_group_students', { student_group: seededTenant.group }],
    ['api.get_instructors', { student_group: seededTenant.group }],
    ['api.get_assessment_details', { assessment_plan: 'Any' }],
    ['api.get_assessment_criteria', { course: 'Any' }],
    ['api.get_grade', { grading_scale: 'Any', percentage: 50 }],
    ['api.get_fee_structure', { program: seededTenant.program }],
    ['api.get_fee_components', { fee_structure: 'Any' }],
    ['api.get_fee_schedule', { program: seededTenant.program }],
    [
      'doctype.fee_schedule.fee_schedule.get_total_students',
      { student_group: seededTenant.group, academic_year: year },
    ],
    ['doctype.fee_schedule.fee_schedule.get_fee_structure', { source_name: 'Any' }],
    ['doctype.fee_structure.fee_structure.get_amount_distribution_based_on_fee_plan', { components: [] }],
    ['doctype.program_enrollment.program_enrollment.get_students', { txt: 'a' }],
    ['doctype.student_group.student_group.get_students', { academic_year: year }],
    ['doctype.student_group.student_group.fetch_students', { filters: {}, searchfield: 'student_mobile_number' }],
    [
      'doctype.student_leave_application.student_leave_application.get_student_groups',
      { student: seededTenant.students[0] },
    ],
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
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  await aUser(service, seededTenant.tenant, { email: 'mine@example.org', roles: ['Guardian'] })
  const { name } = await resourceClient.make('Guardian', { guardian_name: 'Eve' })
  const officer = resourceClient.as('Academics User')
  const outcomes = [
    await officer.update('Guardian', name, { user: 'mine@example.org' }),
    await officer.create('Guardian', { guardian_name: 'Other', user: 'mine@example.org' }),
    await officer.update('Student', seededTenant.students[0], { user: 'mine@example.org' }),
  ]
  for (const { status, error } of outcomes) assert.deepEqual([status, error], permissionError)
  assert.equal((await officer.update('Guardian', name, { mobile_number: '+57 1 555 0100' })).error, null)
  assert.equal((await resourceClient.update('Guardian', name, { user: 'mine@example.org' })).error, null)
  assert.equal((await officer.update('Guardian', name, { user: 'mine@example.org', occupation: 'Smith' })).error, null)
})

test('whoever is given a role of the staff by a form is of the staff, and may work at its desk; nobody else is', async () => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  for (const [name, roles, type] of [
    ['officer', ['Admissions Officer'], 'System User'],
    ['parent', ['Guardian'], 'Website User'],
    ['both', ['Guardian', 'Academics User'], 'System User'],
    ['nobody', [], 'Website User'],
  ] as const) {
    const rows = roles.map((role) => ({ role }))
    const made = await resourceClient.make('User', { email: `${name}@made.example`, first_name: name, roles: rows })
    assert.equal(made.user_type, type, name)
  }
  const given = await resourceClient.update('User', 'nobody@made.example', { roles: [{ role: 'Instructor' }] })
  assert.equal(given.data.user_type, 'System User')
})

test('whoever loses the last role of the staff is not of the staff any more, unless the form says so', async () => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  const name = 'officer@made.example'
  const user = { email: name, first_name: 'Officer' }
  const typeAfter = async (fields: object) => (await resourceClient.update('User', name, fields)).data.user_type
  await resourceClient.make('User', { ...user, roles: [{ role: 'Guardian' }, { role: 'Academics User' }] })
  const { data: shown } = await resourceClient.read('User', name)
  assert.equal(await typeAfter({ ...shown, roles: [{ role: 'Guardian' }] }), 'Website User')
  assert.equal(await typeAfter({ roles: [{ role: 'Academics User' }] }), 'System User')
  const setRole = (fields: object) => resourceClient.update('Role', 'Academics User', fields)
  for (const [taken, given] of [
    [{ disabled: 1 }, { disabled: 0 }],
    [{ desk_access: 0 }, { desk_access: 1 }],
  ] as const) {
    assert.equal((await setRole(taken)).error, null)
    assert.equal((await resourceClient.read('User', name)).data.user_type, 'Website User')
    assert.equal((await setRole(given)).error, null)
    assert.equal((await resourceClient.read('User', name)).data.user_type, 'System User')
  }
  assert.equal(await typeAfter({ roles: [] }), 'Website User')
  assert.equal(await typeAfter({ user_type: 'System User' }), 'System User')
  assert.equal(await typeAfter({ first_name: 'Other' }), 'System User')
})
