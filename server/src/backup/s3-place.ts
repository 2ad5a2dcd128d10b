import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { CommandError } from '../errors/index.ts'
import { absent, getClient, parseStorageUrl, type S3Location } from '../storage/index.ts'
import type { BackupTarget } from './backup-place.ts'

/** A part of an upload: with the 10 000 that an object takes, up to 160 GB. */
const partBytes = 16 * 1024 * 1024

/** Backups as objects `<prefix><name>` of a bucket: an object appears once all of its parts were taken. */
export class S3BackupTarget implements BackupTarget {
  readonly #client: S3Client
  readonly #location: S3Location

  private constructor(location: S3Location) {
    this.#location = location
    this.#client = getClient(location)
  }

  static open(address: string): S3BackupTarget {
    return new S3BackupTarget(parseStorageUrl(address))
  }

  async write(name: string, bytes: AsyncIterable<Buffer>): Promise<number> {
    const object = this.#object(name)
    if ((await this.#client.send(new HeadObjectCommand(object)).catch(absent)) !== undefined) {
      throw new CommandError('already_exists', `The bucket has ${object.Key} already. Remove it, or use another name.`)
    }
    let size = 0
    async function* counted() {
      for await (const piece of bytes) {
        size += piece.length
        yield piece
      }
    }
    const params = { ...object, Body: Readable.from(counted(), { objectMode: false }) }
    await new Upload({ client: this.#client, params, partSize: partBytes, queueSize: 1 }).done()
    return size
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const object = this.#object(name)
    const found = await this.#client.send(new GetObjectCommand(object)).catch(absent)
    if (found === undefined) throw new CommandError('not_found', `The bucket has no ${object.Key}.`)
    return found.Body as Readable
  }

  async names(): Promise<string[]> {
    const { bucket: Bucket, prefix: Prefix } = this.#location
    const names: string[] = []
    for await (const page of paginateListObjectsV2({ client: this.#client }, { Bucket, Prefix, Delimiter: '/' })) {
      for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(Prefix.length))
    }
    return names
  }

  async remove(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(name)))
  }

  async removeUnfinished(names: RegExp): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.#location
    const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
    for (const { Key = '', UploadId } of Uploads) {
      if (!names.test(Key.slice(Prefix.length))) continue
      await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(absent)
    }
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#location.prefix + name }
  }
}
