import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApplication, aPayment, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { clearRemoved, define, untilListed } from './custom-fields.fixture.ts'

const service = await startTestService()

const kinds = {
  motto: { fieldtype: 'Data' },
  story: { fieldtype: 'Text' },
  house: { fieldtype: 'Select', options: '\nRed\nBlue' },
  tutor_program: { fieldtype: 'Link', options: 'Program' },
  born_on: { fieldtype: 'Date' },
  seen_at: { fieldtype: 'Datetime' },
  wakes_at: { fieldtype: 'Time' },
  boarder: { fieldtype: 'Check' },
  siblings_here: { fieldtype: 'Int' },
  height: { fieldtype: 'Float' },
  way: { fieldtype: 'Duration' },
}
const sent = {
  motto: 'per aspera',
  story: 'long',
  house: 'Red',
  tutor_program: 'Nursing',
  born_on: '2012-02-29',
  seen_at: '2026-07-01T12:00:00.000Z',
  wakes_at: '07:05:00',
  boarder: true,
  siblings_here: 2,
  height: 1.62,
  way: 900,
}
const unset = { ...Object.fromEntries(Object.keys(sent).map((name) => [name, null])), boarder: false }

async function anInstitution(fields: Record<string, Record<string, object>>) {
  const tenant = await service.tenant({ timeZone: 'Europe/Madrid' })
  const resourceClient = new ResourceClient(service, tenant)
  await resourceClient.make('Program', { program_name: 'Nursing' })
  for (const [dt, added] of Object.entries(fields)) {
    if (dt !== 'Payment') await define(resourceClient, dt, added)
    else
      for (const [fieldname, field] of Object.entries(added))
        await resourceClient.make('Custom Field', { dt, fieldname, ...field })
  }
  return { tenant, resourceClient }
}

const resources = [
  {
    resource: 'students',
    dt: 'Student',
    path: '/students',
    make: (api: TestTenant['api'], body: object) => aStudent(api, body),
    upsert: { fullName: 'Ada' },
  },
  {
    resource: 'applications',
    dt: 'Student Applicant',
    path: '/admissions/applications',
    make: (api: TestTenant['api'], body: object) => anApplication(api, body),
    upsert: { fullName: 'Ada' },
  },
  {
    resource: 'payments',
    dt: 'Payment',
    path: '/payments',
    make: (api: TestTenant['api'], body: object) => aPayment(api, body),
    upsert: { amount: 1, description: 'Tuition', dueDate: '2026-09-01' },
  },
]

