import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../database/index.ts'
import { RecordCaller } from '../testing/fixtures/record-caller.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { RateLimiter } from './rate-limit.ts'

const service = await startTestService()

test('a token passes exactly its quota in a window, also when all come at once; the rest is told how long to wait', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ requestsPerMinute: 50 })
  const answers = await Promise.all(Array.from({ length: 80 }, () => api.get('/me')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 50)
  const rejected = answers.filter(({ status }) => status === 429)
  assert.equal(rejected.length, 30)
  for (const response of rejected) {
    assert.equal(response.body.code, 'rate_limit_exceeded')
    const wait = Number(response.headers.get('retry-after'))
    const left = Number(/t=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
    assert.ok(wait >= 1 && wait >= left && wait <= 60)
    assert.match(response.headers.get('ratelimit') ?? '', /r=0;/)
  }
})

test('what is left counts down by one with each request, and the older headers say the same', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ requestsPerMinute: 600 })
  for (const expected of [599, 598, 597, 596, 595, 594, 593, 592]) {
    const { headers } = await api.get('/students')
    assert.equal(headers.get('ratelimit-policy'), '"default";q=600;w=60')
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"default";r=${expected};t=\\d+$`))
    assert.deepEqual(
      [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')],
      ['600', String(expected)],
    )
    assert.ok(Number(headers.get('x-ratelimit-reset')) <= 60)
  }
})

test('a request over the quota does nothing and uses up no idempotency key', async () => {
  const tenant = await service.tenant()
  const { api, id } = await tenant.token({ requestsPerMinute: 1 })
  await api.get('/me')
  const headers = { 'idempotency-key': 'one' }
  assert.equal((await api.post('/students', { fullName: 'Ada' }, headers)).status, 429)
  await service.database.inspect(
    `update rate_limit_windows set started_at = now() - interval '2 min' where api_key_id = $1`,
    [id],
  )
  const other = new RateLimiter(service.data)
  assert.equal((await other.take(tenant.id, id, 1)).allowed, true)
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
})

test('several processes together never pass the quota', async () => {
  const tenant = await service.tenant()
  const { id } = await tenant.token()
  const databases = Array.from({ length: 3 }, () => new Database(service.database.connection, { connections: 5 }))
  const processes = databases.map((database) => new RateLimiter(database))
  const taken = await Promise.all(
    Array.from({ length: 900 }, async (_, index) => {
      const { allowed } = await (processes[index % 3] as RateLimiter).take(tenant.id, id, 500)
      return allowed
    }),
  )
  const passed = taken.filter(Boolean).length
  await Promise.all(databases.map((database) => database.close()))
  assert.ok(passed <= 500 && passed >= 450, String(passed))
})

test('while the disk of the database is full, reads pass within the quota, on both surfaces', async () => {
  const tenant = await service.tenant()
  const client = await tenant.token({ requestsPerMinute: 5 })
  const resource = await tenant.token({ kind: 'resource', roles: ['System Manager'], requestsPerMinute: 5 })
  const records = new RecordCaller(service.address, { authorization: resource.secret })
  await service.database.inspect(`
    create function refuse_writes() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  const tables = ['rate_limit_windows', 'api_key_secrets', 'students', 'student_categories']
  for (const table of tables) {
    await service.database.inspect(
      `create trigger full_disk before insert or update on ${table} for each row execute function refuse_writes()`,
    )
  }
  try {
    const write = await client.api.post('/students', { fullName: 'Ada' })
    assert.deepEqual(
      [write.status, write.body.code, write.headers.get('retry-after')],
      [503, 'service_unavailable', '60'],
    )
    const category = await records.post('/api/resource/Student Category', { category: 'Day' })
    assert.deepEqual(
      [category.status, category.body.exc_type, category.headers.get('retry-after')],
      [503, 'SessionStopped', '60'],
    )
    for (let left = 4; left > 0; left -= 1) {
      assert.equal((await client.api.get('/students')).status, 200)
      assert.equal((await records.get('/api/resource/Student')).status, 200)
    }
    assert.equal((await client.api.get('/students')).status, 429)
    assert.equal((await records.get('/api/resource/Student')).status, 429)
  } finally {
    for (const table of tables) await service.database.inspect(`drop trigger full_disk on ${table}`)
  }
})
