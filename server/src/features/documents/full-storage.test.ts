import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DiskFileStore } from '../../storage/backends/disk-file-store.ts'
import { announced, anUpload, aRecordCaller, pdf } from '../../testing/fixtures/factories.ts'
import { mountSmallDisk, type SmallDisk } from '../../testing/fixtures/files/small-disk.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const folder = await mkdtemp(join(tmpdir(), 'matricula-full-'))
const mounted = await mountSmallDisk(folder, 8)
afterFile(async () => {
  if (typeof mounted !== 'string') await mounted.unmount()
  await rm(folder, { recursive: true, force: true })
})
const skip = typeof mounted === 'string' ? mounted : false
const disk = mounted as SmallDisk
const publicUrl = 'https://matricula.example'
const store = await DiskFileStore.open({
  folder: join(folder, 'files'),
  secretKey: 'a key of this very test',
  publicUrl,
})
const service = await startTestService({ store })

/** The files of the store, complete or not. */
async function stored(): Promise<string[]> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** The status and Retry-After that a family, an integration and staff get for an upload. */
async function sendEverywhere() {
  const tenant = await service.tenant()
  const { upload } = await anUpload(tenant.api)
  const records = await aRecordCaller(service, tenant)
  const form = new FormData()
  form.set('file', new Blob([pdf], { type: 'application/pdf' }), 'certificate.pdf')
  const answers = await Promise.all([
    service.sendFile(upload.url, { method: 'PUT', headers: upload.headers, body: pdf }),
    records.post('/api/method/upload_file', form),
  ])
  return answers.map(({ status, headers }) => [status, Number(headers.get('retry-after') ?? 0)])
}

test('a full disk: uploads are 503, nothing of them is stored, and they succeed once there is space', {
  skip,
}, async () => {
  assert.deepEqual(await sendEverywhere(), [
    [200, 0],
    [200, 0],
  ])
  const before = await stored()
  await disk.fill()
  assert.deepEqual(await sendEverywhere(), [
    [503, 60],
    [503, 60],
  ])
  assert.equal((await fetch(`${service.address}/readyz`)).status, 503)
  await disk.empty()
  assert.deepEqual(await stored(), before)
  assert.deepEqual(await sendEverywhere(), [
    [200, 0],
    [200, 0],
  ])
})

test('a read-only disk: uploads and changes of files are 503; downloads work', {
  skip,
}, async () => {
  const { api } = await service.tenant()
  const sent = await anUpload(api)
  await service.sendFile(sent.upload.url, { method: 'PUT', headers: sent.upload.headers, body: pdf })
  const complete = ({ document, version }: typeof sent) =>
    api.send('POST', `/vault/documents/${document.id}/versions/${version.id}/complete`, undefined)
  const stored = await anUpload(api, announced())
  await service.sendFile(stored.upload.url, { method: 'PUT', headers: stored.upload.headers, body: pdf })
  assert.equal((await complete(stored)).status, 200)
  await disk.setReadOnly(true)
  try {
    assert.deepEqual(await sendEverywhere(), [
      [503, 60],
      [503, 60],
    ])
    const { status, body, headers } = await complete(sent)
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'service_unavailable', '60'])
    const download = await api.get(`/vault/documents/${stored.document.id}/download`)
    assert.equal((await service.sendFile(download.body.data.url, {})).status, 200, download.text)
  } finally {
    await disk.setReadOnly(false)
  }
  assert.equal((await complete(sent)).status, 200)
})
