import { CommandError } from '../errors/index.ts'
import { parseStorageUrl, type S3Location } from '../storage/index.ts'
import { S3Bucket } from '../storage/s3/index.ts'
import type { BackupTarget } from './backup-target.ts'

/** A part of an upload: with the 10 000 that an object takes, up to 160 GB. */
const partBytes = 16 * 1024 * 1024

/** Backups as objects `<prefix><name>` of a bucket: an object appears once all of its parts were taken. */
export class S3BackupTarget implements BackupTarget {
  readonly #bucket: S3Bucket
  readonly #prefix: string

  private constructor(location: S3Location) {
    this.#bucket = new S3Bucket(location)
    this.#prefix = location.prefix
  }

  static open(address: string): S3BackupTarget {
    return new S3BackupTarget(parseStorageUrl(address))
  }

  async write(name: string, bytes: AsyncIterable<Buffer>): Promise<number> {
    if ((await this.#bucket.stat(name)) !== null) {
      const detail = `The bucket has ${this.#prefix}${name} already. Remove it, or use another name.`
      throw new CommandError('already_exists', detail)
    }
    let size = 0
    async function* counted() {
      for await (const piece of bytes) {
        size += piece.length
        yield piece
      }
    }
    await this.#bucket.write(name, counted(), partBytes)
    return size
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const found = await this.#bucket.read(name)
    if (found === null) throw new CommandError('not_found', `The bucket has no ${this.#prefix}${name}.`)
    return found
  }

  async names(): Promise<string[]> {
    const names: string[] = []
    for await (const { key } of this.#bucket.list('', { delimiter: '/' })) names.push(key)
    return names
  }

  async remove(name: string): Promise<void> {
    await this.#bucket.remove(name)
  }

  async removeUnfinished(isWanted: (name: string) => boolean): Promise<void> {
    await this.#bucket.abortUploads('', ({ key }) => isWanted(key))
  }
}
