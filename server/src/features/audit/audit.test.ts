import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditOperations } from '@matricula/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { sql } from '../../database/index.ts'
import { addContractFormats } from '../../http/operations/formats.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aDocument, aPayment, aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { auditStatement } from './audit-entries.ts'

const service = await startTestService({ trustedProxies: '127.0.0.1' })
const { json: matricula, run } = await loadCommandLine(service)
const ajv = new Ajv2020({ strict: false, allErrors: true })
addContractFormats(ajv)
const isEntry = ajv.compile(auditOperations.listAuditEntries.record)

interface Entry {
  id: string
  action: string
  entityType: string
  entityId: string | null
  externalId: string | null
  actor: { type: string; id: string | null; name: string }
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  changed: string[]
  requestId: string | null
  address: string | null
}

async function loadEntries(api: Caller, query = ''): Promise<Entry[]> {
  const { status, body, text } = await api.get(`/audit?limit=100${query}`)
  assert.equal(status, 200, text)
  for (const entry of body.data) assert.ok(isEntry(entry), JSON.stringify(isEntry.errors))
  return body.data
}

const getActions = (entries: readonly Entry[]) => entries.map(({ action }) => action)

test('the audit lists what was done, newest first, with before and after, who, when and from where', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const student = await aStudent(api, { externalId: 'S-1', city: 'Lima' })
  const changed = await api.patch(`/students/${student.id}`, { city: 'Quito' })
  const [latest, first, ...rest] = await loadEntries(api, `&entityId=${student.id}`)
  assert.deepEqual(rest, [])
  assert.deepEqual([latest?.action, first?.action], ['student.updated', 'student.created'])
  assert.deepEqual([latest?.before?.city, latest?.after?.city, latest?.changed], ['Lima', 'Quito', ['city']])
  assert.deepEqual([first?.before, latest?.externalId, latest?.address], [null, 'S-1', '127.0.0.1'])
  assert.equal(latest?.requestId, changed.headers.get('request-id'))
  assert.deepEqual([latest?.actor.type, latest?.actor.name], ['api_key', 'everything'])
})

test('filters choose by record, key, action, actor and time, alone and together', async () => {
  const tenant = await service.tenant()
  const { api, id: other } = await tenant.token()
  const student = await aStudent(tenant.api, { externalId: 'S-2' })
  await api.patch(`/students/${student.id}`, { city: 'Lima' })
  const payment = await aPayment(tenant.api, { studentId: student.id })
  const actions = async (query: string) => getActions(await loadEntries(tenant.api, query))
  assert.deepEqual(await actions('&externalId=S-2'), ['student.updated', 'student.created'])
  assert.deepEqual(await actions(`&actorId=${other}&entityType=student`), ['student.updated'])
  assert.deepEqual(await actions('&entityType=payment'), ['payment.created'])
  assert.deepEqual(await actions(`&entityId=${payment.id}&action=student.created`), [])
  assert.deepEqual(await actions('&action=student.created'), ['student.created'])
  const [entry] = await loadEntries(tenant.api, `&entityId=${payment.id}`)
  const stamp = (entry as unknown as { occurredAt: string }).occurredAt
  assert.deepEqual(await actions(`&since=${stamp}&entityType=payment`), ['payment.created'])
  assert.deepEqual(await actions(`&until=${stamp}&entityType=payment`), [])
  assert.deepEqual(await actions('&since=9999-12-31'), [])
  assert.deepEqual(await actions('&until=0001-01-01'), [])
})

test('a walk by cursor gives every entry once and ends, whatever is done meanwhile, and tells no total', async () => {
  const { api } = await service.tenant()
  for (let count = 0; count < 5; count += 1) await aStudent(api)
  const all = await loadEntries(api)
  const walked: string[] = []
  let cursor: string | null = '*'
  let pages = 0
  while (cursor !== null) {
    const { body, headers } = await api.get(`/audit?limit=2&cursor=${cursor}`)
    walked.push(...body.data.map(({ id }: Entry) => id))
    pages += 1
    assert.deepEqual(body.pagination, { page: pages, limit: 2 })
    cursor = headers.get('next-cursor')
    assert.equal(headers.get('link')?.includes(`cursor=${cursor}`) ?? false, cursor !== null)
    await aStudent(api)
  }
  assert.deepEqual(
    walked,
    all.map(({ id }) => id),
  )
})

