import { startTestService } from '../../testing/test-service.ts'
import { testVaultOnStorage } from './vault-storage.fixture.ts'

testVaultOnStorage(await startTestService())
