import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPerson, aRecordCaller } from '../../testing/fixtures/factories.ts'
import type { RecordCaller, RecordResponse } from '../../testing/fixtures/record-caller.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const v1 = '/console/v1'

interface Rule {
  readonly role: string
  readonly scopes: string[]
  readonly takenScopes: string[]
  readonly records: { type: string; rights: string[]; taken: string[] }[]
}

/** Asks until an answer is as it must be: what a process knows of an institution is less than a second old. */
async function untilAnswered(
  ask: () => Promise<RecordResponse>,
  isMet: (response: RecordResponse) => boolean,
): Promise<void> {
  let text = ''
  await until(
    async () => {
      const response = await ask()
      text = response.text
      return isMet(response)
    },
    () => `another answer than ${text}`,
  )
}

async function school() {
  const tenant = await service.tenant()
  const [manager, clerk] = [await aPerson(service, tenant), await aPerson(service, tenant, ['Accounts User'])]
  const rules = async (): Promise<Rule[]> => (await manager.caller.get(`${v1}/access-rules`)).body.data
  const change = (role: string, body: object, by: RecordCaller = manager.caller) =>
    by.send('PATCH', `${v1}/access-rules/${encodeURIComponent(role)}`, body)
  return { tenant, manager, clerk, rules, change }
}

test('what an institution takes from a role is gone at both doors, for people and keys, until it is given back', async () => {
  const { tenant, manager, clerk, rules, change } = await school()
  const key = await aRecordCaller(service, tenant, ['Accounts User'])
  const accounts = (await rules()).find(({ role }) => role === 'Accounts User')
  assert.deepEqual(accounts?.takenScopes, [])
  assert.deepEqual(
    accounts?.records.find(({ type }) => type === 'Fees'),
    { type: 'Fees', rights: ['read', 'write', 'create', 'delete', 'submit'], taken: [] },
  )
  const taken = { takenScopes: ['payments:read'], takenRights: [{ type: 'Fees', rights: ['read', 'create'] }] }
  const changed = await change('Accounts User', taken)
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body.data.takenScopes, ['payments:read'])
  await untilAnswered(
    () => clerk.caller.get(`${v1}/payments`),
    ({ body }) => body.code === 'insufficient_scope',
  )
  for (const caller of [clerk.caller, key]) {
    await untilAnswered(
      () => caller.get('/api/resource/Fees'),
      ({ status, body }) => status === 403 && body.exc_type === 'PermissionError',
    )
  }
  assert.equal((await clerk.caller.get('/api/resource/Fee Structure')).status, 200)
  const boot = (await clerk.caller.get(`${v1}/boot`)).body.data
  assert.deepEqual(boot.scopes, ['billing:read', 'billing:write', 'payments:write', 'students:read'])
  const fees = boot.rights.find(({ type }: { type: string }) => type === 'Fees')
  assert.deepEqual(fees.rights, ['write', 'delete', 'submit'])
  // Who has the right by another role keeps it.
  const both = await aPerson(service, tenant, ['Accounts User', 'Accounts Manager'])
  assert.equal((await both.caller.get('/api/resource/Fees')).status, 200)
  const rows = await service.database.inspect<{ actor_id: string; after: object; type: string }>(
    `select a.actor_id, a.after, e.type from audit_entries a
       join events e on e.tenant_id = a.tenant_id and e.entity_id = a.entity_id
      where a.tenant_id = $1 and a.action = 'role.updated'`,
    [tenant.id],
  )
  assert.deepEqual(rows, [
    {
      actor_id: manager.id,
      after: { role: 'Accounts User', takenScopes: ['payments:read'], takenRights: { Fees: ['read', 'create'] } },
      type: 'role.updated',
    },
  ])
  assert.equal((await change('Accounts User', {})).status, 200)
  assert.equal((await change('Accounts User', { takenScopes: [], takenRights: [] })).status, 200)
  await untilAnswered(
    () => clerk.caller.get('/api/resource/Fees'),
    ({ status }) => status === 200,
  )
  assert.deepEqual(
    (await rules()).flatMap(({ takenScopes }) => takenScopes),
    [],
  )
})

