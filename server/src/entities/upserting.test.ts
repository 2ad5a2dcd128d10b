import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadStatements, statementsLike } from '../testing/fixtures/database/count-statements.ts'
import { aStudent } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()

const upserts: Readonly<Record<string, (studentId: string) => object>> = {
  '/payments/external/A-1': (studentId) => ({
    studentId,
    amount: 12.5,
    currency: 'eur',
    description: 'Tuition',
    dueDate: '2026-09-01',
  }),
  '/students/external/A-1': () => ({ givenNames: 'Ada', familyNames: 'Byron', customFields: { bus: { line: 7 } } }),
  '/admissions/applications/external/A-1': () => ({ fullName: 'Ada Byron', email: 'ada@example.org' }),
}

for (const [path, bodyOf] of Object.entries(upserts)) {
  test(`a PUT of ${path} that changes nothing is one read without a transaction, and leaves no trace`, async () => {
    const { api, traces } = await service.tenant()
    const body = bodyOf((await aStudent(api)).id)
    const made = await api.put(path, body)
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    const before = await traces(id)
    const answers: (typeof made)[] = []
    const sent = await loadStatements(async () => answers.push(await api.put(path, body)))
    const [same] = answers
    assert.deepEqual([same?.status, same?.body.data], [200, made.body.data])
    assert.equal(same?.headers.get('etag'), made.headers.get('etag'))
    assert.ok(sent.length > 0 && sent.length <= 2, sent.join('\n'))
    assert.ok(!sent.some((text) => text.startsWith('begin')), sent.join('\n'))
    assert.deepEqual(await traces(id), before)
    const stale = await api.put(path, body, { 'if-match': '"999"' })
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
    const faulty = await api.put(path, { ...body, createdAt: '2020-01-01T00:00:00.000Z' })
    assert.deepEqual([faulty.status, faulty.body.errors[0].code], [400, 'read_only'])
  })
}

for (const [path, bodyOf] of Object.entries(upserts)) {
  const [list] = path.split('/external/') as [string]
  /** Forty at once, all of them new. */
  const afterMany = async () => {
    const tenant = await service.tenant()
    const { api } = tenant
    const body = bodyOf((await aStudent(api)).id)
    const put = (externalId: string, more: object = {}, headers: Record<string, string> = {}) =>
      api.put(`${list}/external/${externalId}`, { ...body, ...more }, headers)
    const made = await Promise.all(Array.from({ length: 40 }, (_, index) => put(`many-${index}`)))
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
    return { ...tenant, body, put, made }
  }

  test(`after many PUTs of ${path} that made one each, the next one is made without looking whether it is there`, async () => {
    const { api, traces, put } = await afterMany()
    const answers: Awaited<ReturnType<typeof put>>[] = []
    const looks = await statementsLike(/^select .*\.external_id = /, async () => answers.push(await put('next')))
    assert.deepEqual(looks, [])
    const [next] = answers
    assert.equal(next?.status, 201, next?.text)
    const { id } = next.body.data
    assert.equal((await api.get(`${list}/${id}`)).text, next.text)
    const { audit, events } = await traces(id)
    assert.deepEqual([audit.length, events.length], [1, 1])
  })

  test(`after many PUTs of ${path} that made one each, one that is there is changed, or stays as it is, and is then looked for`, async () => {
    const { traces, put, made } = await afterMany()
    const { id } = (made[7] as (typeof made)[number]).body.data
    const before = await traces(id)
    const same = await put('many-7')
    assert.deepEqual([same.status, same.text], [200, made[7]?.text])
    assert.deepEqual(await traces(id), before)
    const beginnings = await statementsLike(/^begin/, () => put('many-8'))
    assert.deepEqual(beginnings, [])
  })

  test(`after many PUTs of ${path} that made one each, If-Match and fields that nobody can write count as before`, async () => {
    const first = await afterMany()
    const faulty = await first.put('many-4', { createdAt: '2020-01-01T00:00:00.000Z' })
    assert.deepEqual([faulty.status, faulty.body.errors[0].code], [400, 'read_only'])
    const second = await afterMany()
    const createdAt = second.made[5]?.body.data.createdAt
    const read = await second.put('many-5', { createdAt })
    assert.deepEqual([read.status, read.text], [200, second.made[5]?.text])
    const third = await afterMany()
    for (const externalId of ['many-3', 'not-there']) {
      const stale = await third.put(externalId, {}, { 'if-match': '"999"' })
      assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
    }
  })
}

test('after many PUTs that made a payment each, one that is there follows the rules of a change and not of a new one', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api)
  const body = { studentId: student.id, amount: 12.5, description: 'Tuition', dueDate: '2026-09-01' }
  const fill = (from: string) =>
    Promise.all(Array.from({ length: 40 }, (_, index) => api.put(`/payments/external/${from}-${index}`, body)))
  const [first] = await fill('one')
  const { id } = (first as NonNullable<typeof first>).body.data
  const part = await api.put('/payments/external/one-0', { amount: 13 })
  assert.deepEqual([part.status, part.body.data.amount, part.body.data.description], [200, 13, 'Tuition'])
  await fill('two')
  const unknown = '00000000-0000-7000-8000-000000000000'
  const moved = await api.put('/payments/external/one-0', { ...body, studentId: unknown })
  assert.deepEqual([moved.status, moved.body.errors[0].code], [400, 'read_only'])
  await fill('three')
  const orphan = await api.put('/payments/external/orphan', { ...body, studentId: unknown })
  assert.deepEqual([orphan.status, orphan.body.code], [422, 'reference_not_found'])
  assert.equal((await api.put('/payments/external/orphan', body)).status, 201)
  await fill('four')
  const both = await Promise.all([0, 1, 2, 3].map(() => api.put('/payments/external/both', body)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.equal(new Set(both.map(({ body: { data } }) => data.id)).size, 1)
  const { audit, events } = await traces(id)
  assert.deepEqual([audit.length, events.length], [2, 2])
})
