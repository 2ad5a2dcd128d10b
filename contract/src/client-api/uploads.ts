import { Type } from 'typebox'
import {
  body,
  count,
  described,
  ExternalId,
  freeObjectInput,
  label,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  StampOrDateInput,
  text,
  Uuid,
} from '../schema.ts'
import {
  Checksum,
  Document,
  DocumentStatus,
  DocumentVersion,
  documentExample,
  OwnerType,
  pendingVersionExample,
} from './documents.ts'

/** How long the signed addresses of the vault live, in minutes. */
export const signedAddressMinutes = { upload: 15, download: 5 } as const

/** How long a version waits for its file, in days. Then it fails. */
export const pendingVersionDays = 7

/** The largest file that any document type can allow, in bytes. */
export const largestFileBytes = 5 * 1024 * 1024 * 1024

const fileExample = { fileName: 'birth-certificate.pdf', mimeType: 'application/pdf', sizeBytes: 48_213 }

export const UploadTicket = record(
  'UploadTicket',
  'A version that waits for its file, and the address that takes it.',
  {
    document: Document,
    version: DocumentVersion,
    upload: record('SignedUpload', 'A request that sends the file. It needs no token.', {
      method: oneOf(['PUT'], 'The method.'),
      url: label('The address. Whoever has it can send the file, until it expires.'),
      headers: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Headers to send as they are. Content-Length is the announced size.',
      }),
      expiresAt: described(Stamp, `When the address ceases to work: after ${signedAddressMinutes.upload} minutes.`),
      maxBytes: count('The size of the file in bytes, exactly.'),
    }),
  },
  {
    document: {
      ...documentExample,
      status: 'pending_upload',
      currentVersion: null,
      versions: [pendingVersionExample],
      updatedAt: documentExample.createdAt,
    },
    version: pendingVersionExample,
    upload: {
      method: 'PUT',
      url: 'https://matricula.example/files/signed/eyJrZXkiOiIwMTk4NWIyZSJ9.c2lnbmF0dXJl',
      headers: { 'content-type': 'application/pdf' },
      expiresAt: '2026-02-01T08:15:00.000Z',
      maxBytes: 48_213,
    },
  },
)

export const UploadIntentBody = body(
  'UploadIntentBody',
  'A file that is going to be uploaded. For a new document: `documentTypeId` or `documentTypeKey`. For a new version of a document: `documentId`, its own type if you like, and of the other fields only those of the file.',
  {
    fileName: Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      description: 'Name of the file.',
    }),
    mimeType: Type.Unsafe<string>({
      type: 'string',
      maxLength: 255,
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}/[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}$",
      description: 'Media type of the file, without parameters. Its content must be of this type.',
    }),
    sizeBytes: Type.Unsafe<number>({
      type: 'integer',
      minimum: 1,
      maximum: largestFileBytes,
      description: 'Size of the file in bytes, exactly.',
    }),
    checksumSha256: optional(Checksum),
    documentTypeId: optional(described(Uuid, 'Id of an active document type.')),
    documentTypeKey: optional(text('Key of an active document type.', 64, 2)),
    documentId: optional(described(Uuid, 'The document that gets a new version.')),
    title: optional(text('Title; the name of the document type when absent.', 255, 1)),
    description: optional(nullable(text('Description; null for none.', 2000))),
    entityType: optional(OwnerType),
    entityId: optional(described(Uuid, 'The student or the application that the document belongs to.')),
    requestId: optional(
      described(
        Uuid,
        'The open document request that the document answers: it asks for one of this type. The document belongs to whom the request is about unless the body names another record.',
      ),
    ),
    externalId: optional(ExternalId),
    issuedAt: optional(nullable(described(StampOrDateInput, 'When it was issued.'))),
    expiresAt: optional(nullable(described(StampOrDateInput, 'When it ceases to be valid.'))),
    metadata: optional(freeObjectInput('Fields of the integrator’s choosing.')),
  },
  null,
  { documentTypeKey: 'birth_certificate', ...fileExample, externalId: 'DOC-604821' },
)

export const CompleteUploadBody = body(
  'CompleteUploadBody',
  'What is known of the file that was uploaded.',
  { checksumSha256: optional(Checksum) },
  null,
  {},
)

export const DocumentDownload = record(
  'DocumentDownload',
  'An address that hands out a file.',
  {
    url: label('The address. It needs no token.'),
    expiresAt: described(Stamp, `When the address ceases to work: after ${signedAddressMinutes.download} minutes.`),
    fileName: label('Name of the file.'),
    mimeType: label('Media type of the file.'),
    sizeBytes: count('Size in bytes.'),
    disposition: oneOf(['inline', 'attachment'], 'Whether a browser shows the file or saves it.'),
    versionId: described(Uuid, 'The version that is handed out.'),
  },
  {
    ...fileExample,
    url: 'https://matricula.example/files/signed/eyJrZXkiOiIwMTk4NWIyZSJ9.c2lnbmF0dXJl',
    expiresAt: '2026-02-01T08:10:00.000Z',
    disposition: 'inline',
    versionId: pendingVersionExample.id,
  },
)

export const UpdateDocumentBody = body(
  'UpdateDocumentBody',
  'Fields of a document. An absent field stays as it is. `status` takes in_review, approved, rejected and archived once a file is there; `rejected` needs a `rejectionReason`.',
  {
    status: optional(DocumentStatus),
    rejectionReason: optional(nullable(text('Why it is rejected.', 2000, 1))),
    title: optional(text('Title.', 255, 1)),
    description: optional(nullable(text('Description; null for none.', 2000))),
    documentTypeId: optional(described(Uuid, 'Id of an active document type.')),
    issuedAt: optional(nullable(described(StampOrDateInput, 'When it was issued.'))),
    expiresAt: optional(nullable(described(StampOrDateInput, 'When it ceases to be valid.'))),
    metadata: optional(freeObjectInput('Fields of the integrator’s choosing, merged by RFC 7396.')),
  },
  Document,
  { status: 'rejected', rejectionReason: 'The second page is missing.' },
)

export const LinkDocumentBody = body(
  'LinkDocumentBody',
  'The record that the document belongs to as well.',
  { entityType: OwnerType, entityId: described(Uuid, 'Id of the student or the application.') },
  null,
  { entityType: 'student', entityId: '01985b2e-5a00-7000-8000-000000000001' },
)
