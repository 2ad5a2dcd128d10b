import { Type } from 'typebox'
import {
  CreatedAt,
  count,
  described,
  ExternalId,
  flag,
  freeObject,
  label,
  listOf,
  nullable,
  oneOf,
  record,
  Stamp,
  UpdatedAt,
  Uuid,
} from '../schema.ts'

export const documentOwners = ['student', 'application'] as const
export type DocumentOwner = (typeof documentOwners)[number]

export const documentStatuses = [
  'pending_upload',
  'uploaded',
  'in_review',
  'approved',
  'rejected',
  'expired',
  'archived',
] as const
export type DocumentStatus = (typeof documentStatuses)[number]
export const DocumentStatus = oneOf(documentStatuses, 'Where the document stands.')

export const documentSources = ['api', 'staff', 'public_request', 'form', 'import'] as const
export const versionStatuses = ['pending', 'ready', 'failed', 'quarantined'] as const

export const OwnerType = oneOf(documentOwners, 'What kind of record the document belongs to.')

/** A SHA-256 in its one spelling. */
export const Checksum = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the file, 64 lower-case hexadecimal digits.',
})

export const documentTypeExample = {
  id: '01985b2e-5a00-7000-8000-0000000000d1',
  key: 'birth_certificate',
  name: 'Birth certificate',
  description: '',
  category: 'identity',
  appliesTo: ['student' as const, 'application' as const],
  allowedMimeTypes: ['application/pdf', 'image/jpeg', 'image/png'],
  maxSizeBytes: 20_971_520,
  requiresReview: true,
  validityDays: null,
  isSensitive: true,
  isActive: true,
  position: 5,
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
}

export const DocumentType = record(
  'DocumentType',
  'A kind of document that the institution keeps.',
  {
    id: Uuid,
    key: label('Key of the type, unique in the tenant.'),
    name: label('Name shown to people.'),
    description: label('Description; empty when there is none.'),
    category: label('Category for people.'),
    appliesTo: listOf(OwnerType, 'What kinds of records have such documents.'),
    allowedMimeTypes: listOf(label('A media type.'), 'The media types that a file may have.'),
    maxSizeBytes: count('The most bytes that a file may have.'),
    requiresReview: flag('Whether somebody reviews it; otherwise it is approved once its file is there.'),
    validityDays: nullable(count('Days from its issue until it expires; null when it does not.')),
    isSensitive: flag('Whether its content needs particular care.'),
    isActive: flag('Whether new documents may have this type.'),
    position: count('Place in the list.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  documentTypeExample,
)

const versionExample = {
  id: '01985b2e-5a00-7000-8000-0000000000d3',
  versionNumber: 1,
  status: 'ready' as const,
  fileName: 'birth-certificate.pdf',
  mimeType: 'application/pdf',
  sizeBytes: 48_213,
  checksumSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  uploadedAt: '2026-02-01T08:01:00.000Z',
  failureReason: null,
  createdAt: '2026-02-01T08:00:00.000Z',
}

export const pendingVersionExample = {
  ...versionExample,
  status: 'pending' as const,
  checksumSha256: null,
  uploadedAt: null,
}

export const DocumentVersion = record(
  'DocumentVersion',
  'A file of a document. It is never overwritten: another file is another version.',
  {
    id: Uuid,
    versionNumber: count('Number of the version in its document, from 1.'),
    status: oneOf(versionStatuses, 'Where the file stands: only a `ready` one can be read.'),
    fileName: label('Name of the file.'),
    mimeType: label('Media type of the file.'),
    sizeBytes: count('Size in bytes.'),
    checksumSha256: nullable({
      ...Checksum,
      description: 'SHA-256 of the file; before its upload the announced one, if any.',
    }),
    uploadedAt: nullable(described(Stamp, 'When the upload was completed.')),
    failureReason: nullable(label('Why the file was rejected.')),
    createdAt: CreatedAt,
  },
  versionExample,
)

const DocumentLink = record('DocumentLink', 'A record that a document belongs to.', {
  id: Uuid,
  entityType: OwnerType,
  entityId: described(Uuid, 'Id of the student or the application.'),
  entityLabel: label('Full name of the student or the applicant.'),
  createdAt: CreatedAt,
})

export const documentExample = {
  id: '01985b2e-5a00-7000-8000-0000000000d2',
  externalId: 'DOC-604821',
  documentTypeId: documentTypeExample.id,
  documentType: { id: documentTypeExample.id, key: documentTypeExample.key, name: documentTypeExample.name },
  title: 'Birth certificate',
  description: '',
  status: 'uploaded' as const,
  currentVersion: versionExample,
  versions: [versionExample],
  links: [
    {
      id: '01985b2e-5a00-7000-8000-0000000000d4',
      entityType: 'student' as const,
      entityId: '01985b2e-5a00-7000-8000-000000000001',
      entityLabel: 'Tyrone Dyer',
      createdAt: '2026-02-01T08:00:00.000Z',
    },
  ],
  issuedAt: null,
  expiresAt: null,
  reviewedAt: null,
  reviewedBy: null,
  rejectionReason: null,
  source: 'api' as const,
  requestId: null,
  metadata: {},
  createdAt: '2026-02-01T08:00:00.000Z',
  updatedAt: '2026-02-01T08:01:00.000Z',
}

export const Document = record(
  'Document',
  'A document of the vault with its files.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    documentTypeId: described(Uuid, 'Id of the document’s type.'),
    documentType: record('DocumentTypeRef', 'The type of a document.', {
      id: Uuid,
      key: label('Key of the type.'),
      name: label('Name of the type.'),
    }),
    title: label('Title.'),
    description: label('Description; empty when there is none.'),
    status: DocumentStatus,
    currentVersion: nullable(DocumentVersion),
    versions: listOf(DocumentVersion, 'Every version, oldest first.'),
    links: listOf(DocumentLink, 'The records that it belongs to, oldest first.'),
    issuedAt: nullable(described(Stamp, 'When it was issued.')),
    expiresAt: nullable(described(Stamp, 'When it ceases to be valid.')),
    reviewedAt: nullable(described(Stamp, 'When it was approved or rejected.')),
    reviewedBy: nullable(label('Who approved or rejected it.')),
    rejectionReason: nullable(label('Why it was rejected.')),
    source: oneOf(documentSources, 'Where it came from.'),
    requestId: nullable(described(Uuid, 'Id of the document request that it answers.')),
    metadata: freeObject('Fields of the integrator’s choosing.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  documentExample,
)
