import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { overdueJob } from './overdue.ts'

const service = await startTestService()

test('a created payment is returned whole, with Location and ETag, and leaves one audit row and one event', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api, { givenNames: 'José', familyNames: 'Núñez', fullName: undefined })
  const response = await api.post('/payments', {
    studentId: student.id,
    amount: 1250.5,
    description: 'Tuition',
    dueDate: '2026-09-01T02:00:00+02:00',
    currency: 'eur',
    externalId: 'T-1',
  })
  assert.equal(response.status, 201)
  const { id, createdAt, updatedAt } = response.body.data
  assert.deepEqual(response.body.data, {
    id,
    externalId: 'T-1',
    studentId: student.id,
    studentName: 'José Núñez',
    studentCode: student.studentCode,
    amount: 1250.5,
    currency: 'EUR',
    status: 'pending',
    description: 'Tuition',
    processorPaymentIntentId: null,
    dueDate: '2026-09-01T00:00:00.000Z',
    paidAt: null,
    createdAt,
    updatedAt,
  })
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(response.headers.get('location'), `/v1/payments/${id}`)
  assert.ok(response.headers.get('etag'))
  assert.deepEqual(await traces(id).then(({ audit, events }) => ({ audit, events })), {
    audit: ['payment.created'],
    events: ['payment.created'],
  })
  const read = await api.get(`/payments/${id}`)
  assert.deepEqual(read.body, response.body)
})

test('a change is answered and audited as it reads afterwards, to the last digit and with its tag', async () => {
  const { id: tenantId, api } = await service.tenant()
  const { id, updatedAt: made } = await aPayment(api)
  let version = (await api.get(`/payments/${id}`)).headers.get('etag')
  for (const body of [
    { amount: 0.1 + 0.2 },
    { amount: 999999999999.99, currency: 'eur' },
    { description: 'Matrícula \u{1F393} "2027"', externalId: undefined },
    { dueDate: '2026-09-01T02:00:00.5+02:00', paidAt: '2026-01-02' },
    { status: 'refunded', dueDate: null },
  ]) {
    const changed = await api.patch(`/payments/${id}`, body, { 'if-match': version as string })
    const read = await api.get(`/payments/${id}`)
    assert.equal(changed.status, 200)
    assert.equal(changed.text, read.text)
    assert.equal(changed.headers.get('etag'), read.headers.get('etag'))
    assert.notEqual(changed.headers.get('etag'), version)
    assert.ok(changed.body.data.updatedAt >= made)
    version = changed.headers.get('etag')
    const [entry] = await service.database.inspect<{ after: object }>(
      'select after from audit_entries where tenant_id = $1 and entity_id = $2 order by id desc limit 1',
      [tenantId, id],
    )
    assert.deepEqual(entry?.after, read.body.data)
  }
})

test('a due date of null means due on creation', async () => {
  const { api } = await service.tenant()
  const payment = await aPayment(api, { dueDate: null } as object)
  assert.equal(payment.dueDate, payment.createdAt)
})

test('any status is taken; paid sets paidAt to now unless it is said otherwise', async () => {
  const { api, traces } = await service.tenant()
  const { id: studentId } = await aStudent(api)
  const before = Date.now()
  for (const status of ['pending', 'overdue', 'cancelled', 'refunded']) {
    assert.equal((await aPayment(api, { studentId, status } as object)).paidAt, null)
  }
  const paid = await aPayment(api, { studentId, status: 'paid' } as object)
  assert.ok(Date.parse(paid.paidAt as string) >= before - 1 && Date.parse(paid.paidAt as string) <= Date.now() + 1)
  assert.equal((await aPayment(api, { studentId, status: 'paid', paidAt: null } as object)).paidAt, null)
  assert.equal((await aPayment(api, { studentId, paidAt: '2026-01-02' } as object)).paidAt, '2026-01-02T00:00:00.000Z')
  const pending = await aPayment(api, { studentId })
  const moved = await api.patch(`/payments/${pending.id}`, { status: 'paid' })
  assert.ok(Date.parse(moved.body.data.paidAt) >= before)
  const same = await api.patch(`/payments/${pending.id}`, { status: 'paid' })
  assert.deepEqual(same.body, moved.body)
  assert.deepEqual((await traces(pending.id)).events, ['payment.created', 'payment.status_changed'])
  const back = await api.patch(`/payments/${pending.id}`, { status: 'pending' })
  assert.deepEqual([back.body.data.status, back.body.data.paidAt], ['pending', null])
})

