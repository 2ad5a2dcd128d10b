import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const manager = await aPerson(service, tenant)
const registrar = await aPerson(service, tenant, ['Academics User'])
const colleague = await aPerson(service, tenant, ['Academics User'])
const bursar = await aPerson(service, tenant, ['Accounts User'])
const path = '/console/v1/saved-views'

type Person = typeof manager
const save = ({ caller }: Person, body: object) =>
  caller.send(
    'POST',
    path,
    { list: 'Student', settings: { columns: ['name'] }, ...body },
    { 'idempotency-key': randomUUID() },
  )
const titles = async ({ caller }: Person, query = '') =>
  (await caller.get(path + query)).body.data.map(({ title }: { title: string }) => title)

test('a view is seen by whom it is for: the one who made it, everybody with a role, all of the staff', async () => {
  const mine = await save(registrar, { title: 'A mine' })
  assert.deepEqual([mine.status, mine.body.data.audience, mine.body.data.mayChange], [201, 'mine', true])
  assert.equal((await save(registrar, { title: 'B role', audience: 'role', role: 'Academics User' })).status, 201)
  assert.equal((await save(manager, { title: 'C all', audience: 'everybody', list: 'Fees' })).status, 201)
  assert.deepEqual(await titles(registrar), ['C all', 'A mine', 'B role'])
  assert.deepEqual(await titles(registrar, '?list=Student'), ['A mine', 'B role'])
  assert.deepEqual(await titles(colleague), ['C all', 'B role'])
  assert.deepEqual(await titles(bursar), ['C all'])
  const theirs = await service.tenant()
  assert.deepEqual(await titles(await aPerson(service, theirs)), [])
})

test('a view is shared with a role by somebody who has it, and with everybody by a manager', async () => {
  for (const body of [
    { audience: 'everybody' },
    { audience: 'role', role: 'Accounts User' },
    // Everybody of the staff has these besides what was given.
    { audience: 'role', role: 'All' },
    { audience: 'role', role: 'Desk User' },
    { audience: 'role', role: 'Guest' },
  ]) {
    const rejected = await save(registrar, { title: 'X', ...body })
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_role'])
  }
  for (const body of [
    { audience: 'role' },
    { audience: 'mine', role: 'Academics User' },
    { settings: { x: 'x'.repeat(20_000) } },
  ]) {
    const rejected = await save(registrar, { title: 'X', ...body })
    assert.deepEqual(
      [rejected.status, rejected.body.code],
      [400, 'validation_failed'],
      JSON.stringify(body).slice(0, 60),
    )
  }
})

test('who made a view changes and removes it, in its version, and the audit tells; others do not, and do not see what is not theirs', async () => {
  const made = await save(registrar, { title: 'Mine' })
  const { id } = made.body.data
  const etag = made.headers.get('etag') as string
  const changed = await registrar.caller.send('PATCH', `${path}/${id}`, { title: 'Renamed' }, { 'if-match': etag })
  assert.deepEqual([changed.status, changed.body.data.title], [200, 'Renamed'])
  const stale = await registrar.caller.send('PATCH', `${path}/${id}`, { title: 'Old' }, { 'if-match': etag })
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
  assert.equal((await colleague.caller.send('PATCH', `${path}/${id}`, { title: 'Theirs' })).status, 404)
  const shared = await save(registrar, { title: 'Shared', audience: 'role', role: 'Academics User' })
  const denied = await colleague.caller.send('DELETE', `${path}/${shared.body.data.id}`)
  assert.deepEqual([denied.status, denied.body.code], [403, 'insufficient_role'])
  assert.equal((await registrar.caller.send('DELETE', `${path}/${id}`)).status, 204)
  const rows = await service.database.inspect<{ action: string }>(
    `select action from audit_entries where tenant_id = $1 and entity_id = $2 order by id`,
    [tenant.id, id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['saved_view.created', 'saved_view.updated', 'saved_view.deleted'],
  )
})

test('preferences are each person’s own, merged by what is sent, and bounded', async () => {
  const preferences = '/console/v1/preferences'
  assert.deepEqual((await registrar.caller.get(preferences)).body.data, {
    language: null,
    theme: 'system',
    density: 'comfortable',
    singleKeys: true,
    settings: {},
  })
  const patch = (body: object) => registrar.caller.send('PATCH', preferences, body)
  assert.equal((await patch({ theme: 'dark', settings: { a: 1, b: { c: 2 } } })).status, 200)
  const merged = await patch({ language: 'pt', settings: { a: null, b: { d: 3 } } })
  assert.deepEqual(merged.body.data, {
    language: 'pt',
    theme: 'dark',
    density: 'comfortable',
    singleKeys: true,
    settings: { b: { c: 2, d: 3 } },
  })
  assert.deepEqual((await registrar.caller.get(preferences)).body, merged.body)
  const boot = (await registrar.caller.get('/console/v1/boot')).body.data
  assert.deepEqual([boot.preferences, boot.user.language], [merged.body.data, 'pt'])
  assert.equal((await colleague.caller.get(preferences)).body.data.theme, 'system')
  // Two first changes at once are both kept.
  const first = (settings: object) => bursar.caller.send('PATCH', preferences, { settings })
  await Promise.all([first({ one: 1 }), first({ two: 2 }), first({ three: 3 })])
  assert.deepEqual((await bursar.caller.get(preferences)).body.data.settings, { one: 1, three: 3, two: 2 })
  const large = await patch({ settings: { x: 'x'.repeat(40_000) } })
  assert.deepEqual([large.status, large.body.code], [422, 'rule_violated'])
  assert.equal((await patch({ theme: 'pink' })).body.code, 'validation_failed')
})
