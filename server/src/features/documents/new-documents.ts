import type { JsonObject } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { takenProblem } from '../../entities/index.ts'
import { notFoundProblem, Problem, referenceProblem } from '../../errors/index.ts'
import { rejection } from '../../storage/index.ts'
import { newId } from '../../values/index.ts'
import {
  type DocumentTypeRecord,
  type Owner,
  readDocumentType,
  requireApplies,
  requireOwner,
} from '../requirements/index.ts'
import { type LockedDocument, lockDocument } from './document-changes.ts'
import { type DocumentRecord, documents, documentTable, type VersionRecord } from './document-store.ts'
import type { AnnouncedVersion } from './vault-files.ts'

/** A document to create. Absent members are empty, or follow from its type. */
export interface NewDocument {
  readonly type: DocumentTypeRecord
  readonly owner: Owner | null
  readonly status: DocumentRecord['status']
  readonly source: DocumentRecord['source']
  readonly requestId?: string | null
  readonly externalId?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly issuedAt?: string | null | undefined
  readonly expiresAt?: string | null | undefined
  readonly metadata?: JsonObject
}

/**
 * Creates a document linked to its owner and returns its id. Throws `reference_not_found` for an unknown owner,
 * `rule_violated` when the type does not apply to it, and `external_id_taken`.
 */
export async function insertDocument(tx: Transaction, document: NewDocument): Promise<string> {
  const { type, owner, status, source, externalId = null } = document
  if (owner !== null) {
    await requireOwner(tx, owner)
    requireApplies(type, owner.entityType)
  }
  const id = newId()
  const issuedAt = document.issuedAt ?? null
  const values = {
    externalId,
    documentTypeId: type.id,
    title: document.title ?? type.name,
    description: document.description ?? '',
    status,
    issuedAt,
    expiresAt: document.expiresAt === undefined ? findEndOfValidity(type, issuedAt) : document.expiresAt,
    reviewedAt: null,
    reviewedBy: null,
    rejectionReason: null,
    source,
    requestId: document.requestId ?? null,
    metadata: document.metadata ?? {},
  }
  const inserted = await tx.query(
    sql`${documentTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
  )
  if (inserted.length === 0) {
    throw await takenProblem(tx, documents, [
      { field: 'externalId', column: 'external_id', value: externalId, code: 'external_id_taken' },
    ])
  }
  if (owner !== null) insertLink(tx, id, owner)
  return id
}

/** Links a document to an existing owner. */
export function insertLink(tx: Transaction, documentId: string, { entityType, entityId }: Owner): void {
  tx.send(sql`
    insert into document_links (tenant_id, id, document_id, student_id, application_id)
    values (${tx.tenantId}, ${newId()}, ${documentId}, ${entityType === 'student' ? entityId : null},
            ${entityType === 'application' ? entityId : null})
    on conflict do nothing`)
}

/** The end of validity of a document by its type, from its date of issue or now; null for none. */
export function findEndOfValidity(
  type: Pick<DocumentTypeRecord, 'validityDays'>,
  issuedAt: string | null,
): string | null {
  if (type.validityDays === null) return null
  const issued = issuedAt === null ? Date.now() : Date.parse(issuedAt)
  return new Date(issued + type.validityDays * 24 * 3600 * 1000).toISOString()
}

/** Adds the next version of a document; the transaction holds its lock. */
export function insertVersion(
  tx: Transaction,
  documentId: string,
  status: 'pending' | 'ready',
  { id, fileName, mimeType, sizeBytes, checksumSha256 }: AnnouncedVersion,
): void {
  const uploadedAt = status === 'ready' ? sql`current_stamp()` : sql`null`
  tx.send(sql`
    insert into document_versions (tenant_id, id, document_id, version_number, status, file_name, mime_type, size_bytes,
                                   checksum_sha256, uploaded_at)
    select ${tx.tenantId}, ${id}, ${documentId}, coalesce(max(version_number), 0) + 1, ${status}, ${fileName},
           ${mimeType}, ${sizeBytes}, ${checksumSha256}, ${uploadedAt}
      from document_versions
     where tenant_id = ${tx.tenantId} and document_id = ${documentId}`)
}

/** Locks a document for a new version. Throws `reference_not_found`, and `state_conflict` for an archived one. */
export async function lockForVersion(
  tx: Transaction,
  context: ChangeContext,
  documentId: string,
): Promise<LockedDocument> {
  const locked = await lockDocument(tx, context, documentId).catch((error: unknown) => {
    const isUnknown = error instanceof Problem && error.code === 'resource_not_found'
    throw isUnknown ? referenceProblem('documentId', 'document') : error
  })
  const { status } = locked.record
  if (status === 'archived') {
    const detail = 'This document is archived. Move it to another status first, or create a new document.'
    throw new Problem('state_conflict', detail, { currentState: status })
  }
  return locked
}

/** Throws `file_rejected` when the document's type does not accept the version. */
export async function requireAcceptedFile(
  tx: Transaction,
  { documentTypeId }: DocumentRecord,
  version: AnnouncedVersion,
): Promise<void> {
  requireAllowedFile(await readDocumentType(tx, documentTypeId), version)
}

/** Throws `file_rejected` when the type does not accept the file. */
export function requireAllowedFile(type: DocumentTypeRecord, { mimeType, sizeBytes }: AnnouncedVersion): void {
  const { allowedMimeTypes, maxSizeBytes } = type
  if (!allowedMimeTypes.includes(mimeType)) throw disallowedTypeProblem(type, mimeType)
  if (sizeBytes > maxSizeBytes) {
    const detail = `A document of the type ${type.key} has at most ${maxSizeBytes} bytes.`
    throw rejection(detail, { maxSizeBytes }, { sizeBytes })
  }
}

/** The problem of a file whose media type the document type does not accept. */
export function disallowedTypeProblem({ key, allowedMimeTypes }: DocumentTypeRecord, mimeType: string): Problem {
  const detail = `A document of the type ${key} is a file of: ${allowedMimeTypes.join(', ')}.`
  return rejection(detail, { allowedMimeTypes }, { mimeType })
}

/** The version of a document with an id. Throws `resource_not_found`. */
export function requireVersion(document: DocumentRecord, versionId: string): VersionRecord {
  const version = document.versions.find(({ id }) => id === versionId.toLowerCase())
  if (version === undefined) throw notFoundProblem('version')
  return version
}
