import { Problem } from '../errors/index.ts'
import { FileDamaged, FilesKeyMissing, unreadableProblem } from './encryption/encrypted-file.ts'
import type { FileStore } from './file-store.ts'
import { type FileFacts, inspectFile } from './inspection/inspect-file.ts'
import { isSameType } from './inspection/same-type.ts'
import type { VirusScanner } from './inspection/virus-scan.ts'

/** The announced properties of a file. */
export interface AnnouncedFile {
  readonly sizeBytes: number
  /** The media types that it may have: one where it was announced with one; null for any, also an unknown one. */
  readonly mimeTypes: readonly string[] | null
  /** Every SHA-256 that was announced for it, when the upload began and when it was completed; may be empty. */
  readonly checksumsSha256: readonly string[]
}

/**
 * The outcome of an upload. A rejected file is still stored, frozen; the caller that records the rejection then
 * deletes it.
 */
export type CompletedUpload =
  | { readonly status: 'ready'; readonly facts: FileFacts }
  | { readonly status: 'missing' }
  | {
      readonly status: 'failed' | 'quarantined'
      /** A `file_rejected` that says what was expected and what was found. */
      readonly problem: Problem
    }

/**
 * Freezes the upload of a key, then compares the frozen file with what was announced: size, SHA-256, type by content,
 * and what the scanner says, when there is one. In this order, since an upload could still be replaced while it is
 * inspected. Repeating it, also after a crash, gives the same outcome until the file is removed.
 * @throws ScannerUnavailable when the scanner cannot tell; the file stays frozen, and completing it again asks again.
 */
export async function completeUpload(
  store: FileStore,
  scanner: VirusScanner | null,
  key: string,
  announced: AnnouncedFile,
): Promise<CompletedUpload> {
  if ((await store.freeze(key)) === 'missing') return { status: 'missing' }
  const facts = await inspectFrozen(store, key)
  if (facts === null) return { status: 'missing' }
  if (facts === 'unreadable') return { status: 'failed', problem: unreadableProblem() }
  const problem = findDifference(announced, facts)
  if (problem !== null) return { status: 'failed', problem }
  if (scanner === null) return { status: 'ready', facts }
  const scanned = await store.open('frozen', key)
  if (scanned === null) return { status: 'missing' }
  try {
    const outcome = await scanner.scan(scanned)
    if (outcome.isClean) return { status: 'ready', facts }
    const refusal = rejection('The virus scanner rejected the file.', { virus: null }, { virus: outcome.signature })
    return { status: 'quarantined', problem: refusal }
  } finally {
    scanned.destroy()
  }
}

/** Null where there is no file. */
async function inspectFrozen(store: FileStore, key: string): Promise<FileFacts | 'unreadable' | null> {
  try {
    const bytes = await store.open('frozen', key)
    return bytes && (await inspectFile(bytes))
  } catch (error) {
    // Addresses of the storage itself take whatever is sent. What came through a service is under a key that another
    // one may already have.
    const isSent = error instanceof FilesKeyMissing && store.grants === null
    if (isSent || error instanceof FileDamaged) return 'unreadable'
    throw error
  }
}

function findDifference(announced: AnnouncedFile, { sizeBytes, checksumSha256, mimeType }: FileFacts): Problem | null {
  if (announced.sizeBytes !== sizeBytes) {
    const expected = { sizeBytes: announced.sizeBytes }
    return rejection('The file has another size than was announced.', expected, { sizeBytes })
  }
  const other = announced.checksumsSha256.find((checksum) => checksum !== checksumSha256)
  if (other !== undefined) {
    const expected = { checksumSha256: other }
    return rejection('The file has another SHA-256 than was announced.', expected, { checksumSha256 })
  }
  const { mimeTypes } = announced
  if (mimeTypes === null || mimeTypes.some((expected) => isSameType(expected, mimeType))) return null
  const [only, ...others] = mimeTypes
  const expected = others.length === 0 ? { mimeType: only } : { allowedMimeTypes: mimeTypes }
  return rejection('The content of the file is of another type than was announced or is taken.', expected, { mimeType })
}

/** The `file_rejected` of a file: what was expected, and what was found. */
export function rejection(detail: string, expected: object, found: object): Problem {
  return new Problem('file_rejected', detail, { expected, found })
}
