import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Sql, sql } from '../../database/index.ts'
import { allStatementsOf } from '../../testing/fixtures/database/count-statements.ts'
import { wrongTotals } from '../../testing/fixtures/database/wrong-totals.ts'
import { anApplication, aPayment, aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { students } from './student-store.ts'

const service = await startTestService()

async function school(): Promise<{ tenant: TestTenant; resourceClient: ResourceClient }> {
  const tenant = await service.tenant()
  return { tenant, resourceClient: new ResourceClient(service, tenant) }
}

async function findStudent(tenant: TestTenant, code: string) {
  const { body } = await tenant.api.get(`/students?studentCode=${encodeURIComponent(code)}`)
  const { headers, body: own } = await tenant.api.get(`/students/${body.data[0].id}`)
  return { record: own.data, etag: headers.get('etag') }
}

test('a student made on the Resource API is at once complete on the Client API, counted and told', async () => {
  const { tenant, resourceClient } = await school()
  const made = await resourceClient.make('Student', {
    first_name: 'Ada',
    middle_name: 'King',
    last_name: 'Byron',
    student_email_id: 'ada@example.org',
    student_mobile_number: '+44 20 7946 0000',
    date_of_birth: '2001-12-10',
    gender: 'Female',
    nationality: 'British',
    address_line_1: '12 St James’s Square',
    pincode: 'SW1Y 4JH',
    city: 'London',
    state: 'Greater London',
    country: 'United Kingdom',
    image: '/files/ada.png',
    joining_date: '2026-09-01',
    blood_group: 'A+',
  })
  assert.match(made.name, /^EDU-STU-\d{4}-00001$/)
  assert.equal(made.student_name, 'Ada King Byron')
  const { record } = await findStudent(tenant, made.name)
  const { fullName, givenNames, familyNames, status, email, phone, dateOfBirth, gender, nationality } = record
  assert.deepEqual(
    [fullName, givenNames, familyNames, status, email, phone, dateOfBirth, gender, nationality],
    [
      'Ada King Byron',
      'Ada King',
      'Byron',
      'active',
      'ada@example.org',
      '+44 20 7946 0000',
      '2001-12-10',
      'Female',
      'British',
    ],
  )
  const { address, postalCode, city, stateProvince, country, photoUrl } = record
  assert.deepEqual(
    [address, postalCode, city, stateProvince, country, photoUrl],
    ['12 St James’s Square', 'SW1Y 4JH', 'London', 'Greater London', 'United Kingdom', '/files/ada.png'],
  )
  assert.equal((await tenant.api.get('/students?search=ada%20king')).body.pagination.total, 1)
  assert.equal((await tenant.api.get('/students?status=active')).body.pagination.total, 1)
  const traces = await tenant.traces(record.id)
  assert.deepEqual([traces.audit, traces.events], [['student.created'], ['student.created']])
})

test('a student made on the Client API reads as a record with every shared field', async () => {
  const { tenant, resourceClient } = await school()
  const made = await aStudent(tenant.api, {
    fullName: 'Grace Hopper',
    email: 'grace@example.org',
    phone: '555',
    dateOfBirth: '1996-12-09',
    address: '1 Main Street',
    postalCode: '22209',
    stateProvince: 'VA',
    photoUrl: 'https://example.org/grace.png',
    country: 'Estados Unidos',
  })
  const { data } = await resourceClient.read('Student', made.studentCode)
  const { first_name, middle_name, last_name, student_name, student_email_id, student_mobile_number } = data
  assert.deepEqual([first_name, middle_name, last_name, student_name], ['Grace Hopper', null, null, 'Grace Hopper'])
  assert.deepEqual([student_email_id, student_mobile_number], ['grace@example.org', '555'])
  const { date_of_birth, address_line_1, pincode, state, image, country, enabled, owner } = data
  assert.deepEqual(
    [date_of_birth, address_line_1, pincode, state, image, country, enabled, owner],
    [
      '1996-12-09',
      '1 Main Street',
      '22209',
      'VA',
      'https://example.org/grace.png',
      'Estados Unidos',
      1,
      'Administrator',
    ],
  )
})

test('a change here is seen there and back, moves version and stamp once, and one that changes nothing moves none', async () => {
  const { tenant, resourceClient } = await school()
  const made = await aStudent(tenant.api, {
    fullName: 'Grace Hopper',
    preferredName: 'Amazing',
    customFields: { a: 1 },
  })
  const before = await findStudent(tenant, made.studentCode)
  const changed = await resourceClient.update('Student', made.studentCode, { city: 'Arlington', country: '' })
  assert.equal(changed.error, null, changed.told)
  const after = await findStudent(tenant, made.studentCode)
  assert.deepEqual(
    [after.record.city, after.record.preferredName, after.record.customFields],
    ['Arlington', 'Amazing', { a: 1 }],
  )
  assert.deepEqual([after.record.fullName, after.record.givenNames], ['Grace Hopper', null])
  assert.ok(after.record.updatedAt > before.record.updatedAt)
  assert.notEqual(after.etag, before.etag)
  assert.equal(
    (await resourceClient.update('Student', made.studentCode, { city: 'Arlington', last_name: '' })).error,
    null,
  )
  assert.equal((await findStudent(tenant, made.studentCode)).etag, after.etag)
  assert.deepEqual((await tenant.traces(made.id)).events, ['student.created', 'student.updated'])
  assert.deepEqual((await tenant.traces(made.id)).changed.at(-1), ['city'])
  assert.equal((await resourceClient.update('Student', made.studentCode, { blood_group: 'A+' })).error, null)
  assert.deepEqual((await tenant.traces(made.id)).changed.at(-1), ['blood_group'])
  const stale = await tenant.api.patch(
    `/students/${made.id}`,
    { city: 'Reston' },
    { 'if-match': before.etag as string },
  )
  assert.equal(stale.status, 412)
  await tenant.api.patch(`/students/${made.id}`, { givenNames: 'Grace', familyNames: 'Hopper', phone: '1' })
  const { data } = await resourceClient.read('Student', made.studentCode)
  assert.deepEqual([data.first_name, data.last_name, data.student_mobile_number], ['Grace', 'Hopper', '1'])
})

test('disabling moves active to inactive and enabling to active; other states stay until enabled', async () => {
  const { tenant, resourceClient } = await school()
  const made = await aStudent(tenant.api)
  const statusAfter = async (fields: object) => {
    assert.equal((await resourceClient.update('Student', made.studentCode, fields)).error, null)
    return (await findStudent(tenant, made.studentCode)).record.status
  }
  assert.equal(await statusAfter({ enabled: 0 }), 'inactive')
  assert.equal((await tenant.api.get('/students?status=inactive')).body.pagination.total, 1)
  assert.equal((await tenant.api.get('/students?status=active')).body.pagination.total, 0)
  assert.equal(await statusAfter({ enabled: 1 }), 'active')
  await tenant.api.patch(`/students/${made.id}`, { status: 'graduated' })
  assert.equal((await resourceClient.read('Student', made.studentCode)).data.enabled, 0)
  assert.equal(await statusAfter({ city: 'Lima' }), 'graduated')
  assert.equal(await statusAfter({ enabled: 1 }), 'active')
})

test('given, middle and family names come back as they were written, and as the Client API has them', async () => {
  const { tenant, resourceClient } = await school()
  const word = fc
    .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'aB ñÅ-’.') })
    .filter((text) => text.trim() !== '')
  const names = fc.record({ first: word, middle: fc.option(word), last: fc.option(word) })
  await fc.assert(
    fc.asyncProperty(names, async ({ first, middle, last }) => {
      const { name } = await resourceClient.make('Student', { first_name: first, middle_name: middle, last_name: last })
      const { data } = await resourceClient.read('Student', name)
      assert.deepEqual([data.first_name, data.middle_name, data.last_name], [first, middle, last])
      const { record } = await findStudent(tenant, name)
      assert.equal(record.givenNames, middle === null ? first : `${first} ${middle}`)
      assert.equal(record.familyNames, last)
      assert.equal(record.fullName, last === null ? record.givenNames : `${record.givenNames} ${last}`)
      await tenant.api.patch(`/students/${record.id}`, { givenNames: 'Zoë' })
      const changed = (await resourceClient.read('Student', name)).data
      assert.deepEqual([changed.first_name, changed.middle_name, changed.last_name], ['Zoë', null, last])
    }),
    { numRuns: 25 },
  )
})

