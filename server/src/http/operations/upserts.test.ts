import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Caller } from '../../testing/fixtures/client.ts'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

interface Outcome {
  readonly externalId: string
  readonly outcome: string
  readonly id: string | null
  readonly problem: { code: string; errors?: { pointer: string; code: string }[] } | null
}

const fresh = () => ({ 'idempotency-key': randomUUID() })

const findOutcomes = ({ body }: { body: { data: Outcome[] } }) =>
  body.data.map(({ externalId, outcome, problem }) => [externalId, outcome, problem?.code ?? null])

async function aPayer(api: Caller) {
  const { id: studentId } = await aStudent(api)
  return (externalId: string, changes: object = {}) => {
    return { externalId, studentId, amount: 10, description: 'Tuition', dueDate: '2026-09-01', ...changes }
  }
}

test('batch upsert: outcomes in the order sent, with the audit and events of single upserts', async () => {
  const { api, traces } = await service.tenant()
  const payment = await aPayer(api)
  const first = await api.post('/payments/batch', { items: [payment('A'), payment('B')] }, fresh())
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(findOutcomes(first), [
    ['A', 'created', null],
    ['B', 'created', null],
  ])
  const [a, b] = (first.body.data as Outcome[]).map(({ id }) => id as string)
  const items = [
    payment('C', { amount: -1 }),
    payment('B', { status: 'paid' }),
    payment('D', { studentId: randomUUID() }),
    payment('A'),
    payment('E'),
    { externalId: 'F', amount: 3 },
  ]
  const headers = fresh()
  const second = await api.post('/payments/batch', { items }, headers)
  assert.deepEqual(findOutcomes(second), [
    ['C', 'refused', 'validation_failed'],
    ['B', 'updated', null],
    ['D', 'refused', 'reference_not_found'],
    ['A', 'unchanged', null],
    ['E', 'created', null],
    ['F', 'refused', 'validation_failed'],
  ])
  const validationErrors = (second.body.data as Outcome[]).map(({ problem }) =>
    problem?.errors?.map(({ pointer }) => pointer),
  )
  assert.deepEqual(validationErrors[0], ['#/items/0/amount'])
  assert.deepEqual(validationErrors[2], ['#/items/2/studentId'])
  assert.ok(validationErrors[5]?.includes('#/items/5/studentId'))
  assert.deepEqual((await traces(a as string)).audit, ['payment.created'])
  assert.deepEqual((await traces(b as string)).events, ['payment.created', 'payment.status_changed'])
  assert.equal((await api.get(`/payments/${b}`)).body.data.status, 'paid')
  assert.equal((await api.get('/payments')).body.pagination.total, 3)
  assert.equal((await api.get('/payments?status=paid')).body.pagination.total, 1)
  const again = await api.post('/payments/batch', { items }, headers)
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [second.text, 'true'])
})

test('batch upsert: an atomic batch writes nothing when an item is rejected', async () => {
  const { api } = await service.tenant()
  const payment = await aPayer(api)
  for (const bad of [payment('B', { amount: 0 }), payment('B', { studentId: randomUUID() })]) {
    const response = await api.post('/payments/batch', { atomic: true, items: [payment('A'), bad] }, fresh())
    assert.deepEqual([response.status, response.body.code], [422, 'batch_refused'])
    assert.deepEqual(
      (response.body.data as Outcome[]).map(({ outcome }) => outcome),
      ['created', 'refused'],
    )
    assert.equal((await api.get('/payments')).body.pagination.total, 0)
  }
  const whole = await api.post('/payments/batch', { atomic: true, items: [payment('A'), payment('B')] }, fresh())
  assert.deepEqual(findOutcomes(whole), [
    ['A', 'created', null],
    ['B', 'created', null],
  ])
})

test('batch upsert: an externalId appears once, and a batch has 1 to 500 items', async () => {
  const { api } = await service.tenant()
  const payment = await aPayer(api)
  const twice = await api.post('/payments/batch', { items: [payment('A'), payment('B'), payment('A')] }, fresh())
  assert.deepEqual([twice.status, twice.body.errors[0].pointer], [400, '#/items/2/externalId'])
  for (const [count, status] of [
    [0, 400],
    [500, 200],
    [501, 400],
  ] as const) {
    const items = Array.from({ length: count }, (_, index) => payment(`N-${index}`))
    const response = await api.post('/payments/batch', { items }, fresh())
    assert.equal(response.status, status)
  }
  assert.equal((await api.get('/payments')).body.pagination.total, 500)
  const nameless = await api.post('/payments/batch', { items: [{ amount: 1 }] }, fresh())
  assert.deepEqual([nameless.status, nameless.body.errors[0].pointer], [400, '#/items/0/externalId'])
})

