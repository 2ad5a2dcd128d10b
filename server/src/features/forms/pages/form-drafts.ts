import { toUSVString } from 'node:util'
import type { ChangeContext } from '../../../changes/index.ts'
import { takeAdvisoryLock } from '../../../concurrency/index.ts'
import { type Database, literal, type Sql, sql, type Transaction } from '../../../database/index.ts'
import { Problem, validationProblem } from '../../../errors/index.ts'
import { inBatches, type Job } from '../../../jobs/index.ts'
import { getNetwork, isUuid } from '../../../values/index.ts'
import { archiveDocument } from '../../documents/index.ts'
import type { FormSending } from '../submissions/form-delivery.ts'
import { discardFormFiles, type ReceivedFormFile, unsubmitted } from '../submissions/form-files.ts'
import type { PublicForm } from './public-forms.ts'

/** How long what somebody saved is kept from the last time on, in days. */
const draftDays = 30

/** The most characters of what is saved of one form, and the most saved forms that one template has at a time: of all, and of one network. */
const bounds = { characters: 256 * 1024, ofTemplate: 5_000, ofNetwork: 100 } as const

/** A file that was saved with a form. */
export interface DraftFile extends ReceivedFormFile {
  readonly fileName: string
}

/** What somebody filled in of a form and has not sent. */
export interface FormDraft {
  readonly id: string
  readonly student: { readonly id: string; readonly fullName: string } | null
  readonly answers: ReadonlyMap<string, readonly string[]>
  readonly files: readonly DraftFile[]
  readonly expiresAt: string
  readonly isOver: boolean
}

interface DraftRow extends Pick<FormDraft, 'id' | 'student' | 'files' | 'expiresAt' | 'isOver'> {
  readonly answers: Record<string, string[]>
}

/** What was saved of a form under an id; null for nothing. */
export async function readDraft(database: Database, form: PublicForm, id: string): Promise<FormDraft | null> {
  const [row] = await database.read<DraftRow>(form.tenant.id, getDraft(form, id))
  return row === undefined ? null : { ...row, answers: new Map(Object.entries(row.answers)) }
}

