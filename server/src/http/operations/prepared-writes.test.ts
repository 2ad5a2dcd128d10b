import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { studentOperations } from '@matricula/contract'
import { pino } from 'pino'
import { SyncWatermark } from '../../changes/sync-watermark.ts'
import { RateLimiter } from '../../concurrency/rate-limit.ts'
import { SeriesNames } from '../../entities/naming-series.ts'
import { Problem } from '../../errors/problem.ts'
import { prepareCreate } from '../../features/students/students.ts'
import { Authenticator } from '../../identity/authentication.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { tokenAuthenticator } from '../authenticators/token-authenticator.ts'
import { TenantShares } from '../lifecycle/tenant-shares.ts'
import { createHttpServer } from '../server.ts'
import { clientEnvelope } from './client-envelope.ts'
import { implement } from './implement.ts'

const service = await startTestService()

/** What the preparation does before it gives its write. */
let preparation = async () => {}
let preparations = 0

const names = new SeriesNames(service.data)

const routes = implement(
  { createStudent: studentOperations.createStudent },
  {
    createStudent: {
      prepare: async (_database, { context, body }) => {
        preparations += 1
        await preparation()
        return prepareCreate(names, context, body)
      },
      revive: (record) => ({ ...record, photoUrl: `https://photos.example/${record.id}` }),
    },
  },
)

const { data } = service
const platform = {
  database: data,
  rateLimiter: new RateLimiter(data),
  shares: new TenantShares(),
  watermark: new SyncWatermark(data),
}
const publicUrl = 'https://matricula.example'
const mounting = {
  prefix: '/v1',
  routes,
  authenticator: tokenAuthenticator(new Authenticator(data, { failuresPerMinute: 1000 })),
  envelope: clientEnvelope(publicUrl),
}
const app = createHttpServer([mounting], platform, { publicUrl, log: pino({ level: 'silent' }), trustedProxies: null })
await app.listen({ host: '127.0.0.1', port: 0 })
afterFile(() => app.close())

/** A token's callers at the service, and at the operation whose write is prepared. */
async function callers() {
  const tenant = await service.tenant()
  const { secret, api } = await tenant.token()
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return { api, prepared: new Caller(address, secret) }
}

const ada = { fullName: 'Ada Byron' }

test('prepared write: a stored response is replayed without another preparation', async () => {
  const { api, prepared } = await callers()
  const headers = { 'idempotency-key': randomUUID() }
  preparations = 0
  const first = await prepared.post('/students', ada, headers)
  const again = await prepared.post('/students', ada, headers)
  assert.deepEqual([first.status, again.status, again.headers.get('idempotent-replayed')], [201, 201, 'true'])
  assert.deepEqual([again.text, preparations], [first.text, 1])
  const other = await prepared.post('/students', { fullName: 'Grace Hopper' }, headers)
  assert.deepEqual([other.status, other.body.code, preparations], [422, 'idempotency_key_reused', 1])
  assert.equal((await api.get('/students')).body.pagination.total, 1)
})

test('prepared write: a rejection by the preparation is stored, a failure is not', async () => {
  const { prepared } = await callers()
  const headers = { 'idempotency-key': randomUUID() }
  const attempt = async (code: 'service_unavailable' | 'reference_not_found' | null) => {
    preparation = async () => {
      if (code !== null) throw new Problem(code, 'for this test')
    }
    const { status, headers: answered } = await prepared.post('/students', ada, headers)
    return [status, answered.get('idempotent-replayed')]
  }
  assert.deepEqual(await attempt('service_unavailable'), [503, null])
  assert.deepEqual(await attempt('reference_not_found'), [422, null])
  assert.deepEqual(await attempt(null), [422, 'true'])
})

test('prepared write: two concurrent equal requests create one record', async () => {
  const { api, prepared } = await callers()
  const headers = { 'idempotency-key': randomUUID() }
  const barrier = new EventEmitter()
  const both = once(barrier, 'both')
  let waiting = 0
  preparation = async () => {
    waiting += 1
    if (waiting === 2) barrier.emit('both')
    await both
  }
  const answers = await Promise.all([1, 2].map(() => prepared.post('/students', ada, headers)))
  preparation = async () => {}
  const statuses = answers.map(({ status, body }) => (status === 409 ? body.code : status)).sort()
  assert.equal(statuses[0], 201)
  assert.ok([201, 'idempotency_key_in_use'].includes(statuses[1]), String(statuses[1]))
  assert.equal((await api.get('/students')).body.pagination.total, 1)
  const later = await prepared.post('/students', ada, headers)
  assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [201, 'true'])
})

test('prepared write: revived values are in the response and its replay, and are not stored', async () => {
  const { prepared } = await callers()
  const headers = { 'idempotency-key': randomUUID() }
  const first = await prepared.post('/students', ada, headers)
  const again = await prepared.post('/students', ada, headers)
  const { id, photoUrl } = first.body.data
  assert.equal(photoUrl, `https://photos.example/${id}`)
  assert.deepEqual(again.body, first.body)
  const [stored] = await service.database.inspect<{ body: string }>(
    'select body from idempotency_keys where key = $1',
    [headers['idempotency-key']],
  )
  assert.equal(JSON.parse(stored?.body as string).data.photoUrl, null)
})
