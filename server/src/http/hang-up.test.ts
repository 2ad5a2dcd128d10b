import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DatabaseUnavailable, noTenant, sql } from '../database/index.ts'
import { aStudent } from '../testing/fixtures/factories.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { holdStudents, untilWaiting } from '../testing/fixtures/waiting.ts'

const service = await startTestService()

async function hangUp(path: string, init: RequestInit): Promise<void> {
  const client = new AbortController()
  const response = fetch(`${service.address}${path}`, { ...init, signal: client.signal })
  await untilWaiting(service.database, 1)
  client.abort()
  await assert.rejects(response, { name: 'AbortError' })
  await untilWaiting(service.database, 0)
}

test('client disconnect: the write is rolled back and may be repeated with the same Idempotency-Key', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  await api.get('/students') // the token is known, so that only the write waits
  const release = await holdStudents(service.database, tenant.id)
  await hangUp('/v1/students', { method: 'POST', headers, body: JSON.stringify({ fullName: 'Ada' }) })
  await release()
  assert.equal((await api.get('/students')).body.pagination.total, 0)
  let again = await api.post('/students', { fullName: 'Ada' }, headers)
  // The first one may be on its way back.
  while (again.status === 409) again = await api.post('/students', { fullName: 'Ada' }, headers)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, null])
  assert.equal((await tenant.traces(again.body.data.id)).audit.length, 1)
})

test('client disconnect: running reads are cancelled, on both surfaces', async () => {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const resource = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  await aStudent(api)
  const release = await holdStudents(service.database, tenant.id)
  await hangUp('/v1/students?status=active&updatedSince=2020-01-01', { headers: { authorization: `Bearer ${secret}` } })
  await hangUp('/api/resource/Student?limit_page_length=0', {
    headers: { authorization: `token ${resource.id}:${resource.secret}` },
  })
  await release()
  assert.equal((await api.get('/students?updatedSince=2020-01-01')).body.pagination.total, 1)
  assert.deepEqual(
    service.logged.filter((line) => line.includes('request failed')),
    [],
    'a client that is gone is no failure of the service',
  )
})

test('GET /metrics: pool partitions in use and rejections, cancelled work and database failures are exported', async () => {
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  for (const partition of ['writes', 'reads', 'lists', 'long', 'notes', 'jobs', 'pages']) {
    assert.match(metrics, new RegExp(`^matricula_database_room_held\\{room="${partition}"\\} \\d+$`, 'm'))
    assert.match(metrics, new RegExp(`^matricula_database_room_refused_total\\{room="${partition}"\\} 0$`, 'm'))
  }
  const unwanted = Number(/^matricula_database_unwanted_total (\d+)$/m.exec(metrics)?.[1])
  assert.ok(unwanted >= 3, 'each client that hung up above')
  const read = async () => (await fetch(`${service.address}/metrics`)).text()
  // What the database says of itself is left out of a scrape that would have to wait for it.
  await until(async () => /^matricula_postgresql_deadlocks_total \d+$/m.test(await read()), 'the deadlocks')
  assert.match(metrics, /^matricula_database_hangs 0$/m)
  const slow = service.data.transaction(noTenant, async (tx) => {
    await tx.query(sql`select set_config('statement_timeout', '1', true)`)
    await tx.query(sql`select pg_sleep(9)`)
  })
  await assert.rejects(slow, DatabaseUnavailable)
  const after = await (await fetch(`${service.address}/metrics`)).text()
  assert.match(after, /^matricula_database_failures_total\{sqlstate="57014"\} 1$/m)
})
