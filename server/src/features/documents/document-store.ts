import { Document, type DocumentVersion, type documentOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../database/index.ts'
import { type ReadDefinition, type StoredRow, storedTable } from '../../entities/index.ts'
import type { Expiry, FiltersOf, ListDefinition } from '../../listing/index.ts'
import type { DocumentTypeRecord } from '../requirements/index.ts'

export type DocumentRecord = Static<typeof Document>
export type VersionRecord = Static<typeof DocumentVersion>

/** The fields that a document's row keeps, by column. */
const documentColumns = {
  externalId: 'external_id',
  documentTypeId: 'document_type_id',
  title: 'title',
  description: 'description',
  status: 'status',
  issuedAt: 'issued_at',
  expiresAt: 'expires_at',
  reviewedAt: 'reviewed_at',
  reviewedBy: 'reviewed_by',
  rejectionReason: 'rejection_reason',
  source: 'source',
  requestId: 'request_id',
  metadata: 'metadata',
} as const

export const documentTable = storedTable(Document, { table: 'documents', alias: 'd', stored: documentColumns })

interface DocumentRow extends StoredRow<DocumentRecord, typeof documentColumns> {
  readonly type_key: string
  readonly type_name: string
  readonly type_version: number
  readonly type_requires_review: boolean
  readonly type_validity_days: number | null
  readonly is_over: boolean
  readonly versions: VersionRecord[] | null
  readonly links: DocumentRecord['links'] | null
  readonly owner_versions: number
}

/** An approved document whose time has passed reads as expired at once; a job then stores it (`expireDocumentsJob`). */
const expiry: Expiry = {
  from: ['approved'],
  into: 'expired',
  isOver: sql`d.status = 'approved' and d.expires_at is not null and d.expires_at <= now()`,
}

/** The documents of a tenant that meet a condition on `d`, with their type, their versions and their links. */
function selectDocuments(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${documentTable.selected}, t.key as type_key, t.name as type_name, t.version as type_version,
           t.requires_review as type_requires_review, t.validity_days as type_validity_days, ${expiry.isOver} as is_over,
           (select json_agg(json_build_object(
                     'id', v.id, 'versionNumber', v.version_number, 'status', v.status, 'fileName', v.file_name,
                     'mimeType', v.mime_type, 'sizeBytes', v.size_bytes, 'checksumSha256', v.checksum_sha256,
                     'uploadedAt', stamp_text(v.uploaded_at), 'failureReason', v.failure_reason,
                     'createdAt', stamp_text(v.created_at)) order by v.version_number)
              from document_versions v
             where v.tenant_id = ${tenantId} and v.document_id = d.id) as versions,
           owners.links, coalesce(owners.versions, 0) as owner_versions,
           greatest(d.updated_at, t.shown_at, owners.shown_at) as updated_at
      from documents d
      join document_types t on t.tenant_id = ${tenantId} and t.id = d.document_type_id
      cross join lateral (
        select json_agg(json_build_object(
                 'id', l.id, 'entityType', case when l.student_id is null then 'application' else 'student' end,
                 'entityId', coalesce(s.id, a.id), 'entityLabel', coalesce(s.full_name, a.full_name),
                 'createdAt', stamp_text(l.created_at)) order by l.created_at, l.id) as links,
               sum(coalesce(s.version, a.version)) as versions,
               max(coalesce(s.shown_at, a.shown_at)) as shown_at
          from document_links l
          left join students s on s.tenant_id = ${tenantId} and s.id = l.student_id
          left join admission_applications a on a.tenant_id = ${tenantId} and a.id = l.application_id
         where l.tenant_id = ${tenantId} and l.document_id = d.id) owners
     where d.tenant_id = ${tenantId} and ${condition}`
}

export const documents: ListDefinition<DocumentRow, DocumentRecord> = {
  entityType: 'vault_document',
  noun: 'document',
  table: 'documents',
  isCountedByStatus: true,
  tellsDeletions: true,
  alias: 'd',
  select: selectDocuments,
  toRecord: documentTable.reader<DocumentRow>({
    documentType: (row) => ({ id: row.document_type_id, key: row.type_key, name: row.type_name }),
    status: (row) => (row.is_over ? 'expired' : row.status),
    currentVersion: (row) => row.versions?.findLast(({ status }) => status === 'ready') ?? null,
    versions: (row) => row.versions ?? [],
    links: (row) => row.links ?? [],
  }),
  versions: (row) => [row.version, row.type_version, row.owner_versions, row.is_over ? 1 : 0],
  expiry,
  shows: [
    sql`join document_types shown on shown.tenant_id = d.tenant_id and shown.id = d.document_type_id`,
    sql`join document_links l on l.tenant_id = d.tenant_id and l.document_id = d.id
        join students shown on shown.tenant_id = d.tenant_id and shown.id = l.student_id`,
    sql`join document_links l on l.tenant_id = d.tenant_id and l.document_id = d.id
        join admission_applications shown on shown.tenant_id = d.tenant_id and shown.id = l.application_id`,
  ],
  filters: {
    documentTypeId: (documentTypeId) => sql`d.document_type_id = ${documentTypeId}`,
    studentId: (studentId) => sql`exists (
      select from document_links l
       where l.tenant_id = d.tenant_id and l.document_id = d.id and l.student_id = ${studentId})`,
    applicationId: (applicationId) => sql`exists (
      select from document_links l
       where l.tenant_id = d.tenant_id and l.document_id = d.id and l.application_id = ${applicationId})`,
    requestId: (requestId) => sql`d.request_id = ${requestId}`,
  } satisfies FiltersOf<(typeof documentOperations)['listDocuments']>,
}

/** A document with what its type says of the files that come to it. */
export interface TypedDocument {
  readonly document: DocumentRecord
  readonly type: FileRules
}

/** What a document type says of a file that has come. */
export type FileRules = Pick<DocumentTypeRecord, 'requiresReview' | 'validityDays'>

/** The same rows, read as documents with the rules of their types. */
export const typedDocuments: ReadDefinition<DocumentRow, TypedDocument> = {
  entityType: documents.entityType,
  noun: documents.noun,
  table: documents.table,
  alias: documents.alias,
  select: documents.select,
  versions: documents.versions,
  toRecord: (row) => ({
    document: documents.toRecord(row),
    type: { requiresReview: row.type_requires_review, validityDays: row.type_validity_days },
  }),
}
