import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeRoles } from '../../identity/users/index.ts'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aPayment, aPerson, aStudent, getOperator } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const manager = await aPerson(service, tenant)
const registrar = await aPerson(service, tenant, ['Academics User'])
const bursar = await aPerson(service, tenant, ['Accounts User'])

type Follower = typeof manager
const live = async (path: string, { caller } = manager) => (await caller.get(`/console/v1/live${path}`)).body
const now = async (who: Follower = manager) => (await live('', who)).next as string

/** A stream that is open, with the text that came over it. */
async function open(who: Follower, headers: Record<string, string> = {}) {
  const end = new AbortController()
  const stream = { text: '', end, frames: () => getFrames(stream.text) }
  const known = await who.caller.get('/api/method/frappe.auth.get_logged_user')
  const cookie = `sid=${known.cookies.get('sid')?.value}`
  const response = await fetch(`${who.caller.address}/console/v1/live`, {
    headers: { cookie, accept: 'text/event-stream', ...headers },
    signal: end.signal,
  })
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  void (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body as AsyncIterable<Uint8Array>) stream.text += decoder.decode(bytes)
  })().catch(() => {})
  return stream
}

function getFrames(text: string) {
  // The last part is not whole yet.
  const frames = text
    .split('\n\n')
    .slice(0, -1)
    .filter((frame) => frame.startsWith('id: '))
  return frames.map((frame) => {
    const [id = '', data = ''] = frame.split('\n')
    return { id: id.slice(4), data: JSON.parse(data.slice(6)) as Record<string, unknown> }
  })
}

test('a stream tells from now on that something happened to which record, by whom, and nothing of what it says', async () => {
  await aStudent(tenant.api, { fullName: 'Before It Began' })
  const stream = await open(manager)
  await until(() => stream.text.startsWith('retry:'), 'the stream begins')
  const student = await aStudent(tenant.api, { fullName: 'Secret Name', city: 'Hillside' })
  await until(() => stream.frames().length === 1, 'the event comes')
  const [{ id, data } = { id: '', data: {} }] = stream.frames()
  assert.deepEqual(Object.keys(data).sort(), [
    'actor',
    'changed',
    'entity',
    'id',
    'name',
    'position',
    'recordType',
    'type',
  ])
  assert.deepEqual(
    [data.position, data.type, data.entity, data.id, data.recordType, data.name],
    [id, 'student.created', 'student', student.id, 'Student', student.studentCode],
  )
  assert.ok(!stream.text.includes('Secret') && !stream.text.includes('Hillside'))
  stream.end.abort()
  const { id: another } = await aStudent(tenant.api)
  const resumed = await open(manager, { 'last-event-id': id })
  await until(() => resumed.frames().length === 1, 'what was missed comes')
  assert.equal(resumed.frames()[0]?.data.id, another)
  resumed.end.abort()
})

test('each is told of what they may read alone, and nobody of another institution', async () => {
  const theirs = await service.tenant()
  const [from, ofRegistrar, ofBursar] = [await now(), await now(registrar), await now(bursar)]
  const payment = await aPayment(tenant.api)
  await aStudent(theirs.api)
  const record = await manager.caller.post('/api/resource/Student Category', { category: 'Live' })
  assert.equal(record.status, 200)
  const entities = async (after: string, who: Follower) => {
    const { data } = await live(`?after=${after}`, who)
    return (data as { entity: string }[]).map(({ entity }) => entity)
  }
  assert.deepEqual(await entities(from, manager), ['student', 'payment', 'billing_account', 'student_category'])
  assert.deepEqual(await entities(ofRegistrar, registrar), ['student', 'student_category'])
  assert.deepEqual((await entities(ofBursar, bursar)).includes('payment'), true)
  const { data } = await live(`?after=${from}`)
  const reported = data.find((event: { entity: string }) => event.entity === 'payment')
  assert.deepEqual([reported.id, reported.recordType, reported.name], [payment.id, null, null])
})

