import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { ChangeContext } from '../../changes/request-context.ts'
import { Problem } from '../../errors/problem.ts'
import { missingScanner, startScanner, testVirus } from '../../storage/inspection/clamd.fixture.ts'
import { png } from '../../storage/inspection/sample-files.fixture.ts'
import { VirusScanner } from '../../storage/inspection/virus-scan.ts'
import { aDocument, anApplication, aRequest, aStudent, pdf } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { findDocumentTypes } from '../requirements/index.ts'
import { type ReceivedFile, receiveFile, type VaultFiles } from './index.ts'

const service = await startTestService()
const html = Buffer.from('<html><script>alert(1)</script></html>')

interface Family {
  readonly tenant: TestTenant
  readonly context: ChangeContext
  readonly studentId: string
  typeId(key: string): string
  /** Sends bytes in chunks, by default as a PDF of the student's transcript. */
  send(
    changes?: Partial<ReceivedFile>,
    bytes?: Uint8Array | Readable,
    files?: VaultFiles,
  ): Promise<{ documentId: string; versionId: string }>
}

async function aFamily(): Promise<Family> {
  const tenant = await service.tenant()
  const context = {
    tenant,
    actor: { type: 'system', id: null, name: 'document request' },
    requestId: randomUUID(),
    address: '192.0.2.1',
  } as const
  const { body } = await tenant.api.get('/vault/document-types')
  const typeId = (key: string) => body.data.find((type: { key: string }) => type.key === key).id
  const { id: studentId } = await aStudent(tenant.api)
  const standard: ReceivedFile = {
    documentTypeId: typeId('transcript'),
    owner: { entityType: 'student', entityId: studentId },
    source: 'public_request',
    requestId: (await aRequest(tenant.api, { entityId: studentId })).id,
    fileName: 'grades.pdf',
    mimeType: 'application/pdf',
  }
  return {
    tenant,
    context,
    studentId,
    typeId,
    send: async (changes = {}, bytes = pdf, files = service.files) => {
      const source = bytes instanceof Readable ? bytes : Readable.from([bytes.subarray(0, 10), bytes.subarray(10)])
      const received = await receiveFile(files, service.data, context, { ...standard, ...changes }, source)
      assert.ok(received)
      return received
    },
  }
}

/** The last rejection, by its audit row. */
async function loadLastRejection({ tenant, context }: Family) {
  const [row] = await service.database.inspect<{ entity_id: string; after: Record<string, unknown> }>(
    `select entity_id, after from audit_entries
      where tenant_id = $1 and action = 'vault_version.refused' and request_id = $2 order by occurred_at desc, id desc`,
    [tenant.id, context.requestId],
  )
  assert.ok(row, 'there is no audit row of a refusal')
  return { versionId: row.entity_id, facts: row.after }
}

async function loadKeys({ tenant }: Family): Promise<string[]> {
  const keys: string[] = []
  for (const state of ['upload', 'frozen'] as const) {
    for await (const key of service.files.store.list(state)) if (key.startsWith(tenant.id)) keys.push(`${state} ${key}`)
  }
  return keys
}

async function toErrorResponse(sent: Promise<unknown>): Promise<Problem> {
  const problem = await sent.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(problem instanceof Problem, String(problem))
  return problem
}

async function assertNothingStored(family: Family): Promise<void> {
  assert.deepEqual(await loadKeys(family), [])
  assert.equal((await family.tenant.api.get('/vault/documents')).body.pagination.total, 0)
}

