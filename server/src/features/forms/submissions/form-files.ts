import type { ChangeContext } from '../../../changes/index.ts'
import { type Database, literal, sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import { archiveDocument, receiveFile, type VaultFiles } from '../../documents/index.ts'
import type { FormError } from '../form-definition.ts'
import type { FileLocation, PublicForm } from '../pages/public-forms.ts'
import type { GivenFile } from './form-answers.ts'

/** A file of a form that is a document already, but belongs to nothing until its form is submitted. */
export interface ReceivedFormFile extends GivenFile {
  readonly documentId: string
}

/** A file on its way. */
export interface SentFormFile {
  /** The key of the question that it answers. */
  readonly fieldKey: string
  /** The sender's name of it; any text. */
  readonly fileName: string
  /** The sender's word on its type; empty when the sender's program does not know. */
  readonly mimeType: string
}

/**
 * Takes a file for a question of a form: it becomes a document of the question's type, checked as every file of the vault.
 * What the question does not take is a fault, and leaves no file; its bytes may not have been read to their end then.
 *
 * @throws Problem `service_unavailable` while the virus scanner does not answer.
 */
export async function receiveFormFile(
  files: VaultFiles,
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  { fieldKey, fileName, mimeType }: SentFormFile,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedFormFile | { fault: FormError }> {
  const location = form.files.get(fieldKey)
  if (location === undefined) return { fault: { fieldKey, code: 'unknown_field', bounds: {} } }
  let stored = { mimeType: '', sizeBytes: 0 }
  const file = {
    ...({ documentTypeId: location.documentTypeId, owner: null, source: 'form', requestId: null } as const),
    fileName,
    mimeType,
    within: async (tx: Transaction, store: () => Promise<string>) => {
      const documentId = await store()
      stored = await readVersion(tx, documentId)
      if (location.allowedMimeTypes.includes(stored.mimeType)) return documentId
      const expected = { allowedMimeTypes: location.allowedMimeTypes }
      const detail = `A file for ${fieldKey} is one of: ${location.allowedMimeTypes.join(', ')}.`
      throw new Problem('file_rejected', detail, { expected, found: { mimeType: stored.mimeType } })
    },
  }
  try {
    const received = await receiveFile(files, database, context, file, atMost(location.maxSizeBytes, bytes))
    if (received === null) throw new Error('a file of a form is always kept')
    return { fieldKey, documentId: received.documentId, ...stored }
  } catch (error) {
    const validationError = error instanceof Problem ? findError(fieldKey, location, error) : null
    if (validationError === null) throw error
    return { fault: validationError }
  }
}

async function readVersion(tx: Transaction, documentId: string): Promise<{ mimeType: string; sizeBytes: number }> {
  const [version] = await tx.query<{ mimeType: string; sizeBytes: number }>(sql`
    select mime_type as "mimeType", size_bytes as "sizeBytes" from document_versions
     where tenant_id = ${tx.tenantId} and document_id = ${documentId}`)
  if (version === undefined) throw new Error('the document that was stored has no version')
  return version
}

/** The same bytes, until they are more than a question takes, which may be less than its document type does. */
async function* atMost(maxBytes: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    if (count > maxBytes) throw new Problem('content_too_large', `Send at most ${maxBytes} bytes.`, { maxBytes })
    yield chunk
  }
}

/** A refusal of a file as a fault of the answer; null for what is no fault of the file. */
function findError(fieldKey: string, location: FileLocation, problem: Problem): FormError | null {
  if (problem.code === 'content_too_large') {
    return { fieldKey, code: 'file_too_large', bounds: { maximum: location.maxSizeBytes } }
  }
  if (problem.code !== 'file_rejected') return null
  const { found = {} } = problem.extra as { found?: object }
  if ('virus' in found) return { fieldKey, code: 'file_infected', bounds: {} }
  if ('sizeBytes' in found && found.sizeBytes === 0) return { fieldKey, code: 'file_empty', bounds: {} }
  return { fieldKey, code: 'media_type_not_allowed', bounds: { allowed: location.allowedMimeTypes } }
}

/** Puts away the documents of a form that was not submitted. */
export async function discardFormFiles(
  database: Database,
  context: ChangeContext,
  files: readonly Pick<ReceivedFormFile, 'documentId'>[],
): Promise<void> {
  if (files.length === 0) return
  await database.transaction(context.tenant.id, async (tx) => {
    const ids = files.map(({ documentId }) => documentId)
    for (const id of await unsubmitted(tx, ids)) await archiveDocument(tx, context, id)
  })
}

/** Those of these documents that came with no form that was sent: its files stay whatever becomes of what was saved. */
export async function unsubmitted(tx: Transaction, documentIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select d.id from documents d
     where d.tenant_id = ${tx.tenantId} and d.id = any (${[...documentIds]}::uuid[])
       and not exists (select from form_submission_files f where f.tenant_id = d.tenant_id and f.document_id = d.id)
     order by d.id`)
  return rows.map(({ id }) => id)
}

const batchSize = 200

/**
 * Puts away documents that came with a form which was then not submitted, because the process or the connection ended: a day
 * later, so that no form is on its way any more.
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
