import type { ChangeContext } from '../../../changes/index.ts'
import { type Database, literal, sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import { archiveDocument, receiveFile, type VaultFiles } from '../../documents/index.ts'
import type { FormError } from '../form-definition.ts'
import type { PublicForm, QuestionFileLimits } from '../pages/public-forms.ts'
import type { GivenFile } from './form-answers.ts'

/** A file of a form that is stored as a document, but linked to nothing until its form is submitted. */
export interface ReceivedFormFile extends GivenFile {
  readonly documentId: string
}

/** A file that is being received. */
export interface FileHeader {
  /** The key of its question. */
  readonly fieldKey: string
  /** The file name that the client sent; any text. */
  readonly fileName: string
  /** The media type that the client sent; empty when unknown. */
  readonly mimeType: string
}

/**
 * Stores a file for a question: it becomes a document of the question's type, checked as every document. A file that
 * the question does not accept is returned as an error and not stored; its bytes may not have been read to the end.
 *
 * @throws Problem `service_unavailable` while the virus scanner does not respond.
 */
export async function receiveFormFile(
  files: VaultFiles,
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  { fieldKey, fileName, mimeType }: FileHeader,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedFormFile | { error: FormError }> {
  const limits = form.files.get(fieldKey)
  if (limits === undefined) return { error: { fieldKey, code: 'unknown_field', bounds: {} } }
  let version = { mimeType: '', sizeBytes: 0 }
  const file = {
    ...({ documentTypeId: limits.documentTypeId, owner: null, source: 'form', requestId: null } as const),
    fileName,
    mimeType,
    within: async (tx: Transaction, store: () => Promise<string>) => {
      const documentId = await store()
      version = await readVersion(tx, documentId)
      if (limits.allowedMimeTypes.includes(version.mimeType)) return documentId
      const expected = { allowedMimeTypes: limits.allowedMimeTypes }
      const detail = `A file for ${fieldKey} is one of: ${limits.allowedMimeTypes.join(', ')}.`
      throw new Problem('file_rejected', detail, { expected, found: { mimeType: version.mimeType } })
    },
  }
  try {
    const received = await receiveFile(files, database, context, file, limitBytes(limits.maxSizeBytes, bytes))
    if (received === null) throw new Error('receiveFile must store a file of a form')
    return { fieldKey, documentId: received.documentId, ...version }
  } catch (error) {
    const formError = error instanceof Problem ? toFormError(fieldKey, limits, error) : null
    if (formError === null) throw error
    return { error: formError }
  }
}

async function readVersion(tx: Transaction, documentId: string): Promise<{ mimeType: string; sizeBytes: number }> {
  const [version] = await tx.query<{ mimeType: string; sizeBytes: number }>(sql`
    select mime_type as "mimeType", size_bytes as "sizeBytes" from document_versions
     where tenant_id = ${tx.tenantId} and document_id = ${documentId}`)
  if (version === undefined) throw new Error('the document that was stored has no version')
  return version
}

/**
 * Passes bytes on. Throws `content_too_large` beyond the question's limit, which may be below that of its document
 * type.
 */
async function* limitBytes(maxBytes: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    if (count > maxBytes) throw new Problem('content_too_large', `Send at most ${maxBytes} bytes.`, { maxBytes })
    yield chunk
  }
}

/** The error of an answer for a rejected file; null for any other problem. */
function toFormError(fieldKey: string, limits: QuestionFileLimits, problem: Problem): FormError | null {
  if (problem.code === 'content_too_large') {
    return { fieldKey, code: 'file_too_large', bounds: { maximum: limits.maxSizeBytes } }
  }
  if (problem.code !== 'file_rejected') return null
  const { found = {} } = problem.extra as { found?: object }
  if ('virus' in found) return { fieldKey, code: 'file_infected', bounds: {} }
  if ('sizeBytes' in found && found.sizeBytes === 0) return { fieldKey, code: 'file_empty', bounds: {} }
  return { fieldKey, code: 'media_type_not_allowed', bounds: { allowed: limits.allowedMimeTypes } }
}

/** Archives the documents of a form that was not submitted. */
export async function discardFormFiles(
  database: Database,
  context: ChangeContext,
  files: readonly Pick<ReceivedFormFile, 'documentId'>[],
): Promise<void> {
  if (files.length === 0) return
  await database.transaction(context.tenant.id, async (tx) => {
    const ids = files.map(({ documentId }) => documentId)
    for (const id of await findUnsubmitted(tx, ids)) await archiveDocument(tx, context, id)
  })
}

/** Those of these documents that belong to no submission. Documents of a submission are never archived with a draft. */
export async function findUnsubmitted(tx: Transaction, documentIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select d.id from documents d
     where d.tenant_id = ${tx.tenantId} and d.id = any (${[...documentIds]}::uuid[])
       and not exists (select from form_submission_files f where f.tenant_id = d.tenant_id and f.document_id = d.id)
     order by d.id`)
  return rows.map(({ id }) => id)
}

const batchSize = 200

/**
 * Archives documents of forms that were never submitted, because the process or the connection ended. One day later, no
 * such form is in transit any more.
 */
export const cleanUpFormFilesJob: Job = {
  name: 'form-files',
  everySeconds: 3600,
  run: async (database, tenant, hasTime = () => true) => {
    const actor = { type: 'system', id: null, name: 'abandoned form files' } as const
    const context: ChangeContext = { tenant, actor, requestId: null, address: null }
    await inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const abandoned = await tx.query<{ id: string }>(sql`
          select d.id from documents d
           where d.tenant_id = ${tx.tenantId} and d.source = 'form' and d.status <> 'archived'
             and d.created_at between now() - interval '30 days' and now() - interval '1 day'
             and not exists (select from form_submission_files f where f.tenant_id = d.tenant_id and f.document_id = d.id)
             and not exists (select from form_draft_files s where s.tenant_id = d.tenant_id and s.document_id = d.id)
             and not exists (select from document_links l where l.tenant_id = d.tenant_id and l.document_id = d.id)
           order by d.created_at, d.id limit ${literal(batchSize)}`)
        for (const { id } of abandoned) await archiveDocument(tx, context, id)
        return abandoned.length
      }),
    )
  },
}
