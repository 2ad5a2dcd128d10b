import { createHash, hkdfSync } from 'node:crypto'

/** FILES_KEY has a value that holds no keys. The message says what it takes, and never repeats it. */
export class FilesKeyError extends Error {}

const keyBytes = 32
const maxKeys = 16

/** A key under which files are stored. */
export interface FilesKey {
  /** What it is called in files and messages: 16 hexadecimal digits that tell nothing of the key. */
  readonly id: string
  /**
   * The key of one file (HKDF-SHA-256, RFC 5869), from what its header says and the key by which the storage knows
   * it.
   */
  ofFile(salt: Uint8Array, said: string): Buffer
}

/**
 * Reads FILES_KEY: keys of 32 bytes in base64, separated by commas. New files are stored under the first; the others
 * read what was stored before. None for null.
 * @throws FilesKeyError
 */
export function parseFilesKeys(text: string | null): readonly FilesKey[] {
  if (text === null) return []
  const keys = text.split(',').map((part) => filesKey(part.trim()))
  if (keys.length > maxKeys) throw new FilesKeyError(`FILES_KEY must have at most ${maxKeys} keys`)
  if (new Set(keys.map(({ id }) => id)).size === keys.length) return keys
  throw new FilesKeyError('FILES_KEY must not have the same key twice')
}

function filesKey(text: string): FilesKey {
  const secret = Buffer.from(text, 'base64')
  if (secret.length !== keyBytes || secret.toString('base64').replaceAll('=', '') !== text.replaceAll('=', '')) {
    throw new FilesKeyError(
      'FILES_KEY must be 32 bytes in base64, such as the output of: openssl rand -base64 32; several, the newest first, are separated by commas',
    )
  }
  const id = createHash('sha256').update('matricula files key, 1').update(secret).digest('hex').slice(0, 16)
  const ofFile = (salt: Uint8Array, said: string) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `matricula stored file, 1, ${said}`, keyBytes))
  return { id, ofFile }
}
