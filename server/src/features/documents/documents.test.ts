import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ScannerUnavailable, type VirusScanner } from '../../storage/inspection/virus-scan.ts'
import {
  aDocument,
  aDocumentTypeId,
  anApplication,
  announced,
  anUpload,
  aStudent,
  pdf,
} from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { expireDocumentsJob } from './expired-documents.ts'

const virus = Buffer.from('%PDF-1.4 a virus\n%%EOF\n')
let isScannerThere = true
/** A stub of clamd that knows one virus and can be unavailable. */
const scanner = {
  scan: async (bytes: AsyncIterable<Uint8Array>) => {
    if (!isScannerThere) throw new ScannerUnavailable('it is away')
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    return Buffer.concat(chunks).includes('a virus')
      ? { isClean: false, signature: 'Test-Signature' }
      : { isClean: true }
  },
} as unknown as VirusScanner
const service = await startTestService({ scanner })

type Upload = Awaited<ReturnType<typeof anUpload>>

function put({ upload }: Upload, bytes: Uint8Array): Promise<Response> {
  return service.sendFile(upload.url, { method: 'PUT', headers: upload.headers, body: bytes as never })
}

function completion({ document, version }: Upload): string {
  return `/vault/documents/${document.id}/versions/${version.id}/complete`
}

function ids({ data }: { data: { id: string }[] }): string[] {
  return data.map(({ id }) => id)
}

test('document types: a new tenant has eight, in order', async () => {
  const { api } = await service.tenant()
  const { body } = await api.get('/vault/document-types')
  assert.deepEqual(
    body.data.map(({ key }: { key: string }) => key),
    [
      ...['identity_document', 'photo', 'transcript', 'diploma', 'birth_certificate', 'proof_of_payment'],
      ...['medical_record', 'other'],
    ],
  )
  assert.equal(body.data[1].requiresReview, false)
})

test('documents: from upload intent and upload to a document that waits for review', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api, { fullName: 'Ada Byron' })
  const body = { documentTypeKey: 'transcript', ...announced(), entityType: 'student', entityId: student.id }
  const response = await api.post('/vault/documents/upload-intents', { ...body, externalId: 'D-1' })
  const ticket = response.body.data as Upload
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('location'), `/v1/vault/documents/${ticket.document.id}`)
  assert.deepEqual(
    [ticket.document.status, ticket.document.currentVersion, ticket.document.title, ticket.document.source],
    ['pending_upload', null, 'Transcript of records', 'api'],
  )
  assert.deepEqual([ticket.version.status, ticket.upload.maxBytes], ['pending', pdf.length])
  const lives = Date.parse(ticket.upload.expiresAt) - Date.now()
  assert.ok(lives > 14 * 60_000 && lives <= 15 * 60_000)
  const early = await api.send('POST', completion(ticket), undefined)
  assert.deepEqual([early.status, early.body.code], [409, 'upload_incomplete'])
  assert.equal((await put(ticket, pdf)).status, 200)
  const completed = await api.send('POST', completion(ticket), {})
  const document = completed.body.data
  assert.deepEqual([completed.status, document.status, document.currentVersion.status], [200, 'uploaded', 'ready'])
  assert.deepEqual(document.links[0].entityLabel, 'Ada Byron')
  const again = await api.send('POST', completion(ticket), undefined)
  assert.deepEqual([again.status, again.body], [200, completed.body])
  assert.deepEqual((await traces(document.id)).events, ['vault_document.created', 'vault_document.updated'])
  assert.deepEqual(await traces(ticket.version.id).then(({ audit, events }) => [...audit, ...events]), [
    'vault_version.completed',
    'vault_version.completed',
  ])
  assert.deepEqual((await api.get(`/vault/documents/${document.id}`)).body.data, document)
})

