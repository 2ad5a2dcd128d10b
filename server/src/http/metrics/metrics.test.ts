import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { clientOptions } from '../../database/index.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const metrics = async () => (await fetch(`${service.address}/metrics`)).text()

/** The value of a sample by its name and labels as they stand in the text. */
async function sample(name: string): Promise<number | null> {
  const line = (await metrics()).split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? null : Number(line.slice(name.length + 1))
}

test('GET /metrics: requests by operation and status, rejections by code, no label from a tenant or request', async () => {
  const tenant = await service.tenant()
  const resource = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const headers = { authorization: `token ${resource.id}:${resource.secret}` }
  await tenant.api.get('/students')
  await tenant.api.post('/students', { fullName: 'Ada', nonsense: 1 })
  await tenant.api.get('/students/0198a5f0-0000-7000-8000-000000000000')
  const key = { 'idempotency-key': 'k-1' }
  for (const _ of [1, 2])
    await tenant.api.post(
      '/payments',
      { studentId: tenant.id, amount: 1, description: 'x', dueDate: '2030-01-01' },
      key,
    )
  await fetch(`${service.address}/api/resource/Student/none-of-this-name`, { headers })
  const text = await metrics()
  assert.match(text, /^http_request_duration_seconds_count\{operation="listStudents",status="200"\} 1$/m)
  assert.match(text, /^http_request_duration_seconds_count\{operation="recordApi\.read",status="404"\} 1$/m)
  assert.match(text, /^matricula_refusals_total\{code="validation_failed"\} 1$/m)
  assert.match(text, /^matricula_refusals_total\{code="resource_not_found"\} 1$/m)
  assert.match(text, /^matricula_refusals_total\{code="reference_not_found"\} 2$/m)
  assert.match(text, /^matricula_refusals_total\{code="DoesNotExistError"\} 1$/m)
  assert.ok(!text.includes(tenant.slug) && !text.includes(tenant.id) && !text.includes('none-of-this-name'))
})

test('GET /metrics: 10 000 different addresses, methods and types create no further series', async () => {
  const tenant = await service.tenant()
  const { id, secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const headers = { authorization: `token ${id}:${secret}` }
  const send = async (index: number) => {
    const paths = [
      `/v1/none-${index}`,
      `/other-${index}`,
      `/api/resource/Type%20${index}/n`,
      `/api/method/none.${index}`,
    ]
    const path = paths[index % paths.length] as string
    const response = await service.app.inject({ method: index % 7 === 0 ? 'PATCH' : 'GET', url: path, headers })
    assert.ok(response.statusCode >= 400)
  }
  for (let index = 0; index < 60; index += 1) await send(index)
  const series = async () => (await metrics()).split('\n').filter((line) => !line.startsWith('#')).length
  const before = await series()
  for (let index = 60; index < 10_000; index += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, more) => send(index + more)))
  }
  assert.ok((await series()) <= before + 20, `${before} series, then ${await series()}`)
})

test('GET /metrics: size, connections, oldest transaction and lock waits of the database', async () => {
  const client = new pg.Client(clientOptions(service.database.connection, 'owner'))
  await client.connect()
  await client.query('begin; lock table payments in access exclusive mode')
  const waiting = new pg.Client(clientOptions(service.database.connection, 'owner'))
  await waiting.connect()
  const waits = waiting.query('select from payments limit 0')
  await until(async () => (await sample('matricula_postgresql_lock_waits')) === 1, 'the one that waits')
  assert.ok(((await sample('matricula_postgresql_longest_lock_wait_seconds')) as number) > 0)
  assert.ok(((await sample('matricula_postgresql_oldest_transaction_seconds')) as number) > 0)
  assert.ok(((await sample('matricula_postgresql_size_bytes')) as number) > 1e6)
  assert.ok(((await sample('matricula_postgresql_connections{state="in_transaction"}')) as number) >= 1)
  assert.equal(await sample('matricula_mails_waiting'), 0)
  await client.end()
  await waits
  await waiting.end()
  await until(async () => (await sample('matricula_postgresql_lock_waits')) === 0, 'the end of it')
})

test('GET /metrics: a scrape does not wait for a hanging database and returns cached values for a while', async () => {
  await service.database.inspect(
    `insert into job_states (job, ended_at, succeeded_at, failed_runs, failing_tenants, failing)
     values ('watched', now(), now(), 0, 0, '[]')`,
  )
  const succeeded = () => sample('matricula_job_last_success_timestamp_seconds{job="watched"}')
  await until(async () => (await succeeded()) !== null, 'a reading')
  const client = new pg.Client(clientOptions(service.database.connection, 'owner'))
  await client.connect()
  await client.query('begin; lock table job_states in access exclusive mode')
  const waiting = () =>
    service.database.inspect<{ since: string }>(
      'select waitstart::text as since from pg_locks where not granted and relation = $1::regclass',
      ['job_states'],
    )
  // Whoever waited for a reading would be answered once it is over: it gives up after two seconds.
  const seenWhileWaiting = async () => {
    const [before] = await waiting()
    assert.notEqual(await succeeded(), null)
    const [after] = await waiting()
    return before !== undefined && before.since !== null && before.since === after?.since
  }
  await until(seenWhileWaiting, 'a scrape that is answered while a reading waits')
  await until(async () => (await waiting()).length === 0, 'the end of a reading that takes too long')
  await client.end()
})
