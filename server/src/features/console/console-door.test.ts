import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Boot, consoleApi, type Operation, roleScopes, sharedOperations } from '@matricula/contract'
import type { Right } from '@matricula/contract/record-types'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { recordRegistry } from '../../app/record-definitions.ts'
import { addContractFormats } from '../../http/operations/formats.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { aDocument, anApplication, aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const v1 = '/console/v1'
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const ada = (externalId: string = randomUUID()) => ({ fullName: 'Ada Byron', externalId })

test('somebody who is logged in writes and reads by the operations of the Client API, on the same records, as that user', async () => {
  const { id: userId, email, caller } = await aPerson(service, tenant, ['Academics User'])
  const created = await caller.send('POST', `${v1}/students`, ada('sis-1'), keyed('k'))
  assert.equal(created.status, 201)
  const { id } = created.body.data
  assert.equal(created.headers.get('location'), `/t/${tenant.slug}/console/v1/students/${id}`)
  const [audit] = await service.database.inspect(
    'select action, actor_type, actor_id, actor_name from audit_entries where tenant_id = $1 and entity_id = $2',
    [tenant.id, id],
  )
  assert.deepEqual(audit, { action: 'student.created', actor_type: 'user', actor_id: userId, actor_name: email })
  const [event] = await service.database.inspect(
    'select type, actor_type, actor_id from events where tenant_id = $1 and entity_id = $2',
    [tenant.id, id],
  )
  assert.deepEqual(event, { type: 'student.created', actor_type: 'user', actor_id: userId })
  assert.deepEqual((await tenant.api.get(`/students/${id}`)).body, created.body)
  const etag = created.headers.get('etag') as string
  const stale = await caller.send('PATCH', `${v1}/students/${id}`, { fullName: 'A' }, { 'if-match': '"0"' })
  assert.deepEqual([stale.status, stale.body.code, stale.headers.get('etag')], [412, 'precondition_failed', etag])
  assert.equal(stale.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  const again = await caller.send('POST', `${v1}/students`, ada('sis-1'), keyed('k'))
  assert.deepEqual([again.status, again.body], [201, created.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  // The same key of another person is another key.
  const other = await aPerson(service, tenant, ['Academics User'])
  const taken = await other.caller.send('POST', `${v1}/students`, ada('sis-1'), keyed('k'))
  assert.deepEqual([taken.status, taken.body.code], [409, 'external_id_taken'])
  assert.equal(taken.headers.get('x-ratelimit-limit'), '600')
})

test('no token opens the door of people, and no cookie that of integrations; a write needs the token of the session', async () => {
  const { caller } = await aPerson(service, tenant)
  const { secret } = await tenant.token()
  const pageClient = new RecordCaller(caller.address)
  for (const authorization of [`Bearer ${secret}`, `token x:${secret}`]) {
    for (const each of [pageClient, caller]) {
      const rejected = await each.send('GET', `${v1}/students`, undefined, { authorization })
      assert.deepEqual([rejected.status, rejected.body.code], [401, 'authentication_required'])
    }
  }
  assert.equal((await pageClient.get(`${v1}/boot`)).status, 401)
  const byCookie = await new Caller(service.address, null).get('/students', { cookie: await loadCookie(caller) })
  assert.deepEqual([byCookie.status, byCookie.body.code], [401, 'authentication_required'])
  for (const token of ['', 'guessed']) {
    const forged = await caller.send('POST', `${v1}/students`, ada('forged'), {
      ...keyed(),
      'x-frappe-csrf-token': token,
    })
    assert.deepEqual([forged.status, forged.body.code], [403, 'csrf_token_invalid'])
  }
  const marks: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://other.example' },
    { origin: 'null' },
  ]
  for (const headers of marks) {
    const forged = await caller.with(headers).post(`${v1}/students`, ada('forged'))
    assert.deepEqual([headers, forged.status, forged.body.code], [headers, 403, 'csrf_token_invalid'])
    assert.equal((await caller.with(headers).get(`${v1}/boot`)).status, 200)
  }
  const found = await service.database.inspect("select 1 from students where external_id = 'forged'")
  assert.equal(found.length, 0)
})

test('an institution is found by its slug or by its host; a session opens its own alone, and no other’s record is seen', async () => {
  const { caller } = await aPerson(service, tenant)
  const theirs = await service.tenant()
  const student = await aStudent(theirs.api)
  const headers = { cookie: await loadCookie(caller) }
  const elsewhere = new RecordCaller(`${service.address}/t/${theirs.slug}`, headers)
  assert.equal((await elsewhere.get(`${v1}/students`)).status, 401)
  const foreign = await caller.get(`${v1}/students/${student.id}`)
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'resource_not_found'])
  const nowhere = await new RecordCaller(`${service.address}/t/nowhere`, headers).get(`${v1}/boot`)
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'route_not_found'])
  const nobodys = await new RecordCaller(service.address, headers).get(`${v1}/boot`)
  assert.deepEqual([nobodys.status, nobodys.body.code], [404, 'route_not_found'])
  await tenant.change({ host: 'school.example' })
  const byHost = await service.app.inject({ url: `${v1}/boot`, headers: { ...headers, host: 'school.example' } })
  assert.deepEqual([byHost.statusCode, byHost.json().data.tenant.id], [200, tenant.id])
  const unknown = await caller.get(`${v1}/pupils`)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'route_not_found'])
  const wrong = await caller.send('DELETE', `${v1}/students`)
  assert.deepEqual([wrong.status, wrong.body.code], [405, 'method_not_allowed'])
  // What tells of a token is for tokens.
  assert.equal((await caller.get(`${v1}/me`)).body.code, 'route_not_found')
})

