import { randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
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
import { describeOwner, ownerName, parseOwner } from '../owner-file.ts'
import { alreadyFrozenProblem, MeasuredBytes } from '../routes/measured-bytes.ts'
import { ServedAddresses } from '../routes/served-addresses.ts'
import { makePrivateFolder, syncFolder } from './durable-folder.ts'

interface DiskLocation {
  /** The folder of the files; made when it is missing. */
  readonly folder: string
  readonly secretKey: string
  readonly publicUrl: string
}

/** The end of a temporary name. No key has a dot in it, so such a file is never taken for a stored one. */
const unfinished = '.part'

/**
 * Files in a local folder: `uploads/<key>` and `frozen/<key>`, private to the user of the service. A file is written
 * to a temporary name, synced (fsync), and renamed atomically; its signed addresses are served by `addFileRoutes`.
 */
export class DiskFileStore implements FileStore {
  readonly #addresses: ServedAddresses
  readonly #folders: Readonly<Record<FileState, string>>
  readonly #ownerFile: string

  private constructor({ folder, ...served }: DiskLocation) {
    this.#addresses = new ServedAddresses(served)
    this.#ownerFile = join(folder, ownerName)
    this.#folders = { upload: join(folder, 'uploads'), frozen: join(folder, 'frozen') }
  }

  get grants() {
    return this.#addresses.grants
  }

  static async open(location: DiskLocation): Promise<DiskFileStore> {
    const store = new DiskFileStore(location)
    await mkdir(dirname(location.folder), { recursive: true })
    for (const folder of Object.values(store.#folders)) await makePrivateFolder(folder)
    return store
  }

  signUpload(grant: UploadGrant): Promise<SignedUpload> {
    return this.#addresses.signUpload(grant)
  }

  signDownload(grant: DownloadGrant): Promise<string> {
    return this.#addresses.signDownload(grant)
  }

  write(key: string, bytes: AsyncIterable<Uint8Array>, expected: ExpectedBytes): Promise<StoredBytes> {
    return whileUsable(() => this.#write(key, bytes, expected))
  }

  async #write(key: string, bytes: AsyncIterable<Uint8Array>, expected: ExpectedBytes): Promise<StoredBytes> {
    await this.#requireUnfrozen(key)
    const measured = new MeasuredBytes(bytes, expected)
    await this.#put(key, 'upload', measured, () => this.#requireUnfrozen(key))
    return measured.stored
  }

  replace(key: string, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
    return whileUsable(async () => {
      let isThere = false
      await this.#put(key, 'frozen', bytes, async () => {
        isThere = (await this.stat('frozen', key)) !== null
        return isThere
      })
      return isThere
    })
  }

  /**
   * Writes bytes beside the uploads of the tenant, and puts them in their place at once, unless `isWanted` then says
   * that they are not.
   */
  async #put(
    key: string,
    state: FileState,
    bytes: AsyncIterable<Uint8Array>,
    isWanted: () => Promise<boolean | undefined>,
  ): Promise<void> {
    const file = this.#path(state, key)
    const folder = dirname(this.#path('upload', key))
    await makeFolderOf(join(folder, unfinished))
    const temporary = join(folder, `.${randomUUID()}${unfinished}`)
    try {
      await writeSynced(temporary, bytes)
      if ((await isWanted()) === false) return
      await rename(temporary, file)
      await syncFolder(dirname(file))
    } finally {
      // What cannot be removed either is left to the job that looks for unfinished files.
      await rm(temporary, { force: true }).catch(() => {})
    }
  }

  async stat(state: FileState, key: string): Promise<{ sizeBytes: number } | null> {
    const facts = await whileUsable(() => stat(this.#path(state, key)).catch(absent))
    return facts === undefined ? null : { sizeBytes: facts.size }
  }

  async open(state: FileState, key: string, range?: ByteRange): Promise<Readable | null> {
    const handle = await whileUsable(() => open(this.#path(state, key)).catch(absent))
    if (handle === undefined) return null
    return handle.createReadStream(range && { start: range.first, end: range.last })
  }

  freeze(key: string): Promise<'frozen' | 'already_frozen' | 'missing'> {
    return whileUsable(() => this.#freeze(key))
  }

  async #freeze(key: string): Promise<'frozen' | 'already_frozen' | 'missing'> {
    const upload = this.#path('upload', key)
    const frozen = this.#path('frozen', key)
    await makeFolderOf(frozen)
    try {
      // A link takes the upload as it is at this instant, and never replaces a file.
      await link(upload, frozen)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return 'already_frozen'
      if (code !== 'ENOENT') throw error
      return (await this.stat('frozen', key)) === null ? 'missing' : 'already_frozen'
    }
    await syncFolder(dirname(frozen))
    await rm(upload, { force: true })
    return 'frozen'
  }

  async remove(state: FileState, key: string): Promise<void> {
    const file = this.#path(state, key)
    await whileUsable(async () => {
      const removed = await rm(file).then(() => true, absent)
      if (removed === true) await syncFolder(dirname(file))
    })
  }

  async *list(state: FileState, { tenantId, before }: FileFilter = {}): AsyncGenerator<string> {
    for await (const { key, path } of filesIn(this.#folders[state], tenantId)) {
      if (isFileKey(key) && (before === undefined || (await isOlder(path, before)))) yield key
    }
  }

  async removeUnfinished({ tenantId, before }: FileFilter & { before: Date }): Promise<number> {
    let removed = 0
    for await (const { key, path } of filesIn(this.#folders.upload, tenantId)) {
      if (!key.endsWith(unfinished) || !(await isOlder(path, before))) continue
      await rm(path, { force: true })
      removed += 1
    }
    return removed
  }

  async readOwner(): Promise<string | null> {
    const text = await whileUsable(() => readFile(this.#ownerFile, 'utf8').catch(absent))
    return text === undefined ? null : parseOwner(text)
  }

  writeOwner(installationId: string, { replaces }: { readonly replaces: boolean }): Promise<void> {
    return whileUsable(async () => {
      const folder = dirname(this.#ownerFile)
      const temporary = join(folder, `.${randomUUID()}${unfinished}`)
      try {
        await writeSynced(temporary, [Buffer.from(describeOwner(installationId))])
        // A link never takes the place of a file.
        if (replaces) await rename(temporary, this.#ownerFile)
        else await link(temporary, this.#ownerFile).catch(present)
        await syncFolder(folder)
      } finally {
        await rm(temporary, { force: true })
      }
    })
  }

  async check(): Promise<void> {
    const name = `.check-${randomUUID()}`
    const made = join(this.#folders.upload, name)
    const linked = join(this.#folders.frozen, name)
    try {
      await writeFile(made, 'readable', { mode: 0o600, flag: 'wx' })
      await link(made, linked)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const detail = `Files cannot be stored in ${dirname(this.#folders.upload)} (${code}).`
      const advice = 'It must be writable by the service, not full, and on a file system with hard links.'
      throw new FileStoreUnavailable(`${detail} ${advice}`, { cause: error })
    } finally {
      await Promise.allSettled([rm(made, { force: true }), rm(linked, { force: true })])
    }
  }

  async close(): Promise<void> {}

  #path(state: FileState, key: string): string {
    return join(this.#folders[state], requireFileKey(key))
  }

  async #requireUnfrozen(key: string): Promise<undefined> {
    if ((await this.stat('frozen', key)) !== null) throw alreadyFrozenProblem()
  }
}

/** Error codes of a folder that is full, read-only, or broken, not of a single file. */
const unusable: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
])

/** Runs a file operation. Throws `FileStoreUnavailable` where the folder cannot be used. */
async function whileUsable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!unusable.has(code)) throw error
    throw new FileStoreUnavailable(`Files cannot be stored or read (${code}).`, { cause: error })
  }
}

async function makeFolderOf(file: string): Promise<void> {
  await makePrivateFolder(dirname(file)).catch((error: NodeJS.ErrnoException) => {
    // What a folder is made in that cannot be written is said to be missing.
    if (error.code !== 'ENOENT') throw error
    throw new FileStoreUnavailable('Files cannot be stored: no folder can be created.', { cause: error })
  })
}

async function writeSynced(path: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    // One chunk at a time: the next one is read when this one is written.
    await writeFile(handle, bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The files two folders deep, which is where keys are; with a tenant, those in its folder. */
async function* filesIn(folder: string, tenantId?: string): AsyncGenerator<{ key: string; path: string }> {
  for (const tenant of tenantId === undefined ? await foldersIn(folder) : [tenantId]) {
    for await (const file of (await opendir(join(folder, tenant)).catch(absent)) ?? []) {
      const key = `${tenant}/${file.name}`
      if (file.isFile()) yield { key, path: join(folder, key) }
    }
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Whether a file was last written before a moment; not when it has just gone. */
async function isOlder(path: string, moment: Date): Promise<boolean> {
  const facts = await stat(path).catch(absent)
  return facts !== undefined && facts.mtimeMs < moment.getTime()
}

function present(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
