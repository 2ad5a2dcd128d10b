import { once } from 'node:events'
import { Readable } from 'node:stream'
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
import { MeasuredBytes } from '../routes/measured-bytes.ts'
import type { ServedAddresses } from '../routes/served-addresses.ts'
import {
  decrypted,
  encrypted,
  type FileHeader,
  FilesKeyMissing,
  getLocation,
  getPlainBytes,
  headerBytes,
  minBytes,
  readHeader,
  unmarked,
} from './encrypted-file.ts'
import type { FilesKey } from './files-keys.ts'

/** What a stored file is under: a key's id, or nothing. */
export type StoredUnder = { readonly keyId: string | null }

/**
 * Encryption at rest over another store: files are encrypted under the first key and decrypted under whichever key
 * they have; plain files can be read too. Sizes and checksums are those of the plain bytes. With keys, addresses are
 * served by the service, because a storage could only return ciphertext. Without keys, files are stored plain, and
 * encrypted ones are rejected instead of returned as they are.
 */
export class EncryptedFileStore implements FileStore {
  readonly #inner: FileStore
  readonly #keys: readonly FilesKey[]
  readonly #signer: FileStore | ServedAddresses

  constructor(inner: FileStore, keys: readonly FilesKey[], addresses: ServedAddresses) {
    this.#inner = inner
    this.#keys = keys
    this.#signer = keys.length === 0 ? inner : addresses
  }

  get grants() {
    return this.#signer.grants
  }

  signUpload(grant: UploadGrant): Promise<SignedUpload> {
    return this.#signer.signUpload(grant)
  }

  signDownload(grant: DownloadGrant): Promise<string> {
    return this.#signer.signDownload(grant)
  }

  async write(key: string, bytes: AsyncIterable<Uint8Array>, expected: ExpectedBytes): Promise<StoredBytes> {
    const [newest] = this.#keys
    // Refused under a key too: what is there may be restored from a backup where there is none.
    if (newest === undefined) return this.#inner.write(key, unmarked(bytes), expected)
    const measured = new MeasuredBytes(unmarked(bytes), expected)
    await this.#inner.write(key, encrypted(measured, { key: newest, name: key }), unbounded)
    return measured.stored
  }

  async stat(state: FileState, key: string): Promise<{ sizeBytes: number } | null> {
    const found = await this.#find(state, key)
    if (found === null) return null
    return { sizeBytes: found.header === null ? found.storedBytes : getPlainBytes(found.storedBytes) }
  }

  async open(state: FileState, key: string, range?: ByteRange): Promise<Readable | null> {
    if (range !== undefined) return this.#openPart(state, key, range)
    return (await this.#openAll(state, key))?.plain ?? null
  }

  /**
   * Like `open`, but hands nothing out of a file of which anything is damaged: reads an encrypted one to its end
   * before, and holds a small one.
   * @throws FileUnreadable
   */
  async openWhole(state: FileState, key: string): Promise<Readable | null> {
    const opened = await this.#openAll(state, key)
    if (opened === null || !opened.isEncrypted) return opened?.plain ?? null
    const held: Buffer[] = []
    let length = 0
    for await (const piece of opened.plain) {
      length += piece.length
      if (length <= maxHeldBytes) held.push(piece)
    }
    return length <= maxHeldBytes ? Readable.from(held, { objectMode: false }) : this.open(state, key)
  }

  async #openAll(state: FileState, key: string): Promise<{ plain: Readable; isEncrypted: boolean } | null> {
    const stored = await this.#inner.open(state, key)
    if (stored === null) return null
    try {
      const { first, whole } = await beginning(stored, headerBytes)
      const header = readHeader(first, key)
      if (header === null) return { plain: whole, isEncrypted: false }
      const sealed = this.#sealed(key, header)
      stored.read(headerBytes)
      return { plain: getReadable(decrypted(stored, sealed), stored), isEncrypted: true }
    } catch (error) {
      stored.destroy()
      throw error
    }
  }

  freeze(key: string): Promise<'frozen' | 'already_frozen' | 'missing'> {
    return this.#inner.freeze(key)
  }

  replace(key: string, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
    return this.#inner.replace(key, bytes)
  }

  remove(state: FileState, key: string): Promise<void> {
    return this.#inner.remove(state, key)
  }

  list(state: FileState, filter?: FileFilter): AsyncIterable<string> {
    return this.#inner.list(state, filter)
  }

  removeUnfinished(filter: FileFilter & { readonly before: Date }): Promise<number> {
    return this.#inner.removeUnfinished(filter)
  }

  readOwner(): Promise<string | null> {
    return this.#inner.readOwner()
  }

  writeOwner(installationId: string, options: { readonly replaces: boolean }): Promise<void> {
    return this.#inner.writeOwner(installationId, options)
  }

