import assert from 'node:assert/strict'
import { test } from 'node:test'
import { define, untilListed } from '../../record-engine/custom-fields/custom-fields.fixture.ts'
import type { ApiResponse } from '../../testing/fixtures/client.ts'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aPayment, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

interface Outcome {
  readonly externalId: string
  readonly outcome: string
  readonly id: string | null
  readonly problem: { code: string; detail: string; errors?: { pointer: string; code: string }[] } | null
}

/** What became of each item, with the places of its faults. */
const getOutcomes = ({ status, text, body }: ApiResponse) => {
  assert.equal(status, 200, text)
  return (body.data as Outcome[]).map(({ externalId, outcome, problem }) => [
    externalId,
    outcome,
    ...(problem?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
  ])
}

const students = ({ api }: TestTenant, items: object[]) => api.post('/students/batch', { items })

test('batch upsert: of items with the same value of a unique field one is written and the others are rejected', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const { studentCode } = await aStudent(api)
  await define(new ResourceClient(service, tenant), 'Student', { card_no: { fieldtype: 'Data', unique: 1 } })
  const item = (externalId: string, card_no: string, more: object = {}) => {
    return { externalId, fullName: externalId, customFields: { card_no }, ...more }
  }
  const twice = '#/items/1/customFields/card_no inconsistent'
  assert.deepEqual(getOutcomes(await students(tenant, [item('A', 'K1'), item('B', 'K1'), item('C', 'K2')])), [
    ['A', 'created'],
    ['B', 'refused', twice],
    ['C', 'created'],
  ])
  const changed = await students(tenant, [
    item('A', 'K3'),
    item('C', 'K3'),
    item('D', 'K4', { studentCode }),
    item('E', 'K4'),
    item('F', 'K1'),
  ])
  assert.deepEqual(
    getOutcomes(changed).map((outcome) => outcome.slice(0, 2)),
    [
      ['A', 'updated'],
      ['C', 'refused'],
      ['D', 'refused'],
      ['E', 'created'],
      ['F', 'created'],
    ],
  )
  const listed = await api.get('/students?limit=100')
  const cards = (listed.body.data as { customFields: { card_no: string | null } }[]).map((each) => each.customFields)
  assert.deepEqual(cards.map(({ card_no }) => card_no).sort(), ['K1', 'K2', 'K3', 'K4', null])
  const atomic = { atomic: true, items: [item('G', 'K5'), item('H', 'K5')] }
  const rejected = await api.post('/students/batch', atomic)
  assert.deepEqual([rejected.status, rejected.body.code], [422, 'batch_refused'])
  assert.equal((await api.get('/students')).body.pagination.total, 5)
})

test('batch upsert of payments: a value of a unique field is written once', async () => {
  const tenant = await service.tenant()
  const { studentId } = await aPayment(tenant.api)
  await define(new ResourceClient(service, tenant), 'Student', { house: { fieldtype: 'Data' } })
  const field = { dt: 'Payment', fieldname: 'receipt', fieldtype: 'Int', unique: 1 }
  await new ResourceClient(service, tenant).make('Custom Field', field)
  const items = ['A', 'B'].map((externalId) => {
    const asked = { externalId, studentId, amount: 1, description: 'Tuition', dueDate: '2026-09-01' }
    return { ...asked, customFields: { receipt: 7 } }
  })
  await untilListed(tenant, 'payments', 1)
  assert.deepEqual(getOutcomes(await tenant.api.post('/payments/batch', { items })), [
    ['A', 'created'],
    ['B', 'refused', '#/items/1/customFields/receipt inconsistent'],
  ])
})