test('documents: approved at once when the type needs no review', async () => {
  const { api } = await service.tenant()
  const { body } = await api.get('/vault/document-types')
  const photo = body.data.find(({ key }: { key: string }) => key === 'photo')
  await service.database.inspect('update document_types set allowed_mime_types = $2 where id = $1', [
    photo.id,
    ['application/pdf'],
  ])
  assert.equal((await aDocument(service, api, { documentTypeId: photo.id })).status, 'approved')
})

test('upload intents: a media type or size that the document type does not accept is rejected before any upload', async () => {
  const { api, id } = await service.tenant()
  const intent = { documentTypeKey: 'transcript', ...announced() }
  const type = await api.post('/vault/documents/upload-intents', { ...intent, mimeType: 'text/html' })
  assert.deepEqual([type.status, type.body.code, type.body.found], [422, 'file_rejected', { mimeType: 'text/html' }])
  const size = await api.post('/vault/documents/upload-intents', { ...intent, sizeBytes: 20 * 1024 * 1024 + 1 })
  assert.deepEqual([size.status, size.body.expected], [422, { maxSizeBytes: 20 * 1024 * 1024 }])
  assert.equal((await api.post('/vault/documents/upload-intents', { ...intent, sizeBytes: 0 })).status, 400)
  assert.equal((await api.get('/vault/documents')).body.pagination.total, 0)
  const rejected = await service.database.inspect<{ after: { found: object } }>(
    `select after from audit_entries where tenant_id = $1 and action = 'vault_version.refused' order by occurred_at, id`,
    [id],
  )
  assert.deepEqual(
    rejected.map(({ after }) => after.found),
    [{ mimeType: 'text/html' }, { sizeBytes: 20 * 1024 * 1024 + 1 }],
  )
})

test('upload intents: a rejection is replayed for its Idempotency-Key, whatever the type accepts later', async () => {
  const { api, id } = await service.tenant()
  const headers = { 'idempotency-key': randomUUID() }
  const intent = { documentTypeKey: 'transcript', ...announced(), mimeType: 'text/html' }
  const rejected = await api.post('/vault/documents/upload-intents', intent, headers)
  const allow = `update document_types set allowed_mime_types = '{text/html}' where tenant_id = $1`
  await service.database.inspect(allow, [id])
  const again = await api.post('/vault/documents/upload-intents', intent, headers)
  assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [422, rejected.text, 'true'])
  assert.equal((await api.post('/vault/documents/upload-intents', intent)).status, 201)
})

test('upload intents: many concurrent ones with one key make one document', async () => {
  const { api } = await service.tenant()
  const headers = { 'idempotency-key': randomUUID() }
  const intent = { documentTypeKey: 'transcript', ...announced() }
  const send = () => api.post('/vault/documents/upload-intents', intent, headers)
  const answers = await Promise.all(Array.from({ length: 8 }, send))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  const others = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)
  assert.ok(others.every((code) => code === 'idempotency_key_in_use'))
  assert.equal((await send()).text, made[0]?.text)
  assert.equal((await api.get('/vault/documents')).body.pagination.total, 1)
})

test('upload intents: require a type, both members of the owner, and records of this tenant', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const refusal = async (body: object) => {
    const { status, body: problem } = await ours.api.post('/vault/documents/upload-intents', {
      ...announced(),
      ...body,
    })
    return [status, problem.errors?.[0].pointer, problem.errors?.[0].code]
  }
  assert.deepEqual(await refusal({}), [400, '#/documentTypeId', 'required'])
  const documentTypeKey = 'other'
  assert.deepEqual(await refusal({ documentTypeKey, entityType: 'student' }), [400, '#/entityId', 'required'])
  assert.deepEqual(await refusal({ documentTypeKey: 'nonsense' }), [422, '#/documentTypeKey', 'inconsistent'])
  const foreign = await aDocument(service, theirs.api)
  const { id: entityId } = await aStudent(theirs.api)
  const owner = { documentTypeKey: 'transcript', entityType: 'student', entityId }
  assert.deepEqual(await refusal(owner), [422, '#/entityId', 'inconsistent'])
  assert.deepEqual(await refusal({ documentTypeId: foreign.documentTypeId }), [
    ...[422, '#/documentTypeId', 'inconsistent'],
  ])
  assert.deepEqual(await refusal({ documentId: foreign.id }), [422, '#/documentId', 'inconsistent'])
  assert.deepEqual(await refusal({ documentId: foreign.id, title: 'x' }), [400, '#/title', 'inconsistent'])
})