test('an e-mail is optional here too, and one that another student has is refused here alone', async () => {
  const { tenant, resourceClient } = await school()
  await aStudent(tenant.api, { email: 'ada@example.org' })
  const second = await resourceClient.create('Student', { first_name: 'Ada', student_email_id: 'ada@example.org' })
  assert.deepEqual([second.status, second.error], [417, 'UniqueValidationError'])
  await aStudent(tenant.api, { email: 'ada@example.org' })
  await resourceClient.make('Student', { first_name: 'Ada' })
  const both = await Promise.all(
    [1, 2].map(() => resourceClient.create('Student', { first_name: 'Eve', student_email_id: 'eve@example.org' })),
  )
  assert.deepEqual(both.map(({ error }) => error).sort(), [null, 'UniqueValidationError'].sort())
})

test('days that cannot be are refused: of birth, of a sibling’s birth, of joining and leaving', async () => {
  const { resourceClient } = await school()
  const refused = async (fields: object, reported: RegExp) => {
    const { status, error, told: text } = await resourceClient.create('Student', { first_name: 'Ada', ...fields })
    assert.deepEqual([status, error], [417, 'ValidationError'])
    assert.match(text, reported)
  }
  await refused({ date_of_birth: '2999-01-01' }, /before today/)
  await refused({ date_of_birth: '2020-01-02', joining_date: '2020-01-02' }, /before the Joining Date/)
  await refused({ joining_date: '2026-02-01', date_of_leaving: '2026-01-31' }, /must not be after/)
  await refused({ siblings: [{ full_name: 'Medora', date_of_birth: '2999-01-01' }] }, /Row #1/)
})

test('a student with an e-mail gets a user with the role Student, unless the institution makes none', async () => {
  const { resourceClient } = await school()
  const made = await resourceClient.make('Student', { first_name: 'Ada', student_email_id: 'Ada@Example.org' })
  assert.equal(made.user, 'ada@example.org')
  const { data } = await resourceClient.read('User', 'ada@example.org')
  assert.deepEqual(
    [data.user_type, data.roles.map(({ role }: { role: string }) => role)],
    ['Website User', ['Student']],
  )
  assert.equal(
    (await resourceClient.update('Education Settings', 'Education Settings', { user_creation_skip: 1 })).error,
    null,
  )
  const without = await resourceClient.make('Student', { first_name: 'Eve', student_email_id: 'eve@example.org' })
  assert.equal(without.user, null)
})

test('a student who has payments or is named by records is not deleted; one whom nobody holds goes with the total', async () => {
  const { tenant, resourceClient } = await school()
  const [paying, recorded, free] = [await aStudent(tenant.api), await aStudent(tenant.api), await aStudent(tenant.api)]
  await aPayment(tenant.api, { studentId: paying.id })
  await resourceClient.make('Student Log', { student: recorded.studentCode, log: 'Late' })
  const held = await resourceClient.remove('Student', paying.studentCode)
  assert.deepEqual([held.status, held.error], [417, 'LinkExistsError'])
  assert.match(held.told, /payments/)
  assert.equal((await resourceClient.remove('Student', recorded.studentCode)).error, 'LinkExistsError')
  assert.equal((await resourceClient.remove('Student', free.studentCode)).error, null)
  assert.equal((await tenant.api.get(`/students/${free.id}`)).status, 404)
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 2)
  assert.equal((await tenant.traces(free.id)).audit.at(-1), 'student.deleted')
})

