import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../errors/index.ts'
import { syncFolder } from '../storage/index.ts'
import type { BackupTarget } from './backup-target.ts'

const unfinished = /^\.(.+)\.[0-9a-f-]{36}\.part$/

/** Backups as files of a folder. */
export class FolderBackupTarget implements BackupTarget {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(name: string, bytes: AsyncIterable<Buffer>): Promise<number> {
    const file = join(this.#folder, name)
    if (await isThere(file))
      throw new CommandError('already_exists', `${file} is there already. Remove it, or use another name.`)
    const part = join(this.#folder, `.${name}.${randomUUID()}.part`)
    try {
      await mkdir(this.#folder, { recursive: true })
      // For the operator alone: it holds everything.
      await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
      const { size } = await stat(part)
      await rename(part, file)
      await syncFolder(this.#folder)
      return size
    } catch (error) {
      await rm(part, { force: true }).catch(() => {})
      throw explained(error, this.#folder)
    }
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array>> {
    const file = join(this.#folder, name)
    const handle = await open(file).catch((error: unknown) => {
      throw explained(error, file)
    })
    return createReadStream('', { fd: handle, highWaterMark: 128 * 1024 })
  }

  async names(): Promise<string[]> {
    return readdir(this.#folder).catch((error: unknown) => {
      throw explained(error, this.#folder)
    })
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }

  async removeUnfinished(isWanted: (name: string) => boolean): Promise<void> {
    for (const entry of await readdir(this.#folder).catch(() => [])) {
      if (isWanted(unfinished.exec(entry)?.[1] ?? '')) await rm(join(this.#folder, entry), { force: true })
    }
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A refusal of the file system in words. Other errors are as they were. */
function explained(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const reason = reasons[code ?? '']
  return reason === undefined ? error : new CommandError('state_conflict', `${path}: ${reason} (${code}).`)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder, and a file is wanted',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'it can only be read',
  ENOSPC: 'the disk is full; make room and try again',
  EDQUOT: 'the quota of the disk is used up; make room and try again',
  EFBIG: 'the file system takes no file of this size',
  EIO: 'the disk does not answer as it should',
}

/** Keeps bytes in a file of its own while `work` reads them, as often as it likes: for what comes once. */
export async function spooled<Result>(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  work: (again: () => AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const file = join(folder, `.backup.${randomUUID()}.part`)
  try {
    await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    return await work(() => createReadStream(file, { highWaterMark: 128 * 1024 }))
  } catch (error) {
    throw explained(error, folder)
  } finally {
    await rm(file, { force: true })
  }
}