test('received files: one becomes a complete document of its owner, with audit and events', async () => {
  const family = await aFamily()
  const { api, traces } = family.tenant
  const { documentId, versionId } = await family.send({
    title: 'Grades 2025',
    fileName: 'C:\\fakepath\\gra\u0000des.pdf',
  })
  const document = (await api.get(`/vault/documents/${documentId}`)).body.data
  assert.deepEqual(
    [document.status, document.title, document.source, document.links[0].entityId],
    ['uploaded', 'Grades 2025', 'public_request', family.studentId],
  )
  const { currentVersion: version } = document
  assert.deepEqual(
    [version.id, version.status, version.versionNumber, version.fileName, version.mimeType, version.sizeBytes],
    [versionId, 'ready', 1, 'grades.pdf', 'application/pdf', pdf.length],
  )
  assert.equal(version.checksumSha256, createHash('sha256').update(pdf).digest('hex'))
  assert.ok(version.uploadedAt)
  const made = await traces(documentId)
  assert.deepEqual([made.audit, made.events], [['vault_document.created'], ['vault_document.created']])
  const completed = await traces(versionId)
  assert.deepEqual([completed.audit, completed.events], [['vault_version.completed'], ['vault_version.completed']])
  const { body } = await api.get(`/vault/documents/${documentId}/download`)
  const file = await service.sendFile(body.data.url, {})
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
  assert.equal((await api.get('/vault/documents?status=uploaded')).body.pagination.total, 1)
})

test('received files: approved at once when the type needs no review; without an owner there are no links', async () => {
  const family = await aFamily()
  const photo = { documentTypeId: family.typeId('photo'), fileName: 'me.png', mimeType: 'image/png', owner: null }
  const { documentId } = await family.send({ ...photo, source: 'form', requestId: null }, png)
  const { data } = (await family.tenant.api.get(`/vault/documents/${documentId}`)).body
  assert.deepEqual([data.status, data.source, data.links], ['approved', 'form', []])
})

test('received files: one can be the next version of a document, which then waits for review again', async () => {
  const family = await aFamily()
  const { api, traces } = family.tenant
  const document = await aDocument(service, api, { documentTypeKey: 'transcript' })
  const path = `/vault/documents/${document.id}`
  await api.patch(path, { status: 'rejected', rejectionReason: 'blurred' })
  const { documentId, versionId } = await family.send({ documentId: document.id })
  const { data } = (await api.get(path)).body
  assert.deepEqual(
    [documentId, data.currentVersion.id, data.currentVersion.versionNumber, data.status, data.rejectionReason],
    [document.id, versionId, 2, 'uploaded', null],
  )
  assert.deepEqual((await traces(versionId)).events, ['vault_version.completed'])
  assert.equal((await traces(document.id)).events.at(-1), 'vault_document.updated')
})

test('received files: without a media type the content decides', async () => {
  const family = await aFamily()
  const ofVersion = async (sent: Promise<{ documentId: string }>) => {
    const { data } = (await family.tenant.api.get(`/vault/documents/${(await sent).documentId}`)).body
    return data.currentVersion.mimeType
  }
  assert.equal(await ofVersion(family.send({ mimeType: 'application/octet-stream' })), 'application/pdf')
  assert.equal(await ofVersion(family.send({ mimeType: '', fileName: 'x' }, png)), 'image/png')
  assert.equal(await ofVersion(family.send({ mimeType: 'application/x-pdf' })), 'application/pdf')
  const rejected = await toErrorResponse(family.send({ mimeType: '', fileName: 'grades.pdf' }, html))
  assert.deepEqual([rejected.code, rejected.extra.found], ['file_rejected', { mimeType: 'text/html' }])
})

test('received files: one that the type does not accept is rejected with an audit row and not stored', async () => {
  const family = await aFamily()
  const text = await toErrorResponse(family.send({ mimeType: 'text/html' }, html))
  assert.deepEqual([text.code, text.extra.found], ['file_rejected', { mimeType: 'text/html' }])
  const disguised = await toErrorResponse(family.send({ mimeType: 'image/png', fileName: 'photo.png' }, html))
  assert.deepEqual([disguised.code, disguised.extra.found], ['file_rejected', { mimeType: 'text/html' }])
  const { facts } = await loadLastRejection(family)
  assert.deepEqual(
    [facts.code, facts.fileName, facts.mimeType, facts.found, facts.documentTypeId],
    ['file_rejected', 'photo.png', 'image/png', { mimeType: 'text/html' }, family.typeId('transcript')],
  )
  assert.equal((await toErrorResponse(family.send({}, Buffer.alloc(0)))).code, 'file_rejected')
  await assertNothingStored(family)
})

