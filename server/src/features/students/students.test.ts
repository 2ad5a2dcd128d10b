import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aCatalogue, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const year = new Date().getUTCFullYear()

test('a new student has every field, a generated code, and one audit row and event', async () => {
  const { api, traces } = await service.tenant()
  const response = await api.post('/students', {
    givenNames: 'Tyrone',
    familyNames: 'Dyer',
    email: '',
    dateOfBirth: '2014-11-13',
    enrolledAt: '2026-02-01T10:00:00.1239+02:00',
    customFields: { bus: { line: 7 } },
  })
  assert.equal(response.status, 201)
  const { id, createdAt, updatedAt, ...fields } = response.body.data
  assert.deepEqual(fields, {
    externalId: null,
    studentCode: `EDU-STU-${year}-00001`,
    fullName: 'Tyrone Dyer',
    givenNames: 'Tyrone',
    familyNames: 'Dyer',
    preferredName: null,
    status: 'active',
    email: null,
    phone: null,
    dateOfBirth: '2014-11-13',
    gender: null,
    nationality: null,
    documentType: null,
    documentNumber: null,
    country: null,
    stateProvince: null,
    city: null,
    address: null,
    postalCode: null,
    photoUrl: null,
    programId: null,
    program: '',
    programRef: null,
    academicYear: null,
    academicPeriod: null,
    enrolledAt: '2026-02-01T08:00:00.123Z',
    withdrawnAt: null,
    primaryContact: null,
    contacts: [],
    customFields: { bus: { line: 7 } },
  })
  assert.equal(createdAt, updatedAt)
  assert.equal(response.headers.get('location'), `/v1/students/${id}`)
  assert.deepEqual((await traces(id)).events, ['student.created'])
  assert.deepEqual((await traces(id)).audit, ['student.created'])
  assert.deepEqual((await api.get(`/students/${id}`)).body.data, response.body.data)
})

test('a student needs a name: one part is enough, blanks are none', async () => {
  const { api } = await service.tenant()
  assert.equal((await aStudent(api, { fullName: undefined, familyNames: 'Dyer' })).fullName, 'Dyer')
  assert.equal((await aStudent(api, { fullName: 'Ty D.', givenNames: 'Tyrone' })).fullName, 'Ty D.')
  for (const body of [{}, { givenNames: ' ' }, { givenNames: null, familyNames: ' ' }]) {
    const rejected = await api.post('/students', body)
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'validation_failed'])
    assert.deepEqual(
      rejected.body.errors.map((validationError: { pointer: string; code: string }) => [
        validationError.pointer,
        validationError.code,
      ]),
      [['#/fullName', 'required']],
    )
  }
})

test('a name that is there is not empty; null leaves it away', async () => {
  const { api } = await service.tenant()
  const rejected = await api.post('/students', { givenNames: '', familyNames: 'Dyer' })
  assert.deepEqual(
    [rejected.status, rejected.body.errors[0].pointer, rejected.body.errors[0].code],
    [400, '#/givenNames', 'too_short'],
  )
  assert.equal((await aStudent(api, { fullName: undefined, givenNames: null, familyNames: 'Dyer' })).givenNames, null)
})

test('the full name follows its parts where it was made of them, and only there', async () => {
  const { api } = await service.tenant()
  const composed = await aStudent(api, { fullName: undefined, givenNames: 'Ada', familyNames: 'Byron' })
  const renamed = await api.patch(`/students/${composed.id}`, { familyNames: 'Lovelace' })
  assert.equal(renamed.body.data.fullName, 'Ada Lovelace')
  const chosen = await aStudent(api, { fullName: 'Countess Ada', givenNames: 'Ada', familyNames: 'Byron' })
  const stored = await api.patch(`/students/${chosen.id}`, { familyNames: 'Lovelace' })
  assert.equal(stored.body.data.fullName, 'Countess Ada')
})