function getDraft({ tenant: { id: tenantId }, templateId }: PublicForm, id: string): Sql {
  return sql`
      select r.id, r.answers, r.expires_at as "expiresAt", r.expires_at <= now() as "isOver",
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
 * Saves what was filled in, under the key of the page's opening, over what was saved there before; without the files that were taken
 * back. A question that takes one file keeps the newer. Other files than the question takes are put away.
 *
 * @throws SentAlready
 * @throws Problem `validation_failed` for a key that is none, `content_too_large`, and `rate_limit_exceeded` while too many are saved of this form.
 */
export async function saveDraft(
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  studentId: string | null,
  sending: FormSending,
): Promise<void> {
  try {
    await storeDraft(database, context, form, studentId, sending)
  } catch (error) {
    await discardFormFiles(database, context, sending.files).catch(() => {}) // the sweep does it then
    throw error
  }
}

async function storeDraft(
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  studentId: string | null,
  sending: FormSending,
): Promise<void> {
  const id = sending.sessionKey
  if (!isUuid(id)) {
    const detail = 'must be the value that the page came with'
    throw validationProblem([{ in: 'body', pointer: '#/submission', code: 'format', detail }])
  }
  const answers = JSON.stringify(Object.fromEntries(knownAnswers(form, sending)))
  if (answers.length > bounds.characters) {
    throw new Problem('content_too_large', 'What was typed is too long to be saved.')
  }
  await database.transaction(form.tenant.id, async (tx) => {
    await takeFormTurn(tx, form, id)
    const [sent] = await tx.query<{ id: string }>(sql`
      select id from form_submissions
       where tenant_id = ${tx.tenantId} and template_id = ${form.templateId} and session_key = ${id}`)
    if (sent !== undefined) throw new SentAlready(sent.id)
    const [before] = await tx.query<DraftRow>(getDraft(form, id))
    const network = context.address === null ? null : getNetwork(context.address)
    if (before === undefined) await requireRoom(tx, form, network)
    const { kept: stored, gone } = await filesAfter(tx, form, before?.files ?? [], sending)
    for (const documentId of await unsubmitted(
      tx,
      gone.map((file) => file.documentId),
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
    if (saved === undefined) throw new Problem('resource_not_found', 'There is no such form.')
    tx.send(sql`
      delete from form_draft_files
       where tenant_id = ${tx.tenantId} and draft_id = ${id} and document_id = any (${gone.map(({ documentId }) => documentId)}::uuid[])`)
    for (const { documentId, fieldKey } of stored) {
      tx.send(sql`
        insert into form_draft_files (tenant_id, draft_id, document_id, field_key)
        values (${tx.tenantId}, ${id}, ${documentId}, ${fieldKey})
        on conflict do nothing`)
    }
  })
}

/** Waits until nobody else saves or sends what was begun under the key of a page's opening. */
export async function takeFormTurn(tx: Transaction, { templateId }: PublicForm, sessionKey: string): Promise<void> {
  await takeAdvisoryLock(tx, getSlot(templateId, sessionKey))
}

function getSlot(templateId: string, sessionKey: string): string {
  return `form ${templateId} ${sessionKey}`
}

/** What was filled in is sent already, so that there is nothing to be saved or gone on with. */
export class SentAlready extends Error {
  readonly submissionId: string

  constructor(submissionId: string) {
    super('the form is sent already')
    this.submissionId = submissionId
  }
}

/** The answers of the form's own questions, no more of each than it can have. */
function knownAnswers({ definition }: PublicForm, { answers }: FormSending): [string, readonly string[]][] {
  return definition.fields.flatMap(({ key, type, options }): [string, readonly string[]][] => {
    const given = answers.get(key)
    if (given === undefined || type === 'file') return []
    // What no text of the database can hold is no loss: sending tells of it, saving does not.
    const texts = given.slice(0, Math.max(1, options.length)).map((text) => toUSVString(text).replaceAll('\0', ''))
    return [[key, texts]]
  })
}

/** Which files stay with what is saved, and which go: those that were taken back, and what was sent a second time. */
async function filesAfter(
  tx: Transaction,
  { definition }: PublicForm,
  before: readonly DraftFile[],
  { files, removed }: FormSending,
) {
  const known = before.filter(({ documentId }) => !removed.includes(documentId))
  const contents = await loadContents(tx, [...known, ...files])
  const isSame = (one: ReceivedFormFile, other: ReceivedFormFile) =>
    one.fieldKey === other.fieldKey && contents.get(one.documentId) === contents.get(other.documentId)
  const fresh = files.filter((file) => !known.some((one) => isSame(one, file)))
  const stored = definition.fields.flatMap(({ key, validation: { maxItems = 1 } }): ReceivedFormFile[] =>
    [...known, ...fresh].filter(({ fieldKey }) => fieldKey === key).slice(-maxItems),
  )
  const gone = [...before, ...files].filter(({ documentId }) => !stored.some((one) => one.documentId === documentId))
  return { kept: stored, gone }
}

/** Name and checksum of the files of documents, by the ids of these. */
async function loadContents(tx: Transaction, files: readonly ReceivedFormFile[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; content: string }>(sql`
    select document_id as id, concat_ws(' ', checksum_sha256, file_name) as content from document_versions
     where tenant_id = ${tx.tenantId} and document_id = any (${files.map(({ documentId }) => documentId)}::uuid[])
       and version_number = 1`)
  return new Map(rows.map(({ id, content }) => [id, content]))
}

async function requireRoom(tx: Transaction, { templateId }: PublicForm, network: string | null): Promise<void> {
  const [{ all, own } = { all: 0, own: 0 }] = await tx.query<{ all: number; own: number }>(sql`
    select count(*)::int as all, (count(*) filter (where saved_from = ${network}))::int as own
      from (select saved_from from form_drafts where tenant_id = ${tx.tenantId} and template_id = ${templateId}
             limit ${literal(bounds.ofTemplate)}) saved`)
  if (all < bounds.ofTemplate && own < bounds.ofNetwork) return
  const detail = 'Too many have saved this form. Send it, or try again later.'
  throw new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': '3600' })
}

/** Forgets what was saved under the key of a form that is sent now. */
export function forgetDraft(tx: Transaction, { templateId }: PublicForm, id: string): void {
  tx.send(sql`
    delete from form_drafts where tenant_id = ${tx.tenantId} and id = ${id} and template_id = ${templateId}`)
}

const batchSize = 100

/** Forgets what was saved of forms once its time is over, and puts its files away. */
export const forgetDraftsJob: Job = {
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
        // Whoever saves one just then keeps it, and its files.
        await takeAdvisoryLock(tx, ...over.map(({ id, templateId }) => getSlot(templateId, id)))
        const drafts = await tx.query<{ id: string; documents: string[] }>(sql`
          select r.id, array(select l.document_id from form_draft_files l
                              where l.tenant_id = r.tenant_id and l.draft_id = r.id) as documents
            from form_drafts r
           where r.tenant_id = ${tx.tenantId} and r.expires_at <= now() and r.id = any (${over.map(({ id }) => id)}::uuid[])`)
        const documents = drafts.flatMap((draft) => draft.documents)
        for (const id of await unsubmitted(tx, documents)) await archiveDocument(tx, context, id)
        await tx.query(sql`
          delete from form_drafts
           where tenant_id = ${tx.tenantId} and id = any (${drafts.map(({ id }) => id)}::uuid[])`)
        return over.length
      }),
    )
  },
}
