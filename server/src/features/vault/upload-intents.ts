import type { Body, Fault, Static, UploadTicket, vaultOperations } from '@matricula/contract'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { Write } from '../../http/implement.ts'
import { newId } from '../../platform/ids.ts'
import { mergePatch } from '../../platform/json.ts'
import { notFoundProblem, Problem, referenceProblem, validationProblem } from '../../platform/problem.ts'
import { readBack, readOne, type Versioned } from '../../platform/reading.ts'
import type { ChangeContext, RequestContext } from '../../platform/request-context.ts'
import { requireTaken } from '../../platform/unique-values.ts'
import { lockDocument, recordDocumentChange, storeDocument } from './document-changes.ts'
import { type DocumentRecord, documents, documentTable, type VersionRecord } from './document-store.ts'
import {
  type DocumentTypeRecord,
  requireApplies,
  requireDocumentType,
  requireDocumentTypeByKey,
} from './document-types.ts'
import { insertLink, type Owner, requireOwner } from './owners.ts'
import { type AnnouncedFile, rejection, signUpload, type VaultFiles } from './vault-files.ts'

type IntentBody = Body<(typeof vaultOperations)['createUploadIntent']>
type IntentWrite = Write<(typeof vaultOperations)['createUploadIntent']>
type Ticket = Static<typeof UploadTicket>

const fieldsOfAFile = ['documentId', 'fileName', 'mimeType', 'sizeBytes', 'checksumSha256']

/**
 * Signs the address of a new version and gives the write that makes the version, with its document unless the body names
 * one.
 *
 * @throws Problem `validation_failed`; the write throws `reference_not_found`, `external_id_taken`, `file_rejected` when
 * the type takes no such file, `rule_violated`, and `state_conflict` for an archived document.
 */
export async function prepareUploadIntent(
  files: VaultFiles,
  context: RequestContext,
  body: IntentBody,
): Promise<IntentWrite> {
  const faults = body.documentId === undefined ? newDocumentFaults(body) : newVersionFaults(body)
  if (faults.length > 0) throw validationProblem(faults)
  const { sizeBytes, checksumSha256 = null } = body
  const version = { id: newId(), mimeType: body.mimeType.toLowerCase(), sizeBytes, checksumSha256 }
  const upload = await signUpload(files, context.tenant.id, version)
  return async (tx) => {
    const { record, entityTag } =
      body.documentId === undefined
        ? await createDocument(tx, context, body, version)
        : await addVersion(tx, context, body.documentId, body.fileName, version)
    return { record: ticket(record, version.id, upload), entityTag, locationId: record.id }
  }
}

/** Signs the address of a version that waits for its file anew. Throws `resource_not_found` and `state_conflict`. */
export async function renewUpload(
  files: VaultFiles,
  database: Database,
  context: RequestContext,
  { documentId, versionId }: { documentId: string; versionId: string },
): Promise<Versioned<Ticket>> {
  const { record } = await readOne(database, context.tenant.id, documents, documentId)
  const version = requireVersion(record, versionId)
  if (version.status !== 'pending') {
    const detail = `This version is ${version.status}. Start a new one by an upload intent with the documentId.`
    throw new Problem('state_conflict', detail, { currentState: version.status })
  }
  const upload = await signUpload(files, context.tenant.id, version)
  return { record: ticket(record, version.id, upload), entityTag: null }
}

/** The version of a document with an id. Throws `resource_not_found`. */
export function requireVersion(document: DocumentRecord, versionId: string): VersionRecord {
  const version = document.versions.find(({ id }) => id === versionId.toLowerCase())
  if (version === undefined) throw notFoundProblem('version')
  return version
}

function ticket(document: DocumentRecord, versionId: string, upload: Ticket['upload']): Ticket {
  return { document, version: requireVersion(document, versionId), upload }
}

function newDocumentFaults(body: IntentBody): Fault[] {
  const faults: Fault[] = []
  const add = (field: string, code: Fault['code'], detail: string) =>
    faults.push({ in: 'body', pointer: `#/${field}`, code, detail })
  if (body.documentTypeId === undefined && body.documentTypeKey === undefined) {
    add('documentTypeId', 'required', 'is required, or documentTypeKey, or the documentId of a document')
  }
  if (body.entityType !== undefined && body.entityId === undefined) add('entityId', 'required', 'is required')
  if (body.entityId !== undefined && body.entityType === undefined) add('entityType', 'required', 'is required')
  return faults
}

function newVersionFaults(body: IntentBody): Fault[] {
  const detail = 'belongs to the document, and cannot be sent together with documentId'
  return Object.keys(body)
    .filter((field) => !fieldsOfAFile.includes(field))
    .map((field): Fault => ({ in: 'body', pointer: `#/${field}`, code: 'inconsistent', detail }))
}

