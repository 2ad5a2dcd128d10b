import { toUSVString } from 'node:util'
import type { ChangeContext } from '../../../changes/index.ts'
import { takeAdvisoryLock } from '../../../concurrency/index.ts'
import { type Database, literal, type Sql, sql, type Transaction } from '../../../database/index.ts'
import { Problem, validationProblem } from '../../../errors/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import { getNetwork, isUuid } from '../../../values/index.ts'
import { archiveDocument } from '../../documents/index.ts'
import type { PostedForm } from '../submissions/form-delivery.ts'
import { discardFormFiles, findUnsubmitted, type ReceivedFormFile } from '../submissions/form-files.ts'
import type { PublicForm } from './public-forms.ts'

/** How long a draft is stored after it was last saved, in days. */
const draftDays = 30

/**
 * The maximum size of a draft, in characters, and the maximum number of drafts: per template, and per template and
 * network.
 */
const bounds = { characters: 256 * 1024, ofTemplate: 5_000, ofNetwork: 100 } as const

/** A file of a draft. */
export interface DraftFile extends ReceivedFormFile {
  readonly fileName: string
}

/** The draft of a form that is not submitted yet. */
export interface FormDraft {
  readonly id: string
  readonly student: { readonly id: string; readonly fullName: string } | null
  readonly answers: ReadonlyMap<string, readonly string[]>
  readonly files: readonly DraftFile[]
  readonly expiresAt: string
  readonly isExpired: boolean
}

interface DraftRow extends Pick<FormDraft, 'id' | 'student' | 'files' | 'expiresAt' | 'isExpired'> {
  readonly answers: Record<string, string[]>
}

/** The draft of a form by its id, or null. */
export async function readDraft(database: Database, form: PublicForm, id: string): Promise<FormDraft | null> {
  const [row] = await database.read<DraftRow>(form.tenant.id, draftStatement(form, id))
  return row === undefined ? null : { ...row, answers: new Map(Object.entries(row.answers)) }
}

function draftStatement({ tenant: { id: tenantId }, templateId }: PublicForm, id: string): Sql {
  return sql`
      select r.id, r.answers, r.expires_at as "expiresAt", r.expires_at <= now() as "isExpired",
             case when s.id is null then null else json_build_object('id', s.id, 'fullName', s.full_name) end as student,
             (select coalesce(json_agg(json_build_object(
                       'fieldKey', l.field_key, 'documentId', d.id, 'fileName', v.file_name, 'mimeType', v.mime_type,
                       'sizeBytes', v.size_bytes) order by d.created_at, d.id), '[]')
                from form_draft_files l
                join documents d on d.tenant_id = ${tenantId} and d.id = l.document_id and d.status <> 'archived'
                join document_versions v on v.tenant_id = ${tenantId} and v.document_id = d.id and v.version_number = 1
               where l.tenant_id = ${tenantId} and l.draft_id = r.id) as files
        from form_drafts r
        left join students s on s.tenant_id = ${tenantId} and s.id = r.student_id
       where r.tenant_id = ${tenantId} and r.id = ${id} and r.template_id = ${templateId}`
}

/**
 * Saves a draft under the session key of the page, over the earlier one; without the files that were removed. A
 * question that takes one file keeps the newer one. Files beyond a question's maximum are archived.
 *
 * @throws SubmittedError when the form is submitted already.
 * @throws Problem `validation_failed` for an invalid key; `content_too_large`; `rate_limit_exceeded` while this form
 * has too many drafts.
 */
export async function saveDraft(
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  studentId: string | null,
  posted: PostedForm,
): Promise<void> {
  try {
    await storeDraft(database, context, form, studentId, posted)
  } catch (error) {
    await discardFormFiles(database, context, posted.files).catch(() => {}) // the job `form-files` does it later
    throw error
  }
}

