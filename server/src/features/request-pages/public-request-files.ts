import type { ChangeContext } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'
import { documents, lockDocument, receiveFile, storeDocument, type VaultFiles } from '../documents/index.ts'
import { linkItemDocument, lockRequest, type OpenItem } from '../requests/index.ts'
import type { Owner } from '../requirements/index.ts'
import { linkContext, type PublicRequest, type PublicVisit, readCurrent, requireOpen } from './public-requests.ts'

/** The headers of a file as the browser sent them. */
export interface SentFile {
  readonly fileName: string
  /** Empty or `application/octet-stream` when unknown. */
  readonly mimeType: string
}

/**
 * Stores a file for an item of a request: the first becomes a document of the student or applicant, each further one a
 * version of it, until it is accepted. The same file again, sent after a lost response, changes nothing while it waits
 * for review. The bytes of a rejected file may not have been read to the end. Returns the current request.
 *
 * @throws Problem `link_revoked`; `link_expired`; `resource_not_found`; `state_conflict` for an accepted item and for a
 * concurrent upload of another file; and what `receiveFile` throws.
 */
export async function receiveItemFile(
  files: VaultFiles,
  database: Database,
  request: PublicRequest,
  itemId: string,
  file: SentFile,
  bytes: AsyncIterable<Uint8Array>,
  visit: PublicVisit,
): Promise<PublicRequest> {
  const context = linkContext(request, visit)
  const { documentTypeId, label, owner, documentId } = await readTarget(database, context, request.id, itemId)
  const target = { documentTypeId, owner, requestId: request.id, title: label, source: 'public_request' } as const
  await receiveFile(
    files,
    database,
    context,
    {
      ...target,
      ...file,
      ...(documentId !== null && { documentId }),
      within: async (tx, store, sent) => {
        const { activeDocumentId, ...open } = await lockItem(tx, context, request.id, itemId, documentId)
        if (open.item.status === 'uploaded' && activeDocumentId !== null && (await hasFile(tx, activeDocumentId, sent)))
          return null
        requireExpected(open, activeDocumentId, documentId)
        const id = await store()
        // A document that is linked to its item updates it.
        if (documentId === null) await linkItemDocument(tx, context, open, (await readBack(tx, documents, id)).record)
        return id
      },
    },
    bytes,
  )
  return readCurrent(database, request)
}

/**
 * Removes the file of an item that is not reviewed yet: its document is archived. Without a file it changes nothing.
 * Returns the current request.
 *
 * @throws Problem `link_revoked`; `link_expired`; `resource_not_found`; `state_conflict` once it is reviewed.
 */
export async function removeItemFile(
  database: Database,
  request: PublicRequest,
  itemId: string,
  visit: PublicVisit,
): Promise<PublicRequest> {
  const context = linkContext(request, visit)
  const { documentId } = await readTarget(database, context, request.id, itemId)
  if (documentId !== null) {
    await database.transaction(request.tenantId, async (tx) => {
      const { activeDocumentId, ...open } = await lockItem(tx, context, request.id, itemId, documentId)
      if (open.item.status === 'pending') return
      requireExpected(open, activeDocumentId, documentId)
      const { record } = await lockDocument(tx, context, documentId)
      if (record.status !== 'uploaded') throw reviewedProblem(record.status)
      await storeDocument(tx, context, record, { ...record, status: 'archived' })
    })
  }
  return readCurrent(database, request)
}

function reviewedProblem(currentState: string): Problem {
  return new Problem('state_conflict', 'The institution reviews this document, or has done so.', { currentState })
}

/** The document of an uploaded file. */
interface Target {
  readonly documentTypeId: string
  readonly label: string
  readonly owner: Owner
  /** The document that gets a version; null for a new document. */
  readonly documentId: string | null
}

/** The target of a file before it is read. The transaction that stores it checks again. */
async function readTarget(
  database: Database,
  context: ChangeContext,
  requestId: string,
  itemId: string,
): Promise<Target> {
  if (!isUuid(itemId)) throw notFoundProblem('item')
  return database.transaction(context.tenant.id, async (tx) => {
    const { request, item, activeDocumentId } = await lockItem(tx, context, requestId, itemId)
    const { documentTypeId, label } = item
    const owner = { entityType: request.entityType, entityId: request.entityId }
    return { documentTypeId, label, owner, documentId: activeDocumentId }
  })
}

/** The document of an item, unless it is archived. */
async function findActiveDocument(tx: Transaction, documentId: string | null): Promise<string | null> {
  if (documentId === null) return null
  const [document] = await tx.query<{ id: string }>(sql`
    select id from documents where tenant_id = ${tx.tenantId} and id = ${documentId} and status <> 'archived'`)
  return document?.id ?? null
}

/** Whether the newest version of a document has this name and content. */
async function hasFile(
  tx: Transaction,
  documentId: string,
  { fileName, checksumSha256 }: { readonly fileName: string; readonly checksumSha256: string | null },
): Promise<boolean> {
  const [newest] = await tx.query<{ isSame: boolean }>(sql`
    select status = 'ready' and file_name = ${fileName} and checksum_sha256 = ${checksumSha256} as "isSame"
      from document_versions where tenant_id = ${tx.tenantId} and document_id = ${documentId}
     order by version_number desc limit 1`)
  return newest?.isSame === true
}

/** Locks an open item, after its document, and returns both. */
async function lockItem(
  tx: Transaction,
  context: ChangeContext,
  requestId: string,
  itemId: string,
  expectedDocumentId?: string | null,
): Promise<OpenItem & { readonly activeDocumentId: string | null }> {
  if (typeof expectedDocumentId === 'string') await lockDocument(tx, context, expectedDocumentId)
  const { record: request } = await lockRequest(tx, context, requestId)
  requireOpen(request)
  const item = request.items.find(({ id }) => id === itemId.toLowerCase())
  if (item === undefined) throw notFoundProblem('item')
  if (item.status === 'accepted') throw reviewedProblem(item.status)
  return { request, item, activeDocumentId: await findActiveDocument(tx, item.documentId) }
}

/** Throws `state_conflict` when the item has another document than expected. */
function requireExpected({ item }: OpenItem, activeDocumentId: string | null, expected: string | null): void {
  if (activeDocumentId === expected) return
  const detail = 'Another file came at the same moment. Look at the page again.'
  throw new Problem('state_conflict', detail, { currentState: item.status })
}