async function createDocument(
  tx: Transaction,
  context: ChangeContext,
  body: IntentBody,
  version: AnnouncedFile,
): Promise<Versioned<DocumentRecord>> {
  const type = await typeOf(tx, body)
  requireAllowedFile(type, version)
  const owner = ownerOf(body)
  if (owner !== null) {
    await requireOwner(tx, owner)
    requireApplies(type, owner.entityType)
  }
  const id = newId()
  const issuedAt = body.issuedAt ?? null
  const values = {
    externalId: body.externalId ?? null,
    documentTypeId: type.id,
    title: body.title ?? type.name,
    description: body.description ?? '',
    status: 'pending_upload',
    issuedAt,
    expiresAt: body.expiresAt === undefined ? endOfValidity(type, issuedAt) : body.expiresAt,
    reviewedAt: null,
    reviewedBy: null,
    rejectionReason: null,
    source: 'api',
    requestId: null,
    metadata: mergePatch({}, body.metadata ?? {}),
  }
  const inserted = await tx.query(
    sql`${documentTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
  )
  if (inserted.length === 0) {
    const value = body.externalId
    throw await requireTaken(tx, documents, [
      { field: 'externalId', column: 'external_id', value, code: 'external_id_taken' },
    ])
  }
  insertVersion(tx, id, 1, body.fileName, version)
  if (owner !== null) insertLink(tx, id, owner)
  const created = await readBack(tx, documents, id)
  recordDocumentChange(tx, context, 'vault_document.created', null, created.record)
  return created
}

async function addVersion(
  tx: Transaction,
  context: ChangeContext,
  documentId: string,
  fileName: string,
  version: AnnouncedFile,
): Promise<Versioned<DocumentRecord>> {
  const { record } = await lockDocument(tx, context, documentId).catch((error: unknown) => {
    const isUnknown = error instanceof Problem && error.code === 'resource_not_found'
    throw isUnknown ? referenceProblem('documentId', 'document') : error
  })
  if (record.status === 'archived') {
    const detail = 'This document is archived. Move it to another status first, or create a new document.'
    throw new Problem('state_conflict', detail, { currentState: record.status })
  }
  requireAllowedFile(await requireDocumentType(tx, record.documentTypeId), version)
  const last = record.versions.at(-1)?.versionNumber ?? 0
  insertVersion(tx, record.id, last + 1, fileName, version)
  return storeDocument(tx, context, record, record)
}

async function typeOf(tx: Transaction, body: IntentBody): Promise<DocumentTypeRecord> {
  if (body.documentTypeId === undefined) return requireDocumentTypeByKey(tx, body.documentTypeKey ?? '')
  const type = await requireDocumentType(tx, body.documentTypeId)
  if (body.documentTypeKey === undefined || body.documentTypeKey === type.key) return type
  const detail = 'must be the key of the type that documentTypeId names'
  throw validationProblem([{ in: 'body', pointer: '#/documentTypeKey', code: 'inconsistent', detail }])
}

/** Refuses with `file_rejected` what the type does not take, before anything is uploaded. */
function requireAllowedFile(type: DocumentTypeRecord, { mimeType, sizeBytes }: AnnouncedFile): void {
  const { allowedMimeTypes, maxSizeBytes } = type
  if (!allowedMimeTypes.includes(mimeType)) {
    const detail = `A document of the type ${type.key} is a file of: ${allowedMimeTypes.join(', ')}.`
    throw rejection(detail, { allowedMimeTypes }, { mimeType })
  }
  if (sizeBytes > maxSizeBytes) {
    const detail = `A document of the type ${type.key} has at most ${maxSizeBytes} bytes.`
    throw rejection(detail, { maxSizeBytes }, { sizeBytes })
  }
}

function ownerOf({ entityType, entityId }: IntentBody): Owner | null {
  return entityType === undefined || entityId === undefined ? null : { entityType, entityId }
}

/** When a document that was issued at a moment, or now, ceases to be valid by its type; null when it does not. */
export function endOfValidity(type: Pick<DocumentTypeRecord, 'validityDays'>, issuedAt: string | null): string | null {
  if (type.validityDays === null) return null
  const issued = issuedAt === null ? Date.now() : Date.parse(issuedAt)
  return new Date(issued + type.validityDays * 24 * 3600 * 1000).toISOString()
}

function insertVersion(
  tx: Transaction,
  documentId: string,
  versionNumber: number,
  fileName: string,
  { id, mimeType, sizeBytes, checksumSha256 }: AnnouncedFile,
): void {
  tx.send(sql`
    insert into document_versions (tenant_id, id, document_id, version_number, status, file_name, mime_type, size_bytes,
                                   checksum_sha256)
    values (${tx.tenantId}, ${id}, ${documentId}, ${versionNumber}, 'pending', ${fileName}, ${mimeType}, ${sizeBytes},
            ${checksumSha256})`)
}