test('upload intents: a new version may name the document’s own type, and no other', async () => {
  const { api, traces } = await service.tenant()
  const { document } = await anUpload(api)
  const { id: documentId, documentTypeId } = document
  for (const own of [{ documentTypeId }, { documentTypeKey: 'birth_certificate' }]) {
    const { versions } = (await anUpload(api, { documentId, ...own })).document
    assert.equal(versions.at(-1)?.status, 'pending')
  }
  const whole = { documentId, documentTypeId: documentTypeId.toUpperCase(), documentTypeKey: 'birth_certificate' }
  assert.equal((await anUpload(api, whole)).document.versions.length, 4)
  const before = await traces(documentId)
  const transcript = await aDocumentTypeId(api, 'transcript')
  // Errors of the file come after it: the named type does not accept text either.
  const text = { fileName: 'a.txt', mimeType: 'text/plain' }
  for (const other of [
    { documentTypeId: transcript },
    { documentTypeId: randomUUID() },
    { documentTypeKey: 'photo' },
  ]) {
    const body = { ...announced(), ...text, documentId, ...other }
    const { status, body: problem } = await api.post('/vault/documents/upload-intents', body)
    const validationError = [problem.errors[0].pointer, problem.errors[0].code]
    assert.deepEqual(
      [status, problem.code, ...validationError],
      [...[400, 'validation_failed', `#/${Object.keys(other)[0]}`, 'inconsistent']],
    )
  }
  const half = { ...announced(), documentId, documentTypeId, documentTypeKey: 'photo' }
  const { body } = await api.post('/vault/documents/upload-intents', half)
  assert.deepEqual(body.errors.length, 1)
  assert.deepEqual(await traces(documentId), before)
})

test('documents: a description of null clears it, and is empty for a new document', async () => {
  const { api, traces } = await service.tenant()
  const { document } = await anUpload(api, { description: null })
  assert.equal(document.description, '')
  await api.patch(`/vault/documents/${document.id}`, { description: 'Two pages.' })
  const cleared = await api.patch(`/vault/documents/${document.id}`, { description: null })
  assert.deepEqual([cleared.status, cleared.body.data.description], [200, ''])
  const again = await api.patch(`/vault/documents/${document.id}`, { description: null })
  assert.deepEqual(again.body, cleared.body)
  const { changed, events } = await traces(document.id)
  assert.deepEqual([changed.at(-1), events.length], [['description'], 3])
})

test('documents: an externalId is unique', async () => {
  const { api } = await service.tenant()
  const { document } = await anUpload(api, { externalId: 'D-1' })
  const body = { documentTypeKey: 'transcript', ...announced(), externalId: 'D-1' }
  const taken = await api.post('/vault/documents/upload-intents', body)
  assert.deepEqual([taken.body.code, taken.body.existingId], ['external_id_taken', document.id])
})

