import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { clientOptions, loadServer } from '../../database/index.ts'
import { allStatementsOf } from '../fixtures/database/count-statements.ts'
import { aPayment, aRecordCaller, aStudent } from '../fixtures/factories.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService()
const skip = service.database.workers.length === 0 && 'the database is no Citus cluster: npm run citus-test has one'

test('what is asked for often is asked of one node alone, of the shards themselves', { skip }, async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const caller = await aRecordCaller(service, tenant)
  const student = await aStudent(api)
  const payment = await aPayment(api, { studentId: student.id })
  const { name } = (await caller.post('/api/resource/Topic', { topic_name: 'Sets' })).body.data
  const requests: [string, () => Promise<{ status: number }>][] = [
    ['one by id', () => api.get(`/students/${student.id}`)],
    ['a page', () => api.get('/payments?limit=20')],
    ['a later page', () => api.get('/payments?limit=20&page=2')],
    ['a filtered page', () => api.get(`/payments?studentId=${student.id}&status=pending`)],
    ['a sweep', () => api.get('/students?updatedSince=2020-01-01T00:00:00Z&limit=100')],
    ['applications', () => api.get('/admissions/applications?limit=20')],
    ['a change', () => api.patch(`/payments/${payment.id}`, { description: 'x' })],
    ['an upsert that creates', () => api.put('/students/external/S-1', { givenNames: 'A', familyNames: 'B' })],
    ['an upsert that changes', () => api.put('/students/external/S-1', { givenNames: 'A', familyNames: 'C' })],
    ['a record', () => caller.get(`/api/resource/Topic/${name}`)],
    ['records', () => caller.get('/api/resource/Student?limit_page_length=20')],
    ['a record that is changed', () => caller.put(`/api/resource/Topic/${name}`, { description: 'x' })],
    ['a record that is made', () => caller.post('/api/resource/Topic', { topic_name: 'Maps' })],
    ['events', () => api.get('/events?limit=100')],
    ['the audit', () => api.get('/audit?limit=20')],
  ]
  const statements = new Map<string, readonly unknown[]>()
  const collectStatements = async (run: () => Promise<unknown>) => {
    for (const { text, values } of await allStatementsOf(run))
      if (/^\s*(with|select|insert|update|delete)\b[\s\S]*\btenant_id\b/.test(text)) statements.set(text, values)
  }
  for (const [what, request] of requests) {
    await collectStatements(async () => {
      const { status } = await request()
      assert.ok(status < 300, `${what}: ${status}`)
    })
  }
  await collectStatements(async () => (await aStudent(api)) && aPayment(api, { studentId: student.id }))
  assert.ok(statements.size > 25, `${statements.size} statements`)
  const client = new pg.Client(clientOptions(await loadServer(service.database.connection, tenant.id), 'service'))
  await client.connect()
  await client.query(`select set_config('matricula.tenant_id', $1, false)`, [tenant.id])
  await client.query('set plan_cache_mode = force_custom_plan')
  for (const [text, values] of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
    assert.ok(
      counts.every((count) => count === 1),
      `${text}\n${plan}`,
    )
  }
  // And the service asks the shards themselves, of which Citus knows nothing.
  const [shards] = (
    await client.query<{ name: string }>(
      `select 'shards_' || get_shard_id_for_distribution_column('api_keys', $1::uuid) as name`,
      [tenant.id],
    )
  ).rows
  await client.query(`select set_config('search_path', $1, false), set_config('matricula.shards', $2, false)`, [
    `${shards?.name}, public`,
    shards?.name,
  ])
  await client.query('set plan_cache_mode = auto')
  for (const [text, values] of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.doesNotMatch(plan, /Citus/, text)
  }
  await client.end()
})

test('whose a token is is asked of one node beside the coordinator', { skip }, async () => {
  const tenant = await service.tenant()
  await tenant.token()
  const client = new pg.Client(clientOptions(service.database.connection, 'service'))
  await client.connect()
  const remote: string[] = []
  client.on('notice', ({ message = '' }) => remote.push(message))
  await client.query(`set citus.log_remote_commands = on; set client_min_messages = 'log'`)
  const [{ hash } = { hash: '' }] = await service.database.inspect<{ hash: string }>(
    `select encode(secret_hash, 'hex') as hash from api_key_hashes where of_tenant = $1 limit 1`,
    [tenant.id],
  )
  const { rows } = await client.query(`select tenant_id from authenticate_api_key(decode($1, 'hex'))`, [hash])
  await client.end()
  assert.deepEqual(rows, [{ tenant_id: tenant.id }])
  assert.equal(remote.filter((message) => /issuing.*\bapi_key/i.test(message)).length, 1, remote.join('\n'))
})