test('System Managers alone are told of accounts, roles and keys', async () => {
  const officer = await aPerson(service, tenant, ['Education Manager', 'Accounts Manager', 'Admissions Officer'])
  const [from, ofOfficer] = [await now(), await now(officer)]
  await aPerson(service, tenant, ['Instructor'])
  await tenant.token()
  const record = await manager.caller.post('/api/resource/Role', { role_name: 'Follower of Events' })
  assert.equal(record.status, 200, record.text)
  const student = await aStudent(tenant.api)
  const told = async (after: string, who: Follower) => {
    const { data } = await live(`?after=${after}`, who)
    return [...new Set((data as { entity: string }[]).map(({ entity }) => entity))].sort()
  }
  assert.deepEqual(await told(from, manager), ['api_key', 'role', 'student', 'user'])
  assert.deepEqual(await told(ofOfficer, officer), ['student'], student.id)
})

test('who waits costs no statement of its own, and those with equal roles have one answer', async () => {
  const looks = () => new Promise((resolve) => setTimeout(resolve, 1000))
  const opened = async (count: number) => {
    const streams = await Promise.all(Array.from({ length: count }, () => open(manager)))
    await until(() => streams.every(({ text }) => text !== ''), 'the streams begin')
    return streams
  }
  const waitingFor = async () => (await statementsLike(/event_/, looks)).length
  const one = await opened(1)
  const forOne = await waitingFor()
  const thirty = [...one, ...(await opened(29))]
  const forThirty = await waitingFor()
  assert.ok(forThirty <= forOne + 3, `${forThirty} statements for thirty streams, ${forOne} for one`)
  const reads = await statementsLike(/event_positions|from "student_records"/, async () => {
    await aStudent(tenant.api)
    await until(() => thirty.every((stream) => stream.frames().length === 1), 'everybody is told')
  })
  assert.ok(reads.length < 30, `${reads.length} reads of one event for thirty streams`)
  for (const { end } of thirty) end.abort()
})

test('what happens between the beginning of a stream and its first event is told to one that was cut off meanwhile', async () => {
  const stream = await open(manager)
  await until(() => stream.text.includes('\n\n'), 'the stream begins')
  const [, begun] = /^retry: \d+\nid: (\d+)\n\n/.exec(stream.text) ?? []
  stream.end.abort()
  const { id } = await aStudent(tenant.api)
  const again = await open(manager, { 'last-event-id': begun as string })
  await until(() => again.frames().length === 1, 'what was missed comes')
  assert.equal(again.frames()[0]?.data.id, id)
  again.end.abort()
})

test('a position that is none is a fault, and somebody without a session follows nothing', async () => {
  for (const path of ['?after=x', '?after=999999999']) {
    const { status, body } = await manager.caller.get(`/console/v1/live${path}`)
    assert.deepEqual([status, body.code], [400, 'validation_failed'], path)
  }
  const otherTenant = await fetch(`${service.address}/t/${tenant.slug}/console/v1/live`)
  assert.equal(otherTenant.status, 401)
})

test('a stream that is open tells nothing more of what a role opened that was taken away', async () => {
  const both = await aPerson(service, tenant, ['Accounts User', 'Academics User'])
  const stream = await open(both)
  await until(() => stream.text.startsWith('retry:'), 'the stream begins')
  const student = await aStudent(tenant.api)
  await until(() => stream.frames().length === 1, 'what the roles open is told')
  await service.data.transaction(tenant.id, (tx) => revokeRoles(tx, getOperator(tenant), both.email, ['Accounts User']))
  await aPayment(tenant.api, { studentId: student.id })
  const last = await aStudent(tenant.api)
  await until(() => stream.frames().some(({ data }) => data.id === last.id), 'what the other role opens is told')
  assert.deepEqual(
    stream.frames().map(({ data }) => data.entity),
    ['student', 'student'],
  )
  stream.end.abort()
})

test('a stream shows every five seconds that it lives, by an event that a page is told of', async () => {
  const stream = await open(manager)
  await until(() => stream.text.includes('event: beat\ndata: {}\n\n'), 'a beat', 12)
  assert.equal(stream.frames().length, 0)
  stream.end.abort()
})
