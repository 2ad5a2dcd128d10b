import { call, sendFile } from '../http.ts'

/** A document that was brought to the desk. */
export interface BroughtDocument {
  readonly documentTypeId: string
  readonly entityType: 'application' | 'student'
  readonly entityId: string
  readonly file: File
}

/**
 * Records a document that was brought to the desk: announces the file, sends it, and completes the upload. The key is
 * that of the intention, so that a repeated one makes one document.
 */
export async function recordDocument(key: string, { file, ...about }: BroughtDocument): Promise<RecordedDocument> {
  const described = { fileName: file.name, mimeType: file.type || 'application/octet-stream', sizeBytes: file.size }
  const { body } = await call('POST', '/console/v1/vault/documents/upload-intents', {
    body: { ...about, ...described },
    headers: { 'idempotency-key': key },
  })
  const { document, version, upload } = body.data
  await sendFile(upload, file)
  const path = `/console/v1/vault/documents/${document.id}/versions/${version.id}/complete`
  const completed = await call('POST', path, { body: {} })
  const entityTag = completed.headers.get('etag') ?? ''
  return { id: document.id, status: completed.body.data.status, entityTag }
}

/** The document that was made, with its version. */
interface RecordedDocument {
  readonly id: string
  readonly status: string
  readonly entityTag: string
}
