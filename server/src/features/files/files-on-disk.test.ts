import { startTestService } from '../../testing/fixtures/test-service.ts'
import { testFilesOnStorage } from './file-storage.fixture.ts'

testFilesOnStorage(await startTestService())