async function storeDraft(
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  studentId: string | null,
  posted: PostedForm,
): Promise<void> {
  const id = posted.sessionKey
  if (!isUuid(id)) {
    const detail = 'must be the value that the page came with'
    throw validationProblem([{ in: 'body', pointer: '#/submission', code: 'format', detail }])
  }
  const answers = JSON.stringify(Object.fromEntries(knownAnswers(form, posted)))
  if (answers.length > bounds.characters) {
    throw new Problem('content_too_large', 'The answers are too long to be saved. Shorten them, or submit the form.')
  }
  await database.transaction(form.tenant.id, async (tx) => {
    await lockFormSession(tx, form, id)
    const [sent] = await tx.query<{ id: string }>(sql`
      select id from form_submissions
       where tenant_id = ${tx.tenantId} and template_id = ${form.templateId} and session_key = ${id}`)
    if (sent !== undefined) throw new SubmittedError(sent.id)
    const [before] = await tx.query<DraftRow>(draftStatement(form, id))
    const network = context.address === null ? null : getNetwork(context.address)
    if (before === undefined) await requireCapacity(tx, form, network)
    const { stored, removedFiles } = await filesAfter(tx, form, before?.files ?? [], posted)
    for (const documentId of await findUnsubmitted(
      tx,
      removedFiles.map((file) => file.documentId),
    )) {
      await archiveDocument(tx, context, documentId)
    }
    const [saved] = await tx.query(sql`
      insert into form_drafts as r (tenant_id, id, template_id, student_id, answers, expires_at, saved_from)
      values (${tx.tenantId}, ${id}, ${form.templateId}, ${studentId}, ${answers}::jsonb,
              current_stamp() + make_interval(days => ${draftDays}), ${network})
      on conflict (tenant_id, id) do update
        set answers = excluded.answers, expires_at = excluded.expires_at
      where r.template_id = excluded.template_id
      returning 1 as saved`)
    if (saved === undefined) throw new Problem('resource_not_found', 'This form does not exist.')
    tx.send(sql`
      delete from form_draft_files
       where tenant_id = ${tx.tenantId} and draft_id = ${id} and document_id = any (${removedFiles.map(({ documentId }) => documentId)}::uuid[])`)
    for (const { documentId, fieldKey } of stored) {
      tx.send(sql`
        insert into form_draft_files (tenant_id, draft_id, document_id, field_key)
        values (${tx.tenantId}, ${id}, ${documentId}, ${fieldKey})
        on conflict do nothing`)
    }
  })
}

/** Advisory lock of one page view of a form: serialises saving and submitting. */
export async function lockFormSession(tx: Transaction, { templateId }: PublicForm, sessionKey: string): Promise<void> {
  await takeAdvisoryLock(tx, getLockName(templateId, sessionKey))
}

function getLockName(templateId: string, sessionKey: string): string {
  return `form ${templateId} ${sessionKey}`
}

/** Thrown when a draft is saved whose form is already submitted. */
export class SubmittedError extends Error {
  readonly submissionId: string

  constructor(submissionId: string) {
    super('the form is already submitted')
    this.submissionId = submissionId
  }
}

/** The answers to the form's own questions, no more of each than it can have. */
function knownAnswers({ definition }: PublicForm, { answers }: PostedForm): [string, readonly string[]][] {
  return definition.fields.flatMap(({ key, type, options }): [string, readonly string[]][] => {
    const given = answers.get(key)
    if (given === undefined || type === 'file') return []
    // Characters that PostgreSQL cannot store are dropped here; submitting reports them.
    const texts = given.slice(0, Math.max(1, options.length)).map((text) => toUSVString(text).replaceAll('\0', ''))
    return [[key, texts]]
  })
}