test('a date of birth is a day before today', async () => {
  const { api } = await service.tenant({ timeZone: 'UTC' })
  const today = new Date().toISOString().slice(0, 10)
  const rejected = await api.post('/students', { fullName: 'Ada', dateOfBirth: today })
  assert.deepEqual([rejected.status, rejected.body.errors[0].pointer], [400, '#/dateOfBirth'])
  const student = await aStudent(api)
  assert.equal((await api.patch(`/students/${student.id}`, { dateOfBirth: '2999-01-01' })).status, 400)
  assert.equal((await api.patch(`/students/${student.id}`, { dateOfBirth: '2010-02-30' })).status, 400)
})

test('student codes are unique; the series passes by codes that were chosen', async () => {
  const { api } = await service.tenant()
  const chosen = await aStudent(api, { studentCode: `EDU-STU-${year}-00007` })
  const taken = await api.post('/students', { fullName: 'B', studentCode: chosen.studentCode })
  assert.deepEqual([taken.status, taken.body.code, taken.body.existingId], [409, 'already_exists', chosen.id])
  assert.equal((await aStudent(api)).studentCode, `EDU-STU-${year}-00008`)
  const other = await aStudent(api)
  const moved = await api.patch(`/students/${other.id}`, { studentCode: chosen.studentCode })
  assert.deepEqual([moved.status, moved.body.code], [409, 'already_exists'])
})

test('many created at once get different codes, without a gap', async () => {
  const { api } = await service.tenant()
  const students = await Promise.all(Array.from({ length: 20 }, () => aStudent(api)))
  const codes = students.map((student) => student.studentCode).sort()
  assert.deepEqual(
    codes,
    Array.from({ length: 20 }, (_, index) => `EDU-STU-${year}-${String(index + 1).padStart(5, '0')}`),
  )
})

test('an externalId belongs to one student of the tenant', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const first = await aStudent(ours.api, { externalId: 'S-1' })
  await aStudent(theirs.api, { externalId: 'S-1' })
  const taken = await ours.api.post('/students', { fullName: 'B', externalId: 'S-1' })
  assert.deepEqual([taken.status, taken.body.code, taken.body.existingId], [409, 'external_id_taken', first.id])
  const second = await aStudent(ours.api, { externalId: 'S-2' })
  const moved = await ours.api.patch(`/students/${second.id}`, { externalId: 'S-1' })
  assert.deepEqual([moved.status, moved.body.code, moved.body.existingId], [409, 'external_id_taken', first.id])
  const freed = await ours.api.patch(`/students/${second.id}`, { externalId: null })
  assert.equal(freed.body.data.externalId, null)
})

test('a patch that changes nothing leaves no trace: no stamp, no version, no event, no audit', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api, { email: 'ada@example.org', customFields: { a: 1 } })
  const before = await api.get(`/students/${student.id}`)
  for (const body of [{}, { email: 'ada@example.org' }, { customFields: { a: 1 } }, { customFields: {} }, student]) {
    const response = await api.patch(`/students/${student.id}`, body)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(response.body, before.body)
    assert.equal(response.headers.get('etag'), before.headers.get('etag'))
  }
  const { audit, events } = await traces(student.id)
  assert.deepEqual([audit.length, events.length], [1, 1])
})

test('a patch changes what it names, clears with null, and merges custom fields', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api, { email: 'a@example.org', phone: '1', customFields: { a: { b: 1, c: 2 }, d: 3 } })
  const response = await api.patch(`/students/${student.id}`, { phone: null, customFields: { a: { b: null }, e: [1] } })
  assert.deepEqual(response.body.data.customFields, { a: { c: 2 }, d: 3, e: [1] })
  assert.deepEqual([response.body.data.phone, response.body.data.email], [null, 'a@example.org'])
  assert.ok(response.body.data.updatedAt >= student.updatedAt)
  const { events, changed } = await traces(student.id)
  assert.deepEqual(events, ['student.created', 'student.updated'])
  assert.deepEqual(changed[1]?.sort(), ['customFields', 'phone'])
})