test('amounts come back as they were sent', async () => {
  const { api } = await service.tenant()
  const { id: studentId } = await aStudent(api)
  for (const amount of [0.01, 1250.5, 999_999_999_999.99, 1_000_000_000_000, 1e-9, 0.1 + 0.2, 33.333333333333336]) {
    const payment = await aPayment(api, { studentId, amount } as object)
    assert.equal(payment.amount, amount)
    assert.equal((await api.get(`/payments/${payment.id}`)).body.data.amount, amount)
  }
})

test('an unknown student, or one of another tenant, is refused', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const { id: foreign } = await aStudent(theirs.api)
  for (const studentId of [foreign, '00000000-0000-4000-8000-000000000000']) {
    const body = { studentId, amount: 1, description: 'x', dueDate: null }
    const rejected = await ours.api.post('/payments', body)
    assert.deepEqual([rejected.status, rejected.body.code], [422, 'reference_not_found'])
    assert.equal(rejected.body.errors[0].pointer, '#/studentId')
    const upsert = await ours.api.put('/payments/external/1', body)
    assert.deepEqual([upsert.status, upsert.body.code], [422, 'reference_not_found'])
  }
})

test('a due date must be said on create, and a body names all that is missing at once', async () => {
  const { api } = await service.tenant()
  const rejected = await api.post('/payments', { currency: 'EURO' })
  assert.deepEqual(
    rejected.body.errors
      .map((validationError: { pointer: string; code: string }) => `${validationError.pointer} ${validationError.code}`)
      .sort(),
    ['#/amount required', '#/currency pattern', '#/description required', '#/dueDate required', '#/studentId required'],
  )
})

test('the student and the externalId of a payment cannot be changed', async () => {
  const { api } = await service.tenant()
  const payment = await aPayment(api, { externalId: 'T-1' } as object)
  const other = await aStudent(api)
  for (const body of [{ studentId: other.id }, { externalId: 'T-2' }, { externalId: null }]) {
    const rejected = await api.patch(`/payments/${payment.id}`, body)
    assert.deepEqual([rejected.status, rejected.body.errors[0].code], [400, 'read_only'])
  }
  const upsert = await api.put('/payments/external/T-1', { studentId: other.id })
  assert.deepEqual([upsert.status, upsert.body.errors[0].code], [400, 'read_only'])
  const same = await api.put('/payments/external/T-1', payment)
  assert.deepEqual([same.status, same.body.data], [200, payment])
})

test('an upsert needs the whole payment only when it creates one; two at once make one', async () => {
  const { api } = await service.tenant()
  const { id: studentId } = await aStudent(api)
  const incomplete = await api.put('/payments/external/T-1', { amount: 5 })
  assert.deepEqual([incomplete.status, incomplete.body.errors.length], [400, 3])
  const body = { studentId, amount: 5, description: 'x', dueDate: '2026-01-01' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.put('/payments/external/T-1', body)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(7).fill(200), 201])
  const updated = await api.put('/payments/external/T-1', { amount: 6 })
  assert.deepEqual([updated.status, updated.body.data.amount, updated.body.data.description], [200, 6, 'x'])
  const taken = await api.post('/payments', { ...body, externalId: 'T-1' })
  assert.deepEqual([taken.body.code, taken.body.existingId], ['external_id_taken', updated.body.data.id])
})

test('a payment reads differently once its student is renamed, and its ETag says so', async () => {
  const { api } = await service.tenant()
  const payment = await aPayment(api)
  const before = await api.get(`/payments/${payment.id}`)
  await api.patch(`/students/${payment.studentId}`, { fullName: 'Ada Lovelace' })
  const after = await api.get(`/payments/${payment.id}`, { 'if-none-match': before.headers.get('etag') as string })
  assert.deepEqual([after.status, after.body.data.studentName], [200, 'Ada Lovelace'])
})

