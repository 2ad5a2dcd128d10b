import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Problem } from '../../errors/problem.ts'
import { altered } from '../../testing/fixtures/altered.ts'
import { aDocumentTypeId, anApplication, aRequest, aStudent, pdf } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { buildRequestToken } from '../requests/request-links.ts'
import { receiveItemFile, removeItemFile } from './public-request-files.ts'
import { findPublicRequest, type PublicRequest, recordView, submitRequest } from './public-requests.ts'

const service = await startTestService()
const visit = { address: '192.0.2.7', requestId: randomUUID() }

type Made = Awaited<ReturnType<typeof aRequest>>

/** A request for a transcript and, optionally, a photo, with its page. */
async function aPage(tenant: TestTenant, body: object = {}) {
  const documentTypeId = await aDocumentTypeId(tenant.api, 'transcript')
  const photo = { documentTypeId: await aDocumentTypeId(tenant.api, 'photo'), isRequired: false }
  const items = [{ documentTypeId, instructions: 'Stamped.' }, photo]
  const made = await aRequest(tenant.api, { items, recipient: { name: 'Carmen' }, ...body })
  return { made, page: (await open(made)) as PublicRequest }
}

function open({ publicUrl }: Pick<Made, 'publicUrl'>): Promise<PublicRequest | null> {
  return findPublicRequest(service.data, service.secretKey, publicUrl?.split('/').at(-1) as string)
}

async function toErrorResponse(work: Promise<unknown>): Promise<unknown[]> {
  const problem = await work.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(problem instanceof Problem, String(problem))
  return [problem.status, problem.code, ...Object.values(problem.extra)]
}

function send(
  page: PublicRequest,
  index = 0,
  fileName = 'grades.pdf',
  bytes = pdf,
  ready = async () => {},
): Promise<PublicRequest> {
  const source = (async function* () {
    await ready()
    yield bytes
  })()
  const file = { fileName, mimeType: 'application/pdf' }
  return receiveItemFile(service.files, service.data, page, page.items[index]?.id as string, file, source, visit)
}

async function setExpiry(id: string, when: string): Promise<void> {
  await service.database.inspect(`update document_requests set expires_at = now() + $2::interval where id = $1`, [
    id,
    when,
  ])
}

test('public requests: show the institution, the first name only, and the items', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { givenNames: 'Ada María', familyNames: 'Byron' })
  const { made, page } = await aPage(tenant, {
    entityId: student.id,
    locale: 'es',
    title: 'Papeles',
    message: 'Gracias',
  })
  const { items, tenant: _, ...shown } = page
  assert.deepEqual(shown, {
    id: made.id,
    tenantId: tenant.id,
    institution: tenant.name,
    contact: null,
    locale: 'es',
    language: 'en',
    firstName: 'Ada',
    title: 'Papeles',
    translations: {},
    message: 'Gracias',
    status: 'open',
    isOpen: true,
    expiresAt: made.expiresAt,
    submittedAt: null,
    lastViewedAt: null,
    canSubmit: false,
    recipientName: 'Carmen',
  })
  assert.ok(!JSON.stringify(page).includes('Byron'))
  assert.deepEqual(items[0], {
    id: made.items[0]?.id,
    label: 'Transcript of records',
    instructions: 'Stamped.',
    translations: {
      label: {
        es: 'Certificado de calificaciones',
        fr: 'Relevé de notes',
        pt: 'Histórico escolar',
      },
    },
    isRequired: true,
    status: 'pending',
    rejectionReason: null,
    fileName: null,
    allowedMimeTypes: items[0]?.allowedMimeTypes,
    maxSizeBytes: 20 * 1024 * 1024,
  })
  assert.ok(items[0]?.allowedMimeTypes.includes('application/pdf'))
  const application = await anApplication(tenant.api, { fullName: 'Grace Hopper' })
  const other = await aPage(tenant, { entityType: 'application', entityId: application.id })
  assert.deepEqual([other.page.firstName, other.page.locale], ['Grace', null])
})

