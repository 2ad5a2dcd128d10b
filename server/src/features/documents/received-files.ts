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
  disallowedType,
  insertDocument,
  insertVersion,
  lockForVersion,
  requireTakenFile,
  requireVersion,
} from './new-documents.ts'
import { recordRejection } from './refusals.ts'
import { recordCompletion, statusOfCompleted, storeCompletion } from './upload-completion.ts'
import { type AnnouncedVersion, examineUpload, type Finding, type VaultFiles } from './vault-files.ts'

/** A file that somebody without an account sends through the service itself, and what it is for. */
export interface ReceivedFile {
  readonly documentTypeId: string
  readonly owner: Owner | null
  readonly source: 'public_request' | 'form'
  readonly requestId: string | null
  /** The document of which it is a new version; without it a document is made. */
  readonly documentId?: string
  /** The title of a new document; without it the name of its type. */
  readonly title?: string
  /** The sender's name of it; any text. */
  readonly fileName: string
  /** The sender's word on it. Empty or `application/octet-stream` when the sender's program does not know. */
  readonly mimeType: string
  /**
   * What else the transaction of the document looks at and stores: calls `store`, which makes the document or its version,
   * and passes on the document's id; or passes on null, and the file, which is there already, is not kept. A problem that it
   * throws refuses the file.
   */
  readonly within?: (
    tx: Transaction,
    store: () => Promise<string>,
    file: Pick<AnnouncedVersion, 'fileName' | 'checksumSha256'>,
  ) => Promise<string | null>
}

/**
 * Takes a file as a document, or as a new version of one, that is complete: streams it into the store, at most
 * `maxSizeBytes` of its type, freezes and examines it as a completed upload, then stores everything in one transaction. A
 * refusal leaves an audit row (`vault_version.refused`), and no file but one that the scanner refused. The bytes may not have
 * been read to their end then: the caller discards the rest. Null where the file was there already.
 *
 * @throws Problem `content_too_large`, `file_rejected`, `reference_not_found`, `rule_violated` when the type does not apply
 * to the owner, `state_conflict` for an archived document, and `service_unavailable` while the scanner does not answer,
 * which leaves nothing behind.
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
  const fileName = storedName(file.fileName)
  let finding: Finding | null = null
  try {
    const mimeTypes = possibleTypes(type, file.mimeType)
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
    // Anything else leaves open whether the transaction has committed, so that the file must stay.
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

/** The media types that a file may turn out to have: the announced one, or all of the type where none was announced. */
function possibleTypes(type: DocumentTypeRecord, said: string): readonly string[] {
  const { allowedMimeTypes } = type
  const announced = findMediaType(said)
  if (announced === null || announced === 'application/octet-stream') return allowedMimeTypes
  if (allowedMimeTypes.includes(announced)) return [announced]
  const sameTypes = allowedMimeTypes.filter((allowed) => isSameType(allowed, announced))
  if (sameTypes.length === 0) throw disallowedType(type, announced)
  return sameTypes
}

/** The end of a sender's name, as a text of the database: no folders, no control characters, at most 255 characters. */
function storedName(fileName: string): string {
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
  await requireTakenFile(tx, record, version)
  insertVersion(tx, record.id, 'ready', version)
  const versionNumber = (record.versions.at(-1)?.versionNumber ?? 0) + 1
  await storeCompletion(tx, context, locked, { id: version.id, versionNumber }, null)
  return record.id
}