test('batch upsert of applications: items that name one new person are linked with one person', async () => {
  const { api } = await service.tenant()
  const contacts = [{ displayName: 'Grace', email: 'grace@example.org' }]
  const items = ['A', 'B', 'C'].map((externalId) => ({ externalId, fullName: externalId, contacts }))
  const response = await api.post('/admissions/applications/batch', { items })
  assert.deepEqual(getOutcomes(response), [
    ['A', 'created'],
    ['B', 'created'],
    ['C', 'created'],
  ])
  const { body } = await api.get('/admissions/applications?limit=100')
  const people = (body.data as { contacts: { contactId: string }[] }[]).map((each) => each.contacts[0]?.contactId)
  assert.deepEqual([people.length, new Set(people).size], [3, 1])
})

test('batch upsert: an item beyond the maximum record size is rejected, as in a single upsert', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const put = await api.put('/students/external/L', { fullName: 'Large' })
  assert.equal(put.status, 201, put.text)
  // As it may have been stored before there was a bound for what is in it.
  await service.database.inspect(
    `update students set custom_fields = jsonb_build_object('a', repeat('x', 4194304)) where id = $1`,
    [put.body.data.id],
  )
  const longer = { fullName: 'Large and larger' }
  const alone = await api.put('/students/external/L', longer)
  const response = await students(tenant, [
    { externalId: 'L', ...longer },
    { externalId: 'S', fullName: 'Small' },
  ])
  assert.deepEqual(getOutcomes(response), [
    ['L', 'refused'],
    ['S', 'created'],
  ])
  assert.deepEqual([alone.status, response.body.data[0].problem.code], [422, 'record_too_large'])
  assert.equal((await api.get(`/students/${put.body.data.id}`)).body.data.fullName, 'Large')
})

test('batch upsert: records that exceed the maximum result size together are changed', async () => {
  const tenant = await service.tenant()
  const items = Array.from({ length: 100 }, (_, index) => ({ externalId: `S-${index}`, fullName: `Student ${index}` }))
  await students(tenant, items)
  await service.database.inspect(
    `update students set custom_fields = jsonb_build_object('notes', repeat('x', 150000)) where tenant_id = $1`,
    [tenant.id],
  )
  for (const outcome of ['updated', 'unchanged']) {
    const changed = getOutcomes(
      await students(
        tenant,
        items.map((item) => ({ ...item, city: 'Lima' })),
      ),
    )
    assert.deepEqual([...new Set(changed.map((each) => each[1]))], [outcome])
  }
})

test('batch upsert: the first five errors of an item are reported, with their number', async () => {
  const tenant = await service.tenant()
  await define(new ResourceClient(service, tenant), 'Student', { house: { fieldtype: 'Data' } })
  const customFields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]))
  const response = await students(tenant, [
    { externalId: 'A', fullName: 'Ada', customFields },
    { externalId: 'B', fullName: 7, givenNames: 8, familyNames: 9, city: 1, country: 2, phone: 3 },
  ])
  const [a, b] = response.body.data as Outcome[]
  assert.deepEqual([a?.problem?.errors?.length, b?.problem?.errors?.length], [5, 5])
  assert.match(a?.problem?.detail ?? '', /and 29 more, the first of them in errors/)
  assert.match(b?.problem?.detail ?? '', /and 5 more, the first of them in errors/)
})

test('batch upsert: two concurrent batches with the same new records in different orders do not deadlock', async () => {
  const { api } = await service.tenant()
  const { studentId } = await aPayment(api)
  const payment = (externalId: string) => ({
    studentId,
    amount: 1,
    description: 'T',
    dueDate: '2026-09-01',
    externalId,
  })
  const kinds = {
    '/students/batch': (externalId: string) => ({ externalId, fullName: externalId }),
    '/payments/batch': payment,
  }
  for (const [path, itemOf] of Object.entries(kinds)) {
    for (let round = 0; round < 5; round += 1) {
      const items = Array.from({ length: 60 }, (_, index) => itemOf(`${round}-${index}`))
      const sent = await statementsLike(/^begin/, async () => {
        const answers = await Promise.all([items, items.toReversed()].map((all) => api.post(path, { items: all })))
        for (const response of answers) assert.equal(response.status, 200, response.text)
      })
      assert.equal(sent.length, 2, path)
    }
  }
})