test('a code that changes on either surface is followed by every record that names it', async () => {
  const { tenant, resourceClient } = await school()
  const made = await aStudent(tenant.api)
  const log = await resourceClient.make('Student Log', { student: made.studentCode })
  assert.equal((await tenant.api.patch(`/students/${made.id}`, { studentCode: 'S-1' })).status, 200)
  assert.equal((await resourceClient.read('Student Log', log.name)).data.student, 'S-1')
  const renamed = await resourceClient.rename('Student', 'S-1', 'S-2')
  assert.equal(renamed.error, null, renamed.told)
  assert.equal((await resourceClient.read('Student Log', log.name)).data.student, 'S-2')
  assert.equal((await findStudent(tenant, 'S-2')).record.id, made.id)
  assert.equal((await tenant.api.get('/students?search=s-2')).body.pagination.total, 1)
  assert.equal((await tenant.traces(made.id)).events.at(-1), 'student.updated')
})

test('two surfaces that change one student at once lose nothing', async () => {
  const { tenant, resourceClient } = await school()
  const made = await aStudent(tenant.api)
  const fields = Array.from({ length: 6 }, (_, index) => index)
  const outcomes = await Promise.all(
    fields.flatMap((index) => [
      tenant.api.patch(`/students/${made.id}`, { customFields: { [`f${index}`]: index } }),
      resourceClient.update('Student', made.studentCode, {
        [['city', 'state', 'pincode', 'nationality', 'blood_group', 'address_line_2'][index] as string]: 'A+',
      }),
    ]),
  )
  const { record } = await findStudent(tenant, made.studentCode)
  assert.deepEqual(record.customFields, Object.fromEntries(fields.map((index) => [`f${index}`, index])))
  const { data } = await resourceClient.read('Student', made.studentCode)
  const written = ['city', 'state', 'pincode', 'nationality', 'blood_group', 'address_line_2']
  for (const [index, field] of written.entries()) {
    const outcome = outcomes[index * 2 + 1] as { error: string | null }
    assert.ok([null, 'TimestampMismatchError'].includes(outcome.error), String(outcome.error))
    assert.equal(data[field], outcome.error === null ? 'A+' : null, field)
  }
})