test('cursors that are none, unknown parameters and values that no entry can have are faults', async () => {
  const { api } = await service.tenant()
  for (const query of [
    'cursor=x',
    'cursor=',
    'cursor=MSAx',
    'page=1',
    'limit=0',
    'limit=101',
    'entityId=x',
    'actorId=x',
    'since=soon',
    'until=2026-02-30',
    'externalId=',
  ]) {
    const { status, body } = await api.get(`/audit?${query}`)
    assert.deepEqual([status, body.code], [400, 'validation_failed'], query)
  }
})

test('a tenant sees nothing of another tenant’s audit', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const student = await aStudent(theirs.api, { externalId: 'S-3' })
  assert.deepEqual(await loadEntries(ours.api, `&entityId=${student.id}`), [])
  assert.deepEqual(await loadEntries(ours.api, '&externalId=S-3'), [])
  const [foreign] = await loadEntries(theirs.api, `&entityId=${student.id}`)
  const cursor = Buffer.from(`1 ${foreign?.id}`).toString('base64url')
  assert.ok((await loadEntries(ours.api, `&cursor=${cursor}`)).every(({ entityId }) => entityId !== student.id))
})

test('a write that is refused because of its domain is in the audit with its record and its reason', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api)
  const { id, api } = await tenant.token({ masterDomains: [] })
  assert.equal((await api.patch(`/students/${student.id}`, { city: 'Lima' })).body.code, 'domain_not_granted')
  await tenant.change({ systemOfRecord: { payments: 'platform' } })
  const payments = await tenant.token()
  const rejected = await payments.api.put('/payments/external/P%201', { amount: 1 })
  assert.equal(rejected.body.code, 'system_of_record_elsewhere')
  const [second, first, ...rest] = await loadEntries(tenant.api, '&action=write.refused')
  assert.deepEqual(rest, [])
  assert.deepEqual(
    [first?.entityType, first?.entityId, first?.actor.id, first?.after, first?.changed],
    [
      'student',
      student.id,
      id,
      { operation: 'updateStudent', code: 'domain_not_granted', domain: 'students', masterDomains: [] },
      [],
    ],
  )
  assert.deepEqual(
    [second?.entityType, second?.externalId, second?.after?.systemOfRecord, second?.requestId],
    ['payment', 'P 1', 'platform', rejected.headers.get('request-id')],
  )
})

test('a download of a document is in the audit', async () => {
  const { api } = await service.tenant()
  const document = await aDocument(service, api)
  await api.get(`/vault/documents/${document.id}/download`)
  const [entry] = await loadEntries(api, `&entityId=${document.id}&action=vault_document.downloaded`)
  assert.deepEqual([entry?.after?.versionId, entry?.changed], [document.currentVersion?.id, []])
})

test('log-ins and those that failed are in the audit, of somebody who does not exist too, and nothing of what was typed', async () => {
  const tenant = await service.tenant()
  const user = await aUser(service, tenant)
  const pageClient = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const logIn = (usr: string, pwd: string) => pageClient.post('/api/method/login', { usr, pwd })
  assert.equal((await logIn(user.email, 'wrong-password-1')).status, 401)
  assert.equal((await logIn('secret-typed-as-name', 'wrong-password-2')).status, 401)
  assert.equal((await logIn(user.email, user.password)).status, 200)
  const [success] = await loadEntries(tenant.api, '&action=user.logged_in')
  const [unknown, wrong, ...rest] = await loadEntries(tenant.api, '&action=user.log_in_failed')
  assert.deepEqual(rest, [])
  assert.deepEqual([success?.entityId, success?.actor.id], [user.id, user.id])
  assert.deepEqual(
    [wrong?.entityId, wrong?.after, wrong?.address],
    [user.id, { reason: 'wrong_password' }, '127.0.0.1'],
  )
  assert.deepEqual([unknown?.entityId, unknown?.after], [null, { reason: 'unknown_user' }])
  const everything = JSON.stringify(await loadEntries(tenant.api))
  assert.ok(!/wrong-password|secret-typed|a password of this test/.test(everything))
})