test('public requests: any other token is 404', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const { made } = await aPage(ours)
  const token = made.publicUrl?.split('/').at(-1) as string
  const find = (text: string) => findPublicRequest(service.data, service.secretKey, text)
  const bytes = Buffer.from(token, 'base64url')
  for (let position = 0; position < bytes.length; position += 1) {
    const altered = Buffer.from(bytes)
    altered[position] = (altered[position] as number) ^ 1
    assert.equal(await find(altered.toString('base64url')), null)
  }
  const signedFor = (tenantId: string, requestId: string, key = service.secretKey) =>
    find(buildRequestToken(key, { tenantId, requestId }))
  assert.equal(await signedFor(theirs.id, made.id), null)
  assert.equal(await signedFor(ours.id, randomUUID()), null)
  assert.equal(await signedFor(ours.id, made.id, randomUUID()), null)
  for (const text of ['', 'x', `${token}A`, token.slice(1), '%00', 'é'.repeat(64)]) assert.equal(await find(text), null)
  assert.equal((await find(token))?.id, made.id)
})

test('public requests: every token costs the same database work, whatever is wrong with it', async () => {
  const { made } = await aPage(await service.tenant())
  const token = made.publicUrl?.split('/').at(-1) as string
  const statements: string[] = []
  const watched = {
    read: (_: string, { text }: { text: string }) => {
      statements.push(text)
      return []
    },
  }
  for (const text of [token, 'x', altered(token)]) {
    assert.equal(await findPublicRequest(watched as never, service.secretKey, text), null)
  }
  assert.deepEqual([statements.length, new Set(statements).size], [3, 1])
})

test('public requests: closed while the tenant is suspended or has no vault', async () => {
  for (const settings of [{ status: 'suspended' }, { modules: ['platform_integrations'] }] as const) {
    const tenant = await service.tenant()
    const { made } = await aPage(tenant)
    await tenant.change(settings)
    assert.equal(await open(made), null)
  }
})

test('public requests: a view is recorded, at most once a minute, in the recipient’s name', async () => {
  const tenant = await service.tenant()
  const { made, page } = await aPage(tenant)
  await Promise.all([recordView(service.data, page, visit), recordView(service.data, page, visit)])
  const viewed = (await tenant.api.get(`/vault/requests/${made.id}`)).body.data
  assert.ok(viewed.firstViewedAt)
  assert.equal(viewed.lastViewedAt, viewed.firstViewedAt)
  assert.deepEqual((await tenant.traces(made.id)).changed.slice(1), [['firstViewedAt', 'lastViewedAt']])
  const [row] = await service.database.inspect(
    `select actor_type, actor_id, actor_name, address, request_id from audit_entries
      where entity_id = $1 and action = 'vault_request.updated'`,
    [made.id],
  )
  assert.deepEqual(row, {
    actor_type: 'link',
    actor_id: made.id,
    actor_name: 'Carmen',
    address: visit.address,
    request_id: visit.requestId,
  })
  await service.database.inspect(
    "update document_requests set last_viewed_at = now() - interval '2 minutes' where id = $1",
    [made.id],
  )
  await recordView(service.data, (await open(made)) as PublicRequest, visit)
  const again = (await tenant.api.get(`/vault/requests/${made.id}`)).body.data
  assert.equal(again.firstViewedAt, viewed.firstViewedAt)
  assert.ok(again.lastViewedAt >= viewed.lastViewedAt)
  assert.equal((await tenant.traces(made.id)).events.length, 3)
})