test('the audit keeps who changed what, from what to what, in which request', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { city: 'Lima' })
  const response = await tenant.api.patch(`/students/${student.id}`, { city: 'Cusco' })
  const [row] = await service.database.inspect<Record<string, unknown>>(
    `select actor_type, actor_name, request_id, address, before->>'city' as before, after->>'city' as after
       from audit_entries where entity_id = $1 and action = 'student.updated'`,
    [student.id],
  )
  assert.deepEqual(row, {
    actor_type: 'api_key',
    actor_name: 'everything',
    request_id: response.headers.get('request-id'),
    address: '127.0.0.1',
    before: 'Lima',
    after: 'Cusco',
  })
})

test('fields that cannot be written are taken when they equal the record and refused otherwise', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api)
  const same = await api.patch(`/students/${student.id}`, {
    id: student.id,
    createdAt: student.createdAt,
    city: 'Lima',
  })
  assert.equal(same.body.data.city, 'Lima')
  const rejected = await api.patch(`/students/${student.id}`, { id: randomUUID(), contacts: [1], programRef: 3 })
  assert.equal(rejected.status, 400)
  assert.deepEqual(
    rejected.body.errors
      .map((validationError: { pointer: string; code: string }) => `${validationError.pointer} ${validationError.code}`)
      .sort(),
    ['#/contacts read_only', '#/id read_only', '#/programRef read_only'],
  )
  const created = await api.post('/students', { fullName: 'B', id: randomUUID() })
  assert.deepEqual([created.status, created.body.errors[0].code], [400, 'read_only'])
})

test('a program is named by its id, whose name wins over a text', async () => {
  const tenant = await service.tenant()
  const { programId } = await aCatalogue(service, tenant)
  const student = await aStudent(tenant.api, { programId, program: 'Something' })
  assert.deepEqual([student.program, student.programRef?.name], ['Nursing', 'Nursing'])
  const cleared = await tenant.api.patch(`/students/${student.id}`, { programId: null, program: 'Evening class' })
  assert.deepEqual([cleared.body.data.program, cleared.body.data.programRef], ['Evening class', null])
  const unknown = await tenant.api.post('/students', { fullName: 'B', programId: randomUUID() })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
  assert.equal(unknown.body.errors[0].pointer, '#/programId')
  const { programId: foreign } = await aCatalogue(service, await service.tenant())
  const rejected = await tenant.api.patch(`/students/${student.id}`, { programId: foreign })
  assert.deepEqual([rejected.status, rejected.body.code], [422, 'reference_not_found'])
})

test('an upsert creates with 201, then updates with 200, and an absent field stays', async () => {
  const { api, traces } = await service.tenant()
  const path = `/students/external/${encodeURIComponent('a/b c%ü')}`
  const created = await api.put(path, { fullName: 'Ada', city: 'Lima', externalId: 'a/b c%ü' })
  assert.equal(created.status, 201)
  assert.equal(created.body.data.externalId, 'a/b c%ü')
  assert.equal(created.headers.get('location'), `/v1/students/${created.body.data.id}`)
  const same = await api.put(path, { city: 'Lima' })
  assert.deepEqual([same.status, same.body], [200, created.body])
  const updated = await api.put(path, { city: 'Cusco' })
  assert.deepEqual([updated.status, updated.body.data.fullName, updated.body.data.city], [200, 'Ada', 'Cusco'])
  assert.deepEqual((await traces(created.body.data.id)).events, ['student.created', 'student.updated'])
  const nulls = { customFields: { k: null, deep: { gone: null } }, fullName: 'Ada' }
  const first = await api.put('/students/external/nulls', nulls)
  assert.deepEqual((await api.put('/students/external/nulls', nulls)).body, first.body)
  const nameless = await api.put('/students/external/new', { city: 'Lima' })
  assert.deepEqual([nameless.status, nameless.body.errors[0].code], [400, 'required'])
})