test('payments are found by every filter', async () => {
  const { api } = await service.tenant()
  const wanted = await aPayment(api, {
    externalId: 'T-1',
    currency: 'eur',
    dueDate: '2026-03-01',
    status: 'paid',
  } as object)
  await aPayment(api, { dueDate: '2026-05-01' } as object)
  const queries = [`studentId=${wanted.studentId}`, 'externalId=T-1', 'currency=EUR', 'currency=eur', 'status=paid']
  for (const query of [
    ...queries,
    'dueTo=2026-03-01',
    'dueFrom=2026-03-01&dueTo=2026-04-30',
    'status=paid&currency=EUR',
  ]) {
    const { body } = await api.get(`/payments?${query}`)
    assert.deepEqual([body.pagination.total, body.data[0]?.id], [1, wanted.id], query)
  }
  assert.equal((await api.get('/payments?status=unknown')).status, 400)
})

test('pending payments become overdue when their day is over in the tenant’s time zone, unless an outside system owns them', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  for (const [owner, expected] of [
    ['shared', 'overdue'],
    ['integration', 'pending'],
  ] as const) {
    const tenant = await service.tenant({ systemOfRecord: { payments: owner }, timeZone: 'Pacific/Kiritimati' })
    const due = await aPayment(tenant.api, { dueDate: yesterday } as object)
    const later = await aPayment(tenant.api, { dueDate: '2999-01-01' } as object)
    const paid = await aPayment(tenant.api, { dueDate: yesterday, status: 'paid' } as object)
    await overdueJob.run(service.data, tenant)
    const status = async (id: string) => (await tenant.api.get(`/payments/${id}`)).body.data.status
    assert.deepEqual(await Promise.all([due, later, paid].map(({ id }) => status(id))), [expected, 'pending', 'paid'])
    if (owner === 'shared') {
      assert.deepEqual((await tenant.traces(due.id)).events, ['payment.created', 'payment.status_changed'])
      assert.equal((await tenant.api.get('/payments?status=overdue')).body.pagination.total, 1)
    }
  }
})

test('today’s payments are not overdue where the day is not over yet', async () => {
  const tenant = await service.tenant({ systemOfRecord: { payments: 'platform' }, timeZone: 'Etc/GMT+12' })
  const { api } = await tenant.token()
  const shared = await service.tenant({ systemOfRecord: { payments: 'shared' }, timeZone: 'Etc/GMT+12' })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Etc/GMT+12' }).format(new Date())
  const payment = await aPayment(shared.api, { dueDate: today } as object)
  await overdueJob.run(service.data, shared)
  assert.equal((await shared.api.get(`/payments/${payment.id}`)).body.data.status, 'pending')
  assert.equal((await api.get('/payments')).status, 200)
})

test('PATCH /v1/payments/{id}: an overdue payment whose due date moves to today or later is pending again', async () => {
  const tenant = await service.tenant({ timeZone: 'Pacific/Kiritimati' })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const overdue = async () => (await aPayment(tenant.api, { dueDate: day(-5), status: 'overdue' } as object)).id
  const moved = await overdue()
  const path = `/payments/${moved}`
  assert.equal((await tenant.api.patch(path, { dueDate: day(-3) })).body.data.status, 'overdue')
  assert.equal((await tenant.api.patch(path, { dueDate: day(5) })).body.data.status, 'pending')
  assert.deepEqual((await tenant.traces(moved)).events.slice(-1), ['payment.status_changed'])
  const told = await tenant.api.patch(`/payments/${await overdue()}`, { dueDate: day(5), status: 'overdue' })
  assert.equal(told.body.data.status, 'overdue')
  const owned = await service.tenant({ systemOfRecord: { payments: 'integration' } })
  const { id } = await aPayment(owned.api, { dueDate: day(-5), status: 'overdue' } as object)
  assert.equal((await owned.api.patch(`/payments/${id}`, { dueDate: day(5) })).body.data.status, 'overdue')
})

for (const from of ['paid', 'refunded'] as const) {
  test(`PATCH /v1/payments/{id}: a payment that was ${from} and goes back to pending has no paidAt`, async () => {
    const tenant = await service.tenant()
    const { id } = await aPayment(tenant.api, { status: from, paidAt: '2026-01-02' } as object)
    const back = await tenant.api.patch(`/payments/${id}`, { status: 'pending' })
    assert.deepEqual([back.status, back.body.data.status, back.body.data.paidAt], [200, 'pending', null])
    const said = await tenant.api.patch(`/payments/${id}`, { status: 'overdue', paidAt: '2026-01-03' })
    assert.equal(said.body.data.paidAt, '2026-01-03T00:00:00.000Z')
  })
}
