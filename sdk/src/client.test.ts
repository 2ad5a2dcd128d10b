import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aRecordCaller, aStudent, pdf } from '../../server/dist/testing/fixtures/factories.js'
import { startTestService, type TestTenant } from '../../server/dist/testing/fixtures/test-service.js'
import type { CallerSettings } from './caller.ts'
import { createClient } from './client.ts'
import { Problem } from './problem.ts'
import { collected } from './testing/collected.ts'

const service = await startTestService()

async function aClient(tenant: TestTenant, settings: Partial<CallerSettings> = {}) {
  const { secret } = await tenant.token({ name: 'client' })
  return createClient({ url: service.address, token: secret, ...settings })
}

/** Sends through, and then loses so many of the answers to requests that meet the condition. */
function losing(times: number, isMeant: (request: Request) => boolean): { fetch: typeof fetch; lost: () => number } {
  let lost = 0
  return {
    lost: () => lost,
    fetch: async (input, init) => {
      const request = new Request(atService(input), init)
      const response = await fetch(request)
      if (!isMeant(request) || lost === times) return response
      lost += 1
      throw new TypeError('the connection was lost')
    },
  }
}

/** Signed addresses name the public address of the service, which nobody serves here. */
function atService(input: string | URL | Request): string | URL | Request {
  return typeof input === 'string' ? input.replace('https://matricula.example', service.address) : input
}

test('records are created, read, changed and upserted as the contract says', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  assert.equal((await client.me()).tenant.id, tenant.id)
  const student = await client.students.create({ fullName: 'Ada Byron', externalId: 'S-1' })
  const payment = await client.payments.create({
    studentId: student.id,
    amount: 1250.5,
    description: 'Tuition',
    dueDate: '2026-09-01',
  })
  assert.deepEqual(await client.payments.get(payment.id), payment)
  assert.equal((await client.payments.update(payment.id, { status: 'paid' })).status, 'paid')
  assert.equal((await client.students.upsert('S-1', { city: 'London' })).id, student.id)
  assert.deepEqual((await tenant.traces(payment.id)).events, ['payment.created', 'payment.status_changed'])
  assert.deepEqual((await tenant.traces(student.id)).audit, ['student.created', 'student.updated'])
})

test('a creation whose answer was lost is made once, and answered', async () => {
  const tenant = await service.tenant()
  const { fetch, lost } = losing(2, ({ method }) => method === 'POST')
  const client = await aClient(tenant, { fetch })
  const student = await client.students.create({ fullName: 'Ada Byron' })
  assert.equal(lost(), 2)
  assert.deepEqual(
    (await collected(client.students.list())).map(({ id }) => id),
    [student.id],
  )
  assert.deepEqual((await tenant.traces(student.id)).events, ['student.created'])
})

test('a batch tells of each of its items, and does it once', async () => {
  const tenant = await service.tenant()
  const { fetch, lost } = losing(1, ({ url }) => url.endsWith('/batch'))
  const client = await aClient(tenant, { fetch })
  const items = [{ externalId: 'S-1', fullName: 'Ada Byron' }, { externalId: 'S-2' }]
  const outcomes = await client.students.batch(items)
  assert.equal(lost(), 1)
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['created', 'refused'],
  )
  await assert.rejects(client.students.batch(items, { atomic: true }), { code: 'batch_refused', status: 422 })
})

test('a refusal of the service narrows to what it has', async () => {
  const client = await aClient(await service.tenant())
  const { id } = await client.students.create({ fullName: 'Ada Byron', externalId: 'S-1' })
  const error: unknown = await client.students
    .create({ fullName: 'Ada Byron', externalId: 'S-1' })
    .catch((thrown) => thrown)
  assert.ok(error instanceof Problem && error.code === 'external_id_taken')
  assert.equal(error.existingId, id)
})

test('a change that is based on an old version is refused', async () => {
  const client = await aClient(await service.tenant())
  const { id } = await client.students.create({ fullName: 'Ada Byron' })
  const { headers } = await client.call('getStudent', { path: { id } })
  const ifMatch = headers.get('etag') as string
  await client.students.update(id, { city: 'London' }, { ifMatch })
  await assert.rejects(client.students.update(id, { city: 'Paris' }, { ifMatch }), { code: 'precondition_failed' })
})

test('what changed since a watermark comes once it has, what was deleted too, and nothing is left out', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const students = []
  for (let number = 0; number < 5; number += 1) students.push(await aStudent(tenant.api, { fullName: `Ada ${number}` }))
  const [first, second, third] = students as [(typeof students)[0], (typeof students)[0], (typeof students)[0]]
  const all = client.students.since(null)
  assert.deepEqual(
    (await collected(all)).map(({ id }) => id),
    students.map(({ id }) => id),
  )
  const resourceClient = await aRecordCaller(service, tenant)
  await client.students.update(second.id, { city: 'London' })
  assert.equal((await resourceClient.delete(`/api/resource/Student/${third.studentCode}`)).status, 202)
  const changes = await collected(client.students.since(all.watermark))
  const seen = new Map(
    changes.map(({ id, record, deleted }) => [id, record === null ? deleted.mergedInto : record.city]),
  )
  assert.equal(seen.get(second.id), 'London')
  assert.equal(seen.get(third.id), null)
  assert.ok(changes.some(({ id, record }) => id === third.id && record === null))
  assert.ok(!changes.some(({ id, record }) => id === first.id && record === null))
})

