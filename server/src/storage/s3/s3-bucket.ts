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
import type { S3Location } from '../storage-url.ts'

/** The facts of an object (HeadObject). */
interface ObjectFacts {
  readonly sizeBytes: number
  readonly entityTag: string | undefined
}

/** How an object is uploaded at a presigned address. */
interface PresignedUpload {
  readonly sizeBytes: number
  readonly mimeType: string
  /** Base64, or null where it is not bound to one. */
  readonly checksumSha256: string | null
  /** The headers, in lower case, to which the signature binds the upload. */
  readonly headers: readonly string[]
}

/** The headers of the response at a presigned address. */
interface PresignedDownload {
  readonly mimeType: string
  readonly contentDisposition: string
}

/**
 * A part of a bucket of S3 or of a storage that speaks its language: the objects whose keys begin with the prefix of its location,
 * which the keys here leave out. What fails throws `S3ServiceException`.
 */
export class S3Bucket {
  readonly #client: S3Client
  readonly #location: S3Location

  constructor(location: S3Location) {
    // Which versions of Node are fit is said by `matricula doctor`, not in the log of every process.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    const { endpoint, region } = location
    this.#location = location
    this.#client = new S3Client({
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      ...(region !== null && { region }),
      // Else a presigned upload is bound to the checksum of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    })
  }

  get name(): string {
    return this.#location.bucket
  }

  /** The facts of an object; null where there is none. */
  async stat(key: string): Promise<ObjectFacts | null> {
    const facts = await this.#client.send(new HeadObjectCommand(this.#object(key))).catch(absent)
    return facts === undefined ? null : { sizeBytes: facts.ContentLength ?? 0, entityTag: facts.ETag }
  }

  /**
   * The bytes of an object; null where there is none.
   *
   * @param range A range of bytes (RFC 9110 §14.1.2), such as `bytes=0-99`; all of them where none is given
   */
  async read(key: string, range?: string): Promise<Readable | null> {
    const part = range !== undefined && { Range: range }
    const object = await this.#client.send(new GetObjectCommand({ ...this.#object(key), ...part })).catch(absent)
    return object === undefined ? null : (object.Body as Readable)
  }

  /**
   * Stores an object, which appears once all of its parts were taken.
   *
   * @param partBytes The size of a part, at least 5 MiB, which is held in memory; an object has at most 10 000
   */
  async write(key: string, bytes: AsyncIterable<Uint8Array>, partBytes: number): Promise<void> {
    const params = { ...this.#object(key), Body: Readable.from(bytes, { objectMode: false }) }
    await new Upload({ client: this.#client, params, partSize: partBytes, queueSize: 1 }).done()
  }

  /**
   * Stores a few bytes as an object.
   *
   * @param replaces Whether an object that is there already is replaced; else it stays
   */
  async writeSmall(key: string, bytes: Buffer, { replaces }: { readonly replaces: boolean }): Promise<void> {
    const put = { ...this.#object(key), Body: bytes }
    if (replaces) {
      await this.#client.send(new PutObjectCommand(put))
      return
    }
    try {
      await this.#client.send(new PutObjectCommand({ ...put, IfNoneMatch: '*' }))
    } catch (error) {
      if ([409, 412].includes(findStatus(error) ?? 0)) return
      // A storage that does not know the condition says so; then a look before has to do.
      if (findStatus(error) !== 501) throw error
      if ((await this.stat(key)) === null) await this.#client.send(new PutObjectCommand(put))
    }
  }

  /** Copies an object that still has its entity tag to where nothing is yet; false when either is not so any more. */
  async copy(from: string, entityTag: string | undefined, to: string): Promise<boolean> {
    const { Bucket, Key } = this.#object(from)
    const copy = { ...this.#object(to), CopySource: `${Bucket}/${Key}`, CopySourceIfMatch: entityTag }
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

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(key)))
  }

  /**
   * The keys of the objects whose keys begin so, with when each last changed.
   *
   * @param delimiter Those that have it behind the prefix are left out
   */
  async *list(
    prefix: string,
    { delimiter }: { readonly delimiter?: string } = {},
  ): AsyncGenerator<{ readonly key: string; readonly modifiedAt: Date | undefined }> {
    const location = {
      Bucket: this.#location.bucket,
      Prefix: this.#location.prefix + prefix,
      ...(delimiter !== undefined && { Delimiter: delimiter }),
    }
    for await (const page of paginateListObjectsV2({ client: this.#client }, location)) {
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        yield { key: Key.slice(this.#location.prefix.length), modifiedAt: LastModified }
      }
    }
  }

  /** Removes the multipart uploads, begun and never completed, that are wanted of those whose keys begin so. Gives how many. */
  async abortUploads(
    prefix: string,
    isWanted: (upload: { readonly key: string; readonly begunAt: Date | undefined }) => boolean,
  ): Promise<number> {
    const Bucket = this.#location.bucket
    let removed = 0
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {}
    while (next !== null) {
      const location = { Bucket, Prefix: this.#location.prefix + prefix, ...next }
      const page: ListMultipartUploadsCommandOutput = await this.#client.send(new ListMultipartUploadsCommand(location))
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
        if (!isWanted({ key: Key.slice(this.#location.prefix.length), begunAt: Initiated })) continue
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(absent)
        removed += 1
      }
      const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page
      next = IsTruncated === true ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : null
    }
    return removed
  }

  /** An address for one PUT of an object (Signature Version 4), which lives at most seven days. */
  signUpload(key: string, upload: PresignedUpload, expiresAt: Date): Promise<string> {
    const { sizeBytes, mimeType, checksumSha256, headers } = upload
    const command = new PutObjectCommand({
      ...this.#object(key),
      ContentLength: sizeBytes,
      ContentType: mimeType,
      ...(checksumSha256 !== null && { ChecksumSHA256: checksumSha256 }),
    })
    return getSignedUrl(this.#client, command, {
      ...lifeUntil(expiresAt),
      signableHeaders: new Set(['host', 'content-length', ...headers]),
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    })
  }

  /** An address for reading an object (Signature Version 4), which lives at most seven days. */
  signDownload(key: string, { mimeType, contentDisposition }: PresignedDownload, expiresAt: Date): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#object(key),
      ResponseContentType: mimeType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: 'no-store',
    })
    return getSignedUrl(this.#client, command, lifeUntil(expiresAt))
  }

  /** Why the bucket cannot be used, with what to do, and the error; null where it can. Takes at most ten seconds. */
  async findObstacle(): Promise<{ readonly reason: string; readonly cause: unknown } | null> {
    try {
      const command = new HeadBucketCommand({ Bucket: this.#location.bucket })
      await this.#client.send(command, { abortSignal: AbortSignal.timeout(10_000) })
      return null
    } catch (error) {
      return { reason: getReason(error), cause: error }
    }
  }

  close(): void {
    this.#client.destroy()
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#location.prefix + key }
  }
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
function absent(error: unknown): undefined {
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