test('the externalId of an upsert has 1 to 160 characters and equals the one in the body', async () => {
  const { api } = await service.tenant()
  const longest = '😀'.repeat(160)
  const created = await api.put(`/students/external/${encodeURIComponent(longest)}`, { fullName: 'Ada' })
  assert.deepEqual([created.status, created.body.data.externalId], [201, longest])
  const tooLong = await api.put(`/students/external/${'x'.repeat(161)}`, { fullName: 'Ada' })
  assert.deepEqual([tooLong.status, tooLong.body.errors[0].code, tooLong.body.errors[0].in], [400, 'too_long', 'path'])
  const nul = await api.put('/students/external/a%00b', { fullName: 'Ada' })
  assert.deepEqual([nul.status, nul.body.errors[0].code], [400, 'invalid_text'])
  for (const externalId of ['other', null]) {
    const differing = await api.put('/students/external/one', { fullName: 'Ada', externalId })
    assert.deepEqual([differing.status, differing.body.errors[0].code], [400, 'inconsistent'])
  }
})

test('two upserts of the same new externalId at once make one student', async () => {
  const { api } = await service.tenant()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => api.put('/students/external/race', { fullName: `Ada ${index}` })),
  )
  const statuses = answers.map((response) => response.status).sort()
  assert.deepEqual(statuses, [...Array(11).fill(200), 201])
  assert.equal(new Set(answers.map((response) => response.body.data.id)).size, 1)
  assert.equal((await api.get('/students?externalId=race')).body.pagination.total, 1)
  assert.equal((await api.get('/students')).body.pagination.total, 1)
})

test('two creates with the same new externalId at once make one student and one refusal', async () => {
  const { api } = await service.tenant()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.post('/students', { fullName: 'Ada', externalId: 'race' })),
  )
  const created = answers.filter((response) => response.status === 201)
  assert.equal(created.length, 1)
  for (const response of answers.filter(({ status }) => status !== 201)) {
    assert.deepEqual([response.status, response.body.code], [409, 'external_id_taken'])
    assert.equal(response.body.existingId, created[0]?.body.data.id)
  }
})

test('students are found by status, part of a name without accents, e-mail in any case, code, externalId and program', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { programId } = await aCatalogue(service, tenant)
  const jose = await aStudent(api, {
    fullName: 'José Ñandú 100%',
    email: 'Jose@Example.org',
    externalId: 'X-1',
    programId,
    status: 'graduated',
  })
  await aStudent(api, { fullName: 'Ada Byron' })
  const queries = ['search=jose%20NAN', 'search=100%25', 'email=jose@example.ORG', `studentCode=${jose.studentCode}`]
  for (const query of [...queries, 'externalId=X-1', `programId=${programId}`, 'status=graduated']) {
    const { body } = await api.get(`/students?${query}`)
    assert.deepEqual(
      [body.data.map((student: { id: string }) => student.id), body.pagination.total],
      [[jose.id], 1],
      query,
    )
  }
  for (const query of ['search=100_', 'search=%25%25', 'status=suspended', 'search=jose&status=active']) {
    assert.equal((await api.get(`/students?${query}`)).body.pagination.total, 0, query)
  }
})

test('a changed student is refused when If-Match is stale, and taken when it is current', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api)
  const first = (await api.get(`/students/${student.id}`)).headers.get('etag') as string
  const taken = await api.patch(`/students/${student.id}`, { city: 'Lima' }, { 'if-match': first })
  assert.equal(taken.status, 200)
  const stale = await api.patch(`/students/${student.id}`, { city: 'Cusco' }, { 'if-match': first })
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
  assert.equal(stale.headers.get('etag'), taken.headers.get('etag'))
  assert.equal((await api.patch(`/students/${student.id}`, { city: 'Cusco' }, { 'if-match': '*' })).status, 200)
})
