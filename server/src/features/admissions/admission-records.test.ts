import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../database/index.ts'
import { wrongTotals } from '../../testing/fixtures/database/wrong-totals.ts'
import { aDocument, anApplication, aProfile, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const year = { academic_year_name: '2026-27', year_start_date: '2026-08-01', year_end_date: '2027-06-30' }
const asked = { first_name: 'Ada', program: 'Nursing', academic_year: '2026-27' }

/** A tenant with a program and a year, which every applicant names. */
async function school(): Promise<{ tenant: TestTenant; resourceClient: ResourceClient }> {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  await resourceClient.make('Academic Year', year)
  await resourceClient.make('Program', { program_name: 'Nursing' })
  return { tenant, resourceClient }
}

async function findApplication(tenant: TestTenant, code: string) {
  const { body } = await tenant.api.get('/admissions/applications?limit=100')
  const { id } = body.data.find((found: { applicationCode: string }) => found.applicationCode === code)
  const { body: own, headers } = await tenant.api.get(`/admissions/applications/${id}`)
  return { record: own.data, etag: headers.get('etag') }
}

const findMoves = (tenant: TestTenant, id: string) =>
  service.database.inspect<{ from_status: string | null; to_status: string }>(
    `select from_status, to_status from application_moves where tenant_id = $1 and application_id = $2 order by moved_at, id`,
    [tenant.id, id],
  )

test('Student Applicant: one created by the Resource API is a complete application with its history', async () => {
  const { tenant, resourceClient } = await school()
  const guardian = await resourceClient.make('Guardian', { guardian_name: 'Annabella', email_address: 'a@example.org' })
  const made = await resourceClient.make('Student Applicant', {
    ...asked,
    last_name: 'Byron',
    student_email_id: 'ada@example.org',
    student_mobile_number: '555',
    address_line_1: '12 St James’s Square',
    state: 'London',
    country: 'United Kingdom',
    guardians: [{ guardian: guardian.name, relation: 'Mother' }],
  })
  assert.match(made.name, /^EDU-APP-\d{4}-00001$/)
  assert.deepEqual([made.title, made.application_status, made.owner], ['Ada Byron', 'Applied', 'Administrator'])
  const { record } = await findApplication(tenant, made.name)
  const { fullName, givenNames, familyNames, status, email, phone, program, academicYear } = record
  assert.deepEqual(
    [fullName, givenNames, familyNames, status, email, phone, program, academicYear],
    ['Ada Byron', 'Ada', 'Byron', 'new', 'ada@example.org', '555', 'Nursing', '2026-27'],
  )
  assert.equal(record.programRef.name, 'Nursing')
  const { role, relationshipLabel, isPrimary, displayName } = record.primaryContact
  assert.deepEqual([role, relationshipLabel, isPrimary, displayName], ['family', 'Mother', true, 'Annabella'])
  assert.deepEqual((await tenant.traces(record.id)).events, ['admission_application.created'])
  assert.deepEqual((await tenant.traces(record.primaryContact.id)).events, ['admission_contact.linked'])
  assert.deepEqual(await findMoves(tenant, record.id), [{ from_status: null, to_status: 'new' }])
  assert.equal((await tenant.api.get('/admissions/applications?search=ada')).body.pagination.total, 1)
})

test('Student Applicant: one created by the Client API reads as an applicant, who is not among the guardians', async () => {
  const { tenant, resourceClient } = await school()
  const made = await anApplication(tenant.api, {
    fullName: 'Grace Hopper',
    program: 'Evening School',
    academicYear: '1999',
    contacts: [{}, { displayName: 'Mary', role: 'billing', relationshipLabel: 'Madre' }],
  })
  const { data } = await resourceClient.read('Student Applicant', made.applicationCode)
  assert.deepEqual(
    [data.title, data.first_name, data.program, data.academic_year, data.application_status, data.student],
    ['Grace Hopper', 'Grace Hopper', 'Evening School', '1999', 'Applied', null],
  )
  assert.deepEqual(
    data.guardians.map(({ guardian_name, relation, idx }: Record<string, unknown>) => [guardian_name, relation, idx]),
    [['Mary', 'Mother', 1]],
  )
  const changed = await resourceClient.update('Student Applicant', made.applicationCode, { city: 'Arlington' })
  assert.equal(changed.error, null, changed.told)
  const { record } = await findApplication(tenant, made.applicationCode)
  assert.deepEqual([record.city, record.program, record.contacts.length], ['Arlington', 'Evening School', 2])
  assert.equal(record.contacts[0].role, 'applicant')
  assert.ok(record.updatedAt > made.updatedAt)
})

test('Student Applicant: the application status is the category of the pipeline status, and moves to its first status', async () => {
  const { tenant, resourceClient } = await school()
  const { id, applicationCode: code } = await anApplication(tenant.api, {
    program: 'Nursing',
    academicYear: '2026-27',
  })
  const statusAt = async (status: string) => {
    await tenant.api.patch(`/admissions/applications/${id}`, { status })
    return (await resourceClient.read('Student Applicant', code)).data.application_status
  }
  assert.equal(await statusAt('interview'), 'Applied')
  assert.equal(await statusAt('accepted'), 'Approved')
  assert.equal(await statusAt('withdrawn'), 'Rejected')
  assert.equal(await statusAt('enrolled'), 'Admitted')
  const writes = [
    ['Applied', 'new'],
    ['Approved', 'accepted'],
    ['Rejected', 'rejected'],
    ['Admitted', 'enrolled'],
  ] as const
  for (const [written, status] of writes) {
    const { error, told: reported } = await resourceClient.update('Student Applicant', code, {
      application_status: written,
    })
    assert.equal(error, null, reported)
    assert.equal((await findApplication(tenant, code)).record.status, status)
    assert.deepEqual((await findMoves(tenant, id)).at(-1)?.to_status, status)
    assert.equal((await tenant.traces(id)).events.at(-1), 'admission_application.status_changed')
    assert.equal((await tenant.api.get(`/admissions/applications?status=${status}`)).body.pagination.total, 1)
  }
  await tenant.api.patch(`/admissions/applications/${id}`, { status: 'interview' })
  assert.equal(
    (await resourceClient.update('Student Applicant', code, { application_status: 'Applied', paid: 1 })).error,
    null,
  )
  assert.equal((await findApplication(tenant, code)).record.status, 'interview')
})

test('Student Applicant: a move that the pipeline or the documents forbid is rejected with the reason', async () => {
  const { tenant, resourceClient } = await school()
  const made = await resourceClient.make('Student Applicant', asked)
  await service.database.inspect(
    `update pipeline_statuses set allowed_next = '{in_review}' where tenant_id = $1 and key = 'new'`,
    [tenant.id],
  )
  const forbidden = await resourceClient.update('Student Applicant', made.name, { application_status: 'Approved' })
  assert.deepEqual([forbidden.status, forbidden.error], [417, 'ValidationError'])
  assert.match(forbidden.told, /cannot move to accepted/)
  await service.database.inspect(
    `update pipeline_statuses set allowed_next = null, requires_complete = (key = 'accepted') where tenant_id = $1`,
    [tenant.id],
  )
  await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
  const incomplete = await resourceClient.update('Student Applicant', made.name, { application_status: 'Approved' })
  assert.deepEqual([incomplete.status, incomplete.error], [417, 'ValidationError'])
  assert.match(incomplete.told, /Required documents/)
  assert.equal((await findApplication(tenant, made.name)).record.status, 'new')
})

test('Student Applicant: rejected when born today or later, with a term of another year, or outside the age limits', async () => {
  const { resourceClient } = await school()
  const refused = async (fields: object, reported: RegExp) => {
    const { status, error, told: text } = await resourceClient.create('Student Applicant', { ...asked, ...fields })
    assert.deepEqual([status, error], [417, 'ValidationError'], text)
    assert.match(text, reported)
  }
  await refused({ date_of_birth: '2999-01-01' }, /before today/)
  await resourceClient.make('Academic Year', {
    academic_year_name: '2030',
    year_start_date: '2030-01-01',
    year_end_date: '2030-12-31',
  })
  const term = await resourceClient.make('Academic Term', {
    academic_year: '2030',
    term_name: '1',
    term_start_date: '2030-01-01',
    term_end_date: '2030-06-30',
  })
  await refused({ academic_term: term.name }, /does not belong/)
  const admission = await resourceClient.make('Student Admission', {
    academic_year: '2026-27',
    enable_admission_application: 1,
    program_details: [{ program: 'Nursing', min_age: 17, max_age: 40, applicant_naming_series: 'NUR-.####' }],
  })
  assert.deepEqual([admission.name, admission.route], ['Admissions for 2026-27', 'admissions/Admissions-for-2026-27'])
  await refused({ student_admission: admission.name, date_of_birth: '2020-02-29' }, /from the age of 17/)
  await refused({ student_admission: admission.name, date_of_birth: '1952-02-29' }, /up to the age of 40/)
  await refused({ student_admission: admission.name, program: null }, /Choose a Program/)
  const eligible = await resourceClient.make('Student Applicant', {
    ...asked,
    student_admission: admission.name,
    date_of_birth: '2000-02-29',
  })
  assert.equal(eligible.name, 'NUR-0001')
  const empty = await resourceClient.create('Student Admission', {
    title: 'X',
    academic_year: '2026-27',
    enable_admission_application: 1,
  })
  assert.deepEqual([empty.status, empty.error], [417, 'ValidationError'])
})

test('Student Applicant: follows a renamed program, by id and by text', async () => {
  const { tenant, resourceClient } = await school()
  const byText = await anApplication(tenant.api, { program: 'Nursing' })
  const byId = await resourceClient.make('Student Applicant', asked)
  const renamed = await resourceClient.rename('Program', 'Nursing', 'Care')
  assert.equal(renamed.error, null, renamed.told)
  for (const code of [byText.applicationCode, byId.name]) {
    assert.equal((await resourceClient.read('Student Applicant', code)).data.program, 'Care')
  }
  const { record } = await findApplication(tenant, byText.applicationCode)
  assert.equal(record.program, 'Care')
  assert.ok(record.updatedAt > byText.updatedAt)
})

test('Student Applicant: deleted with links, history and count, unless there are documents or a student', async () => {
  const { tenant, resourceClient } = await school()
  const free = await anApplication(tenant.api, { contacts: [{}] })
  const held = await anApplication(tenant.api)
  await aDocument(service, tenant.api, { entityType: 'application', entityId: held.id })
  const rejected = await resourceClient.remove('Student Applicant', held.applicationCode)
  assert.deepEqual([rejected.status, rejected.error], [417, 'LinkExistsError'])
  assert.match(rejected.told, /document links/)
  const student = await aStudent(tenant.api)
  const enrolled = await anApplication(tenant.api, { studentId: student.id })
  assert.equal(
    (await resourceClient.read('Student', student.studentCode)).data.student_applicant,
    enrolled.applicationCode,
  )
  assert.equal((await resourceClient.remove('Student Applicant', enrolled.applicationCode)).error, 'LinkExistsError')
  assert.equal((await resourceClient.remove('Student', student.studentCode)).error, null)
  assert.equal((await findApplication(tenant, enrolled.applicationCode)).record.studentId, null)
  assert.equal((await resourceClient.remove('Student Applicant', free.applicationCode)).error, null)
  assert.equal((await tenant.api.get('/admissions/applications')).body.pagination.total, 2)
  assert.equal((await tenant.traces(free.id)).audit.at(-1), 'admission_application.deleted')
})

test('Student Applicant: admitted by the student that names it, and no second student may', async () => {
  const { tenant, resourceClient } = await school()
  const applicant = await resourceClient.make('Student Applicant', asked)
  const student = await resourceClient.make('Student', { first_name: 'Ada', student_applicant: applicant.name })
  assert.equal(student.student_applicant, applicant.name)
  const { record } = await findApplication(tenant, applicant.name)
  assert.deepEqual([record.status, typeof record.studentId], ['enrolled', 'string'])
  assert.equal((await resourceClient.read('Student Applicant', applicant.name)).data.student, student.name)
  const second = await resourceClient.create('Student', { first_name: 'Eve', student_applicant: applicant.name })
  assert.deepEqual([second.status, second.error], [417, 'ValidationError'])
})

test('application counts: equal to the rows after every change', async () => {
  assert.deepEqual(await wrongTotals(service), [])
})

test('Student Applicant and Guardian: found by index, and page by page in order of change', async () => {
  const { tenant } = await school()
  await service.database.inspect(
    `insert into admission_applications (tenant_id, id, application_code, full_name, email, status, search_text)
     select $1, new_uuid7(), 'A' || n, 'Applicant ' || n, n || '@example.org', case when n > 20 then 'new' else 'accepted' end, ''
       from generate_series(1, 3000) n`,
    [tenant.id],
  )
  await service.database.inspect(
    `insert into contacts (tenant_id, id, code, display_name) select $1, new_uuid7(), 'G' || n, 'Person ' || n
       from generate_series(1, 3000) n`,
    [tenant.id],
  )
  await service.database.inspect(
    `insert into application_contacts (tenant_id, id, application_id, contact_id, role, source)
     select a.tenant_id, new_uuid7(), a.id, c.id, 'family', 'api'
       from admission_applications a join contacts c on c.tenant_id = a.tenant_id and c.code = 'G' || substr(a.application_code, 2)
      where a.tenant_id = $1`,
    [tenant.id],
  )
  await service.database.inspect(
    'analyze admission_applications, contacts, application_contacts, pipeline_statuses, programs',
  )
  const loadPlan = (relation: Sql, tail: Sql) =>
    service.data.transaction(tenant.id, async (tx) => {
      const rows = await tx.query<{ 'QUERY PLAN': string }>(
        sql`explain select r.* from ${relation} r where r.tenant_id = ${tenant.id} ${tail}`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  const applicants = sql`student_applicant_records`
  assert.match(await loadPlan(applicants, sql`and r.name = 'A7'`), /admission_applications_code_key/)
  assert.match(await loadPlan(applicants, sql`and r.title = 'X'`), /admission_applications_full_name_idx/)
  assert.match(await loadPlan(applicants, sql`and r.student_email_id = 'X'`), /admission_applications_exact_email_idx/)
  assert.match(await loadPlan(applicants, sql`and r.student = 'X'`), /admission_applications_student_idx/)
  const page = await loadPlan(applicants, sql`order by r.updated_at desc limit 20`)
  assert.match(page, /admission_applications_updated_at_idx/)
  assert.match(await loadPlan(sql`guardian_records`, sql`and r.guardian_name = 'X'`), /contacts_display_name_idx/)
  const rows = sql`applicant_guardian_rows`
  assert.match(await loadPlan(rows, sql`and r.guardian = 'G7'`), /application_contacts_contact_idx/)
  const [first] = await service.database.inspect<{ id: string }>(
    'select id from admission_applications where tenant_id = $1 limit 1',
    [tenant.id],
  )
  assert.match(await loadPlan(rows, sql`and r.parent_id = ${first?.id}`), /application_contacts_role_key/)
})