test('request files: the first becomes a document of the record, the next a version of it', async () => {
  const tenant = await service.tenant()
  const { made, page } = await aPage(tenant)
  const first = await send(page)
  assert.deepEqual(
    [first.status, first.items[0]?.status, first.items[0]?.fileName],
    [...['partially_completed', 'uploaded', 'grades.pdf']],
  )
  const { items, status } = (await tenant.api.get(`/vault/requests/${made.id}`)).body.data
  const path = `/vault/documents/${items[0].documentId}`
  const document = (await tenant.api.get(path)).body.data
  assert.deepEqual([status, items[0].status, document.status], ['partially_completed', 'uploaded', 'uploaded'])
  assert.deepEqual(
    [document.source, document.requestId, document.title, document.links[0].entityId],
    ['public_request', made.id, 'Transcript of records', made.entityId],
  )
  await tenant.api.patch(path, { status: 'rejected', rejectionReason: 'blurred' })
  const rejected = (await open(made)) as PublicRequest
  assert.deepEqual([rejected.items[0]?.status, rejected.items[0]?.rejectionReason], ['rejected', 'blurred'])
  const second = await send(rejected, 0, 'better.pdf')
  assert.deepEqual(
    [second.items[0]?.status, second.items[0]?.rejectionReason, second.items[0]?.fileName],
    ['uploaded', null, 'better.pdf'],
  )
  assert.equal((await tenant.api.get(path)).body.data.versions.length, 2)
  await tenant.api.patch(path, { status: 'approved' })
  assert.deepEqual(await toErrorResponse(send(second)), [409, 'state_conflict', 'accepted'])
  assert.equal((await tenant.api.get(path)).body.data.versions.length, 2)
  const { audit, events } = await tenant.traces(made.id)
  assert.deepEqual(audit, events)
  assert.deepEqual(events.slice(1), [
    ...['vault_request.updated', 'vault_request.updated', 'vault_request.updated', 'vault_request.completed'],
  ])
})

test('request files: a closed request accepts no file, submission or view, also during an upload', async () => {
  const tenant = await service.tenant()
  for (const [close, code] of [
    [(id: string) => setExpiry(id, '-1 second'), 'link_expired'],
    [(id: string) => tenant.api.patch(`/vault/requests/${id}`, { status: 'revoked' }), 'link_revoked'],
  ] as const) {
    const { made, page } = await aPage(tenant)
    const slow = (async function* () {
      yield pdf.subarray(0, 10)
      await close(made.id)
      yield pdf.subarray(10)
    })()
    const file = { fileName: 'a.pdf', mimeType: 'application/pdf' }
    const itemId = page.items[0]?.id as string
    const late = receiveItemFile(service.files, service.data, page, itemId, file, slow, visit)
    assert.deepEqual(await toErrorResponse(late), [410, code])
    assert.deepEqual(await toErrorResponse(send(page)), [410, code])
    assert.deepEqual(await toErrorResponse(removeItemFile(service.data, page, itemId, visit)), [410, code])
    assert.deepEqual(await toErrorResponse(submitRequest(service.data, page, visit)), [410, code])
    const closed = (await open(made)) as PublicRequest
    assert.deepEqual([closed.isOpen, closed.canSubmit], [false, false])
    await recordView(service.data, closed, visit)
    const { data } = (await tenant.api.get(`/vault/requests/${made.id}`)).body
    assert.deepEqual([data.firstViewedAt, data.items[0].documentId], [null, null])
    assert.equal((await tenant.api.get(`/vault/documents?requestId=${made.id}`)).body.pagination.total, 0)
  }
  for await (const key of service.files.store.list('frozen')) assert.ok(!key.startsWith(tenant.id))
})

test('request files: a rejected one changes nothing; an unknown item is 404', async () => {
  const tenant = await service.tenant()
  const { made, page } = await aPage(tenant)
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  assert.deepEqual((await toErrorResponse(send(page, 0, 'x.pdf', html))).slice(0, 2), [422, 'file_rejected'])
  const foreign = (await aPage(await service.tenant())).page
  for (const id of [randomUUID(), 'x', foreign.items[0]?.id as string]) {
    const items = [{ ...page.items[0], id }] as unknown as PublicRequest['items']
    assert.deepEqual(await toErrorResponse(send({ ...page, items })), [404, 'resource_not_found'])
  }
  assert.equal((await tenant.traces(made.id)).events.length, 1)
})

