import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aPayment, aStudent } from '../../testing/fixtures/factories.ts'
import { aFee, anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const { id: studentId } = await aStudent(api)

const wanted = { studentId, amount: 10.5, description: 'Tuition', dueDate: '2026-09-01' }
const many = <Each>(make: (index: number) => Each) => Array.from({ length: 24 }, (_, index) => make(index))

interface Entry {
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown>
  readonly request_id: string
}

/** What the audit has of a record, the oldest first. */
function loadEntries(id: string): Promise<Entry[]> {
  return service.database.inspect<Entry>(
    'select before, after, request_id from audit_entries where tenant_id = $1 and entity_id = $2 order by id',
    [tenant.id, id],
  )
}

/** How many transactions begin while something is done. */
async function loadBeginnings(work: () => Promise<unknown>): Promise<number> {
  return (await statementsLike(/^begin/, work)).length
}

test('group commit: concurrent updates share transactions; each has its own response, audit entry and event', async () => {
  const payments = await Promise.all(many(() => aPayment(api)))
  let answers: Awaited<ReturnType<typeof api.patch>>[] = []
  const beginnings = await loadBeginnings(async () => {
    answers = await Promise.all(
      payments.map(({ id }, index) =>
        api.patch(`/payments/${id}`, { description: `Changed ${index}`, amount: index + 1 }),
      ),
    )
  })
  assert.ok(beginnings < payments.length, `${beginnings} transactions for ${payments.length} changes`)
  for (const [index, payment] of payments.entries()) {
    const response = answers[index] as (typeof answers)[number]
    assert.equal(response.status, 200)
    const { data } = response.body
    assert.deepEqual([data.id, data.description, data.amount], [payment.id, `Changed ${index}`, index + 1])
    const read = await api.get(`/payments/${payment.id}`)
    assert.equal(read.text, response.text)
    assert.equal(read.headers.get('etag'), response.headers.get('etag'))
    const [, changed, ...others] = await loadEntries(payment.id)
    assert.deepEqual(others, [])
    assert.deepEqual(changed, {
      before: payment,
      after: data,
      request_id: response.headers.get('request-id'),
    })
    assert.deepEqual((await tenant.traces(payment.id)).events, ['payment.created', 'payment.updated'])
  }
})

test('group commit: each update writes only its own record', async () => {
  const payments = await Promise.all(many(() => aPayment(api)))
  const changes = [
    { description: '{"a\\b",NULL}, \'c\'\n\ttwo “lines” 🎓' },
    { description: 'NULL' },
    { amount: 999_999_999_999.99 },
    { currency: 'COP' },
    { status: 'overdue' },
    { dueDate: '2027-01-31T00:00:00.000Z' },
    { paidAt: '2026-08-01T10:00:00.000Z' },
    { status: 'refunded', paidAt: '2026-09-02T08:30:00.123Z', amount: 0.01 },
  ]
  const getChange = (index: number) => changes[index % changes.length] as object
  const answers = await Promise.all(payments.map(({ id }, index) => api.patch(`/payments/${id}`, getChange(index))))
  for (const [index, payment] of payments.entries()) {
    const { status, text, body } = answers[index] as (typeof answers)[number]
    assert.equal(status, 200, text)
    const { updatedAt } = body.data
    assert.deepEqual(body.data, { ...payment, ...getChange(index), updatedAt })
    assert.equal((await api.get(`/payments/${payment.id}`)).text, text)
  }
  const unpaid = await Promise.all(payments.map(({ id }) => api.patch(`/payments/${id}`, { paidAt: null })))
  for (const [index, { id }] of payments.entries()) {
    assert.equal(unpaid[index]?.body.data.paidAt, null)
    assert.equal((await api.get(`/payments/${id}`)).text, unpaid[index]?.text)
  }
})

test('group commit: a rejected update is rejected alone and leaves nothing behind', async () => {
  const payments = await Promise.all(many(() => aPayment(api)))
  const rejections = [
    () => api.patch(`/payments/${studentId}`, { description: 'Nobody' }),
    () => api.patch(`/payments/${payments[0]?.id}`, { description: 'Old' }, { 'if-match': '"0.0"' }),
    () => api.patch(`/payments/${payments[1]?.id}`, { studentName: 'Somebody else' }),
  ]
  const [rejected, done] = await Promise.all([
    Promise.all(rejections.map((refuse) => refuse())),
    Promise.all(payments.slice(2).map(({ id }) => api.patch(`/payments/${id}`, { description: 'Changed' }))),
  ])
  assert.deepEqual(
    rejected.map(({ status, body }) => [status, body.code]),
    [
      [404, 'resource_not_found'],
      [412, 'precondition_failed'],
      [400, 'validation_failed'],
    ],
  )
  for (const { status, body } of done) assert.deepEqual([status, body.data.description], [200, 'Changed'])
  for (const { id } of payments.slice(0, 2)) assert.equal((await loadEntries(id)).length, 1)
  for (const { id } of payments.slice(2)) assert.equal((await loadEntries(id)).length, 2)
})

test('group commit: payments of fees follow the rules of their fees', async () => {
  const seededTenant = await seedTenant(service)
  const own = seededTenant.tenant.api
  const fee = await aFee(seededTenant, (await anEnrollment(seededTenant, { docstatus: 1 })).data.name)
  const [ofFee] = (await own.get('/payments')).body.data
  const others = await Promise.all(many(() => aPayment(own)))
  const [rejected, paid, ...changed] = await Promise.all([
    own.patch(`/payments/${ofFee.id}`, { amount: 1 }),
    own.patch(`/payments/${ofFee.id}`, { status: 'paid' }),
    ...others.map(({ id }) => own.patch(`/payments/${id}`, { status: 'paid' })),
  ])
  assert.deepEqual([rejected?.status, rejected?.body.code], [409, 'state_conflict'])
  assert.deepEqual([paid?.status, paid?.body.data.status], [200, 'paid'])
  for (const { status, body } of changed) assert.deepEqual([status, body.data.status], [200, 'paid'])
  assert.equal((await seededTenant.resourceClient.read('Fees', fee)).data.outstanding_amount, 0)
})

test('group commit: concurrent updates of one record are serialized and none is lost', async () => {
  const payment = await aPayment(api)
  const answers = await Promise.all(
    many((index) => api.patch(`/payments/${payment.id}`, { description: `Changed ${index}`, amount: index + 1 })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const versions = new Set(answers.map(({ headers }) => headers.get('etag')))
  assert.equal(versions.size, answers.length)
  const [created, ...changes] = await loadEntries(payment.id)
  assert.equal(changes.length, answers.length)
  let last = created
  for (const change of changes) {
    assert.deepEqual(change.before, last?.after)
    last = change
  }
})

/** Creates payments with keys at once, and tells the answers to the first time and to the second. */
async function createTwice(bodies: readonly object[], keys: string) {
  const send = (body: object, index: number) => api.post('/payments', body, { 'idempotency-key': `${keys} ${index}` })
  const answers = await Promise.all(bodies.map(send))
  const repeated = await Promise.all(bodies.map(send))
  return answers.map((response, index) => [response, repeated[index] as typeof response] as const)
}

test('group commit: creates with Idempotency-Keys run once each and are replayed', async () => {
  const bodies = many((index) => ({ ...wanted, description: `Created ${index}`, externalId: `at-once-${index}` }))
  let answers: Awaited<ReturnType<typeof createTwice>> = []
  const beginnings = await loadBeginnings(async () => {
    answers = await createTwice(bodies, 'sound')
  })
  // Those that are repeated begin one each, as it is found out in it that they were done.
  assert.ok(beginnings < 2 * bodies.length, `${beginnings} transactions for ${bodies.length} creates, each sent twice`)
  for (const [index, [response, again]] of answers.entries()) {
    assert.deepEqual([response.status, response.body.data.description], [201, `Created ${index}`])
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
    assert.equal(again.text, response.text)
    const { id } = response.body.data
    assert.equal((await api.get(`/payments/${id}`)).text, response.text)
    const { audit, events } = await tenant.traces(id)
    assert.deepEqual([audit, events], [['payment.created'], ['payment.created']])
  }
})

test('group commit: a rejected create with an Idempotency-Key is rejected alone and replayed', async () => {
  await api.put('/payments/external/taken', wanted)
  const bodies = many((index) => ({ ...wanted, externalId: `beside-refused-${index}` }))
  bodies[5] = { ...wanted, externalId: 'taken' }
  bodies[9] = { ...wanted, studentId: tenant.id, externalId: 'of-nobody' }
  for (const [index, pair] of (await createTwice(bodies, 'refused')).entries()) {
    for (const { status, body } of pair) {
      const rejected = index === 5 ? [409, 'external_id_taken'] : index === 9 ? [422, 'reference_not_found'] : null
      assert.deepEqual([status, body.code], rejected ?? [201, undefined])
    }
    assert.deepEqual([pair[0].text, pair[1].headers.get('idempotent-replayed')], [pair[1].text, 'true'])
  }
  const all = await api.get('/payments?externalId=of-nobody')
  assert.deepEqual(all.body.data, [])
})

test('group commit: of concurrent equal requests with one Idempotency-Key one runs', async () => {
  const answers = await Promise.all(
    many(() => api.post('/payments', { ...wanted, externalId: 'one-key' }, { 'idempotency-key': 'one key' })),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length > 0)
  assert.equal(new Set(made.map(({ body }) => body.data.id)).size, 1)
  assert.equal(made.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  for (const { status, body } of answers) {
    if (status !== 201) assert.deepEqual([status, body.code], [409, 'idempotency_key_in_use'])
  }
})

test('group commit: concurrent upserts share transactions; of one new record one creates, the others update', async () => {
  const total = async () => (await api.get('/payments?limit=1')).body.pagination.total
  const before = await total()
  const beginnings = await loadBeginnings(async () => {
    const answers = await Promise.all(many((index) => api.put(`/payments/external/upserted-${index}`, wanted)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  })
  assert.ok(beginnings < 24, `${beginnings} transactions for 24 upserts`)
  const answers = await Promise.all(
    many((index) => api.put('/payments/external/upserted-by-all', { ...wanted, amount: index + 1 })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array(23).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  assert.equal(await total(), before + 25)
})
