import {
  type Body,
  type documentOperations,
  type Fault,
  pendingVersionDays,
  type Static,
  type UploadTicket,
} from '@matricula/contract'
import type { ChangeContext, RequestContext } from '../../changes/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { readBack, readOne, type Versioned } from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import type { Write } from '../../http/index.ts'
import { mergeFreeObject, newId } from '../../values/index.ts'
import { linkItemDocument, requireOpenItem } from '../requests/index.ts'
import {
  type DocumentTypeRecord,
  type Owner,
  requireDocumentType,
  requireDocumentTypeByKey,
} from '../requirements/index.ts'
import { daysAgo, failAbandoned } from './abandoned-uploads.ts'
import { recordDocumentChange, storeDocument } from './document-changes.ts'
import { type DocumentRecord, documents } from './document-store.ts'
import {
  insertDocument,
  insertVersion,
  lockForVersion,
  requireAcceptedFile,
  requireAllowedFile,
  requireVersion,
} from './new-documents.ts'
import { recordRejection } from './refusals.ts'
import { settledProblem, type VersionAddress } from './upload-completion.ts'
import { type AnnouncedVersion, signUpload, type VaultFiles } from './vault-files.ts'

type IntentBody = Body<(typeof documentOperations)['createUploadIntent']>
type IntentWrite = Write<(typeof documentOperations)['createUploadIntent']>
type Ticket = Static<typeof UploadTicket>

const versionFields = [
  'documentId',
  'documentTypeId',
  'documentTypeKey',
  'fileName',
  'mimeType',
  'sizeBytes',
  'checksumSha256',
]

/**
 * Signs the upload address of a new version and returns the write that creates the version, and its document unless the
 * body names one.
 *
 * @throws Problem `validation_failed`; the write throws `reference_not_found`, `external_id_taken`, `rule_violated`,
 * and `state_conflict` for an archived document and a closed request. It returns `file_rejected` when the type does not
 * accept the file, and commits the record of the rejection.
 */
export async function prepareUploadIntent(
  files: VaultFiles,
  context: RequestContext,
  body: IntentBody,
): Promise<IntentWrite> {
  const validationErrors = body.documentId === undefined ? newDocumentErrors(body) : newVersionErrors(body)
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  const { documentId, fileName, sizeBytes, checksumSha256 = null } = body
  const version = { id: newId(), fileName, mimeType: body.mimeType.toLowerCase(), sizeBytes, checksumSha256 }
  const upload = await signUpload(files, context.tenant.id, version)
  return async (tx) => {
    try {
      const { record, entityTag } =
        documentId === undefined
          ? await createDocument(tx, context, body, version)
          : await addVersion(tx, context, documentId, body, version)
      return { record: toTicket(record, version.id, upload), entityTag, locationId: record.id }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'file_rejected') throw error
      // The file is checked before anything of the document is written.
      const { id: versionId, mimeType } = version
      recordRejection(tx, context, { versionId, documentId, fileName, mimeType }, error)
      return error
    }
  }
}

/**
 * Signs a new upload address of a pending version. One that has waited too long fails.
 *
 * @throws Problem `resource_not_found` and `state_conflict`; the write returns `state_conflict` when the version has
 * waited too long, and commits its failure.
 */
export async function prepareRenewal(
  files: VaultFiles,
  database: Database,
  context: RequestContext,
  { documentId, versionId }: VersionAddress,
): Promise<Write<(typeof documentOperations)['renewUploadUrl']>> {
  const { record } = await readOne(database, context.tenant.id, documents, documentId)
  const version = requireVersion(record, versionId)
  if (version.status !== 'pending') throw settledProblem(version)
  if (Date.parse(version.createdAt) < daysAgo(pendingVersionDays).getTime()) {
    return async (tx) => settledProblem(await failAbandoned(tx, context, documentId, version.id))
  }
  const upload = await signUpload(files, context.tenant.id, version)
  return async () => ({ record: toTicket(record, version.id, upload), entityTag: null })
}

