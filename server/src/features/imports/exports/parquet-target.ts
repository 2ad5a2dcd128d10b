import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseStorageUrl } from '../../../storage/index.ts'

/** Where analytics files go. A file stands there only once it is complete. */
export interface ParquetTarget {
  /** Makes a file by a program that writes to a path. */
  make<Result>(name: string, write: (path: string) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Of an upload to a bucket, a part; files have at most 10 000 of them. */
const partBytes = 16 * 1024 * 1024

/** Opens a folder, which is made where it is not there, or a part of a bucket, `s3://bucket/prefix?…`. Throws `StorageUrlError`. */
export async function openParquetTarget(location: string): Promise<ParquetTarget> {
  if (!location.startsWith('s3://')) return openFolder(location)
  // Loaded only where it is used: the AWS SDK is the largest part of the program.
  const { S3Bucket } = await import('../../../storage/s3/index.ts')
  const bucket = new S3Bucket(parseStorageUrl(location, 'The address'))
  const folder = await mkdtemp(join(tmpdir(), 'matricula-parquet-'))
  return {
    make: async (name, write) => {
      const path = join(folder, name)
      const result = await write(path)
      await bucket.write(name, createReadStream(path) as AsyncIterable<Buffer>, partBytes)
      await rm(path)
      return result
    },
    close: async () => {
      bucket.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openFolder(folder: string): Promise<ParquetTarget> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    make: async (name, write) => {
      const part = join(folder, `.${name}.part`)
      try {
        // For the operator alone.
        await writeFile(part, '', { mode: 0o600 })
        const result = await write(part)
        await rename(part, join(folder, name))
        return result
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    close: async () => {},
  }
}

/** The place below another one. */
export function placeWithin(location: string, name: string): string {
  const [path = '', query] = location.split('?', 2)
  return `${path.replace(/\/$/, '')}/${name}${query === undefined ? '' : `?${query}`}`
}