test('request files: of two concurrent first files one is stored; the same file is stored once', async () => {
  const tenant = await service.tenant()
  const loadOutcomes = async (...names: string[]) => {
    const { made, page } = await aPage(tenant)
    // Neither is stored before both have read the item.
    let looked = 0
    const all = async () => {
      looked += 1
      await until(() => looked === names.length, 'a look of each')
    }
    const sent = names.map((name) => send(page, 0, name, pdf, all))
    const outcomes = await Promise.all(
      sent.map((each) =>
        each.then(
          () => 'taken',
          (error) => (error as Problem).code,
        ),
      ),
    )
    const { data } = (await tenant.api.get(`/vault/documents?requestId=${made.id}`)).body
    return [outcomes.sort(), data.map(({ versions }: { versions: unknown[] }) => versions.length)]
  }
  assert.deepEqual(await loadOutcomes('one.pdf', 'other.pdf'), [['state_conflict', 'taken'], [1]])
  assert.deepEqual(await loadOutcomes('same.pdf', 'same.pdf'), [['taken', 'taken'], [1]])
})

test('request files: an identical file is stored once; a changed or renamed one is a version', async () => {
  const tenant = await service.tenant()
  const { made, page } = await aPage(tenant)
  const stored = async () => {
    const [document] = (await tenant.api.get(`/vault/documents?requestId=${made.id}`)).body.data
    return document
  }
  const before = (await send(page)).items[0]
  const events = (await tenant.traces((await stored()).id)).events.length
  assert.deepEqual((await send(page)).items[0], before)
  assert.deepEqual(
    [(await stored()).versions.length, (await tenant.traces((await stored()).id)).events.length],
    [1, events],
  )
  const left = await service.database.inspect('select 1 from audit_entries where tenant_id = $1 and action = $2', [
    tenant.id,
    'vault_version.refused',
  ])
  assert.deepEqual(left, [])
  await send(page, 0, 'renamed.pdf')
  assert.equal((await stored()).versions.length, 2)
  await tenant.api.patch(`/vault/documents/${(await stored()).id}`, { status: 'rejected', rejectionReason: 'Dark.' })
  assert.equal((await send(page, 0, 'renamed.pdf')).items[0]?.status, 'uploaded')
  assert.equal((await stored()).versions.length, 3)
})

test('request files: removable until reviewed', async () => {
  const tenant = await service.tenant()
  const { made, page } = await aPage(tenant)
  const itemId = page.items[0]?.id as string
  const sent = await send(page)
  const removed = await removeItemFile(service.data, sent, itemId, visit)
  assert.deepEqual([removed.status, removed.items[0]?.status, removed.items[0]?.fileName], ['open', 'pending', null])
  const events = (await tenant.traces(made.id)).events.length
  await removeItemFile(service.data, removed, itemId, visit)
  assert.equal((await tenant.traces(made.id)).events.length, events)
  await send(removed)
  const { items } = (await tenant.api.get(`/vault/requests/${made.id}`)).body.data
  assert.equal((await tenant.api.get(`/vault/documents?requestId=${made.id}`)).body.pagination.total, 2)
  await tenant.api.patch(`/vault/documents/${items[0].documentId}`, { status: 'in_review' })
  assert.deepEqual(await toErrorResponse(removeItemFile(service.data, page, itemId, visit)), [
    ...[409, 'state_conflict', 'in_review'],
  ])
})

test('submitting a request: needs every required file, and repeated it needs a newer one', async () => {
  const tenant = await service.tenant()
  const { made, page } = await aPage(tenant)
  assert.deepEqual(await toErrorResponse(submitRequest(service.data, page, visit)), [
    ...[422, 'rule_violated', 'required_documents_are_there'],
  ])
  const ready = await send(page)
  assert.equal(ready.canSubmit, true)
  const [submitted, again] = await Promise.all([
    submitRequest(service.data, ready, visit),
    submitRequest(service.data, ready, visit),
  ])
  assert.ok(submitted.submittedAt)
  assert.deepEqual([again.submittedAt, again.canSubmit], [submitted.submittedAt, false])
  assert.deepEqual((await tenant.traces(made.id)).changed.slice(2), [['submittedAt']])
  const newer = await send(again, 0, 'better.pdf')
  assert.equal(newer.canSubmit, true)
  const resubmitted = await submitRequest(service.data, newer, visit)
  assert.ok((resubmitted.submittedAt as string) > submitted.submittedAt)
})
