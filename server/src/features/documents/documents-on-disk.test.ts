import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DiskFileStore } from '../../storage/backends/disk-file-store.ts'
import { fileKey } from '../../storage/file-key.ts'
import { inMinutes } from '../../storage/file-store.fixture.ts'
import { anUpload, pdf } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { testDocumentsOnStorage } from './document-storage.fixture.ts'

const service = await startTestService()

testDocumentsOnStorage(service)

test('signed addresses on disk: one signed by another key is 404, and an expired one says so', async () => {
  const { api, id } = await service.tenant()
  const { version } = await anUpload(api)
  const { mimeType, sizeBytes, checksumSha256 } = version
  const folder = await mkdtemp(join(tmpdir(), 'matricula-files-'))
  const publicUrl = 'https://matricula.example'
  const otherTenant = await DiskFileStore.open({ folder, secretKey: 'another secret key, long enough', publicUrl })
  const grant = { key: fileKey(id, version.id), mimeType, sizeBytes, checksumSha256, expiresAt: inMinutes(15) }
  const refusal = async (signed: { url: string; headers: Readonly<Record<string, string>> }) => {
    const sent = await service.sendFile(signed.url, { method: 'PUT', headers: signed.headers, body: pdf })
    return [sent.status, ((await sent.json()) as { code: string }).code]
  }
  assert.deepEqual(await refusal(await otherTenant.signUpload(grant)), [404, 'route_not_found'])
  const expired = await service.files.store.signUpload({ ...grant, expiresAt: inMinutes(-1) })
  assert.deepEqual(await refusal(expired), [410, 'link_expired'])
  assert.equal(await service.files.store.stat('upload', grant.key), null)
  await rm(folder, { recursive: true })
})
