import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeScopes, eventOperations, feedBounds } from '@matricula/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { addContractFormats } from '../../http/operations/formats.ts'
import type { ApiResponse, Caller } from '../../testing/fixtures/client.ts'
import { aPayment, aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const ajv = new Ajv2020({ strict: false, allErrors: true })
addContractFormats(ajv)
const isEvent = ajv.compile(eventOperations.listEvents.record)

interface Told {
  position: string
  id: string
  type: string
  entityId: string
}

/** Reads the whole feed from a position on. */
async function readOn(api: Caller, after: string | null, query = ''): Promise<{ events: Told[]; next: string }> {
  const events: Told[] = []
  for (let from = after; ; ) {
    const { status, body } = await api.get(`/events?limit=1000${query}${from === null ? '' : `&after=${from}`}`)
    assert.equal(status, 200, JSON.stringify(body))
    events.push(...body.data)
    from = body.next
    if (!body.hasMore) return { events, next: body.next }
  }
}

const getTypes = (events: readonly Told[]) => events.map(({ type }) => type)

function assertError({ status, body }: ApiResponse, name: string, code: string): void {
  assert.deepEqual(
    [status, body.code, body.errors[0].name, body.errors[0].code],
    [400, 'validation_failed', name, code],
  )
}

test('the feed tells every change of both surfaces once, in the order in which it was made, and goes on at next', async () => {
  const seededTenant = await seedTenant(service)
  const { api } = seededTenant.tenant
  const { next: start } = await readOn(api, null)
  const student = await aStudent(api, { externalId: 'S-1' })
  await api.patch(`/students/${student.id}`, { city: 'Lima', phone: '1' })
  const payment = await aPayment(api, { studentId: student.id })
  const first = await api.get(`/events?after=${start}&limit=2`)
  assert.deepEqual([getTypes(first.body.data), first.body.hasMore], [['student.created', 'student.updated'], true])
  const [created, updated] = first.body.data
  assert.ok(isEvent(created) && isEvent(updated), JSON.stringify(isEvent.errors))
  assert.deepEqual(
    [created.entityType, created.entityId, created.externalId, created.actor.type, created.actor.name],
    ['student', student.id, 'S-1', 'api_key', 'everything'],
  )
  assert.deepEqual([updated.changed.sort(), updated.position], [['city', 'phone'], first.body.next])
  const rest = await readOn(api, first.body.next)
  // The first payment of a student makes the account that owes it.
  assert.deepEqual(getTypes(rest.events), ['payment.created', 'billing_account.created'])
  assert.equal(rest.events[0]?.entityId, payment.id)
  const empty = await api.get(`/events?after=${rest.next}`)
  assert.deepEqual(empty.body, { data: [], next: rest.next, hasMore: false })
  const again = await readOn(api, start)
  assert.deepEqual(
    again.events.map(({ id }) => id),
    [created.id, updated.id, ...rest.events.map(({ id }) => id)],
  )
  await seededTenant.resourceClient.make('Student', { first_name: 'Grace' })
  assert.deepEqual(getTypes((await readOn(api, rest.next)).events), ['student.created'])
})

test('latest gives no events, but the position from which on new ones are read', async () => {
  const { api } = await service.tenant()
  await aStudent(api)
  const { body } = await api.get('/events?after=latest')
  assert.deepEqual([body.data, body.hasMore], [[], false])
  const student = await aStudent(api)
  const { events } = await readOn(api, body.next)
  assert.deepEqual(
    events.map(({ entityId }) => entityId),
    [student.id],
  )
})

test('events of resources that a token may not read are left out, and next moves past them', async () => {
  const tenant = await service.tenant()
  const reader = await tenant.token({ scopes: ['events:read', 'payments:read'] })
  const { next } = await readOn(reader.api, null)
  const payment = await aPayment(tenant.api)
  await aStudent(tenant.api)
  const { events, next: end } = await readOn(reader.api, next)
  assert.deepEqual(
    events.map(({ type, entityId }) => [type, entityId]),
    [['payment.created', payment.id]],
  )
  assert.ok(Number(end) > Number(events[0]?.position))
  assert.deepEqual((await readOn(reader.api, end)).events, [])
})

test('types chooses types, and all of a resource by a star', async () => {
  const { api } = await service.tenant()
  const { next } = await readOn(api, null)
  const payment = await aPayment(api)
  await api.patch(`/payments/${payment.id}`, { status: 'paid' })
  await api.patch(`/students/${payment.studentId}`, { city: 'Lima' })
  const chosen = async (types: string) => getTypes((await readOn(api, next, `&types=${types}`)).events)
  assert.deepEqual(await chosen('payment.*'), ['payment.created', 'payment.status_changed'])
  assert.deepEqual(await chosen('student.updated,payment.created'), ['payment.created', 'student.updated'])
  assert.deepEqual(await chosen('fee.*'), [])
})

test('a type that does not exist is a fault, one whose resource the token may not read needs its scope', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ scopes: ['events:read', 'payments:read'] })
  for (const types of [
    'payment.exploded',
    'payments.*',
    '*',
    'constructor',
    '__proto__',
    '',
    ',',
    'payment.created,',
  ]) {
    const rejected = await api.get(`/events?types=${types}`)
    assertError(rejected, 'types', types === '' ? 'too_short' : 'not_in_enum')
  }
  const many = Array.from({ length: feedBounds.types + 1 }, () => 'payment.created')
  assertError(await api.get(`/events?types=${many.join(',')}`), 'types', 'too_long')
  assert.equal((await api.get(`/events?types=${many.slice(1).join(',')}`)).status, 200)
  for (const types of ['student.created', 'payment.*,student.*']) {
    const { status, body } = await api.get(`/events?types=${types}`)
    assert.deepEqual(
      [status, body.code, body.requiredScope, body.grantedScopes],
      [403, 'insufficient_scope', 'students:read', ['events:read', 'payments:read']],
    )
  }
  assert.equal((await api.get('/events?types=payment.*')).status, 200)
})

