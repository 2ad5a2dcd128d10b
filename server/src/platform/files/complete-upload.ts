import { Problem } from '../problem.ts'
import type { FileStore } from './file-store.ts'
import { type FileFacts, inspectFile } from './inspect-file.ts'
import { isSameType } from './same-type.ts'
import type { VirusScanner } from './virus-scan.ts'

/** What was said of a file before it came. */
export interface AnnouncedFile {
  readonly sizeBytes: number
  readonly mimeType: string
  /** Every SHA-256 that was announced for it, when the upload began and when it was completed; may be empty. */
  readonly checksumsSha256: readonly string[]
}

/** What became of an upload. A rejected file is still stored, frozen; whoever records the rejection then removes it. */
export type CompletedUpload =
  | { readonly status: 'ready'; readonly facts: FileFacts }
  | { readonly status: 'missing' }
  | {
      readonly status: 'failed' | 'quarantined'
      readonly facts: FileFacts
      /** A `file_rejected` that says what was expected and what was found. */
      readonly problem: Problem
    }

/**
 * Freezes the upload of a key, then compares the frozen file with what was announced: size, SHA-256, type by content, and
 * what the scanner says, when there is one. In this order, since an upload could still be replaced while it is inspected.
 * Repeating it, also after a crash, gives the same outcome until the file is removed.
 *
 * @throws ScannerUnavailable when the scanner cannot tell; the file stays frozen, and completing it again asks again.
 */
export async function completeUpload(
  store: FileStore,
  scanner: VirusScanner | null,
  key: string,
  announced: AnnouncedFile,
): Promise<CompletedUpload> {
  if ((await store.freeze(key)) === 'missing') return { status: 'missing' }
  const bytes = await store.open('frozen', key)
  if (bytes === null) return { status: 'missing' }
  const facts = await inspectFile(bytes)
  const problem = differenceOf(announced, facts)
  if (problem !== null) return { status: 'failed', facts, problem }
  const scanned = scanner === null ? null : await store.open('frozen', key)
  if (scanner === null || scanned === null) return { status: 'ready', facts }
  const outcome = await scanner.scan(scanned)
  if (outcome.isClean) return { status: 'ready', facts }
  const found = { signature: outcome.signature }
  const refusal = new Problem('file_rejected', 'The virus scanner refused the file.', {
    expected: { signature: null },
    found,
  })
  return { status: 'quarantined', facts, problem: refusal }
}

function differenceOf(announced: AnnouncedFile, { sizeBytes, checksumSha256, mimeType }: FileFacts): Problem | null {
  if (announced.sizeBytes !== sizeBytes) {
    return rejected('size', { sizeBytes: announced.sizeBytes }, { sizeBytes })
  }
  const other = announced.checksumsSha256.find((checksum) => checksum !== checksumSha256)
  if (other !== undefined) return rejected('SHA-256', { checksumSha256: other }, { checksumSha256 })
  if (!isSameType(announced.mimeType, mimeType)) {
    return rejected('type by its content', { mimeType: announced.mimeType }, { mimeType })
  }
  return null
}

function rejected(what: string, expected: object, found: object): Problem {
  return new Problem('file_rejected', `The file has another ${what} than was announced.`, { expected, found })
}
