import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { importBounds } from '@matricula/contract'
import { type FileStore, fileKey } from '../../../storage/index.ts'
import { UnreadableFile } from '../row-errors.ts'

/** What refused rows may have beyond the file: the reasons. */
const maxReportBytes = 4 * importBounds.fileBytes

/** Does something with a folder of its own, which is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-import-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes bytes that were sent to a folder. */
export async function writeSent(folder: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'file')
  await writeFile(path, bytes, { mode: 0o600 })
  return path
}

/** Stores a file under an id, durably. */
export async function storeFile(store: FileStore, tenantId: string, id: string, path: string): Promise<void> {
  const key = fileKey(tenantId, id)
  await store.write(key, createReadStream(path) as AsyncIterable<Buffer>, { maxBytes: maxReportBytes })
  await store.freeze(key)
}

/** Fetches a stored file to a folder. Throws `UnreadableFile` where it is gone. */
export async function fetchFile(store: FileStore, tenantId: string, id: string, folder: string): Promise<string> {
  const stream = await store.open('frozen', fileKey(tenantId, id))
  if (stream === null) throw new UnreadableFile('missing_file', 'is not kept any more: upload it again')
  const path = join(folder, 'file')
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }))
  return path
}

/** Removes a stored file; harmless where there is none. */
export async function removeFile(store: FileStore, tenantId: string, id: string): Promise<void> {
  await store.remove('upload', fileKey(tenantId, id))
  await store.remove('frozen', fileKey(tenantId, id))
}
