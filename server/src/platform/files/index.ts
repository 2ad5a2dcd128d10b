export { type AnnouncedFile, type CompletedUpload, completeUpload, rejection } from './complete-upload.ts'
export { allowedDisposition } from './content-disposition.ts'
export { fileKey } from './file-key.ts'
export { addFileRoutes } from './file-routes.ts'
export {
  type ByteRange,
  type Disposition,
  type DownloadGrant,
  type ExpectedBytes,
  type FileFilter,
  type FileState,
  type FileStore,
  FileStoreUnavailable,
  type SignedUpload,
  type StoredBytes,
  type UploadGrant,
} from './file-store.ts'
export { type FileFacts, inspectFile } from './inspect-file.ts'
export { mediaTypeOf } from './media-type.ts'
export { openFileStore } from './open-file-store.ts'
export { isSameType } from './same-type.ts'
export { readOrMakeSecretKey } from './secret-key.ts'
export { parseStorageUrl, StorageUrlError } from './storage-url.ts'
export {
  parseScannerUrl,
  type ScannerAddress,
  ScannerUnavailable,
  ScannerUrlError,
  type ScanOutcome,
  VirusScanner,
} from './virus-scan.ts'