for (const { resource, dt, path, make, upsert } of resources) {
  test(`${resource} have the fields that the institution has defined, typed, and each one moves stamp, ETag and event`, async () => {
    const { tenant } = await anInstitution({ [dt]: kinds })
    await untilListed(tenant, resource, Object.keys(kinds).length)
    const { api } = tenant
    const made = (await make(api, { customFields: sent })) as { id: string; customFields?: object; updatedAt: string }
    assert.deepEqual(made.customFields, sent)
    const read = await api.get(`${path}/${made.id}`)
    assert.deepEqual(read.body.data.customFields, sent)
    const without = (await make(api, {})) as { id: string; customFields?: object }
    assert.deepEqual(without.customFields, unset)
    const listed = await api.get(`${path}?limit=100`)
    const rows = listed.body.data.filter(({ id }: { id: string }) => [made.id, without.id].includes(id))
    assert.deepEqual(
      rows.map(({ customFields }: { customFields: object }) => customFields),
      [sent, unset],
    )
    const changed = await api.patch(`${path}/${made.id}`, { customFields: { house: 'Blue', motto: null } })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.data.customFields, { ...sent, house: 'Blue', motto: null })
    assert.notEqual(changed.headers.get('etag'), read.headers.get('etag'))
    const since = await api.get(`${path}?updatedSince=${changed.body.data.updatedAt}`)
    assert.ok(since.body.data.some(({ id }: { id: string }) => id === made.id))
    const { changed: reported, events, audit } = await tenant.traces(made.id)
    assert.deepEqual([reported.at(-1), events.length, audit.length], [['customFields'], 2, 2])
    const same = await api.patch(`${path}/${made.id}`, { customFields: changed.body.data.customFields })
    assert.deepEqual(
      [same.body.data.updatedAt, (await tenant.traces(made.id)).events.length],
      [changed.body.data.updatedAt, 2],
    )
    const student = 'studentId' in made ? { studentId: made.studentId } : {}
    const put = await api.put(`${path}/external/X-1`, { ...upsert, ...student, customFields: { siblings_here: 0 } })
    assert.deepEqual([put.status, put.body.data.customFields], [201, { ...unset, siblings_here: 0 }])
    const again = await api.put(`${path}/external/X-1`, { customFields: { way: 1.5 } })
    assert.deepEqual([again.status, again.body.data.customFields], [200, { ...unset, siblings_here: 0, way: 1.5 }])
  })

  test(`every wrong member of customFields of ${resource} is a fault with its place`, async () => {
    const { tenant } = await anInstitution({
      [dt]: { ...kinds, key_number: { fieldtype: 'Int', unique: 1 }, must: { fieldtype: 'Data', reqd: 1 } },
    })
    await untilListed(tenant, resource, Object.keys(kinds).length + 2)
    const { api } = tenant
    const made = (await make(api, { customFields: { key_number: 7, must: 'x' } })) as { id: string }
    const other = (await make(api, { customFields: { must: 'x' } })) as { id: string }
    const cases: [string, unknown, string][] = [
      ['nothing', 1, 'unknown_field'],
      ['nothing', null, 'unknown_field'],
      ['constructor', 'x', 'unknown_field'],
      ['a/b~c', 'x', 'unknown_field'],
      ['motto', 5, 'wrong_type'],
      ['motto', { a: 1 }, 'wrong_type'],
      ['motto', 'x'.repeat(141), 'too_long'],
      ['house', 'Green', 'not_in_enum'],
      ['tutor_program', 'Law', 'not_in_enum'],
      ['tutor_program', "x' or 1=1", 'not_in_enum'],
      ['born_on', '2026-02-30', 'format'],
      ['born_on', '2026-02-03T00:00:00Z', 'format'],
      ['seen_at', '2026-02-03', 'format'],
      ['seen_at', '2026-02-03 10:00:00', 'format'],
      ['wakes_at', '25:00', 'format'],
      ['boarder', 1, 'wrong_type'],
      ['boarder', 'true', 'wrong_type'],
      ['siblings_here', 1.5, 'wrong_type'],
      ['siblings_here', '1', 'wrong_type'],
      ['siblings_here', 2 ** 31, 'too_large'],
      ['height', '1.6', 'wrong_type'],
      ['height', 1e16, 'too_large'],
      ['way', -1, 'too_small'],
      ['must', null, 'not_allowed_null'],
      ['key_number', 7, 'inconsistent'],
    ]
    for (const [name, value, code] of cases) {
      const response = await api.patch(`${path}/${other.id}`, { customFields: { [name]: value } })
      const pointer = `#/customFields/${name.replace('~', '~0').replace('/', '~1')}`
      assert.deepEqual(
        [
          name,
          response.status,
          response.body.errors?.map((validationError: { pointer: string; code: string }) => [
            validationError.pointer,
            validationError.code,
          ]),
        ],
        [name, 400, [[pointer, code]]],
        response.text,
      )
    }
    const proto = await api.send('PATCH', `${path}/${other.id}`, '{"customFields":{"__proto__":{"motto":"x"}}}', {
      'content-type': 'application/json',
    })
    assert.deepEqual([proto.status, proto.body.errors[0].pointer], [400, '#/customFields/__proto__'])
    const unknown = (count: number) => ({
      customFields: Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1])),
    })
    const many = await api.patch(`${path}/${made.id}`, unknown(150))
    assert.deepEqual([many.status, many.body.code, many.body.errors.length], [400, 'validation_failed', 50])
    assert.match(many.body.detail, /there are motto, .* and 3 more, which GET \/me lists \(and 149 more, /)
    assert.ok(many.text.length < 20_000, `${many.text.length} characters`)
    const more = await api.patch(`${path}/${made.id}`, unknown(80_000))
    assert.deepEqual([more.status, more.body.code, more.body.errors.length], [400, 'validation_failed', 1])
    assert.deepEqual([more.body.errors[0].pointer, more.body.errors[0].code], ['#/customFields', 'too_long'])
    assert.match(more.body.errors[0].detail, /at most 200 keys/)
    assert.deepEqual((await tenant.traces(other.id)).events.length, 1)
  })
}