const allRoles = Object.keys(roleScopes)
const operations = Object.values<Operation>({ ...sharedOperations, ...consoleApi })

test('a role opens at the door of people exactly the operations that the tables give it, and nothing of another institution', async () => {
  const theirs = await service.tenant()
  const student = await aStudent(theirs.api, { fullName: 'Somebody Else' })
  for (const role of allRoles) {
    const { caller } = await aPerson(service, tenant, [role])
    const isStaff = role !== 'Student' && role !== 'Guardian'
    for (const { method, path, scope, roles = [], shape } of operations) {
      const byRole = roles.length === 0 || [...roles, 'System Manager'].includes(role)
      const byScope = scope === null || roleScopes[role]?.includes(scope) === true
      const isOpen = isStaff && byRole && byScope
      // A feed that is open would be waited for.
      if (isOpen && shape === 'feed') continue
      const address = path.replace(/\{id\}/g, student.id).replace(/\{\w+\}/g, randomUUID())
      const response = await caller.send(method, v1 + address, method === 'GET' ? undefined : '', keyed())
      const code = isStaff && byRole ? 'insufficient_scope' : 'insufficient_role'
      const isRefused = response.status === 403 && response.body.code === code
      assert.equal(isRefused, !isOpen, `${role} ${method} ${path}: ${response.status} ${response.text}`)
      assert.ok(!response.text.includes(student.fullName), `${role} ${method} ${path}`)
      if (isOpen && method === 'GET' && path.includes('{id}')) assert.equal(response.status, 404, `${role} ${path}`)
    }
  }
})

test('a role may do with every record type just what its declaration says, and boot tells the same', async () => {
  const theirs = await service.tenant()
  const { studentCode } = await aStudent(theirs.api, { studentCode: 'THEIRS-1' })
  const definitions = recordRegistry.all()
  for (const role of allRoles) {
    const { caller } = await aPerson(service, tenant, [role])
    const isStaff = role !== 'Student' && role !== 'Guardian'
    const held = [role, 'All', 'Guest', ...(isStaff ? ['Desk User'] : [])]
    const reported = isStaff ? (await caller.get(`${v1}/boot`)).body.data.rights : null
    for (const { type, isWrittenByService, seenBy } of definitions) {
      const { name, kind, permissions } = type
      const has = (right: Right) => {
        if (role !== 'System Manager') return held.some((each) => permissions[each]?.includes(right))
        return kind === 'submittable' || !['submit', 'cancel', 'amend'].includes(right)
      }
      const expected = everyRight.filter(has).filter((right) => right === 'read' || !isWrittenByService)
      if (reported !== null) {
        const found = reported.find((each: { type: string }) => each.type === name)
        assert.deepEqual(found?.rights ?? [], expected, `${role} ${name}`)
      }
      const path = `/api/resource/${encodeURIComponent(name)}`
      const { status } = await caller.get(`${path}?limit_page_length=1`)
      assert.equal(status, has('read') ? 200 : 403, `${role} reads ${name}`)
      const count = await caller.get(`/api/v2/doctype/${encodeURIComponent(name)}/count`)
      assert.equal(count.status, has('read') ? 200 : 403, `${role} counts ${name}`)
      if (isWrittenByService || kind === 'single') continue
      const made = await caller.post(path, { name: studentCode, [String(Object.keys(type.fields)[0])]: ['no value'] })
      assert.equal(made.status === 403, !has('create'), `${role} makes ${name}: ${made.status} ${made.text}`)
      // Whom a record of that name would be about is told to nobody: who does something with some records alone is refused.
      const removed = await caller.delete(`${path}/${randomUUID()}`)
      const isBound =
        (role === 'Instructor' && type.reachedBy !== undefined) || (role !== 'System Manager' && seenBy !== null)
      assert.equal(removed.status, has('delete') && !isBound ? 404 : 403, `${role} deletes ${name}: ${removed.text}`)
    }
    const foreign = await caller.get(`/api/resource/Student/${studentCode}`)
    const others: Readonly<Record<string, number>> = { Student: 403, Guardian: 403, Instructor: 403 }
    const readable =
      recordRegistry.require('Student').type.permissions[role]?.includes('read') || role === 'System Manager'
    assert.equal(
      foreign.status,
      readable ? (others[role] ?? 404) : 403,
      `${role} reads a student of another institution`,
    )
  }
})

