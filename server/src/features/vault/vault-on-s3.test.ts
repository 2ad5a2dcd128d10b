import { after, test } from 'node:test'
import { missingGateway, openBucket, startGateway } from '../../platform/files/radosgw.fixture.ts'
import { startTestService } from '../../testing/test-service.ts'
import { testVaultOnStorage } from './vault-storage.fixture.ts'

const missing = missingGateway()

if (missing === null) {
  const gateway = await startGateway()
  after(() => gateway.stop())
  testVaultOnStorage(await startTestService({ store: await openBucket(gateway) }))
} else {
  test('the vault with its files in S3', { skip: missing }, () => {})
  process.stderr.write(`the vault is not tested with its files in S3: ${missing}\n`)
}
