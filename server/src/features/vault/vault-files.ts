import { type Static, signedAddressMinutes, type UploadTicket } from '@matricula/contract'
import { fileKey } from '../../platform/files/file-key.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import { isSameType } from '../../platform/files/same-type.ts'
import { ScannerUnavailable, type VirusScanner } from '../../platform/files/virus-scan.ts'
import { Problem } from '../../platform/problem.ts'
import type { VersionRecord } from './document-store.ts'

/** Where files are kept, and what looks for viruses in them; null where nothing does. */
export interface VaultFiles {
  readonly store: FileStore
  readonly scanner: VirusScanner | null
}

/** What a version announces of its file. */
export type AnnouncedFile = Pick<VersionRecord, 'id' | 'mimeType' | 'sizeBytes' | 'checksumSha256'>

/** What the stored file of a version turned out to be. */
export type Finding =
  | { readonly isSound: true; readonly checksumSha256: string }
  | { readonly isSound: false; readonly status: 'failed' | 'quarantined'; readonly problem: Problem }

/** A moment some minutes from now. */
export function inMinutes(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}

/** An address that takes the file of a version for a quarter of an hour. */
export async function signUpload(
  { store }: VaultFiles,
  tenantId: string,
  version: AnnouncedFile,
): Promise<Static<typeof UploadTicket>['upload']> {
  const { id, mimeType, sizeBytes, checksumSha256 } = version
  const expiresAt = inMinutes(signedAddressMinutes.upload)
  const signed = await store.signUpload({ key: fileKey(tenantId, id), sizeBytes, mimeType, checksumSha256, expiresAt })
  const { method, url, headers } = signed
  return { method, url, headers, expiresAt: expiresAt.toISOString(), maxBytes: sizeBytes }
}

/**
 * Freezes the uploaded file of a version, so that nothing replaces it any more, and compares it with what was announced.
 * A file that is not as announced is removed; one that the scanner refused is kept and never handed out.
 *
 * @throws Problem `upload_incomplete` when nothing was uploaded, `service_unavailable` while the scanner does not answer.
 */
export async function examineUpload(
  { store, scanner }: VaultFiles,
  tenantId: string,
  version: AnnouncedFile,
  checksums: readonly string[],
): Promise<Finding> {
  const key = fileKey(tenantId, version.id)
  if ((await store.freeze(key)) === 'missing') throw uploadIncompleteProblem()
  const bytes = await store.open('frozen', key)
  if (bytes === null) throw uploadIncompleteProblem()
  const facts = await inspectFile(bytes)
  const problem = mismatch(version, facts, checksums)
  if (problem !== null) {
    await store.remove('frozen', key)
    return { isSound: false, status: 'failed', problem }
  }
  const virus = scanner === null ? null : await scan(scanner, store, key)
  if (virus !== null) return { isSound: false, status: 'quarantined', problem: virus }
  return { isSound: true, checksumSha256: facts.checksumSha256 }
}

function uploadIncompleteProblem(): Problem {
  const detail = 'Nothing is stored for this version. Send the file to its upload address first.'
  return new Problem('upload_incomplete', detail)
}

function mismatch(
  { sizeBytes, mimeType }: AnnouncedFile,
  facts: { sizeBytes: number; checksumSha256: string; mimeType: string | null },
  checksums: readonly string[],
): Problem | null {
  if (facts.sizeBytes !== sizeBytes) {
    return rejection('The file has another size than was announced.', { sizeBytes }, { sizeBytes: facts.sizeBytes })
  }
  const checksumSha256 = checksums.find((checksum) => checksum !== facts.checksumSha256)
  if (checksumSha256 !== undefined) {
    const found = { checksumSha256: facts.checksumSha256 }
    return rejection('The file has another SHA-256 than was announced.', { checksumSha256 }, found)
  }
  if (!isSameType(mimeType, facts.mimeType)) {
    return rejection(
      'The content of the file is not of the announced type.',
      { mimeType },
      { mimeType: facts.mimeType },
    )
  }
  return null
}

/** The refusal of a file. */
export function rejection(detail: string, expected: object, found: object): Problem {
  return new Problem('file_rejected', detail, { expected, found })
}

async function scan(scanner: VirusScanner, store: FileStore, key: string): Promise<Problem | null> {
  const bytes = await store.open('frozen', key)
  if (bytes === null) throw uploadIncompleteProblem()
  try {
    const outcome = await scanner.scan(bytes)
    if (outcome.isClean) return null
    return rejection('The virus scanner refused the file.', { virus: null }, { virus: outcome.signature })
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error
    throw new Problem('service_unavailable', 'The virus scanner does not answer.', {}, { 'retry-after': '10' })
  } finally {
    bytes.destroy()
  }
}
