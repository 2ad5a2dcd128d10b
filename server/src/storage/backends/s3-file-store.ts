import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
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
import { allowedDisposition, contentDisposition } from '../routes/content-disposition.ts'
import { alreadyFrozenProblem, MeasuredBytes } from '../routes/measured-bytes.ts'
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
  readonly #client: S3Client
  readonly #location: S3Location

  private constructor(location: S3Location) {
    this.#location = location
    this.#client = getClient(location)
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
    const command = new PutObjectCommand({
      ...this.#object('upload', key),
      ContentLength: sizeBytes,
      ContentType: mimeType,
      ...(checksum !== null && { ChecksumSHA256: checksum }),
    })
    const url = await getSignedUrl(this.#client, command, {
      ...lifeUntil(expiresAt),
      signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    })
    return { method: 'PUT', url, headers }
  }

  async signDownload({ key, fileName, mimeType, disposition, expiresAt }: DownloadGrant): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#object('frozen', key),
      ResponseContentType: requireMediaType(mimeType),
      ResponseContentDisposition: contentDisposition(allowedDisposition(disposition, mimeType), fileName),
      ResponseCacheControl: 'no-store',
    })
    return getSignedUrl(this.#client, command, lifeUntil(expiresAt))
  }

  async write(key: string, bytes: AsyncIterable<Uint8Array>, expected: ExpectedBytes): Promise<StoredBytes> {
    if ((await this.stat('frozen', key)) !== null) throw alreadyFrozenProblem()
    const measured = new MeasuredBytes(bytes, expected)
    await this.#put('upload', key, measured)
    return measured.stored
  }

  async replace(key: string, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
    if ((await this.stat('frozen', key)) === null) return false
    await this.#put('frozen', key, bytes)
    return true
  }

  async #put(state: FileState, key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const params = { ...this.#object(state, key), Body: Readable.from(bytes) }
    await new Upload({ client: this.#client, params, partSize: partBytes, queueSize: 1 }).done()
  }

  async stat(state: FileState, key: string): Promise<{ sizeBytes: number } | null> {
    const facts = await this.#client.send(new HeadObjectCommand(this.#object(state, key))).catch(absent)
    return facts === undefined ? null : { sizeBytes: facts.ContentLength ?? 0 }
  }

  async open(state: FileState, key: string, range?: ByteRange): Promise<Readable | null> {
    const part = range && { Range: `bytes=${range.first}-${range.last}` }
    const object = await this.#client.send(new GetObjectCommand({ ...this.#object(state, key), ...part })).catch(absent)
    return object === undefined ? null : (object.Body as Readable)
  }

  async freeze(key: string): Promise<'frozen' | 'already_frozen' | 'missing'> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      // In this order: whoever froze a key has copied its upload before removing it.
      const upload = await this.#client.send(new HeadObjectCommand(this.#object('upload', key))).catch(absent)
      if ((await this.stat('frozen', key)) !== null) return 'already_frozen'
      if (upload === undefined) return 'missing'
      if (await this.#copyToFrozen(key, upload.ETag)) {
        await this.remove('upload', key)
        return 'frozen'
      }
    }
    throw new FileStoreUnavailable('An upload is replaced again and again while it is frozen.')
  }

  async remove(state: FileState, key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(state, key)))
  }

  async *list(state: FileState, { tenantId, before }: FileFilter = {}): AsyncGenerator<string> {
    const prefix = this.#prefix(state)
    const location = { Bucket: this.#location.bucket, Prefix: prefix + getFolder(tenantId) }
    for await (const page of paginateListObjectsV2({ client: this.#client }, location)) {
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        const key = Key.slice(prefix.length)
        const isWanted = before === undefined || (LastModified !== undefined && LastModified < before)
        if (isFileKey(key) && isWanted) yield key
      }
    }
  }

  async removeUnfinished(filter: FileFilter & { before: Date }): Promise<number> {
    return (await this.#abortUploads('upload', filter)) + (await this.#abortUploads('frozen', filter))
  }

  async #abortUploads(state: FileState, { tenantId, before }: FileFilter & { before: Date }): Promise<number> {
    const { bucket: Bucket } = this.#location
    let removed = 0
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {}
    while (next !== null) {
      const location = { Bucket, Prefix: this.#prefix(state) + getFolder(tenantId), ...next }
      const page: ListMultipartUploadsCommandOutput = await this.#client.send(new ListMultipartUploadsCommand(location))
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated >= before) continue
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(absent)
        removed += 1
      }
      const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page
      next = IsTruncated === true ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : null
    }
    return removed
  }

  async check(): Promise<void> {
    const { bucket } = this.#location
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(10_000) })
    } catch (error) {
      throw new FileStoreUnavailable(`The bucket ${bucket} cannot be used: ${getReason(error)}`, { cause: error })
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /** Copies an upload that has not changed to where nothing is yet; false when either is not so any more. */
  async #copyToFrozen(key: string, entityTag: string | undefined): Promise<boolean> {
    const { Bucket, Key } = this.#object('upload', key)
    const source = { CopySource: `${Bucket}/${Key}`, CopySourceIfMatch: entityTag }
    const copy = { ...this.#object('frozen', key), ...source }
    try {
      await this.#client.send(new CopyObjectCommand({ ...copy, IfNoneMatch: '*' })).catch(async (error) => {
        // A storage that does not know the condition says so; then the look before the copy has to do.
        if (findStatus(error) !== 501) throw error
        await this.#client.send(new CopyObjectCommand(copy))
      })
      return true
    } catch (error) {
      if (![404, 409, 412].includes(findStatus(error) ?? 0)) throw error
      return false
    }
  }

  #object(state: FileState, key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#prefix(state) + requireFileKey(key) }
  }

  #prefix(state: FileState): string {
    return `${this.#location.prefix}${state === 'upload' ? 'uploads' : 'frozen'}/`
  }
}

/** What speaks to the storage of a location. */
export function getClient({ endpoint, region }: S3Location): S3Client {
  return new S3Client({
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(region !== null && { region }),
    // Else a presigned upload is bound to the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  })
}

/** What the keys of a tenant begin with; of all tenants, nothing. */
function getFolder(tenantId: string | undefined): string {
  return tenantId === undefined ? '' : `${tenantId}/`
}

/** How long a presigned address lives. One whose time is past is signed as of then, so that it is told as expired. */
function lifeUntil(expiresAt: Date): { expiresIn: number; signingDate: Date } {
  const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1000)
  if (seconds >= 1) return { expiresIn: seconds, signingDate: new Date() }
  return { expiresIn: 1, signingDate: new Date(expiresAt.getTime() - 1000) }
}

function findStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

/** Nothing where an object is not there; throws other errors. */
export function absent(error: unknown): undefined {
  if (findStatus(error) !== 404) throw error
}

function getReason(error: unknown): string {
  const status = findStatus(error)
  if (status === 404) return 'there is no such bucket. Make it, or correct STORAGE_URL.'
  if (status === 403) return 'the credentials may not list it. Check AWS_ACCESS_KEY_ID, its secret and its policy.'
  if (status === 301 || status === 400) return 'it is in another region. Correct region= in STORAGE_URL.'
  const { name, code, message } = error as NodeJS.ErrnoException
  return `${code ?? name}: ${message}. Check the endpoint and region in STORAGE_URL, and the AWS credentials.`
}