test('the first use of a key from an address is in the audit, once, over several processes too', async () => {
  const tenant = await service.tenant()
  const { id, secret, api } = await tenant.token()
  const from = (address: string, base = service.address) =>
    fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': address } })
  const other = await service.beside()
  await Promise.all([api.get('/me'), from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.1', other)])
  await from('192.0.2.1')
  await from('2001:db8::1')
  await from('2001:db8::2')
  const entries = await loadEntries(tenant.api, `&entityId=${id}&action=api_key.used_from_new_address`)
  assert.deepEqual(entries.map(({ after }) => after?.address).sort(), ['127.0.0.1', '192.0.2.1', '2001:db8:0:0'])
  assert.ok(entries.every(({ actor }) => actor.id === id))
})

test('every command on a tenant is in its audit by its name, without the values that it was given', async () => {
  const slug = `school-${randomUUID().slice(0, 8)}`
  await matricula(['tenant', 'create', '--slug', slug, '--name', 'Hillside'])
  await matricula(['tenant', 'update', slug, '--name', 'Hillside College'])
  const made = await matricula(['token', 'create', '--tenant', slug, '--name', 'ERP', '--scopes', 'all,extensions'])
  await matricula(['token', 'list', '--tenant', slug])
  await matricula(['token', 'rotate', made.apiKey.id])
  const entries = await loadEntries(new Caller(service.address, made.token))
  const byOperator = entries.filter(({ actor }) => actor.type === 'operator')
  assert.deepEqual(
    byOperator.map(({ action, after }) => (action === 'command.run' ? after?.command : action)).reverse(),
    [
      'tenant.created',
      'tenant update',
      'tenant.updated',
      'token create',
      'api_key.created',
      'token list',
      'token rotate',
      'api_key.rotated',
    ],
  )
  const changed = byOperator.find(({ action }) => action === 'tenant.updated')
  assert.deepEqual(
    [changed?.before?.name, changed?.after?.name, changed?.changed],
    ['Hillside', 'Hillside College', ['name']],
  )
  const { entries: listed } = await matricula(['audit', '--tenant', slug, '--since', '2020-01-01'])
  // Reading the audit adds nothing to it.
  assert.deepEqual(
    listed.map(({ id }: Entry) => id),
    entries.map(({ id }) => id),
  )
  const { stdout } = await run(['audit', '--tenant', slug])
  assert.match(stdout, /command\.run +matricula token create --tenant --name --scopes --json {2}command line\n/)
  const { entries: ofKey } = await matricula(['audit', '--tenant', slug, '--record', made.apiKey.id])
  assert.ok(ofKey.length > 1 && ofKey.every(({ entityId }: Entry) => entityId === made.apiKey.id))
})

test('the audit of a record is found by its key in another system, also where that looks like an id', async () => {
  const tenant = await service.tenant()
  const key = randomUUID()
  await aStudent(tenant.api, { externalId: key })
  const { entries } = await matricula(['audit', '--tenant', tenant.slug, '--record', key])
  assert.deepEqual(
    entries.map(({ action }: Entry) => action),
    ['student.created'],
  )
})

test('the service may add entries and read them, and neither change nor remove any', async () => {
  const tenant = await service.tenant()
  for (const statement of [
    sql`update audit_entries set action = 'none' where tenant_id = ${tenant.id}`,
    sql`delete from audit_entries where tenant_id = ${tenant.id}`,
    sql`truncate audit_entries`,
    sql`insert into audit_entries select * from audit_entries where tenant_id = ${tenant.id}
        on conflict on constraint audit_entries_pkey do update set action = 'none'`,
  ]) {
    const attempt = service.data.transaction(tenant.id, (tx) => tx.query(statement))
    await assert.rejects(
      attempt,
      /permission denied for table audit_entries|"audit_entries" is not a table|constraint "audit_entries_pkey"/,
    )
  }
})

test('the history of a record is found by an index among many entries, as are those of a key and of an actor', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { externalId: 'S-4' })
  await service.database.inspect(
    `insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id, actor_type, actor_id, actor_name)
     select $1, gen_random_uuid(), now(), 'student.updated', 'student', gen_random_uuid(), 'E-' || n, 'api_key', gen_random_uuid(), 'test'
       from generate_series(1, 50000) n`,
    [tenant.id],
  )
  await service.database.inspect('analyze audit_entries')
  for (const query of [
    { entityId: student.id },
    { externalId: 'S-4' },
    { actorId: randomUUID() },
    { entityId: student.id, since: '2020-01-01T00:00:00.000Z' },
  ]) {
    const statement = auditStatement(tenant.id, query, null, 20)
    const rows = await service.database.inspect<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers) ${statement.text}`,
      [...statement.values],
    )
    // Planning reads the catalogue, more of it where the session is a new one.
    const [plan] = rows
      .map((row) => row['QUERY PLAN'])
      .join('\n')
      .split('\nPlanning:') as [string]
    const pages = [...plan.matchAll(/shared (?:hit=(\d+))?(?: ?read=(\d+))?/g)].map(
      ([, hit, read]) => Number(hit ?? 0) + Number(read ?? 0),
    )
    assert.ok(pages.length > 0 && Math.max(...pages) < 100, plan)
  }
})
