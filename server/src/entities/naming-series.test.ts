import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loadStatements } from '../testing/fixtures/database/count-statements.ts'
import { ResourceClient } from '../testing/fixtures/resource-client.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { SeriesNames } from './naming-series.ts'

const service = await startTestService()
const year = new Date().getUTCFullYear()

test('thirty who make students at once, on both surfaces and with codes of their own, never get the same code', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const resourceClient = new ResourceClient(service, tenant)
  const codes: string[] = []
  let chosen = 0
  const writer = async (number: number) => {
    for (let round = 0; round < 6; round += 1) {
      const fullName = `Writer ${number}, round ${round}`
      if (number % 10 === 0) {
        const made = await resourceClient.make('Student', { first_name: fullName })
        codes.push(made.name)
      } else if (number % 10 === 1) {
        // A code that the series is about to give.
        chosen += 7
        const studentCode = `EDU-STU-${year}-${String(chosen).padStart(5, '0')}`
        const { status, body } = await api.post('/students', { fullName, studentCode })
        if (status === 201) codes.push(body.data.studentCode)
        else assert.deepEqual([status, body.code], [409, 'already_exists'])
      } else if (number % 2 === 0) {
        const { status, body } = await api.put(`/students/external/${randomUUID()}`, { fullName })
        assert.equal(status, 201, JSON.stringify(body))
        codes.push(body.data.studentCode)
      } else {
        const { status, body } = await api.post('/students', { fullName })
        assert.equal(status, 201, JSON.stringify(body))
        codes.push(body.data.studentCode)
      }
    }
  }
  await Promise.all(Array.from({ length: 30 }, (_, number) => writer(number)))
  assert.equal(new Set(codes).size, codes.length)
  assert.equal((await api.get('/students')).body.pagination.total, codes.length)
  for (const code of codes) assert.match(code, /^EDU-STU-\d{4}-\d{5}$/)
})

test('names that many want at once are taken together, each given out once', async () => {
  const { id } = await service.tenant()
  const names = new SeriesNames(service.data)
  const wanted = Array.from({ length: 50 }, (_, index) => names.take(id, 'TEST', 'UTC', 1 + (index % 3)))
  const given = (await Promise.all(wanted)).flat()
  assert.equal(given.length, 99)
  assert.equal(new Set(given).size, 99)
  assert.deepEqual(given.sort().at(-1), `TEST-${year}-00099`)
})

test('one who makes a student alone leaves no gap', async () => {
  const { api } = await service.tenant()
  const codes: string[] = []
  for (const fullName of ['Ada Byron', 'Grace Hopper', 'Mary Somerville']) {
    codes.push((await api.post('/students', { fullName })).body.data.studentCode)
  }
  assert.deepEqual(codes, [`EDU-STU-${year}-00001`, `EDU-STU-${year}-00002`, `EDU-STU-${year}-00003`])
})

test('the transaction that makes a student does not hold the counter of codes', async () => {
  const { api } = await service.tenant()
  const sent = await loadStatements(() => api.post('/students', { fullName: 'Ada Byron' }))
  const beginning = sent.findLastIndex((text) => text.startsWith('begin'))
  assert.ok(beginning >= 0)
  assert.ok(!sent.slice(beginning).some((text) => text.includes('naming_series')), sent.join('\n'))
})