test('both surfaces keep one value: what one writes the other reads, and finds', async () => {
  const { tenant, resourceClient } = await anInstitution({
    Student: kinds,
    Program: { dean: { fieldtype: 'Data' } },
    Course: { level: { fieldtype: 'Int' } },
  })
  await untilListed(tenant, 'courses', 1)
  const { api } = tenant
  const { id, studentCode } = await aStudent(api, { customFields: sent })
  const { data } = await resourceClient.read('Student', studentCode)
  assert.deepEqual(
    [data.seen_at, data.boarder, data.wakes_at, data.height, data.house, data.tutor_program],
    ['2026-07-01 14:00:00.000000', 1, '7:05:00', 1.62, 'Red', 'Nursing'],
  )
  await resourceClient.update('Student', studentCode, { seen_at: '2026-01-01 10:00:00', boarder: 0, house: '' })
  const { customFields } = (await api.get(`/students/${id}`)).body.data
  assert.deepEqual(
    [customFields.seen_at, customFields.boarder, customFields.house],
    ['2026-01-01T09:00:00.000Z', false, null],
  )
  assert.equal((await resourceClient.list('Student', { filters: '{"height":[">",1.5]}' })).data.length, 1)
  await resourceClient.update('Program', 'Nursing', { dean: 'Grace' })
  const [program] = (await api.get('/programs?search=Nursing')).body.data
  assert.deepEqual(program.customFields, { dean: 'Grace' })
  const course = await resourceClient.make('Course', { course_name: 'Anatomy', level: 3 })
  const [listed] = (await api.get(`/courses?search=${course.name}`)).body.data
  assert.deepEqual((await api.get(`/courses/${listed.id}`)).body.data.customFields, { level: 3 })
})

test('an institution that has defined no fields keeps what its integrators put there, and other resources show none', async () => {
  const tenant = await service.tenant()
  const other = await anInstitution({ Payment: { receipt: { fieldtype: 'Data' } } })
  await untilListed(other.tenant, 'payments', 1)
  const { api } = tenant
  const student = await aStudent(api, { customFields: { bus: { line: 7 } } })
  assert.deepEqual(student.customFields, { bus: { line: 7 } })
  const payment = await aPayment(api, { studentId: student.id })
  await new ResourceClient(service, tenant).make('Program', { program_name: 'Nursing' })
  const [program] = (await api.get('/programs')).body.data
  for (const record of [payment, program]) assert.ok(!('customFields' in record))
  const rejected = await api.patch(`/payments/${payment.id}`, { customFields: { receipt: '7' } })
  assert.deepEqual([rejected.status, rejected.body.errors[0].code], [400, 'unknown_field'])
  assert.equal((await api.patch(`/payments/${payment.id}`, { customFields: {} })).status, 200)
  const { customFields } = (await api.get('/me')).body.data
  assert.equal(customFields, undefined)
})

test('what integrators put there before stays, is sent back as it is or cleared, and nothing like it can be added', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { id } = await aStudent(api, { customFields: { bus: { line: 7 }, seat: 3 } })
  const resourceClient = new ResourceClient(service, tenant)
  await define(resourceClient, 'Student', { house: { fieldtype: 'Data' } })
  await untilListed(tenant, 'students', 1)
  const read = (await api.get(`/students/${id}`)).body.data
  assert.deepEqual(read.customFields, { bus: { line: 7 }, seat: 3, house: null })
  assert.equal((await api.patch(`/students/${id}`, read)).body.data.updatedAt, read.updatedAt)
  const added = await api.patch(`/students/${id}`, { customFields: { bus: { line: 8 } } })
  assert.deepEqual([added.status, added.body.errors[0].code], [400, 'unknown_field'])
  const cleared = await api.patch(`/students/${id}`, { customFields: { seat: null, house: 'Red' } })
  assert.deepEqual(cleared.body.data.customFields, { bus: { line: 7 }, house: 'Red' })
})