  check(): Promise<void> {
    return this.#inner.check()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** Under which key a file is stored; null where there is none. */
  async storedUnder(state: FileState, key: string): Promise<StoredUnder | null> {
    const found = await this.#find(state, key)
    return found === null ? null : { keyId: found.header?.keyId ?? null }
  }

  /**
   * Stores a frozen file anew under the first key, in its place and at once, so that whoever reads it meanwhile reads
   * on.
   * @throws FileStoreUnavailable where it cannot be read: it stays as it is then.
   */
  async encryptAnew(key: string): Promise<'encrypted' | 'as_it_was' | 'missing'> {
    const [newest] = this.#keys
    if (newest === undefined) throw new Error('there is no key to encrypt under')
    const under = await this.storedUnder('frozen', key)
    if (under === null) return 'missing'
    if (under.keyId === newest.id) return 'as_it_was'
    const plain = await this.open('frozen', key)
    if (plain === null) return 'missing'
    try {
      const isReplaced = await this.#inner.replace(key, encrypted(plain, { key: newest, name: key }))
      return isReplaced ? 'encrypted' : 'missing'
    } finally {
      plain.destroy()
    }
  }

  /**
   * A file as it is stored. Files become encrypted and never plain, so what was plain after its size was asked for
   * was so before.
   */
  async #find(state: FileState, key: string): Promise<{ storedBytes: number; header: FileHeader | null } | null> {
    const before = await this.#inner.stat(state, key)
    if (before === null || before.sizeBytes < minBytes) return before && { storedBytes: before.sizeBytes, header: null }
    const bytes = await this.#inner.open(state, key, { first: 0, last: headerBytes - 1 })
    if (bytes === null) return null
    const { first } = await beginning(bytes, headerBytes).finally(() => bytes.destroy())
    const header = readHeader(first, key)
    if (header === null) return { storedBytes: before.sizeBytes, header }
    const after = await this.#inner.stat(state, key)
    return after && { storedBytes: after.sizeBytes, header }
  }

  async #openPart(state: FileState, key: string, range: ByteRange): Promise<Readable | null> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const found = await this.#find(state, key)
      if (found === null) return null
      const position = found.header === null ? null : getLocation(range, found.storedBytes)
      const stored = await this.#inner.open(state, key, position?.stored ?? range)
      if (stored === null) return null
      // What was opened is what was found, unless the file was stored anew in between.
      const now = await this.#find(state, key)
      if (now !== null && isSameHeader(now.header, found.header)) {
        if (found.header === null || position === null) return stored
        const plain = decrypted(stored, this.#sealed(key, found.header), position.chunks)
        return getReadable(cutOut(plain, position), stored)
      }
      stored.destroy()
    }
    throw new FileStoreUnavailable('A file is stored anew again and again while a part of it is read.')
  }

  #sealed(name: string, header: FileHeader) {
    const key = this.#keys.find(({ id }) => id === header.keyId)
    if (key === undefined) throw new FilesKeyMissing(header.keyId)
    return { key, name, header }
  }
}

/** Files of more are read twice by `openWhole`, in bytes. */
const maxHeldBytes = 1024 * 1024

const unbounded: ExpectedBytes = { maxBytes: Number.MAX_SAFE_INTEGER }

function isSameHeader(one: FileHeader | null, other: FileHeader | null): boolean {
  return one === null || other === null ? one === other : one.salt.equals(other.salt) && one.keyId === other.keyId
}

/** At least so many bytes that a stream begins with, all where it has fewer, and a stream of the same bytes. */
async function beginning(stream: Readable, count: number): Promise<{ first: Buffer; whole: Readable }> {
  let first = Buffer.alloc(0)
  for (;;) {
    const bytes = stream.read() as Buffer | null
    if (bytes !== null) first = Buffer.concat([first, bytes])
    if (first.length >= count) {
      stream.unshift(first) // before anything else can happen, such as its end
      return { first, whole: stream }
    }
    if (stream.readableEnded) return { first, whole: Readable.from([first], { objectMode: false }) }
    const waiting = new AbortController()
    const { signal } = waiting
    try {
      await Promise.race([once(stream, 'readable', { signal }), once(stream, 'end', { signal })])
    } finally {
      waiting.abort()
    }
  }
}

/** A stream of bytes that are made of another stream, which ends with it. */
function getReadable(bytes: AsyncGenerator<Buffer>, source: Readable): Readable {
  const stream = Readable.from(bytes, { objectMode: false })
  return stream.once('close', () => source.destroy())
}

async function* cutOut(
  bytes: AsyncIterable<Buffer>,
  { skip, length }: { readonly skip: number; readonly length: number },
): AsyncGenerator<Buffer> {
  let [before, left] = [skip, length]
  for await (const piece of bytes) {
    const part = piece.subarray(before, before + left)
    before = Math.max(0, before - piece.length)
    left -= part.length
    if (part.length > 0) yield part
  }
}