test('guardians of a student are its contacts: made here, seen there, with role and primary flag kept', async () => {
  const { tenant, resourceClient } = await school()
  const mother = await resourceClient.make('Guardian', { guardian_name: 'Annabella', email_address: 'a@example.org' })
  const father = await resourceClient.make('Guardian', { guardian_name: 'George', mobile_number: '+44 1' })
  assert.match(mother.name, /^EDU-GRD-\d{4}-00001$/)
  const made = await resourceClient.make('Student', {
    first_name: 'Ada',
    guardians: [
      { guardian: mother.name, relation: 'Mother' },
      { guardian: father.name, relation: 'Father' },
    ],
  })
  const { record } = await findStudent(tenant, made.name)
  assert.deepEqual(
    record.contacts.map(({ displayName, role, relationshipLabel, isPrimary }: Record<string, unknown>) => [
      displayName,
      role,
      relationshipLabel,
      isPrimary,
    ]),
    [
      ['Annabella', 'family', 'Mother', true],
      ['George', 'family', 'Father', false],
    ],
  )
  assert.deepEqual(
    (await resourceClient.read('Guardian', mother.name)).data.students.map(
      ({ student: name }: { student: string }) => name,
    ),
    [made.name],
  )
  await service.database.inspect(
    `update student_contacts set role = 'billing', relationship_label = 'Papá' where tenant_id = $1 and not is_primary`,
    [tenant.id],
  )
  const turned = await resourceClient.update('Student', made.name, {
    guardians: [
      { guardian: father.name, relation: 'Father' },
      { guardian: mother.name, relation: 'Others' },
    ],
  })
  assert.equal(turned.error, null, turned.told)
  assert.deepEqual(
    turned.data.guardians.map(({ guardian, guardian_name, relation }: Record<string, unknown>) => [
      guardian,
      guardian_name,
      relation,
    ]),
    [
      [father.name, 'George', 'Father'],
      [mother.name, 'Annabella', 'Others'],
    ],
  )
  const links = (await findStudent(tenant, made.name)).record.contacts
  assert.deepEqual(
    links.map(({ displayName, role, relationshipLabel, isPrimary }: Record<string, unknown>) => [
      displayName,
      role,
      relationshipLabel,
      isPrimary,
    ]),
    [
      ['Annabella', 'family', 'Others', true],
      ['George', 'billing', 'Papá', false],
    ],
  )
  const twice = await resourceClient.update('Student', made.name, {
    guardians: [{ guardian: mother.name }, { guardian: mother.name }],
  })
  assert.deepEqual([twice.status, twice.error], [417, 'ValidationError'])
  assert.equal((await resourceClient.remove('Guardian', mother.name)).error, 'LinkExistsError')
  assert.equal((await resourceClient.update('Student', made.name, { guardians: [] })).error, null)
  assert.equal((await resourceClient.remove('Guardian', mother.name)).error, null)
})

