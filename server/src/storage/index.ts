export { syncFolder } from './backends/durable-folder.ts'
export { type AnnouncedFile, type CompletedUpload, completeUpload, rejection } from './complete-upload.ts'
export { FileUnreadable } from './encryption/encrypted-file.ts'
export { EncryptedFileStore } from './encryption/encrypted-file-store.ts'
export { countOthers, countStoredUnder } from './encryption/encryption-usage.ts'
export { parseFilesKeys } from './encryption/files-keys.ts'
export { loadSecretKey, readOrMakeSecretKey, readSecretKey } from './encryption/secret-key.ts'
export { fileKey } from './file-key.ts'
export { type FileState, type FileStore, FileStoreUnavailable } from './file-store.ts'
export { findMediaType } from './inspection/media-type.ts'
export { isSameType } from './inspection/same-type.ts'
export { parseScannerUrl, ScannerUnavailable, VirusScanner } from './inspection/virus-scan.ts'
export type { NamedFile, NamedFiles } from './named-files.ts'
export { openFileStore } from './open-file-store.ts'
export {
  adoptFiles,
  claimFiles,
  describeOwnership,
  findOwnership,
  hasNoFiles,
  type Installation,
} from './ownership.ts'
export { allowedDisposition, safeFileName } from './routes/content-disposition.ts'
export { addFileRoutes } from './routes/file-routes.ts'
export { discardBody, readWhole } from './routes/incoming-body.ts'
export { servedFileHeaders } from './routes/served-file-headers.ts'
export { parseStorageUrl, type S3Location } from './storage-url.ts'
