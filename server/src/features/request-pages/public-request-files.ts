import type { ChangeContext } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'
import { documents, lockDocument, receiveFile, storeDocument, type VaultFiles } from '../documents/index.ts'
import { lockRequest, type OpenItem, storeAnswer } from '../requests/index.ts'
import type { Owner } from '../requirements/index.ts'
import { type PublicRequest, type PublicVisit, readAgain, requireOpen, visitorContext } from './public-requests.ts'

/** What the visitor's program says of a file. */
export interface SentFile {
  readonly fileName: string
  /** Empty or `application/octet-stream` when it does not know. */
  readonly mimeType: string
}

/**
 * Takes a file for an item of a request: the first becomes a document of the student or the application, each further one a
 * version of it, until it is accepted. The same file again, as one is sent whose answer was lost, changes nothing while it
 * waits for its review. The bytes may not have been read to their end when it is refused. Answers the request
 * as it is then.
 *
 * @throws Problem `link_revoked`, `link_expired`, `resource_not_found`, `state_conflict` for an accepted item and when
 * another file came at the same moment, and what `receiveFile` throws.
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
  const context = visitorContext(request, visit)
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
        const { living, ...open } = await lockItem(tx, context, request.id, itemId, documentId)
        if (open.item.status === 'uploaded' && living !== null && (await hasFile(tx, living, sent))) return null
        requireExpected(open, living, documentId)
        const id = await store()
        // A document that answers already takes its item along.
        if (documentId === null) await storeAnswer(tx, context, open, (await readBack(tx, documents, id)).record)
        return id
      },
    },
    bytes,
  )
  return readAgain(database, request)
}

/**
 * Takes back the file of an item that nobody has reviewed yet: its document is archived. Without a file it changes nothing.
 * Answers the request as it is then.
 *
 * @throws Problem `link_revoked`, `link_expired`, `resource_not_found`, and `state_conflict` once it is reviewed.
 */
export async function removeItemFile(
  database: Database,
  request: PublicRequest,
  itemId: string,
  visit: PublicVisit,
): Promise<PublicRequest> {
  const context = visitorContext(request, visit)
  const { documentId } = await readTarget(database, context, request.id, itemId)
  if (documentId !== null) {
    await database.transaction(request.tenantId, async (tx) => {
      const { living, ...open } = await lockItem(tx, context, request.id, itemId, documentId)
      if (open.item.status === 'pending') return
      requireExpected(open, living, documentId)
      const { record } = await lockDocument(tx, context, documentId)
      if (record.status !== 'uploaded') throw reviewedProblem(record.status)
      await storeDocument(tx, context, record, { ...record, status: 'archived' })
    })
  }
  return readAgain(database, request)
}

function reviewedProblem(currentState: string): Problem {
  return new Problem('state_conflict', 'The institution reviews this document, or has done so.', { currentState })
}

/** What a file of an item becomes. */
interface Target {
  readonly documentTypeId: string
  readonly label: string
  readonly owner: Owner
  /** The document that gets a version; null where one is made. */
  readonly documentId: string | null
}

/** What a file would become, before it is read. The transaction that stores it looks again. */
async function readTarget(
  database: Database,
  context: ChangeContext,
  requestId: string,
  itemId: string,
): Promise<Target> {
  if (!isUuid(itemId)) throw notFoundProblem('item')
  return database.transaction(context.tenant.id, async (tx) => {
    const { request, item, living } = await lockItem(tx, context, requestId, itemId)
    const { documentTypeId, label } = item
    const owner = { entityType: request.entityType, entityId: request.entityId }
    return { documentTypeId, label, owner, documentId: living }
  })
}

/** The document of an item, unless it is archived. */
async function livingDocument(tx: Transaction, documentId: string | null): Promise<string | null> {
  if (documentId === null) return null
  const [document] = await tx.query<{ id: string }>(sql`
    select id from documents where tenant_id = ${tx.tenantId} and id = ${documentId} and status <> 'archived'`)
  return document?.id ?? null
}

/** Whether the newest version of a document is a file of this name and content. */
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

/** Locks an item that takes a file, its document before, if that was looked at; and gives the document that it has. */
async function lockItem(
  tx: Transaction,
  context: ChangeContext,
  requestId: string,
  itemId: string,
  expectedDocumentId?: string | null,
): Promise<OpenItem & { readonly living: string | null }> {
  if (typeof expectedDocumentId === 'string') await lockDocument(tx, context, expectedDocumentId)
  const { record: request } = await lockRequest(tx, context, requestId)
  requireOpen(request)
  const item = request.items.find(({ id }) => id === itemId.toLowerCase())
  if (item === undefined) throw notFoundProblem('item')
  if (item.status === 'accepted') throw reviewedProblem(item.status)
  return { request, item, living: await livingDocument(tx, item.documentId) }
}

/** Refuses with `state_conflict` an item whose document is another than the one that was looked at. */
function requireExpected({ item }: OpenItem, living: string | null, expected: string | null): void {
  if (living === expected) return
  const detail = 'Another file came at the same moment. Look at the page again.'
  throw new Problem('state_conflict', detail, { currentState: item.status })
}