test('completing an upload: a file unlike its announcement fails its version for good, and a new version follows', async () => {
  const { api, traces } = await service.tenant()
  const text = Buffer.from('<html>hello</html>')
  const first = await anUpload(api, announced(text))
  assert.equal((await put(first, text)).status, 200)
  const rejected = await api.send('POST', completion(first), undefined)
  assert.deepEqual(
    [rejected.status, rejected.body.code, rejected.body.expected],
    [...[422, 'file_rejected', { mimeType: 'application/pdf' }]],
  )
  const failed = (await api.get(`/vault/documents/${first.document.id}`)).body.data
  assert.deepEqual([failed.status, failed.versions[0].status], ['pending_upload', 'failed'])
  assert.equal(failed.versions[0].failureReason, rejected.body.detail)
  assert.deepEqual((await traces(first.document.id)).audit, ['vault_document.created', 'vault_document.updated'])
  assert.deepEqual((await traces(first.version.id)).audit, ['vault_version.refused'])
  const renewed = await api.send('POST', completion(first).replace('complete', 'upload-url'), undefined)
  const repeated = await api.send('POST', completion(first), undefined)
  assert.deepEqual([renewed.body.code, repeated.body.code], ['state_conflict', 'state_conflict'])
  const next = await anUpload(api, { documentId: first.document.id })
  await put(next, pdf)
  const wrong = await api.send('POST', completion(next), { checksumSha256: 'a'.repeat(64) })
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'file_rejected'])
  const last = await anUpload(api, { documentId: first.document.id })
  await put(last, pdf)
  const { body } = await api.send('POST', completion(last), undefined)
  assert.deepEqual(
    body.data.versions.map(({ status }: { status: string }) => status),
    ['failed', 'failed', 'ready'],
  )
})

test('completing an upload: an infected file goes to quarantine and cannot be downloaded', async () => {
  const { api } = await service.tenant()
  const upload = await anUpload(api, announced(virus))
  await put(upload, virus)
  const rejected = await api.send('POST', completion(upload), undefined)
  assert.deepEqual([rejected.status, rejected.body.found], [422, { virus: 'Test-Signature' }])
  const path = `/vault/documents/${upload.document.id}`
  assert.equal((await api.get(path)).body.data.versions[0].status, 'quarantined')
  const download = await api.get(`${path}/download?versionId=${upload.version.id}`)
  assert.deepEqual([download.status, download.body.currentState], [409, 'quarantined'])
})

test('completing an upload: 503 without the scanner, and the same call completes it later', async () => {
  const { api, traces } = await service.tenant()
  const upload = await anUpload(api)
  await put(upload, pdf)
  isScannerThere = false
  const rejected = await api.send('POST', completion(upload), undefined)
  isScannerThere = true
  assert.deepEqual([rejected.status, rejected.body.code], [503, 'service_unavailable'])
  assert.ok(rejected.headers.get('retry-after'))
  assert.deepEqual((await traces(upload.document.id)).events, ['vault_document.created'])
  assert.equal((await api.send('POST', completion(upload), undefined)).status, 200)
})

test('completing an upload: many calls for a rejected file fail its version once', async () => {
  const { api, traces } = await service.tenant()
  const upload = await anUpload(api, announced(virus))
  await put(upload, virus)
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.send('POST', completion(upload), undefined)))
  for (const { status, body } of answers) assert.ok(status === 422 || body.code === 'state_conflict')
  assert.deepEqual((await traces(upload.document.id)).events, ['vault_document.created', 'vault_document.updated'])
})

test('completing an upload: a call with a wrong checksum does not affect one with the right checksum', async () => {
  const { api } = await service.tenant()
  const upload = await anUpload(api)
  await put(upload, pdf)
  const wrong = { checksumSha256: 'a'.repeat(64) }
  const answers = await Promise.all(
    [undefined, wrong, undefined].map((body) => api.send('POST', completion(upload), body)),
  )
  const path = `/vault/documents/${upload.document.id}`
  const { versions } = (await api.get(path)).body.data
  const isReady = versions[0].status === 'ready'
  assert.equal(
    answers.some(({ status }) => status === 200),
    isReady,
  )
  const download = await api.get(`${path}/download`)
  assert.equal(download.status, isReady ? 200 : 409)
  if (isReady) assert.equal((await service.sendFile(download.body.data.url, {})).status, 200)
})