test('received files: rejected at the first byte beyond the limit of the type', async () => {
  const family = await aFamily()
  await service.database.inspect('update document_types set max_size_bytes = 1000 where tenant_id = $1', [
    family.tenant.id,
  ])
  let sent = 0
  const endless = Readable.from(
    (function* () {
      for (; ; sent += 1) yield Buffer.alloc(600, '%PDF-1.7 ')
    })(),
  )
  const rejected = await toErrorResponse(family.send({}, endless))
  assert.deepEqual([rejected.code, rejected.extra], ['content_too_large', { maxBytes: 1000 }])
  assert.ok(sent < 20, `${sent} chunks were read`)
  assert.deepEqual((await loadLastRejection(family)).facts.maxBytes, 1000)
  await assertNothingStored(family)
})

test('received files: a rejected document leaves no file', async () => {
  const family = await aFamily()
  const { api } = family.tenant
  const otherTenant = await aStudent((await service.tenant()).api)
  const unknown = await toErrorResponse(family.send({ owner: { entityType: 'student', entityId: otherTenant.id } }))
  assert.equal(unknown.code, 'reference_not_found')
  await service.database.inspect(`update document_types set applies_to = '{application}' where tenant_id = $1`, [
    family.tenant.id,
  ])
  assert.equal((await toErrorResponse(family.send())).code, 'rule_violated')
  await assertNothingStored(family)
  const owner = { entityType: 'application', entityId: (await anApplication(api)).id } as const
  const { documentId } = await family.send({ owner })
  await api.patch(`/vault/documents/${documentId}`, { status: 'archived' })
  assert.equal((await toErrorResponse(family.send({ documentId }))).code, 'state_conflict')
  const foreign = await toErrorResponse(family.send({ documentTypeId: randomUUID() }))
  assert.equal(foreign.code, 'reference_not_found')
  assert.equal((await loadKeys(family)).length, 1)
})

test('received files: an interrupted source leaves nothing', async () => {
  const family = await aFamily()
  const broken = Readable.from(
    (function* () {
      yield pdf.subarray(0, 9)
      throw new RangeError('the sender is gone')
    })(),
  )
  await assert.rejects(family.send({}, broken), RangeError)
  await assertNothingStored(family)
})

test('received files: an infected one goes to quarantine, by its audit row; without the scanner nothing is stored', {
  skip: missingScanner ?? false,
}, async () => {
  const family = await aFamily()
  const running = await startScanner()
  const files = { ...service.files, scanner: new VirusScanner({ path: running.socketPath }) }
  const asText = { documentTypeId: family.typeId('other'), mimeType: 'text/plain', fileName: 'letter.txt' }
  const infected = await toErrorResponse(family.send(asText, testVirus, files))
  assert.equal(infected.code, 'file_rejected')
  assert.match((infected.extra.found as { virus: string }).virus, /Eicar-Test/)
  const { versionId, facts } = await loadLastRejection(family)
  assert.deepEqual([facts.found, facts.fileName], [infected.extra.found, 'letter.txt'])
  assert.deepEqual(await loadKeys(family), [`frozen ${family.tenant.id}/${versionId}`])
  const stored = await service.files.store.open('frozen', `${family.tenant.id}/${versionId}`)
  assert.deepEqual(await buffer(stored as Readable), testVirus)
  assert.equal((await family.tenant.api.get('/vault/documents')).body.pagination.total, 0)
  await running.stop()
  assert.equal((await toErrorResponse(family.send({}, pdf, files))).code, 'service_unavailable')
  assert.equal((await loadKeys(family)).length, 1)
})

test('document types: limits are found by id, also of inactive types', async () => {
  const family = await aFamily()
  const [photo, transcript] = [family.typeId('photo'), family.typeId('transcript')]
  await service.database.inspect('update document_types set is_active = false where id = $1', [photo])
  const types = await findDocumentTypes(service.data, family.tenant.id, [photo, transcript, randomUUID()])
  assert.deepEqual([...types.keys()].sort(), [photo, transcript].sort())
  assert.deepEqual(types.get(photo)?.allowedMimeTypes, ['image/jpeg', 'image/png', 'image/webp', 'image/heic'])
  assert.equal(types.get(transcript)?.maxSizeBytes, 20 * 1024 * 1024)
})