function toTicket(document: DocumentRecord, versionId: string, upload: Ticket['upload']): Ticket {
  return { document, version: requireVersion(document, versionId), upload }
}

function newDocumentErrors(body: IntentBody): Fault[] {
  const validationErrors: Fault[] = []
  const add = (field: string, code: Fault['code'], detail: string) =>
    validationErrors.push({ in: 'body', pointer: `#/${field}`, code, detail })
  if (body.documentTypeId === undefined && body.documentTypeKey === undefined) {
    add('documentTypeId', 'required', 'is required, or documentTypeKey, or the documentId of a document')
  }
  if (body.entityType !== undefined && body.entityId === undefined) add('entityId', 'required', 'is required')
  if (body.entityId !== undefined && body.entityType === undefined) add('entityType', 'required', 'is required')
  return validationErrors
}

function newVersionErrors(body: IntentBody): Fault[] {
  const detail = 'belongs to the document, and cannot be sent together with documentId'
  return Object.keys(body)
    .filter((field) => !versionFields.includes(field))
    .map((field): Fault => ({ in: 'body', pointer: `#/${field}`, code: 'inconsistent', detail }))
}

function otherTypeErrors({ documentType: { id, key } }: DocumentRecord, body: IntentBody): Fault[] {
  const { documentTypeId = id, documentTypeKey = key } = body
  const wrongFields = [
    ...(documentTypeId.toLowerCase() === id ? [] : ['documentTypeId']),
    ...(documentTypeKey === key ? [] : ['documentTypeKey']),
  ]
  const detail = `must be that of the document, whose type is ${key}; a new version cannot have another one`
  return wrongFields.map((field): Fault => ({ in: 'body', pointer: `#/${field}`, code: 'inconsistent', detail }))
}

async function createDocument(
  tx: Transaction,
  context: ChangeContext,
  body: IntentBody,
  version: AnnouncedVersion,
): Promise<Versioned<DocumentRecord>> {
  const type = await loadType(tx, body)
  requireAllowedFile(type, version)
  const requestItem = body.requestId === undefined ? null : await requireOpenItem(tx, context, body.requestId, type.id)
  const { externalId, title, description, issuedAt, expiresAt } = body
  const id = await insertDocument(tx, {
    type,
    owner:
      findOwner(body) ??
      (requestItem && { entityType: requestItem.request.entityType, entityId: requestItem.request.entityId }),
    requestId: requestItem?.request.id ?? null,
    status: 'pending_upload',
    source: 'api',
    externalId,
    title,
    description,
    issuedAt,
    expiresAt,
    metadata: mergeFreeObject('metadata', {}, body.metadata ?? {}),
  })
  insertVersion(tx, id, 'pending', version)
  const created = await readBack(tx, documents, id)
  recordDocumentChange(tx, context, 'vault_document.created', null, created.record)
  if (requestItem !== null) await linkItemDocument(tx, context, requestItem, created.record)
  return created
}

async function addVersion(
  tx: Transaction,
  context: ChangeContext,
  documentId: string,
  body: IntentBody,
  version: AnnouncedVersion,
): Promise<Versioned<DocumentRecord>> {
  const { record } = await lockForVersion(tx, context, documentId)
  const validationErrors = otherTypeErrors(record, body)
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  await requireAcceptedFile(tx, record, version)
  insertVersion(tx, record.id, 'pending', version)
  return storeDocument(tx, context, record, record)
}

async function loadType(tx: Transaction, body: IntentBody): Promise<DocumentTypeRecord> {
  if (body.documentTypeId === undefined) return requireDocumentTypeByKey(tx, body.documentTypeKey ?? '')
  const type = await requireDocumentType(tx, body.documentTypeId)
  if (body.documentTypeKey === undefined || body.documentTypeKey === type.key) return type
  const detail = 'must be the key of the type that documentTypeId names'
  throw validationProblem([{ in: 'body', pointer: '#/documentTypeKey', code: 'inconsistent', detail }])
}

function findOwner({ entityType, entityId }: IntentBody): Owner | null {
  return entityType === undefined || entityId === undefined ? null : { entityType, entityId }
}
