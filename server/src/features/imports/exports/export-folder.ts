import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseStorageUrl } from '../../../storage/index.ts'

/** Where the files of an export go. A file stands there only once it is complete. */
export interface ExportFolder {
  /** Makes a file by a program that writes to a path. */
  make<Result>(name: string, write: (path: string) => Promise<Result>): Promise<Result>
  /** After the last file. */
  finish(): Promise<void>
  /** At the end of all, whether it was finished or not. */
  close(): Promise<void>
}

/** Of an upload to a bucket, a part; files have at most 10 000 of them. */
const partBytes = 16 * 1024 * 1024

/**
 * Opens a folder, which is made where it is not there, an archive where its name ends in `.zip`, or a part of a bucket,
 * `s3://bucket/prefix?…`. Throws `StorageUrlError`.
 */
export async function openExportFolder(location: string): Promise<ExportFolder> {
  if (!location.startsWith('s3://')) return location.endsWith('.zip') ? openArchive(location) : openFolder(location)
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
    finish: async () => {},
    close: async () => {
      bucket.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openFolder(folder: string): Promise<ExportFolder> {
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
    finish: async () => {},
    close: async () => {},
  }
}

/** A zip archive, whose files wait in a temporary folder until it is finished. */
async function openArchive(path: string): Promise<ExportFolder> {
  await mkdir(dirname(path), { recursive: true })
  const { ZipFile } = (await import('yazl')).default
  const folder = await mkdtemp(join(tmpdir(), 'matricula-export-'))
  const names: string[] = []
  return {
    make: async (name, write) => {
      names.push(name)
      return write(join(folder, name))
    },
    finish: async () => {
      const zip = new ZipFile()
      for (const name of names) zip.addFile(join(folder, name), name)
      zip.end()
      await pipeline(zip.outputStream, createWriteStream(`${path}.part`, { mode: 0o600 }))
      await rename(`${path}.part`, path)
    },
    close: async () => {
      await rm(`${path}.part`, { force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The place below another one. */
export function locationWithin(location: string, name: string): string {
  const [path = '', query] = location.split('?', 2)
  return `${path.replace(/\/$/, '')}/${name}${query === undefined ? '' : `?${query}`}`
}
