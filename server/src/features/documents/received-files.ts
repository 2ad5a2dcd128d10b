import type { ChangeContext } from '../../changes/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import { Problem, referenceProblem } from '../../errors/index.ts'
import { fileKey, findMediaType, isSameType, safeFileName } from '../../storage/index.ts'
import { newId } from '../../values/index.ts'
import { type DocumentTypeRecord, findDocumentTypes, type Owner } from '../requirements/index.ts'
import { recordDocumentChange } from './document-changes.ts'
import { documents } from './document-store.ts'
import {
  disallowedTypeProblem,
  insertDocument,
  insertVersion,
  lockForVersion,
  requireAcceptedFile,
  requireVersion,
} from './new-documents.ts'
import { recordRejection } from './refusals.ts'
import { recordCompletion, statusOfCompleted, storeCompletion } from './upload-completion.ts'
import { type AnnouncedVersion, examineUpload, type Finding, type VaultFiles } from './vault-files.ts'

/** A file that a person without an account uploads through the service, and its document. */
export interface ReceivedFile {
  readonly documentTypeId: string
  readonly owner: Owner | null
  readonly source: 'public_request' | 'form'
  readonly requestId: string | null
  /** The document that gets a new version; without it a document is created. */
  readonly documentId?: string
  /** The title of a new document; by default the name of its type. */
  readonly title?: string
  /** The file name that the client sent; any text. */
  readonly fileName: string
  /** The media type that the client sent. Empty or `application/octet-stream` when unknown. */
  readonly mimeType: string
  /**
   * Wraps the write of the document in its transaction: calls `store`, which creates the document or version, and
   * returns the document's id; or returns null when the file exists already and is not stored. A Problem that it throws
   * rejects the file.
   */
  readonly within?: (
    tx: Transaction,
    store: () => Promise<string>,
    file: Pick<AnnouncedVersion, 'fileName' | 'checksumSha256'>,
  ) => Promise<string | null>
}

/**
 * Stores a file as a complete document or version: streams it into the store, at most `maxSizeBytes` of its type,
 * freezes and checks it as a completed upload, then writes everything in one transaction. A rejected file leaves an
 * audit row (`vault_version.refused`), and in the store only if it is infected. The bytes may not have been read to the
 * end: the caller discards the rest. Null when the file exists already.
 *
 * @throws Problem `content_too_large`, `file_rejected`, `reference_not_found`, `rule_violated` when the type does not
 * apply to the owner, `state_conflict` for an archived document, and `service_unavailable` while the scanner does not
 * respond, which stores nothing.
 */
export async function receiveFile(
  files: VaultFiles,
  database: Database,
  context: ChangeContext,
  file: ReceivedFile,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ documentId: string; versionId: string } | null> {
  const tenantId = context.tenant.id
  const type = (await findDocumentTypes(database, tenantId, [file.documentTypeId])).get(file.documentTypeId)
  if (type === undefined) throw referenceProblem('documentTypeId', 'document type')
  const versionId = newId()
  const key = fileKey(tenantId, versionId)
  const fileName = toStoredName(file.fileName)
  let finding: Finding | null = null
  try {
    const mimeTypes = findPossibleTypes(type, file.mimeType)
    const { sizeBytes, checksumSha256 } = await files.store.write(key, bytes, { maxBytes: type.maxSizeBytes })
    finding = await examineUpload(files, key, { sizeBytes, mimeTypes, checksumsSha256: [checksumSha256] })
    if (finding.status !== 'ready') throw finding.problem
    const { mimeType: found } = finding.facts
    const mimeType = mimeTypes.find((possible) => isSameType(possible, found)) as string
    const version = { id: versionId, fileName, mimeType, sizeBytes, checksumSha256 }
    const documentId = await database.transaction(tenantId, (tx) => {
      const store = () =>
        file.documentId === undefined
          ? createDocument(tx, context, file, type, version)
          : addVersion(tx, context, file.documentId, version)
      return file.within === undefined ? store() : file.within(tx, store, version)
    })
    if (documentId !== null) return { documentId, versionId }
    await files.store.remove('frozen', key)
    return null
  } catch (error) {
    // Any other error leaves open whether the transaction has committed, so the file must stay.
    if (!(error instanceof Problem)) throw error
    if (error.status < 500) {
      const { documentId, documentTypeId, requestId, mimeType } = file
      const facts = { versionId, documentId, documentTypeId, requestId, fileName, mimeType }
      await database.transaction(tenantId, async (tx) => recordRejection(tx, context, facts, error))
    }
    if (finding?.status !== 'quarantined') await files.store.remove('frozen', key)
    throw error
  }
}

/** The media types that a file may have: the announced one, or all of its document type. */
function findPossibleTypes(type: DocumentTypeRecord, mimeType: string): readonly string[] {
  const { allowedMimeTypes } = type
  const announced = findMediaType(mimeType)
  if (announced === null || announced === 'application/octet-stream') return allowedMimeTypes
  if (allowedMimeTypes.includes(announced)) return [announced]
  const sameTypes = allowedMimeTypes.filter((allowed) => isSameType(allowed, announced))
  if (sameTypes.length === 0) throw disallowedTypeProblem(type, announced)
  return sameTypes
}

/** The file name without folders and control characters, at most 255 characters. */
function toStoredName(fileName: string): string {
  const name = safeFileName(fileName.split(/[/\\]/).at(-1) as string)
  return [...name].slice(-255).join('')
}

async function createDocument(
  tx: Transaction,
  context: ChangeContext,
  { owner, source, requestId, title }: ReceivedFile,
  type: DocumentTypeRecord,
  version: AnnouncedVersion,
): Promise<string> {
  const status = statusOfCompleted(type)
  const documentId = await insertDocument(tx, { type, owner, status, source, requestId, title })
  insertVersion(tx, documentId, 'ready', version)
  const { record } = await readBack(tx, documents, documentId)
  recordDocumentChange(tx, context, 'vault_document.created', null, record)
  recordCompletion(tx, context, null, requireVersion(record, version.id))
  return documentId
}

async function addVersion(
  tx: Transaction,
  context: ChangeContext,
  documentId: string,
  version: AnnouncedVersion,
): Promise<string> {
  const locked = await lockForVersion(tx, context, documentId)
  const { record } = locked
  await requireAcceptedFile(tx, record, version)
  insertVersion(tx, record.id, 'ready', version)
  const versionNumber = (record.versions.at(-1)?.versionNumber ?? 0) + 1
  await storeCompletion(tx, context, locked, { id: version.id, versionNumber }, null)
  return record.id
}
