import { startTestService } from '../../testing/test-service.ts'
import { testFilesOnStorage } from './file-storage.fixture.ts'

testFilesOnStorage(await startTestService())
