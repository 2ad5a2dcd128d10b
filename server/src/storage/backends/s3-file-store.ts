import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isFileKey, requireFileKey } from '../file-key.ts'
import {
  type ByteRange,
  type DownloadGrant,
  type ExpectedBytes,
  type FileFilter,
  type FileState,
  type FileStore,
  FileStoreUnavailable,
  type SignedUpload,
  type StoredBytes,
  type UploadGrant,
} from '../file-store.ts'
import { requireMediaType } from '../inspection/media-type.ts'
import { describeOwner, ownerName, parseOwner } from '../owner-file.ts'
import { allowedDisposition, contentDisposition } from '../routes/content-disposition.ts'
import { alreadyFrozenProblem, MeasuredBytes } from '../routes/measured-bytes.ts'
import { S3Bucket } from '../s3/index.ts'
import type { S3Location } from '../storage-url.ts'

/** Part size of a multipart upload in bytes, the minimum of S3, held in memory. */
const partBytes = 5 * 1024 * 1024

/**
 * Files in an S3-compatible bucket: `<prefix>uploads/<key>` and `<prefix>frozen/<key>`, of at most 5 GB, the maximum
 * of one copy. Only uploads are ever signed for PUT, so no address can overwrite a frozen file. Addresses are
 * presigned (Signature Version 4), valid for at most seven days.
 */
export class S3FileStore implements FileStore {
  /** S3 answers its own addresses. */
  readonly grants = null
  readonly #bucket: S3Bucket

  private constructor(location: S3Location) {
    this.#bucket = new S3Bucket(location)
  }

  static open(location: S3Location): S3FileStore {
    return new S3FileStore(location)
  }

  async signUpload({ key, sizeBytes, mimeType, checksumSha256, expiresAt }: UploadGrant): Promise<SignedUpload> {
    const checksum = checksumSha256 === null ? null : Buffer.from(checksumSha256, 'hex').toString('base64')
    const headers = {
      'content-type': requireMediaType(mimeType),
      ...(checksum !== null && { 'x-amz-checksum-sha256': checksum }),
    }
    const upload = { sizeBytes, mimeType, checksumSha256: checksum, headers: Object.keys(headers) }
    const url = await this.#bucket.signUpload(objectKey('upload', key), upload, expiresAt)
    return { method: 'PUT', url, headers }
  }

  async signDownload({ key, fileName, mimeType, disposition, expiresAt }: DownloadGrant): Promise<string> {
    const download = {
      mimeType: requireMediaType(mimeType),
      contentDisposition: contentDisposition(allowedDisposition(disposition, mimeType), fileName),
    }
    return this.#bucket.signDownload(objectKey('frozen', key), download, expiresAt)
  }

  async write(key: string, bytes: AsyncIterable<Uint8Array>, expected: ExpectedBytes): Promise<StoredBytes> {
    if ((await this.stat('frozen', key)) !== null) throw alreadyFrozenProblem()
    const measured = new MeasuredBytes(bytes, expected)
    await this.#bucket.write(objectKey('upload', key), measured, partBytes)
    return measured.stored
  }

  async replace(key: string, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
    if ((await this.stat('frozen', key)) === null) return false
    await this.#bucket.write(objectKey('frozen', key), bytes, partBytes)
    return true
  }

  async stat(state: FileState, key: string): Promise<{ sizeBytes: number } | null> {
    const facts = await this.#bucket.stat(objectKey(state, key))
    return facts && { sizeBytes: facts.sizeBytes }
  }

  async open(state: FileState, key: string, range?: ByteRange): Promise<Readable | null> {
    return this.#bucket.read(objectKey(state, key), range && `bytes=${range.first}-${range.last}`)
  }

  async freeze(key: string): Promise<'frozen' | 'already_frozen' | 'missing'> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      // In this order: whoever froze a key has copied its upload before removing it.
      const upload = await this.#bucket.stat(objectKey('upload', key))
      if ((await this.stat('frozen', key)) !== null) return 'already_frozen'
      if (upload === null) return 'missing'
      if (await this.#bucket.copy(objectKey('upload', key), upload.entityTag, objectKey('frozen', key))) {
        await this.remove('upload', key)
        return 'frozen'
      }
    }
    throw new FileStoreUnavailable('An upload is replaced again and again while it is frozen.')
  }

  async remove(state: FileState, key: string): Promise<void> {
    await this.#bucket.remove(objectKey(state, key))
  }

  async *list(state: FileState, { tenantId, before }: FileFilter = {}): AsyncGenerator<string> {
    const folder = folders[state]
    for await (const { key: object, modifiedAt } of this.#bucket.list(folder + getFolder(tenantId))) {
      const key = object.slice(folder.length)
      const isWanted = before === undefined || (modifiedAt !== undefined && modifiedAt < before)
      if (isFileKey(key) && isWanted) yield key
    }
  }

  async removeUnfinished({ tenantId, before }: FileFilter & { before: Date }): Promise<number> {
    const isWanted = ({ begunAt }: { readonly begunAt: Date | undefined }) => begunAt !== undefined && begunAt < before
    let removed = 0
    for (const folder of Object.values(folders)) {
      removed += await this.#bucket.abortUploads(folder + getFolder(tenantId), isWanted)
    }
    return removed
  }

  async readOwner(): Promise<string | null> {
    const object = await this.#bucket.read(ownerName)
    return object === null ? null : parseOwner(await text(object))
  }

  async writeOwner(installationId: string, { replaces }: { readonly replaces: boolean }): Promise<void> {
    await this.#bucket.writeSmall(ownerName, Buffer.from(describeOwner(installationId)), { replaces })
  }

  async check(): Promise<void> {
    const obstacle = await this.#bucket.findObstacle()
    if (obstacle === null) return
    const { reason, cause } = obstacle
    throw new FileStoreUnavailable(`The bucket ${this.#bucket.name} cannot be used: ${reason}`, { cause })
  }

  async close(): Promise<void> {
    this.#bucket.close()
  }
}

/** Where the files of a state are, below the prefix of the bucket's location. */
const folders: Readonly<Record<FileState, string>> = { upload: 'uploads/', frozen: 'frozen/' }

function objectKey(state: FileState, key: string): string {
  return folders[state] + requireFileKey(key)
}

/** What the keys of a tenant begin with; of all tenants, nothing. */
function getFolder(tenantId: string | undefined): string {
  return tenantId === undefined ? '' : `${tenantId}/`
}
