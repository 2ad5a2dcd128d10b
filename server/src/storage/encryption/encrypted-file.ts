import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Problem } from '../../errors/index.ts'
import type { ByteRange } from '../file-store.ts'
import { FileStoreUnavailable } from '../file-store.ts'
import type { FilesKey } from './files-keys.ts'

/** What encrypted files begin with: no type of file that people send does. */
const magic = Buffer.from('\u008eMATRICULA-FILE\u0001', 'latin1')
const idBytes = 8
const saltBytes = 32
/** The bytes before the first chunk. */
export const headerBytes = magic.length + idBytes + saltBytes

const chunkBytes = 64 * 1024
const tagBytes = 16
const sealedBytes = chunkBytes + tagBytes

/** The fewest bytes by which a file can be told to be an encrypted one. */
export const minBytes = magic.length

/** What stands at the beginning of an encrypted file. */
export interface FileHeader {
  readonly keyId: string
  readonly salt: Buffer
}

/**
 * The header of a file by its first bytes; null where it is not encrypted. Throws `FileDamaged` where it is cut off
 * within.
 */
export function readHeader(bytes: Buffer, name: string): FileHeader | null {
  if (!bytes.subarray(0, magic.length).equals(magic)) return null
  if (bytes.length < headerBytes) throw new FileDamaged(name)
  const salt = magic.length + idBytes
  return { keyId: bytes.toString('hex', magic.length, salt), salt: Buffer.from(bytes.subarray(salt, headerBytes)) }
}

/** A stored file that the storage hands out, and that cannot be decrypted. */
export class FileUnreadable extends FileStoreUnavailable {}

/** An encrypted file was altered outside of the service, or cut off, or has the place of another one. */
export class FileDamaged extends FileUnreadable {
  constructor(name: string) {
    super(`The stored file ${name} was altered or cut off outside of the service. Put it back from a backup.`)
  }
}

/** A stored file says that it is under a key that FILES_KEY does not have. */
export class FilesKeyMissing extends FileUnreadable {
  constructor(keyId: string) {
    super(`A stored file is encrypted under the key ${keyId}, which FILES_KEY does not have. Add it there.`)
  }
}

/** The problem of an upload that begins like an encrypted file and cannot be decrypted. */
export function unreadableProblem(): Problem {
  const detail =
    'The file begins as files that the service has encrypted do, and cannot be read. Send it in another form, such as in an archive.'
  return new Problem('file_rejected', detail, { expected: { isReadable: true }, found: { isReadable: false } })
}

/**
 * The same bytes. Throws `unreadableProblem` where they begin as an encrypted file does: stored plain, they would be
 * taken for one.
 */
export async function* unmarked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (first.length < magic.length) first = Buffer.concat([first, piece.subarray(0, magic.length - first.length)])
    if (first.equals(magic)) throw unreadableProblem()
    yield piece
  }
}

/** A key, and the name of the file that is kept under it; files that change places cannot be read. */
interface SealedFile {
  readonly key: FilesKey
  readonly name: string
}

/**
 * The bytes of a file, encrypted: a header with the key's id and a salt, then chunks of 64 KiB, each under
 * AES-256-GCM (NIST SP 800-38D) with a key that this file alone has. The nonce of a chunk is its number and whether
 * it is the last, as in STREAM (Hoang, Reyhanitabar, Rogaway and Vizár 2015), so that chunks can neither be altered,
 * left out, swapped nor appended. Holds one chunk.
 */
export async function* encrypted(bytes: AsyncIterable<Uint8Array>, { key, name }: SealedFile): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const fileKey = key.ofFile(salt, name)
  yield Buffer.concat([magic, Buffer.from(key.id, 'hex'), salt])
  let number = 0
  for await (const { piece, isLast } of inPieces(bytes, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', fileKey, getNonce(number, isLast), { authTagLength: tagBytes })
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

/** The first of the chunks that are read, and how many the file has; null: as many as come. */
interface ChunksRead {
  readonly from: number
  readonly ofChunks: number | null
}

/**
 * The plain bytes of chunks that follow each other, from one on.
 *
 * @throws FileDamaged at the first that is not as it was written; what came before it is.
 */
export async function* decrypted(
  chunks: AsyncIterable<Uint8Array>,
  { key, name, header }: SealedFile & { readonly header: FileHeader },
  { from, ofChunks }: ChunksRead = { from: 0, ofChunks: null },
): AsyncGenerator<Buffer> {
  const fileKey = key.ofFile(header.salt, name)
  let number = from
  for await (const { piece, isLast } of inPieces(chunks, sealedBytes)) {
    if (piece.length < tagBytes) throw new FileDamaged(name)
    const nonce = getNonce(number, ofChunks === null ? isLast : number === ofChunks - 1)
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(piece.subarray(-tagBytes))
    const plain = decipher.update(piece.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch {
      throw new FileDamaged(name)
    }
    yield plain
    number += 1
  }
}

function getNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** How many bytes are in an encrypted file of so many bytes; at least 0, also where it was cut. */
export function getPlainBytes(storedBytes: number): number {
  const sealed = storedBytes - headerBytes
  return Math.max(0, sealed - tagBytes * chunksIn(sealed))
}

function chunksIn(sealed: number): number {
  return Math.max(1, Math.ceil(sealed / sealedBytes))
}

/**
 * Where a part of the plain bytes is in an encrypted file of so many bytes, and what of the chunks there is before
 * and in it.
 */
export function getLocation({ first, last }: ByteRange, storedBytes: number) {
  const from = Math.floor(first / chunkBytes)
  const to = Math.floor(last / chunkBytes)
  const end = Math.min(headerBytes + (to + 1) * sealedBytes, storedBytes)
  return {
    stored: { first: headerBytes + from * sealedBytes, last: end - 1 } satisfies ByteRange,
    chunks: { from, ofChunks: chunksIn(storedBytes - headerBytes) },
    skip: first - from * chunkBytes,
    length: last - first + 1,
  }
}

/** The same bytes in pieces of one size, the last as long as what is left; one empty piece where there are none. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number) {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const part of bytes) {
    if (part.length === 0) continue
    parts.push(part)
    length += part.length
    if (length <= size) continue // the last piece is known by nothing coming after it
    const whole = parts.length === 1 ? Buffer.from(part.buffer, part.byteOffset, part.length) : Buffer.concat(parts)
    let cut = 0
    for (; whole.length - cut > size; cut += size) yield { piece: whole.subarray(cut, cut + size), isLast: false }
    parts = [whole.subarray(cut)]
    length = whole.length - cut
  }
  yield { piece: Buffer.concat(parts), isLast: true }
}
