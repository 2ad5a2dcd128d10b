import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { aCatalogue, anApplication, aPerson } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const example = fileURLToPath(new URL('../../../../docs/examples/institution.yaml', import.meta.url))

interface Change {
  readonly action: string
  readonly kind: string
  readonly key: string
  readonly changes: readonly object[]
}

async function anAdministrator(tenant: TestTenant, roles: readonly string[] = ['System Manager']) {
  const { caller } = await aPerson(service, tenant, roles)
  const post = (what: string, configuration: object, headers: Record<string, string> = {}) =>
    caller.with(headers).post(`/console/v1/settings/${what}`, { configuration })
  return {
    read: () => caller.get('/console/v1/settings'),
    plan: (configuration: object) => post('plan', configuration),
    apply: (configuration: object, headers?: Record<string, string>) => post('apply', configuration, headers),
  }
}

const lines = (plan: readonly Change[]) => plan.map(({ action, kind, key }) => `${action} ${kind} ${key}`)
const waiting = { pipelineStatuses: [{ key: 'waiting_list', label: 'Waiting list', category: 'open' }] }

test('the settings that are read, applied again, change nothing, whatever a file has set before', async () => {
  const tenant = await service.tenant()
  await aCatalogue(service, tenant)
  const administrator = await anAdministrator(tenant)
  const file = parse(await readFile(example, 'utf8'))
  const first = await administrator.apply(file)
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.data.applied, true)
  const { body } = await administrator.read()
  assert.ok(body.data.configuration.formTemplates.length > 0)
  assert.equal(JSON.stringify(body.data).includes('clientSecret'), false)
  const again = await administrator.plan(body.data.configuration)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual(again.body.data, { plan: [], errors: [], applied: false })
})

test('a plan shows each change before anything is written; applying it writes audit under the name of the person', async () => {
  const tenant = await service.tenant()
  const administrator = await anAdministrator(tenant)
  const planned = await administrator.plan({
    ...waiting,
    roles: [{ role: 'Accounts User', takenScopes: ['payments:write'] }],
  })
  assert.deepEqual(lines(planned.body.data.plan), [
    'create pipelineStatuses waiting_list',
    'change roles Accounts User',
  ])
  assert.deepEqual(planned.body.data.plan[1].changes, [{ path: 'takenScopes', before: [], after: ['payments:write'] }])
  const keys = async () =>
    (await tenant.api.get('/admissions/pipeline/statuses')).body.data.map(({ key }: { key: string }) => key)
  assert.equal((await keys()).includes('waiting_list'), false)
  const applied = await administrator.apply(waiting, { 'if-match': planned.headers.get('etag') as string })
  assert.equal(applied.status, 200, applied.text)
  assert.equal((await keys()).includes('waiting_list'), true)
  const trail = await service.database.inspect<{ actor_type: string }>(
    `select actor_type from audit_entries where tenant_id = $1 and action = 'admission_pipeline_status.created'`,
    [tenant.id],
  )
  assert.deepEqual(trail, [{ actor_type: 'user' }])
})

test('settings that somebody else changed since the plan are not overwritten; of two at once one is refused', async () => {
  const tenant = await service.tenant()
  const administrator = await anAdministrator(tenant)
  const tag = (await administrator.read()).headers.get('etag') as string
  const label = (text: string) => ({ pipelineStatuses: [{ key: 'new', label: text }] })
  const both = await Promise.all(['One', 'Other'].map((text) => administrator.apply(label(text), { 'if-match': tag })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  const late = await administrator.apply(label('Late'), { 'if-match': tag })
  assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'])
})

test('what cannot be applied is told at its place, and nothing of the rest is applied', async () => {
  const tenant = await service.tenant()
  const administrator = await anAdministrator(tenant)
  await anApplication(tenant.api, { fullName: 'Tyrone Dyer', status: 'interview' })
  const faulty = { ...waiting, roles: [{ role: 'System Manager', takenScopes: ['payments:write'] }] }
  const planned = await administrator.plan(faulty)
  assert.deepEqual(
    planned.body.data.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['#/roles/0/role'],
  )
  const applied = await administrator.apply(faulty)
  assert.deepEqual([applied.status, applied.body.code], [400, 'validation_failed'])
  assert.equal(applied.body.errors[0].pointer, '#/configuration/roles/0/role')
  const inUse = await administrator.plan({ pipelineStatuses: [{ key: 'interview', isActive: false }] })
  assert.match(inUse.body.data.errors[0].detail, /1 applications are in interview/)
  const unknown = await administrator.plan({ pipelineStages: [] })
  assert.equal(unknown.status, 400, unknown.text)
  const statuses = (await tenant.api.get('/admissions/pipeline/statuses')).body.data
  assert.equal(
    statuses.some(({ key }: { key: string }) => key === 'waiting_list'),
    false,
  )
})

test('nobody but a System Manager reads, plans or applies settings', async () => {
  const tenant = await service.tenant()
  for (const role of ['Education Manager', 'Academics User', 'Accounts Manager', 'Instructor']) {
    const person = await anAdministrator(tenant, [role])
    const responses = [await person.read(), await person.plan(waiting), await person.apply(waiting)]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [403, 403, 403],
      role,
    )
  }
})