/** The files that stay with the draft, and those to remove: removed by the user, or sent a second time. */
async function filesAfter(
  tx: Transaction,
  { definition }: PublicForm,
  before: readonly DraftFile[],
  { files, removed }: PostedForm,
) {
  const known = before.filter(({ documentId }) => !removed.includes(documentId))
  const contents = await loadContents(tx, [...known, ...files])
  const isSame = (one: ReceivedFormFile, other: ReceivedFormFile) =>
    one.fieldKey === other.fieldKey && contents.get(one.documentId) === contents.get(other.documentId)
  const newFiles = files.filter((file) => !known.some((one) => isSame(one, file)))
  const stored = definition.fields.flatMap(({ key, validation: { maxItems = 1 } }): ReceivedFormFile[] =>
    [...known, ...newFiles].filter(({ fieldKey }) => fieldKey === key).slice(-maxItems),
  )
  const removedFiles = [...before, ...files].filter(
    ({ documentId }) => !stored.some((one) => one.documentId === documentId),
  )
  return { stored, removedFiles: removedFiles }
}

/** Checksum and name of the files of documents, by document id. */
async function loadContents(tx: Transaction, files: readonly ReceivedFormFile[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; content: string }>(sql`
    select document_id as id, concat_ws(' ', checksum_sha256, file_name) as content from document_versions
     where tenant_id = ${tx.tenantId} and document_id = any (${files.map(({ documentId }) => documentId)}::uuid[])
       and version_number = 1`)
  return new Map(rows.map(({ id, content }) => [id, content]))
}

async function requireCapacity(tx: Transaction, { templateId }: PublicForm, network: string | null): Promise<void> {
  const [{ all, own } = { all: 0, own: 0 }] = await tx.query<{ all: number; own: number }>(sql`
    select count(*)::int as all, (count(*) filter (where saved_from = ${network}))::int as own
      from (select saved_from from form_drafts where tenant_id = ${tx.tenantId} and template_id = ${templateId}
             limit ${literal(bounds.ofTemplate)}) saved`)
  if (all < bounds.ofTemplate && own < bounds.ofNetwork) return
  const detail = 'This form has too many saved drafts. Submit the form, or try again later.'
  throw new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': '3600' })
}

/** Deletes the draft of a form that is submitted now. */
export function deleteDraft(tx: Transaction, { templateId }: PublicForm, id: string): void {
  tx.send(sql`
    delete from form_drafts where tenant_id = ${tx.tenantId} and id = ${id} and template_id = ${templateId}`)
}

const batchSize = 100

/** Deletes expired drafts and archives their files. */
export const deleteExpiredDraftsJob: Job = {
  name: 'form-drafts',
  everySeconds: 3600,
  run: async (database, tenant, hasTime = () => true) => {
    const actor = { type: 'system', id: null, name: 'expired form drafts' } as const
    const context: ChangeContext = { tenant, actor, requestId: null, address: null }
    await inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const over = await tx.query<{ id: string; templateId: string }>(sql`
          select id, template_id as "templateId" from form_drafts
           where tenant_id = ${tx.tenantId} and expires_at <= now()
           order by expires_at, id limit ${literal(batchSize)}`)
        // A draft that is saved at the same time stays, with its files.
        await takeAdvisoryLock(tx, ...over.map(({ id, templateId }) => getLockName(templateId, id)))
        const drafts = await tx.query<{ id: string; documents: string[] }>(sql`
          select r.id, array(select l.document_id from form_draft_files l
                              where l.tenant_id = r.tenant_id and l.draft_id = r.id) as documents
            from form_drafts r
           where r.tenant_id = ${tx.tenantId} and r.expires_at <= now() and r.id = any (${over.map(({ id }) => id)}::uuid[])`)
        const documents = drafts.flatMap((draft) => draft.documents)
        for (const id of await findUnsubmitted(tx, documents)) await archiveDocument(tx, context, id)
        await tx.query(sql`
          delete from form_drafts
           where tenant_id = ${tx.tenantId} and id = any (${drafts.map(({ id }) => id)}::uuid[])`)
        return over.length
      }),
    )
  },
}