test('a change of a student writes no link to a guardian that stays as it is and where it is', async () => {
  const { tenant, resourceClient } = await school()
  const [first, second] = [
    await resourceClient.make('Guardian', { guardian_name: 'First' }),
    await resourceClient.make('Guardian', { guardian_name: 'Second' }),
  ]
  const guardians = [{ guardian: first.name, relation: 'Mother' }, { guardian: second.name }]
  const { name } = await resourceClient.make('Student', { first_name: 'Ada', guardians })
  const written = async () => {
    const links = await service.database.inspect<{ place: string }>(
      'select ctid::text as place from student_contacts where tenant_id = $1 order by position',
      [tenant.id],
    )
    return links.map(({ place: location }) => location)
  }
  const before = await written()
  assert.equal((await resourceClient.update('Student', name, { city: 'Lima' })).error, null)
  assert.deepEqual(await written(), before)
  const relation = [guardians[0], { ...guardians[1], relation: 'Father' }]
  assert.equal((await resourceClient.update('Student', name, { guardians: relation })).error, null)
  const [firstNow, secondNow] = await written()
  assert.equal(firstNow, before[0])
  assert.notEqual(secondNow, before[1])
})

test('people whom the Client API links are guardians with codes, and a guardian who changes changes wherever shown', async () => {
  const { tenant, resourceClient } = await school()
  const application = await anApplication(tenant.api, {
    contacts: [{ displayName: 'Annabella', email: 'a@example.org', role: 'family' }],
  })
  const [{ name }] = (await resourceClient.list('Guardian', {})).data
  assert.match(name, /^EDU-GRD-\d{4}-00001$/)
  const etag = (await tenant.api.get(`/admissions/applications/${application.id}`)).headers.get('etag')
  const changed = await resourceClient.update('Guardian', name, {
    guardian_name: 'Anne Isabella',
    occupation: 'Baroness',
  })
  assert.equal(changed.error, null, changed.told)
  const { body, headers } = await tenant.api.get(`/admissions/applications/${application.id}`)
  assert.equal(body.data.contacts[0].displayName, 'Anne Isabella')
  assert.notEqual(headers.get('etag'), etag)
  assert.ok(body.data.updatedAt > application.updatedAt)
  assert.deepEqual((await tenant.traces(body.data.contacts[0].id)).events.at(-1), 'admission_contact.updated')
  assert.equal((await resourceClient.remove('Guardian', name)).error, 'LinkExistsError')
})

test('another tenant’s students are nobody’s here, by name or by link', async () => {
  const [here, there] = [await school(), await school()]
  const foreign = await aStudent(there.tenant.api, { studentCode: 'ONLY-THERE' })
  assert.equal((await here.resourceClient.read('Student', foreign.studentCode)).error, 'DoesNotExistError')
  assert.equal(
    (await here.resourceClient.create('Student Log', { student: 'ONLY-THERE' })).error,
    'LinkValidationError',
  )
  assert.equal((await here.resourceClient.update('Student', 'ONLY-THERE', { city: 'Lima' })).error, 'DoesNotExistError')
})

test('the kept totals are those of the rows, after everything that was done here', async () => {
  assert.deepEqual(await wrongTotals(service), [])
})

test('a student that is changed is looked for once, also where nothing is known yet of how many there are', async () => {
  const { tenant, resourceClient } = await school()
  await service.database.inspect(
    `insert into students (tenant_id, id, student_code, full_name, search_text)
     select $1, new_uuid7(), 'S' || n, 'Student ' || n, '' from generate_series(1, 500) n`,
    [tenant.id],
  )
  // As a table is that was filled a moment ago.
  await service.database.inspect(`delete from pg_statistic where starelid = 'students'::regclass`)
  await service.database.inspect(`update pg_class set reltuples = -1, relpages = 0 where oid = 'students'::regclass`)
  const sent = await allStatementsOf(() => resourceClient.update('Student', 'S7', { city: 'Lima' }))
  const locking = sent.filter(({ text }) => /student_records[\s\S]*for no key update/.test(text))
  assert.equal(locking.length, 1)
  const loops = await service.data.transaction(tenant.id, async (tx) => {
    const { text, values } = locking[0] as (typeof sent)[number]
    const plan = await tx.query({ text: `explain (analyze, format json) ${text}`, values } as Sql)
    return JSON.stringify(plan).match(/(?<="Actual Loops":)[\d.]+/g) ?? []
  })
  assert.ok(loops.length > 0 && loops.every((count) => Number(count) <= 1), `${loops} times`)
})