test('no role is widened, the System Manager loses nothing, and nobody else narrows a role', async () => {
  const { tenant, clerk, change, rules } = await school()
  const before = await rules()
  for (const [role, body, code, status] of [
    ['Accounts User', { takenScopes: ['vault:read'] }, 'rule_violated', 422],
    ['Accounts User', { takenRights: [{ type: 'Student', rights: ['write'] }] }, 'rule_violated', 422],
    ['Accounts User', { takenRights: [{ type: 'Wizard', rights: ['read'] }] }, 'rule_violated', 422],
    ['System Manager', { takenScopes: ['vault:read'] }, 'rule_violated', 422],
    ['Wizard', { takenScopes: [] }, 'resource_not_found', 404],
    ['Accounts User', { takenScopes: ['everything'] }, 'validation_failed', 400],
    ['Accounts User', { scopes: ['vault:read'] }, 'validation_failed', 400],
    ['Accounts User', { takenRights: [{ type: '__proto__', rights: ['read'] }] }, 'rule_violated', 422],
  ] as const) {
    const response = await change(role, body)
    assert.deepEqual([role, response.status, response.body.code], [role, status, code], response.text)
  }
  const manager = await aPerson(service, tenant, ['Education Manager'])
  for (const { caller } of [clerk, manager]) {
    const rejected = await change('Instructor', {}, caller)
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_role'])
  }
  assert.equal((await manager.caller.get(`${v1}/access-rules`)).status, 200)
  assert.equal((await clerk.caller.get(`${v1}/access-rules`)).status, 403)
  assert.deepEqual(await rules(), before)
})

test('a session of the staff ends when nothing was done for as long as the institution allows, and a feed is nobody’s doing', async () => {
  const { tenant, manager } = await school()
  const guardian = await aPerson(service, tenant, ['Guardian'])
  const idle = (minutes: number) =>
    service.database.inspect(
      `update sessions set last_seen_at = now() - make_interval(mins => $2) where tenant_id = $1 returning 1`,
      [tenant.id, minutes],
    )
  const seen = async () => {
    const [row] = await service.database.inspect<{ ago: number }>(
      `select extract(epoch from now() - last_seen_at)::integer as ago from sessions where tenant_id = $1 and user_id = $2`,
      [tenant.id, manager.id],
    )
    return row?.ago ?? -1
  }
  const boot = () => manager.caller.get(`${v1}/boot`)
  assert.deepEqual((await boot()).body.data.session, { idleMinutes: 720, warningSeconds: 120 })
  await idle(719)
  const byItself = await manager.caller.send('GET', `${v1}/boot`, undefined, { 'x-by-itself': '1' })
  assert.equal(byItself.status, 200)
  assert.ok((await seen()) >= 719 * 60)
  assert.equal((await boot()).status, 200)
  await until(async () => (await seen()) <= 60, 'a session that was seen')
  await idle(726)
  const ended = await boot()
  assert.deepEqual([ended.status, ended.body.code], [401, 'authentication_required'])
  const resource = await manager.caller.get('/api/method/frappe.auth.get_logged_user')
  assert.deepEqual([resource.status, resource.body.session_expired], [403, 1])
  // Families stay as long as they did.
  assert.equal((await guardian.caller.get('/api/method/frappe.auth.get_logged_user')).status, 200)
  await service.database.inspect('insert into session_settings (tenant_id, idle_minutes) values ($1, 30)', [tenant.id])
  await idle(25)
  assert.equal((await boot()).body.data.session.idleMinutes, 30)
  await until(async () => (await seen()) <= 60, 'a session that was seen')
  await idle(32)
  assert.equal((await boot()).status, 401)
})