test('batch upsert of students: codes come from the naming series; a duplicate code is rejected', async () => {
  const { api } = await service.tenant()
  const made = await api.post(
    '/students/batch',
    { items: Array.from({ length: 40 }, (_, index) => ({ externalId: `S-${index}`, fullName: `Student ${index}` })) },
    fresh(),
  )
  assert.ok((made.body.data as Outcome[]).every(({ outcome }) => outcome === 'created'))
  const { body } = await api.get('/students?limit=100')
  assert.equal(new Set(body.data.map(({ studentCode }: { studentCode: string }) => studentCode)).size, 40)
  const same = { studentCode: 'OWN-1' }
  const response = await api.post(
    '/students/batch',
    {
      items: [
        { externalId: 'S-1', ...same },
        { externalId: 'S-2', ...same },
        { externalId: 'S-3', city: 'Lima' },
        { externalId: 'N-1', fullName: 'New', ...same },
      ],
    },
    fresh(),
  )
  assert.deepEqual(findOutcomes(response), [
    ['S-1', 'updated', null],
    ['S-2', 'refused', 'already_exists'],
    ['S-3', 'updated', null],
    ['N-1', 'refused', 'already_exists'],
  ])
})

test('batch upsert of applications: contacts are stored, and a repeated batch changes nothing', async () => {
  const { api } = await service.tenant()
  const items = Array.from({ length: 5 }, (_, index) => ({
    externalId: `A-${index}`,
    fullName: `Applicant ${index}`,
    contacts: [{ displayName: `Mother ${index}` }],
  }))
  const first = await api.post('/admissions/applications/batch', { items }, fresh())
  assert.deepEqual(
    (first.body.data as Outcome[]).map(({ outcome, problem }) => problem ?? outcome),
    items.map(() => 'created'),
  )
  const plain = items.map(({ contacts, ...item }) => item)
  const again = await api.post('/admissions/applications/batch', { items: plain }, fresh())
  assert.deepEqual(
    (again.body.data as Outcome[]).map(({ outcome }) => outcome),
    items.map(() => 'unchanged'),
  )
})

test('batch upsert: concurrent batches of the same records create each once and lose nothing', async () => {
  const { api } = await service.tenant()
  const payment = await aPayer(api)
  const ids = Array.from({ length: 20 }, (_, index) => `M-${index}`)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, slot) => {
      const items = ids.map((id) => payment(id, { amount: slot + 1 }))
      return api.post('/payments/batch', { items: slot % 2 === 0 ? items : items.reverse() }, fresh())
    }),
  )
  for (const response of answers) assert.equal(response.status, 200, response.text)
  const outcomes = answers.flatMap(({ body }) => body.data as Outcome[])
  assert.ok(outcomes.every(({ outcome }) => outcome === 'created' || outcome === 'updated'))
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 20)
  assert.equal((await api.get('/payments')).body.pagination.total, 20)
})

test('batch upsert: existing records are looked up in one statement, and no others are read', async () => {
  const { api } = await service.tenant()
  const payment = await aPayer(api)
  const send = async (from: number, count: number) => {
    const items = Array.from({ length: count }, (_, index) => payment(`A-${from + index}`))
    const response = await api.post('/payments/batch', { items }, fresh())
    assert.equal(response.status, 200, response.text)
    return (response.body.data as Outcome[]).map(({ outcome }) => outcome)
  }
  const whole = /^select p\.id,p\.external_id,.* where .*external_id = /
  assert.deepEqual(await statementsLike(whole, () => send(0, 120)), [])
  let outcomes: string[] = []
  const reads = await statementsLike(whole, async () => {
    outcomes = await send(110, 120)
  })
  assert.equal(reads.length, 1, reads.join('\n'))
  const counts = ['unchanged', 'created'].map((wanted) => outcomes.filter((outcome) => outcome === wanted).length)
  assert.deepEqual(counts, [10, 110])
})

test('batch upsert: of concurrent equal batches one creates each record and the others report unchanged', async () => {
  const tenant = await service.tenant()
  const items = Array.from({ length: 30 }, (_, index) => ({ externalId: `S-${index}`, fullName: `Same ${index}` }))
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, slot) =>
      tenant.api.post('/students/batch', { items: slot % 2 === 0 ? items : items.toReversed() }, fresh()),
    ),
  )
  const outcomes = answers.flatMap(({ body }) => (body.data as Outcome[]).map(({ outcome }) => outcome))
  assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 30)
  assert.equal(outcomes.filter((outcome) => outcome === 'unchanged').length, 11 * 30)
})

test('batch upsert: needs the scope and write domain, and reaches no other tenant', async () => {
  const ours = await service.tenant()
  const theirs = await service.tenant()
  const payment = await aPayer(theirs.api)
  const foreign = await ours.api.post('/payments/batch', { items: [payment('A')] }, fresh())
  assert.deepEqual(findOutcomes(foreign), [['A', 'refused', 'reference_not_found']])
  const reader = await ours.token({ scopes: ['payments:read'] })
  const rejected = await reader.api.post('/payments/batch', { items: [payment('A')] }, fresh())
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_scope'])
})
