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

/** The file store and the virus scanner; null without one. */
export interface VaultFiles {
  readonly store: FileStore
  readonly scanner: VirusScanner | null
}

/** The announced file of a version. */
export type AnnouncedVersion = Pick<VersionRecord, 'id' | 'fileName' | 'mimeType' | 'sizeBytes' | 'checksumSha256'>

/** The result of checking a stored file. */
export type Finding = Exclude<CompletedUpload, { status: 'missing' }>

/** A rejected file with its reason. */
export type RejectedUpload = Exclude<Finding, { status: 'ready' }>

/** The time in `minutes` minutes. */
export function minutesFromNow(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}

/** A signed upload address for the file of a version, valid for `signedAddressMinutes.upload` minutes. */
export async function signUpload(
  { store }: VaultFiles,
  tenantId: string,
  version: AnnouncedVersion,
): Promise<Static<typeof UploadTicket>['upload']> {
  const { id, mimeType, sizeBytes, checksumSha256 } = version
  const expiresAt = minutesFromNow(signedAddressMinutes.upload)
  const signed = await store.signUpload({ key: fileKey(tenantId, id), sizeBytes, mimeType, checksumSha256, expiresAt })
  const { method, url, headers } = signed
  return { method, url, headers, expiresAt: expiresAt.toISOString(), maxBytes: sizeBytes }
}

/**
 * Freezes an uploaded file, so that it can no longer be replaced, and compares it with its announcement
 * (`completeUpload`). The caller that records a rejection then removes the file (`removeRejected`).
 *
 * @throws Problem `upload_incomplete` when nothing was uploaded; `service_unavailable` while the scanner does not
 * respond.
 */
export async function examineUpload(
  { store, scanner }: VaultFiles,
  key: string,
  announced: AnnouncedFile,
): Promise<Finding> {
  const finding = await completeUpload(store, scanner, key, announced).catch((error: unknown) => {
    if (!(error instanceof ScannerUnavailable)) throw error
    throw new Problem(
      'service_unavailable',
      'The virus scanner does not respond. Try again later.',
      {},
      { 'retry-after': '10' },
    )
  })
  if (finding.status !== 'missing') return finding
  const detail = 'Nothing is stored for this version. Send the file to its upload address first.'
  throw new Problem('upload_incomplete', detail)
}

/** Removes a rejected file once its rejection is recorded. An infected file stays in quarantine. */
export async function removeRejected({ store }: VaultFiles, key: string, { status }: RejectedUpload): Promise<void> {
  if (status === 'quarantined') return
  await store.remove('frozen', key)
}
