import { join } from 'node:path'
import { currentTracing, traced } from '../tracing/index.ts'
import { DiskFileStore } from './backends/disk-file-store.ts'
import { EncryptedFileStore } from './encryption/encrypted-file-store.ts'
import { parseFilesKeys } from './encryption/files-keys.ts'
import type { FileStore } from './file-store.ts'
import { keepingOthersFiles, type StorageUser } from './ownership.ts'
import { ServedAddresses } from './routes/served-addresses.ts'
import { parseStorageUrl } from './storage-url.ts'

interface FileStoreConfig {
  /** Null: files under `dataDir`. */
  readonly storageUrl: string | null
  readonly dataDir: string
  readonly secretKey: string
  /** Base of the signed addresses that the service answers, without a slash at its end. */
  readonly publicUrl: string
  /** The keys under which files are stored (`parseFilesKeys`). Null: they are stored plain. */
  readonly filesKey: string | null
}

/**
 * Opens the storage that the configuration names. It makes the folders of files on disk; whether a storage elsewhere
 * can be reached is left to `check`, so that the service starts before it.
 * @param user For whose installation files are removed and stored anew, when they are its own; null: for none
 * @throws StorageUrlError when `storageUrl` names no storage.
 * @throws FilesKeyError when `filesKey` holds no keys.
 */
export async function openFileStore(config: FileStoreConfig, user: StorageUser | null): Promise<EncryptedFileStore> {
  const keys = parseFilesKeys(config.filesKey)
  const store = keepingOthersFiles(await openAt(config), user)
  return tracedStore(new EncryptedFileStore(store, keys, new ServedAddresses(config)))
}

/** The same store, whose work is told as spans where traces are kept. */
function tracedStore(store: EncryptedFileStore): EncryptedFileStore {
  if (currentTracing() === null) return store
  for (const name of ['write', 'stat', 'open', 'freeze', 'remove', 'check', 'encryptAnew'] as const) {
    const work = store[name].bind(store) as (...args: unknown[]) => Promise<unknown>
    Object.assign(store, {
      [name]: (...args: unknown[]) => traced(`storage ${name}`, 'client', {}, () => work(...args)),
    })
  }
  return store
}

async function openAt(config: FileStoreConfig): Promise<FileStore> {
  const { storageUrl, dataDir, secretKey, publicUrl } = config
  if (storageUrl === null) return DiskFileStore.open({ folder: join(dataDir, 'files'), secretKey, publicUrl })
  const location = parseStorageUrl(storageUrl)
  // Loaded only where it is used: the AWS SDK is the largest part of the program.
  const { S3FileStore } = await import('./backends/s3-file-store.ts')
  return S3FileStore.open(location)
}