test('GET /me lists the fields of each resource as they are defined', async () => {
  const { tenant } = await anInstitution({
    Student: {
      house: { fieldtype: 'Select', options: '\nRed\nBlue', label: 'House', description: 'Of four.', reqd: 1 },
    },
    Payment: { paid_by: { fieldtype: 'Link', options: 'Guardian' } },
  })
  await untilListed(tenant, 'payments', 1)
  const { customFields } = (await tenant.api.get('/me')).body.data
  assert.deepEqual(customFields.students, [
    {
      name: 'house',
      label: 'House',
      type: 'option',
      required: true,
      unique: false,
      options: ['Red', 'Blue'],
      linksTo: null,
      description: 'Of four.',
    },
  ])
  assert.deepEqual([customFields.payments[0].type, customFields.payments[0].linksTo], ['link', 'Guardian'])
})

test('a link of a payment follows the record that it names, also when the Client API renames it', async () => {
  const { tenant, resourceClient } = await anInstitution({
    Payment: { sponsor: { fieldtype: 'Link', options: 'Student' } },
  })
  await untilListed(tenant, 'payments', 1)
  const { api } = tenant
  const sponsor = await aStudent(api, {})
  const body: object = { customFields: { sponsor: sponsor.studentCode } }
  const payment = await aPayment(api, body)
  await api.patch(`/students/${sponsor.id}`, { studentCode: 'S-1' })
  const renamed = (await api.get(`/payments/${payment.id}`)).body.data
  assert.deepEqual([renamed.customFields.sponsor, renamed.updatedAt > payment.updatedAt], ['S-1', true])
  const rejected = await resourceClient.remove('Student', 'S-1')
  assert.deepEqual([rejected.status, rejected.error], [417, 'LinkExistsError'])
})

test('a deletion of a field takes its values out of the records, which count as updated', async () => {
  const { tenant, resourceClient } = await anInstitution({ Student: { house: { fieldtype: 'Data' } } })
  await untilListed(tenant, 'students', 1)
  const { api } = tenant
  const student = await aStudent(api, { customFields: { house: 'Red' } })
  assert.equal((await resourceClient.remove('Custom Field', 'Student-house')).status, 202)
  await untilListed(tenant, 'students', 0)
  assert.deepEqual((await api.get(`/students/${student.id}`)).body.data.customFields, {})
  await clearRemoved(service, tenant)
  const read = (await api.get(`/students/${student.id}`)).body.data
  assert.deepEqual([read.customFields, read.updatedAt > student.updatedAt], [{}, true])
})

test('of several who take one unique value at once one has it', async () => {
  const { tenant } = await anInstitution({ Payment: { receipt: { fieldtype: 'Data', unique: 1 } } })
  await untilListed(tenant, 'payments', 1)
  const { api } = tenant
  const payments = await Promise.all(Array.from({ length: 6 }, () => aPayment(api, {})))
  const body = { customFields: { receipt: 'R-1' } }
  const answers = await Promise.all(payments.map(({ id }) => api.patch(`/payments/${id}`, body)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, 400, 400, 400, 400, 400])
})

test('the longest text of a field is kept, one longer is a fault', async () => {
  const { tenant } = await anInstitution({ Student: { story: { fieldtype: 'Text' } } })
  await untilListed(tenant, 'students', 1)
  const { api } = tenant
  const { id } = await aStudent(api, {})
  const story = `<script>${'é'.repeat(400_000)}`
  const stored = await api.patch(`/students/${id}`, { customFields: { story } })
  assert.deepEqual([stored.status, stored.body.data?.customFields.story === story], [200, true])
  const longer = await api.patch(`/students/${id}`, { customFields: { story: 'x'.repeat(1_000_001) } })
  assert.ok([400, 413].includes(longer.status), String(longer.status))
})