const everyRight: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']

test('boot tells who is there, what such a one may do, who owns what, the current year, and what waits', async () => {
  const ajv = new Ajv2020({ strict: false })
  addContractFormats(ajv)
  const school = await service.tenant({ systemOfRecord: { students: 'integration', payments: 'platform' } })
  const { api } = await school.token({ name: 'District SIS', masterDomains: ['students'] })
  await anApplication(school.api)
  await aDocument(service, api, { entityType: 'student', entityId: (await aStudent(api)).id })
  const { caller, email } = await aPerson(service, school, ['Admissions Officer'])
  const { status, body } = await caller.get(`${v1}/boot`)
  assert.equal(status, 200)
  assert.ok(ajv.validate(Boot, body.data), ajv.errorsText())
  const { user, tenant: institution, rights, scopes, systemOfRecord, badges } = body.data
  assert.deepEqual([user.name, user.roles, institution.slug], [email, ['Admissions Officer'], school.slug])
  assert.deepEqual(scopes, [...(roleScopes['Admissions Officer'] ?? [])].sort())
  assert.deepEqual(systemOfRecord.payments, { value: 'platform', owner: null })
  assert.deepEqual(systemOfRecord.students, { value: 'integration', owner: 'District SIS, everything' })
  assert.deepEqual(badges, { documentsToReview: 1, openApplications: 1, openRequests: 0 })
  assert.ok(!rights.some(({ type }: { type: string }) => type === 'Fees'))
  const rejected = await caller.send('POST', `${v1}/students`, ada(), keyed())
  assert.equal(rejected.body.code, 'insufficient_scope')

  const manager = (await aPerson(service, school)).caller
  const rightsOf = new Map<string, string[]>(
    (await manager.get(`${v1}/boot`)).body.data.rights.map((each: { type: string; rights: string[] }) => [
      each.type,
      each.rights,
    ]),
  )
  assert.deepEqual(rightsOf.get('Fees'), ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'])
  assert.deepEqual(rightsOf.get('Room'), ['read', 'write', 'create', 'delete'])
  const owned = await manager.send('POST', `${v1}/students`, ada(), keyed())
  assert.deepEqual(
    [owned.status, owned.body.code, owned.body.owner],
    [403, 'system_of_record_elsewhere', 'District SIS, everything'],
  )
  assert.match(owned.body.detail, /owned by District SIS/)
  const [trace] = await service.database.inspect(
    "select actor_type from audit_entries where tenant_id = $1 and action = 'write.refused'",
    [school.id],
  )
  assert.deepEqual(trace, { actor_type: 'user' })

  // Programs are let in by a module that people do not need; what an institution has switched off is off for them as well.
  const bare = await service.tenant({ modules: ['staff_students', 'staff_vault'] })
  const { caller: alone } = await aPerson(service, bare)
  const shown = (await alone.get(`${v1}/boot`)).body.data.badges
  assert.deepEqual(shown, { documentsToReview: 0, openApplications: null, openRequests: 0 })
  assert.equal((await alone.get(`${v1}/students`)).status, 200)
  const off = await alone.get(`${v1}/payments`)
  assert.deepEqual([off.body.code, off.body.missingModules], ['module_not_enabled', ['staff_payments']])
  const timeline = await alone.get(`${v1}/timeline?kind=payment&id=${randomUUID()}`)
  assert.deepEqual([timeline.status, timeline.body.code], [403, 'module_not_enabled'])

  const { caller: student } = await aPerson(service, school, ['Student'])
  const outside = await student.get(`${v1}/boot`)
  assert.deepEqual([outside.status, outside.body.code], [403, 'insufficient_role'])
})

/** The cookie that a person calls with. */
async function loadCookie(caller: RecordCaller): Promise<string> {
  const response = await caller.get('/api/method/frappe.auth.get_logged_user')
  return `sid=${response.cookies.get('sid')?.value}`
}
