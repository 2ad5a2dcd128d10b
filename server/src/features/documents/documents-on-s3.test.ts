import { test } from 'node:test'
import { missingGateway, openBucket, startGateway } from '../../storage/backends/radosgw.fixture.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { testDocumentsOnStorage } from './document-storage.fixture.ts'

const missing = missingGateway()

if (missing === null) {
  const gateway = await startGateway()
  afterFile(() => gateway.stop())
  testDocumentsOnStorage(await startTestService({ store: await openBucket(gateway) }))
} else {
  test('documents with their files in S3', { skip: missing }, () => {})
  process.stderr.write(`documents are not tested with their files in S3: ${missing}\n`)
}