test('completing an upload: many concurrent calls complete it once', async () => {
  const { api, traces } = await service.tenant()
  const upload = await anUpload(api)
  await put(upload, pdf)
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.send('POST', completion(upload), undefined)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await traces(upload.version.id)).events.length, 1)
  assert.notEqual((await put(upload, pdf)).status, 200)
})

test('renewing an upload address: it accepts the file of the same version', async () => {
  const { api } = await service.tenant()
  const upload = await anUpload(api)
  const { status, body } = await api.send('POST', completion(upload).replace('complete', 'upload-url'), undefined)
  assert.deepEqual([status, body.data.version.id], [200, upload.version.id])
  assert.equal((await put(body.data, pdf)).status, 200)
  assert.equal((await api.send('POST', completion(upload), undefined)).status, 200)
})

test('versions: those of other documents and other tenants are 404', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const [one, other, foreign] = [await anUpload(ours.api), await anUpload(ours.api), await anUpload(theirs.api)]
  for (const version of [other.version, foreign.version, { id: randomUUID() }, { id: 'x' }]) {
    const path = `/vault/documents/${one.document.id}/versions/${version.id}`
    for (const verb of ['complete', 'upload-url']) {
      assert.equal((await ours.api.send('POST', `${path}/${verb}`, undefined)).body.code, 'resource_not_found')
    }
  }
})

test('downloading a document: a short-lived address of the current version, with an audit row', async () => {
  const { api, traces } = await service.tenant()
  const document = await aDocument(service, api)
  const path = `/vault/documents/${document.id}/download`
  const { status, body } = await api.get(`${path}?disposition=inline`)
  assert.deepEqual([status, body.data.disposition, body.data.versionId], [200, 'inline', document.currentVersion?.id])
  const lives = Date.parse(body.data.expiresAt) - Date.now()
  assert.ok(lives > 4 * 60_000 && lives <= 5 * 60_000)
  const file = await service.sendFile(body.data.url, {})
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
  const { audit, events } = await traces(document.id)
  assert.deepEqual([audit.at(-1), events.length], ['vault_document.downloaded', 2])
  const pending = await anUpload(api)
  const early = await api.get(`/vault/documents/${pending.document.id}/download`)
  assert.deepEqual([early.status, early.body.currentState], [409, 'pending_upload'])
  assert.equal((await api.get(`${path}?versionId=${randomUUID()}`)).status, 404)
})

test('updating a document: a review needs a complete file; a rejection needs a reason', async () => {
  const { api, traces } = await service.tenant()
  const pending = await anUpload(api)
  const early = await api.patch(`/vault/documents/${pending.document.id}`, { status: 'approved' })
  assert.deepEqual([early.status, early.body.code, early.body.currentState], [409, 'state_conflict', 'pending_upload'])
  const { id } = await aDocument(service, api)
  const path = `/vault/documents/${id}`
  const refusal = async (body: object) => {
    const { status, body: problem } = await api.patch(path, body)
    return [status, problem.errors?.[0].pointer, problem.errors?.[0].code]
  }
  assert.deepEqual(await refusal({ status: 'rejected' }), [400, '#/rejectionReason', 'required'])
  assert.deepEqual(await refusal({ status: 'expired' }), [400, '#/status', 'not_in_enum'])
  assert.deepEqual(await refusal({ rejectionReason: 'x' }), [400, '#/rejectionReason', 'inconsistent'])
  assert.deepEqual(await refusal({ externalId: 'x' }), [400, '#/externalId', 'read_only'])
  assert.equal((await api.patch(path, { status: 'in_review' })).body.data.status, 'in_review')
  const rejected = (await api.patch(path, { status: 'rejected', rejectionReason: 'blurred' })).body.data
  assert.deepEqual([rejected.rejectionReason, rejected.reviewedBy], ['blurred', 'everything'])
  assert.ok(rejected.reviewedAt)
  const same = await api.patch(path, rejected)
  assert.deepEqual([same.status, same.body.data], [200, rejected])
  const approved = (await api.patch(path, { ...rejected, status: 'approved', metadata: { a: 1 } })).body.data
  assert.deepEqual([approved.status, approved.rejectionReason, approved.metadata], ['approved', null, { a: 1 }])
  assert.equal((await traces(id)).events.length, 5)
})