test('a list walks over more pages than one, each record once, with its filters', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const items = Array.from({ length: 250 }, (_, number) => ({ externalId: `S-${number}`, fullName: `Ada ${number}` }))
  await client.students.batch(items)
  const keys = (await collected(client.students.list())).map(({ externalId }) => externalId)
  assert.deepEqual(keys.sort(), items.map(({ externalId }) => externalId).sort())
  assert.equal((await client.students.list().page()).total, 250)
  assert.equal((await collected(client.students.list({ externalId: 'S-7' }))).length, 1)
  assert.ok((await collected(client.audit.list({ limit: 7 }))).length >= 250)
})

test('the feed tells what has happened, goes on from a position, and follows until it is stopped', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const latest = await client.events.latest()
  const student = await aStudent(tenant.api)
  await aPayment(tenant.api, { studentId: student.id })
  const past = await collected(client.events.list({ after: latest }))
  assert.deepEqual(
    past.map(({ type }) => type),
    ['student.created', 'payment.created', 'billing_account.created'],
  )
  const rest = await collected(client.events.list({ after: past[0]?.position as string }))
  assert.deepEqual(rest, past.slice(1))

  const stop = new AbortController()
  const feed = client.events.follow({ after: latest, types: ['payment.*'], signal: stop.signal })
  const types: string[] = []
  for await (const { type, position } of feed) {
    types.push(type)
    assert.equal(feed.position, position)
    if (types.length === 1) await aPayment(tenant.api, { studentId: student.id, amount: 7 } as object)
    else stop.abort()
  }
  assert.deepEqual(types, ['payment.created', 'payment.created'])
})

test('a follower that waits is ended at once', async () => {
  const client = await aClient(await service.tenant())
  const stop = new AbortController()
  const followed = collected(client.events.follow({ after: await client.events.latest(), signal: stop.signal }))
  setTimeout(() => stop.abort(), 50)
  const startedAt = Date.now()
  assert.deepEqual(await followed, [])
  assert.ok(Date.now() - startedAt < 20_000)
})

test('a file is uploaded in one call, and is there as it was', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant, { fetch: losing(0, () => true).fetch })
  const { id } = await aStudent(tenant.api)
  const document = await client.documents.upload({
    file: new Uint8Array(pdf),
    fileName: 'certificate.pdf',
    mimeType: 'application/pdf',
    documentTypeKey: 'birth_certificate',
    entityType: 'student',
    entityId: id,
  })
  assert.equal(document.currentVersion?.status, 'ready')
  assert.equal(document.currentVersion?.sizeBytes, pdf.length)
  const { url } = await client.documents.download(document.id)
  assert.deepEqual(Buffer.from(await (await service.sendFile(url, {})).arrayBuffer()), pdf)
  assert.deepEqual((await tenant.traces(document.id)).events, ['vault_document.created', 'vault_document.updated'])
})

test('an upload of which every answer is lost once makes one document, and the same upload again is that document', async () => {
  const tenant = await service.tenant()
  const seen = new Set<string>()
  const { fetch, lost } = losing(Number.POSITIVE_INFINITY, ({ method, url }) => {
    const isFirst = !seen.has(method + url)
    seen.add(method + url)
    return isFirst
  })
  const client = await aClient(tenant, { fetch })
  const upload = {
    file: new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }),
    fileName: 'a.pdf',
    documentTypeKey: 'photo',
  }
  await assert.rejects(client.documents.upload(upload), { code: 'file_rejected' })
  seen.clear()
  const options = { idempotencyKey: 'certificate of Ada' }
  const whole = { ...upload, documentTypeKey: 'birth_certificate' }
  const document = await client.documents.upload(whole, options)
  assert.equal(lost(), 4)
  assert.equal(document.currentVersion?.versionNumber, 1)
  assert.deepEqual(await client.documents.upload(whole, options), document)
  assert.deepEqual(
    (await collected(client.documents.list())).map(({ id }) => id),
    [document.id],
  )
})

test('an upload whose address has expired gets another one', async () => {
  const tenant = await service.tenant()
  let expired = 0
  const expiring: typeof fetch = (input, init) => {
    if (init?.method !== 'PUT' || expired++ > 0) return fetch(atService(input), init)
    return Promise.resolve(Response.json({ code: 'link_expired' }, { status: 410 }))
  }
  const client = await aClient(tenant, { fetch: expiring })
  const file = new Blob([new Uint8Array(pdf)], { type: 'application/pdf' })
  const document = await client.documents.upload({ file, fileName: 'a.pdf', documentTypeKey: 'birth_certificate' })
  assert.equal(document.currentVersion?.status, 'ready')
  assert.equal(expired, 2)
})

test('what a token may not do is refused with the scope that it lacks', async () => {
  const tenant = await service.tenant()
  const { secret } = await tenant.token({ scopes: ['students:read'] })
  const client = createClient({ url: service.address, token: secret })
  const error: unknown = await client.payments
    .list()
    .page()
    .catch((thrown) => thrown)
  assert.ok(error instanceof Problem && error.code === 'insufficient_scope')
  assert.equal(error.requiredScope, 'payments:read')
})

test('an endpoint for webhooks is made, read, changed, given another secret and removed', async () => {
  const client = await aClient(await service.tenant())
  const { id, secret } = await client.webhooks.create({ url: 'https://erp.example.org/hooks', types: ['payment.*'] })
  assert.match(secret, /^whsec_/)
  assert.deepEqual(
    (await client.webhooks.list()).map((webhook) => webhook.id),
    [id],
  )
  assert.equal((await client.webhooks.update(id, { description: 'Ledger' })).description, 'Ledger')
  assert.notEqual((await client.webhooks.rotateSecret(id)).secret, secret)
  assert.deepEqual(await collected(client.webhooks.deliveries(id)), [])
  await client.webhooks.delete(id)
  await assert.rejects(client.webhooks.get(id), { code: 'resource_not_found' })
})
