import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson, aUser } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const mail = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'office@school.example' }
const service = await startTestService({ mail })

async function anOffice() {
  const tenant = await service.tenant()
  const { caller, id } = await aPerson(service, tenant)
  const actions = async () =>
    (await tenant.api.get('/audit?limit=50')).body.data.map(({ action }: { action: string }) => action) as string[]
  return { tenant, caller, id, actions }
}

test('an administrator invites somebody once, whom a link is mailed to, and closes and opens the log-in', async () => {
  const { tenant, caller, id: own, actions } = await anOffice()
  const body = { email: 'New@School.example', name: 'Grace  Hopper', roles: ['Academics User'] }
  const key = randomUUID()
  const invite = () => caller.with({ 'idempotency-key': key }).post('/console/v1/users', body)
  const made = await invite()
  assert.equal(made.status, 201, made.text)
  const { id, ...user } = made.body.data
  assert.deepEqual(user, {
    ...{ email: 'new@school.example', fullName: 'Grace Hopper', enabled: true, isStaff: true },
    ...{ roles: ['Academics User'], hasPassword: false, lastLogIn: null, sessions: 0, isLocked: false },
  })
  assert.deepEqual((await invite()).body, made.body)
  const mails = await service.database.inspect(`select kind, recipient from outgoing_mails where tenant_id = $1`, [
    tenant.id,
  ])
  assert.deepEqual(mails, [{ kind: 'welcome', recipient: 'new@school.example' }])
  const other = await caller.with({ 'idempotency-key': randomUUID() }).post('/console/v1/users', body)
  assert.deepEqual([other.status, other.body.code], [409, 'state_conflict'])
  for (const wrong of [{ email: 'nothing' }, { email: 'other@school.example', roles: ['Nobody'] }]) {
    const refused = await caller
      .with({ 'idempotency-key': randomUUID() })
      .post('/console/v1/users', { ...body, ...wrong })
    assert.deepEqual([refused.status, refused.body.code], [422, 'rule_violated'], refused.text)
  }
  const patch = (user: string, enabled: boolean) => caller.send('PATCH', `/console/v1/users/${user}`, { enabled })
  assert.equal((await patch(id, false)).body.data.enabled, false)
  const link = await caller.post(`/console/v1/users/${id}/password-link`)
  assert.deepEqual([link.status, link.body.code], [409, 'state_conflict'])
  assert.equal((await patch(id, true)).body.data.enabled, true)
  assert.equal((await caller.post(`/console/v1/users/${id}/password-link`)).status, 200)
  const oneself = await patch(own, false)
  assert.deepEqual([oneself.status, oneself.body.code], [409, 'state_conflict'])
  assert.equal((await patch(randomUUID(), false)).status, 404)
  const done = await actions()
  for (const action of ['user.created', 'user.welcomed']) assert.ok(done.includes(action), `${action}: ${done}`)
})

test('staff are listed, others are found, and sessions end', async () => {
  const { tenant, caller, actions } = await anOffice()
  const teacher = await aPerson(service, tenant, ['Instructor'])
  await aUser(service, tenant, { email: 'peña@home.example'.replace('ñ', 'n'), roles: ['Guardian'] })
  const names = async (q = '') =>
    (await caller.get(`/console/v1/users?${new URLSearchParams(q === '' ? {} : { q })}`)).body.data.map(
      ({ email }: { email: string }) => email,
    ) as string[]
  assert.ok((await names()).includes(teacher.email))
  assert.ok(!(await names()).includes('pena@home.example'))
  assert.deepEqual(await names('PENA'), ['pena@home.example'])
  assert.equal((await teacher.caller.get('/console/v1/boot')).status, 200)
  const ended = await caller.post(`/console/v1/users/${teacher.id}/end-sessions`)
  assert.deepEqual([ended.status, ended.body.data.sessions], [200, 0])
  assert.equal((await teacher.caller.get('/console/v1/boot')).status, 401)
  assert.equal((await caller.post(`/console/v1/users/${teacher.id}/unlock`)).status, 200)
  const done = await actions()
  for (const action of ['user.sessions_ended', 'user.unlocked']) assert.ok(done.includes(action), action)
})

test('a token is made with a secret that is shown once, rotated, and revoked', async () => {
  const { tenant, caller } = await anOffice()
  const made = await caller.post('/console/v1/tokens', { name: 'ERP', scopes: ['students:read'], expiresInDays: 30 })
  assert.equal(made.status, 201, made.text)
  const { secret, ...token } = made.body.data
  const works = async (bearer: string) =>
    (await fetch(`${service.address}/v1/students`, { headers: { authorization: `Bearer ${bearer}` } })).status
  assert.equal(await works(secret), 200)
  const listed = async () =>
    (await caller.get('/console/v1/tokens')).body.data.find(({ id }: { id: string }) => id === token.id)
  assert.deepEqual(Object.keys(await listed()).includes('secret'), false)
  assert.equal((await listed()).secrets[0].lastFour, secret.slice(-4))
  const rotated = await caller.post(`/console/v1/tokens/${token.id}/rotate`, { overlapHours: 1 })
  assert.equal(rotated.body.data.secrets.length, 2)
  assert.deepEqual([await works(secret), await works(rotated.body.data.secret)], [200, 200])
  const revoked = await caller.post(`/console/v1/tokens/${token.id}/revoke`)
  assert.notEqual(revoked.body.data.revokedAt, null)
  const late = await caller.post(`/console/v1/tokens/${token.id}/rotate`)
  assert.deepEqual([late.status, late.body.code], [409, 'state_conflict'])
  const other = await aPerson(service, await service.tenant())
  assert.equal((await other.caller.post(`/console/v1/tokens/${token.id}/revoke`)).status, 404)
  assert.equal((await caller.post('/console/v1/tokens', { name: 'x', scopes: ['all'] })).status, 400)
  const stored = await service.database.inspect<{ kept: string }>(
    `select count(*)::text as kept from audit_entries where tenant_id = $1 and (before::text like $2 or after::text like $2)`,
    [tenant.id, `%${secret}%`],
  )
  assert.deepEqual(stored, [{ kept: '0' }])
})

test('the state of the service is told to administrators alone, without a word of other institutions', async () => {
  const { tenant, caller } = await anOffice()
  const { status, body, text } = await caller.get('/console/v1/service-state')
  assert.equal(status, 200, text)
  assert.deepEqual(body.data.mails, { areSent: true, waiting: 0, oldestDueAt: null, givenUp: 0 })
  assert.deepEqual(body.data.webhooks, { enabled: 0, disabledByFailures: 0 })
  assert.ok(Array.isArray(body.data.jobs.failing))
  const manager = await aPerson(service, tenant, ['Education Manager'])
  for (const path of ['service-state', 'tokens', 'users']) {
    const refused = await manager.caller.get(`/console/v1/${path}`)
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_role'], path)
  }
})
