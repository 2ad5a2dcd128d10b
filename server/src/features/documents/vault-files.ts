import { type Static, signedAddressMinutes, type UploadTicket } from '@matricula/contract'
import { Problem } from '../../errors/index.ts'
import type { FileStore } from '../../storage/index.ts'
import {
  type AnnouncedFile,
  type CompletedUpload,
  completeUpload,
  fileKey,
  ScannerUnavailable,
  type VirusScanner,
} from '../../storage/index.ts'
import type { VersionRecord } from './document-store.ts'

/** Where files are kept, and what looks for viruses in them; null where nothing does. */
export interface VaultFiles {
  readonly store: FileStore
  readonly scanner: VirusScanner | null
}

/** What a version announces of its file. */
export type AnnouncedVersion = Pick<VersionRecord, 'id' | 'fileName' | 'mimeType' | 'sizeBytes' | 'checksumSha256'>

/** What the stored file of a version turned out to be. */
export type Finding = Exclude<CompletedUpload, { status: 'missing' }>

/** A file that was refused, and why. */
export type CommandError = Exclude<Finding, { status: 'ready' }>

/** A moment some minutes from now. */
export function inMinutes(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}

/** An address that takes the file of a version for a quarter of an hour. */
export async function signUpload(
  { store }: VaultFiles,
  tenantId: string,
  version: AnnouncedVersion,
): Promise<Static<typeof UploadTicket>['upload']> {
  const { id, mimeType, sizeBytes, checksumSha256 } = version
  const expiresAt = inMinutes(signedAddressMinutes.upload)
  const signed = await store.signUpload({ key: fileKey(tenantId, id), sizeBytes, mimeType, checksumSha256, expiresAt })
  const { method, url, headers } = signed
  return { method, url, headers, expiresAt: expiresAt.toISOString(), maxBytes: sizeBytes }
}

/**
 * Freezes the uploaded file of a key, so that nothing replaces it any more, and compares it with what was announced
 * (`completeUpload`). Whoever records a refusal then removes the file (`removeRejected`).
 *
 * @throws Problem `upload_incomplete` when nothing was uploaded, `service_unavailable` while the scanner does not answer.
 */
export async function examineUpload(
  { store, scanner }: VaultFiles,
  key: string,
  announced: AnnouncedFile,
): Promise<Finding> {
  const finding = await completeUpload(store, scanner, key, announced).catch((error: unknown) => {
    if (!(error instanceof ScannerUnavailable)) throw error
    throw new Problem('service_unavailable', 'The virus scanner does not answer.', {}, { 'retry-after': '10' })
  })
  if (finding.status !== 'missing') return finding
  const detail = 'Nothing is stored for this version. Send the file to its upload address first.'
  throw new Problem('upload_incomplete', detail)
}

/** Removes a refused file whose refusal is recorded. One that the scanner refused is kept, and never handed out. */
export async function removeRejected({ store }: VaultFiles, key: string, { status }: CommandError): Promise<void> {
  if (status === 'quarantined') return
  await store.remove('frozen', key)
}
