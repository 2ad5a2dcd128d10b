import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileKey } from '../../storage/file-key.ts'
import { missingScanner, startScanner, testVirus } from '../../storage/inspection/clamd.fixture.ts'
import { VirusScanner } from '../../storage/inspection/virus-scan.ts'
import { aDocument, announced, anUpload } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

test('uploads with a real scanner: an infected file goes to quarantine and cannot be downloaded; a clean one passes', {
  skip: missingScanner ?? false,
}, async () => {
  const running = await startScanner()
  after(() => running.stop())
  const service = await startTestService({ scanner: new VirusScanner({ path: running.socketPath }) })
  const { id, api, traces } = await service.tenant()
  const intent = { documentTypeKey: 'other', ...announced(testVirus), mimeType: 'text/plain', fileName: 'letter.txt' }
  const { document, version, upload } = await anUpload(api, intent)
  const sent = await service.sendFile(upload.url, { method: 'PUT', headers: upload.headers, body: testVirus })
  assert.equal(sent.status, 200)
  const path = `/vault/documents/${document.id}`
  const rejected = await api.send('POST', `${path}/versions/${version.id}/complete`, undefined)
  assert.deepEqual([rejected.status, rejected.body.code], [422, 'file_rejected'])
  assert.match(rejected.body.found.virus, /Eicar-Test/)
  assert.equal((await api.get(path)).body.data.versions[0].status, 'quarantined')
  assert.deepEqual((await traces(version.id)).audit, ['vault_version.refused'])
  const download = await api.get(`${path}/download?versionId=${version.id}`)
  assert.deepEqual([download.status, download.body.code], [409, 'state_conflict'])
  assert.deepEqual(await service.files.store.stat('frozen', fileKey(id, version.id)), { sizeBytes: testVirus.length })
  assert.equal((await aDocument(service, api)).status, 'uploaded')
})