test('students are found by index: by name, full name and e-mail, and page by page in the order of their changes', async () => {
  const { tenant } = await school()
  await service.database.inspect(
    `insert into students (tenant_id, id, student_code, full_name, email, search_text)
     select $1, new_uuid7(), 'S' || n, 'Student ' || n, n || '@example.org', '' from generate_series(1, 3000) n`,
    [tenant.id],
  )
  await service.database.inspect('analyze students')
  const loadPlan = (tail: Sql) =>
    service.data.transaction(tenant.id, async (tx) => {
      const rows = await tx.query<{ 'QUERY PLAN': string }>(
        sql`explain select r.name, r.first_name, r.enabled from student_records r where r.tenant_id = ${tenant.id} ${tail}`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  assert.match(await loadPlan(sql`and r.name = 'X'`), /students_student_code_key/)
  assert.match(await loadPlan(sql`and r.student_name = 'X'`), /students_full_name_idx/)
  assert.match(await loadPlan(sql`and r.student_email_id = 'X'`), /students_exact_email_idx/)
  const inAnyCase = await service.data.transaction(tenant.id, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(
      sql`explain ${students.select(tenant.id, students.filters.email?.('X@example.org') as Sql)}`,
    ),
  )
  assert.match(JSON.stringify(inAnyCase), /students_email_any_case_idx/)
  const page = await loadPlan(sql`order by r.updated_at desc limit 20`)
  assert.match(page, /students_updated_at_idx/)
  assert.doesNotMatch(page, /Sort/)
})

for (const type of ['Student', 'Student Applicant']) {
  test(`${type}: a sibling is another student, and stands once`, async () => {
    const { resourceClient } = await school()
    await resourceClient.make('Program', { program_name: 'Nursing' })
    const year = { year_start_date: '2026-01-01', year_end_date: '2026-12-31' }
    await resourceClient.make('Academic Year', { academic_year_name: '2026', ...year })
    const sister = (await resourceClient.make('Student', { first_name: 'Ada' })).name
    const made = await resourceClient.create(type, {
      ...{ first_name: 'Byron', student_email_id: 'byron@example.org', program: 'Nursing', academic_year: '2026' },
      siblings: [{ student: sister }, { full_name: 'Tom' }],
    })
    assert.equal(made.error, null, made.told)
    const twice = await resourceClient.update(type, made.data.name, {
      siblings: [{ student: sister }, { student: sister }],
    })
    assert.deepEqual([twice.status, twice.error], [417, 'ValidationError'])
    assert.match(twice.told, new RegExp(`Row #2: ${sister} is among the siblings already`))
    if (type !== 'Student') return
    const own = await resourceClient.update(type, made.data.name, { siblings: [{ student: made.data.name }] })
    assert.match(own.told, /nobody is their own sibling/)
  })
}

test('a deleted student’s user is disabled with its sessions ended, unless it is somebody else as well', async () => {
  const { tenant, resourceClient } = await school()
  for (const [roles, enabled] of [
    [['Student'], 0],
    [['Student', 'Instructor'], 1],
  ] as const) {
    const { email, caller } = await aPerson(service, tenant, roles)
    const made = await resourceClient.make('Student', { first_name: 'Ada', user: email })
    const own = () => caller.get('/api/resource/Student')
    assert.equal((await own()).status, 200)
    const gone = await resourceClient.remove('Student', made.name)
    assert.equal(gone.error, null, gone.told)
    const { data } = await resourceClient.read('User', email)
    assert.equal(data.enabled, enabled)
    assert.equal((await own()).status, enabled === 1 ? 200 : 403)
  }
})
