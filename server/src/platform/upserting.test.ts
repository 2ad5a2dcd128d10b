import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsOf } from '../testing/count-statements.ts'
import { aStudent } from '../testing/factories.ts'
import { startTestService } from '../testing/test-service.ts'

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
    const sent = await statementsOf(async () => answers.push(await api.put(path, body)))
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