test('updating a document: another type must accept its file and apply to its owners', async () => {
  const { api, traces } = await service.tenant()
  const { body } = await api.get('/vault/document-types')
  const typeId = (key: string) => body.data.find((type: { key: string }) => type.key === key).id
  const change = async (id: string, key: string) => {
    const response = await api.patch(`/vault/documents/${id}`, { documentTypeId: typeId(key) })
    return [response.status, response.body.code ?? response.body.data.documentType.key]
  }
  const { id: entityId } = await aStudent(api)
  const { id } = await aDocument(service, api, { entityType: 'student', entityId })
  const { document: pending } = await anUpload(api)
  await service.database.inspect(`update document_types set applies_to = '{application}' where id = $1`, [
    typeId('diploma'),
  ])
  await service.database.inspect('update document_types set max_size_bytes = $2 where id = $1', [
    ...[typeId('other'), pdf.length - 1],
  ])
  assert.deepEqual(await change(id, 'photo'), [422, 'file_rejected'])
  assert.deepEqual(await change(pending.id, 'photo'), [422, 'file_rejected'])
  assert.deepEqual(await change(id, 'other'), [422, 'file_rejected'])
  assert.deepEqual(await change(id, 'diploma'), [422, 'rule_violated'])
  const events = (await traces(id)).events.length
  assert.deepEqual(await change(id, 'transcript'), [200, 'transcript'])
  assert.deepEqual(await change(pending.id, 'diploma'), [200, 'diploma'])
  assert.equal((await traces(id)).events.length, events + 1)
})

test('linking a document: once per owner, and the owners’ names follow', async () => {
  const { api, traces } = await service.tenant()
  const { id } = await aDocument(service, api)
  const application = await anApplication(api, { fullName: 'Ada Byron' })
  const owner = { entityType: 'application', entityId: application.id }
  const linked = await api.send('POST', `/vault/documents/${id}/links`, owner)
  const again = await api.send('POST', `/vault/documents/${id}/links`, owner)
  assert.deepEqual([linked.status, again.status, again.body], [200, 200, linked.body])
  assert.deepEqual((await traces(id)).events.filter((type) => type === 'vault_document.linked').length, 1)
  await api.patch(`/admissions/applications/${application.id}`, { fullName: 'Ada Lovelace' })
  const etag = linked.headers.get('etag') as string
  const read = await api.get(`/vault/documents/${id}`, { 'if-none-match': etag })
  assert.equal(read.body.data.links[0].entityLabel, 'Ada Lovelace')
  const unknown = await api.send('POST', `/vault/documents/${id}/links`, { ...owner, entityType: 'student' })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
})

test('document expiry: reads as expired from the exact time; the job stores and reports it once', async () => {
  const tenant = await service.tenant()
  const { api, traces } = tenant
  const { id } = await aDocument(service, api)
  const path = `/vault/documents/${id}`
  const approved = await api.patch(path, { status: 'approved', expiresAt: '2999-01-01' })
  assert.equal(approved.body.data.status, 'approved')
  await service.database.inspect("update documents set expires_at = now() - interval '1 second' where id = $1", [id])
  const read = await api.get(path, { 'if-none-match': approved.headers.get('etag') as string })
  assert.deepEqual([read.status, read.body.data.status], [200, 'expired'])
  for (const [status, found] of [
    ['expired', [id]],
    ['approved', []],
  ] as const) {
    const { body } = await api.get(`/vault/documents?status=${status}`)
    assert.deepEqual([ids(body), body.pagination.total], [found, found.length])
  }
  await expireDocumentsJob.run(service.data, tenant)
  await expireDocumentsJob.run(service.data, tenant)
  assert.deepEqual(ids((await api.get('/vault/documents?status=expired')).body), [id])
  assert.equal((await api.get('/vault/documents?status=approved')).body.pagination.total, 0)
  assert.equal((await traces(id)).events.filter((type) => type === 'vault_document.updated').length, 3)
  const valid = await api.patch(path, { expiresAt: '2999-01-01' })
  assert.equal(valid.body.data.status, 'approved')
  const over = await api.patch(path, { expiresAt: '2020-01-01' })
  assert.equal(over.body.data.status, 'expired')
  assert.equal((await api.get('/vault/documents?status=expired')).body.pagination.total, 1)
})