test('accounts, roles, keys, endpoints and the institution are told of only with audit:read; next moves past them for others', async () => {
  const tenant = await service.tenant()
  const nouns = ['api_key', 'role', 'tenant', 'user', 'webhook']
  const { api: auditor } = await tenant.token({ scopes: ['events:read', 'audit:read'] })
  const { api: bursar } = await tenant.token({ scopes: ['events:read', 'payments:read'] })
  const { api: other } = await tenant.token({ scopes: ['events:read', 'payments:read', 'webhooks:read'] })
  const { next } = (await auditor.get('/events?after=latest')).body
  const user = await aUser(service, tenant)
  const { id } = await tenant.token()
  const seen = await readOn(auditor, next)
  assert.deepEqual(
    seen.events.map(({ type, entityId }) => [type, entityId]),
    [
      ['user.created', user.id],
      ['api_key.created', id],
    ],
  )
  for (const api of [bursar, other]) {
    const { status, body } = await api.get(`/events?after=${next}`)
    assert.deepEqual([status, body], [200, { data: [], next: seen.next, hasMore: false }])
    for (const types of nouns.flatMap((noun) => [`${noun}.*`, `payment.*,${noun}.created`])) {
      const rejected = await api.get(`/events?types=${types}`)
      assert.deepEqual(
        [types, rejected.status, rejected.body.code, rejected.body.requiredScope],
        [types, 403, 'insufficient_scope', 'audit:read'],
      )
    }
  }
  assert.equal((await auditor.get(`/events?types=${nouns.map((noun) => `${noun}.*`)}`)).status, 200)
})

test('positions that are none, limits and waits out of bounds are faults', async () => {
  const { api } = await service.tenant()
  for (const after of ['-1', 'x', '1.5', '0x10', '', '9'.repeat(100), '1e3', '%20', 'LATEST', '1%00']) {
    assert.equal((await api.get(`/events?after=${after}`)).body.errors[0].name, 'after', after)
  }
  for (const after of ['9'.repeat(18), String(Number.MAX_SAFE_INTEGER), '1000000']) {
    assertError(await api.get(`/events?after=${after}`), 'after', 'too_large')
  }
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'wait=-1', 'wait=31', 'wait=1.5', 'after=1&after=2']) {
    assert.equal((await api.get(`/events?${query}`)).body.code, 'validation_failed', query)
  }
  for (const query of ['limit=1', 'limit=1000', 'after=0', 'after=00', 'wait=0']) {
    assert.equal((await api.get(`/events?${query}`)).status, 200, query)
  }
})

test('a tenant sees none of another tenant’s events, and its positions tell nothing of how many those are', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const { next } = await readOn(theirs.api, null)
  for (let count = 0; count < 5; count += 1) await aStudent(theirs.api)
  const student = await aStudent(ours.api)
  const { events, next: own } = await readOn(ours.api, null)
  assert.ok(events.some(({ entityId }) => entityId === student.id))
  const foreign = new Set((await readOn(theirs.api, next)).events.map(({ id }) => id))
  assert.equal(foreign.size, 5)
  assert.ok(events.every(({ id }) => !foreign.has(id)))
  assert.equal(Number(own), events.length)
})

test('GET /me lists the scopes of extensions only where they are granted', async () => {
  const tenant = await service.tenant()
  const plain = await tenant.token({ scopes: activeScopes })
  assert.deepEqual((await plain.api.get('/me')).body.data.apiKey.scopes, activeScopes)
  const both = await tenant.token({ scopes: [...activeScopes, 'events:read'] })
  assert.deepEqual((await both.api.get('/me')).body.data.apiKey.scopes, [...activeScopes, 'events:read'])
})
