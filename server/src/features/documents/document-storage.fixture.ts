import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fileKey } from '../../storage/file-key.ts'
import type { FileState } from '../../storage/file-store.ts'
import { exe, jpeg, png, zip } from '../../storage/inspection/sample-files.fixture.ts'
import { altered } from '../../testing/fixtures/altered.ts'
import { aDocument, announced, anUpload, pdf } from '../../testing/fixtures/factories.ts'
import type { TestService, TestTenant } from '../../testing/fixtures/test-service.ts'
import { newId } from '../../values/ids.ts'
import { cleanUpUploadsJob } from './index.ts'

type Upload = Awaited<ReturnType<typeof anUpload>>

/** Tests of documents through signed addresses, the same for each storage backend. */
export function testDocumentsOnStorage(service: TestService): void {
  const put = ({ upload }: Upload, bytes: Uint8Array) =>
    service.sendFile(upload.url, { method: 'PUT', headers: upload.headers, body: bytes as never })
  const complete = ({ api }: TestTenant, { document, version }: Upload) =>
    api.send('POST', `/vault/documents/${document.id}/versions/${version.id}/complete`, undefined)
  const download = async ({ api }: TestTenant, documentId: string) => {
    const { status, body } = await api.get(`/vault/documents/${documentId}/download`)
    assert.equal(status, 200)
    const file = await service.sendFile(body.data.url, {})
    assert.equal(file.status, 200)
    return Buffer.from(await file.arrayBuffer())
  }
  const getKey = ({ id }: TestTenant, { version }: Upload) => fileKey(id, version.id)
  const isStored = async (state: FileState, key: string) => (await service.files.store.stat(state, key)) !== null
  const write = (key: string) =>
    service.files.store.write(
      key,
      (async function* () {
        yield pdf
      })(),
      { maxBytes: 1e6 },
    )
  /** Makes a version nine days old. */
  const makeOld = (upload: Upload) =>
    service.database.inspect(`update document_versions set created_at = now() - interval '9 days' where id = $1`, [
      upload.version.id,
    ])
  const cleanUp = (tenant: TestTenant, graceDays?: number) =>
    cleanUpUploadsJob(service.files, graceDays).run(service.data, tenant)

  test('document files: 20 MB are downloaded as they were uploaded', async () => {
    const tenant = await service.tenant()
    const file = Buffer.concat([pdf, randomBytes(20 * 1024 * 1024 - pdf.length)])
    const upload = await anUpload(tenant.api, announced(file))
    assert.equal((await put(upload, file)).status, 200)
    assert.equal((await complete(tenant, upload)).status, 200)
    assert.ok((await download(tenant, upload.document.id)).equals(file))
  })

  test('document uploads: one that its address rejects leaves nothing to complete', async () => {
    const tenant = await service.tenant()
    const upload = await anUpload(tenant.api)
    const { url, headers } = upload.upload
    const other = await anUpload(tenant.api)
    const rejected: [string, Uint8Array, Record<string, string>][] = [
      [altered(url), pdf, headers],
      [url, pdf.subarray(1), headers],
      [url, Buffer.concat([pdf, pdf]), headers],
      [url, pdf, { ...headers, 'content-type': 'text/html' }],
    ]
    const foreign = url.replace(upload.version.id, other.version.id)
    if (foreign !== url) rejected.push([foreign, pdf, headers])
    for (const [position, [address, body, sent]] of rejected.entries()) {
      const { status } = await service.sendFile(address, { method: 'PUT', headers: sent, body: body as never })
      assert.ok(status >= 400 && status < 500, `attempt ${position}: ${status}`)
    }
    assert.equal((await complete(tenant, upload)).body.code, 'upload_incomplete')
    for (const version of [upload, other]) assert.ok(!(await isStored('upload', getKey(tenant, version))))
    assert.equal((await put(upload, pdf)).status, 200)
    assert.equal((await complete(tenant, upload)).status, 200)
  })

  test('document uploads: a file sent after the completion replaces nothing', async () => {
    const tenant = await service.tenant()
    const upload = await anUpload(tenant.api, { ...announced(), checksumSha256: undefined })
    await put(upload, pdf)
    assert.equal((await complete(tenant, upload)).status, 200)
    const forged = Buffer.from(pdf)
    forged[pdf.length - 7] = 0x20
    await put(upload, forged)
    assert.equal((await complete(tenant, upload)).status, 200)
    assert.deepEqual(await download(tenant, upload.document.id), pdf)
  })

  test('document uploads: executable and scriptable files are rejected under any media type, and not stored', async () => {
    const tenant = await service.tenant()
    const script = Buffer.from('<html><script>alert(1)</script></html>')
    const disguises: [string, Buffer, string | null][] = [
      ['image/png', script, 'text/html'],
      ['image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'image/svg+xml'],
      ['image/png', Buffer.concat([png, script]), 'text/html'],
      ['image/jpeg', Buffer.concat([Buffer.from('ffd8ffe02f2a', 'hex'), jpeg]), 'text/html'],
      ['image/jpeg', Buffer.from('<?php system($_GET[1]);'), 'application/x-httpd-php'],
      ['application/pdf', Buffer.concat([script, pdf]), 'text/html'],
      ['application/pdf', Buffer.concat([pdf.subarray(0, 9), script, pdf]), 'text/html'],
      ['application/pdf', exe, 'application/x-msdownload'],
      ['application/pdf', zip({ 'a.txt': 'a' }), 'application/zip'],
      ['application/pdf', Buffer.from('#!/bin/sh\nrm -r /'), 'application/x-sh'],
      ['application/pdf', Buffer.alloc(100), null],
    ]
    for (const [mimeType, file, found] of disguises) {
      const upload = await anUpload(tenant.api, { ...announced(file), mimeType })
      assert.equal((await put(upload, file)).status, 200)
      const { status, body } = await complete(tenant, upload)
      assert.deepEqual([status, body.code, body.found], [422, 'file_rejected', { mimeType: found }])
      for (const state of ['upload', 'frozen'] as const) assert.ok(!(await isStored(state, getKey(tenant, upload))))
      const [rejection] = await service.database.inspect<{ expected: object; name: string }>(
        `select after -> 'expected' as expected, after ->> 'fileName' as name from audit_entries where tenant_id = $1 and entity_id = $2 and action = 'vault_version.refused'`,
        [tenant.id, upload.version.id],
      )
      assert.deepEqual(rejection, { expected: { mimeType }, name: 'certificate.pdf' })
      assert.equal((await tenant.api.get(`/vault/documents/${upload.document.id}/download`)).status, 409)
    }
  })

  test('document files: stored under their ids whatever the file name, and downloaded under one plain name', async () => {
    const tenant = await service.tenant()
    const names = ['../../etc/passwd', '..\\..\\boot.ini', '/etc/passwd', 'a"; filename="x.html', '..', 'a/../../b.pdf']
    for (const fileName of names) {
      const upload = await anUpload(tenant.api, { fileName })
      assert.equal(upload.version.fileName, fileName)
      await put(upload, pdf)
      assert.equal((await complete(tenant, upload)).status, 200)
      assert.ok(await isStored('frozen', getKey(tenant, upload)))
      const { body } = await tenant.api.get(`/vault/documents/${upload.document.id}/download`)
      const disposition = (await service.sendFile(body.data.url, {})).headers.get('content-disposition')
      assert.match(disposition ?? '', /^attachment; filename="[^"/\\]+"(; filename\*=UTF-8''[^/\\;]+)?$/, fileName)
    }
  })

  test('the job abandoned-uploads: a version older than a week and a day fails, and its upload is removed', async () => {
    const tenant = await service.tenant()
    const { api, traces } = tenant
    const [sent, frozen, silent] = [await anUpload(api), await anUpload(api), await anUpload(api)]
    await put(sent, pdf)
    await put(frozen, pdf)
    await service.files.store.freeze(getKey(tenant, frozen))
    for (const upload of [sent, frozen, silent]) await makeOld(upload)
    await Promise.all([cleanUp(tenant, -1), cleanUp(tenant, -1)])
    for (const upload of [sent, frozen, silent]) {
      const { data } = (await api.get(`/vault/documents/${upload.document.id}`)).body
      assert.deepEqual([data.status, data.versions[0].status], ['pending_upload', 'failed'])
      assert.match(data.versions[0].failureReason, /7 days/)
      assert.deepEqual((await traces(data.id)).events, ['vault_document.created', 'vault_document.updated'])
      for (const state of ['upload', 'frozen'] as const) assert.ok(!(await isStored(state, getKey(tenant, upload))))
      assert.equal((await complete(tenant, upload)).body.code, 'state_conflict')
    }
    const next = await anUpload(api, { documentId: sent.document.id })
    await put(next, pdf)
    assert.equal((await complete(tenant, next)).status, 200)
  })

  test('the job abandoned-uploads: orphaned uploads are removed; pending, complete and infected files stay', async () => {
    const tenant = await service.tenant()
    const { api } = tenant
    const [waiting, infected] = [await anUpload(api), await anUpload(api)]
    for (const upload of [waiting, infected]) await put(upload, pdf)
    await service.files.store.freeze(getKey(tenant, infected))
    await service.database.inspect(`update document_versions set status = 'quarantined' where id = $1`, [
      infected.version.id,
    ])
    const document = await aDocument(service, api)
    const [unknown, foreign] = [fileKey(tenant.id, newId()), fileKey(newId(), newId())]
    for (const key of [unknown, foreign]) await write(key)
    await cleanUp(tenant)
    assert.ok(await isStored('upload', unknown), 'recent uploads stay')
    await cleanUp(tenant, -1)
    assert.ok(!(await isStored('upload', unknown)))
    assert.ok(await isStored('upload', foreign))
    assert.ok(await isStored('frozen', getKey(tenant, infected)))
    assert.deepEqual(await download(tenant, document.id), pdf)
    assert.equal((await complete(tenant, waiting)).status, 200)
    assert.deepEqual(await download(tenant, waiting.document.id), pdf)
  })

  test('the job abandoned-uploads: a rejected file that was not removed at once is removed later', async () => {
    const tenant = await service.tenant()
    const html = Buffer.from('<html>')
    const upload = await anUpload(tenant.api, announced(html))
    await put(upload, html)
    assert.equal((await complete(tenant, upload)).body.code, 'file_rejected')
    const key = getKey(tenant, upload)
    assert.ok(!(await isStored('frozen', key)))
    await write(key)
    await service.files.store.freeze(key)
    await cleanUp(tenant)
    assert.ok(!(await isStored('frozen', key)))
  })

  test('the job abandoned-uploads: concurrent with a completion, version and file are both there or both gone', async () => {
    const tenant = await service.tenant()
    for (let round = 0; round < 5; round += 1) {
      const upload = await anUpload(tenant.api)
      await put(upload, pdf)
      await makeOld(upload)
      const [{ status, body }] = await Promise.all([complete(tenant, upload), cleanUp(tenant, -1)])
      if (status === 200) assert.deepEqual(await download(tenant, upload.document.id), pdf)
      else assert.ok(['state_conflict', 'upload_incomplete'].includes(body.code), body.code)
    }
  })

  test('renewing an upload address: a version older than a week fails instead', async () => {
    const tenant = await service.tenant()
    const { api } = tenant
    const upload = await anUpload(api)
    await makeOld(upload)
    const path = `/vault/documents/${upload.document.id}`
    const rejected = await api.send('POST', `${path}/versions/${upload.version.id}/upload-url`, undefined)
    assert.deepEqual(
      [rejected.status, rejected.body.code, rejected.body.currentState],
      [409, 'state_conflict', 'failed'],
    )
    assert.equal((await api.get(path)).body.data.versions[0].status, 'failed')
    assert.equal((await tenant.traces(upload.document.id)).events.length, 2)
  })
}