test('GET /v1/vault/documents: each filter returns its matches', async () => {
  const { api } = await service.tenant()
  const { id: studentId } = await aStudent(api)
  const { id: applicationId } = await anApplication(api)
  const ofStudent = await aDocument(service, api, { entityType: 'student', entityId: studentId })
  const owner = { entityType: 'application', entityId: applicationId, documentTypeKey: 'transcript' }
  const { document: ofApplication } = await anUpload(api, owner)
  const found = async (query: string) => {
    const { body } = await api.get(`/vault/documents?${query}`)
    assert.equal(body.pagination.total, body.data.length)
    return ids(body)
  }
  assert.deepEqual(await found(''), [ofStudent.id, ofApplication.id])
  assert.deepEqual(await found(`studentId=${studentId}`), [ofStudent.id])
  assert.deepEqual(await found(`applicationId=${applicationId}`), [ofApplication.id])
  assert.deepEqual(await found(`documentTypeId=${ofApplication.documentTypeId}`), [ofApplication.id])
  assert.deepEqual(await found('status=uploaded'), [ofStudent.id])
  assert.deepEqual(await found(`requestId=${randomUUID()}`), [])
})

test('document counts: exact after every change', async () => {
  const differing = await service.database.inspect(`
    select coalesce(kept.tenant_id, counted.tenant_id) as tenant_id
      from (select tenant_id, status, sum(count) as count from record_counts
             where entity_type = 'vault_document' group by tenant_id, status having sum(count) <> 0) kept
      full join (select tenant_id, status, count(*) as count from documents group by tenant_id, status) counted
        on counted.tenant_id = kept.tenant_id and counted.status = kept.status
     where kept.count is distinct from counted.count`)
  assert.deepEqual(differing, [])
})

test('signed upload addresses: a rejected upload leaves an audit row with file and reason', async () => {
  const tenant = await service.tenant()
  const ticket = await anUpload(tenant.api)
  const longer = Buffer.concat([pdf, Buffer.from('more')])
  assert.equal((await put(ticket, longer)).status, 413)
  assert.equal((await put(ticket, pdf.subarray(1))).status, 400)
  const otherType = { ...ticket, upload: { ...ticket.upload, headers: { 'content-type': 'text/html' } } }
  assert.equal((await put(otherType as Upload, pdf)).status, 415)
  assert.equal((await put(ticket, pdf)).status, 200)
  assert.equal((await tenant.api.post(completion(ticket), {})).status, 200)
  assert.equal((await put(ticket, pdf)).status, 409)
  const rows = await service.database.inspect<{ code: string; address: string | null }>(
    `select after ->> 'code' as code, address from audit_entries
      where tenant_id = $1 and entity_id = $2 and action = 'vault_version.refused' order by occurred_at, id`,
    [tenant.id, ticket.version.id],
  )
  assert.deepEqual(
    rows.map(({ code }) => code),
    ['content_too_large', 'validation_failed', 'unsupported_media_type', 'state_conflict'],
  )
  assert.ok(rows.every(({ address }) => address !== null))
})
