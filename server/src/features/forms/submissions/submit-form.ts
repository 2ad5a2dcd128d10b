import type { Json, PublicLocale } from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../../database/index.ts'
import { findOne } from '../../../entities/index.ts'
import { notFoundProblem, validationProblem } from '../../../errors/index.ts'
import { putOutUnasked } from '../../../mail/index.ts'
import { isUuid } from '../../../values/index.ts'
import { linkDocument } from '../../documents/index.ts'
import type { Owner } from '../../requirements/index.ts'
import type { FormDefinition, FormError } from '../form-definition.ts'
import { deleteDraft, lockFormSession } from '../pages/form-drafts.ts'
import type { PublicForm } from '../pages/public-forms.ts'
import { type ParsedAnswers, parseAnswers, toStoredAnswers } from './form-answers.ts'
import { createMappedApplication, mapAnswers } from './form-application.ts'
import { discardFormFiles, type ReceivedFormFile } from './form-files.ts'
import { insertSubmission } from './submission-changes.ts'
import { type FormSubmissionRecord, submissions } from './submission-store.ts'

/** A form as submitted. */
export interface SentForm {
  /** Idempotency key of one page view, 1 to 200 printable ASCII characters: repeated requests make one submission. */
  readonly sessionKey: string
  /** By question key, as texts from the page or as JSON; without files. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly files: readonly ReceivedFormFile[]
  /** Files of a saved draft, which stay with it when the form is rejected; absent for none. */
  readonly savedFiles?: readonly ReceivedFormFile[]
  /** Errors of files that were not stored (`receiveFormFile`). */
  readonly fileErrors?: readonly FormError[]
  /** The student whose link was opened (`findFormStudent`), or null. */
  readonly studentId: string | null
  /** The language of the receipt that is mailed; absent or null for no receipt. */
  readonly receiptIn?: PublicLocale | null
}

/** The result: the submission, new or from an earlier request with the same key; or every validation error. */
export type SubmitOutcome =
  | { readonly isAccepted: true; readonly submission: FormSubmissionRecord; readonly isNew: boolean }
  | { readonly isAccepted: false; readonly errors: readonly FormError[] }

/** The change context of a public form: its actor is the link. */
export function formActor(
  form: PublicForm,
  { address, requestId }: Pick<ChangeContext, 'address' | 'requestId'>,
): ChangeContext {
  return { tenant: form.tenant, actor: { type: 'link', id: form.templateId, name: form.key }, address, requestId }
}

/**
 * Submits a form. One transaction writes the submission, its application, the links of its documents, audit and events,
 * and deletes the draft. Documents of a rejected or repeated form are archived.
 *
 * @throws Problem `validation_failed` for an invalid session key; `resource_not_found` when the form has changed since
 * it was read; and what `createApplication` throws.
 */
export async function submitForm(
  database: Database,
  context: ChangeContext,
  form: PublicForm,
  sent: SentForm,
): Promise<SubmitOutcome> {
  const { definition } = form
  requireSessionKey(sent.sessionKey)
  const discard = () => discardFormFiles(database, context, sent.files)
  const all = [...(sent.savedFiles ?? []), ...sent.files]
  const read = parseAnswers(definition, sent.answers, all, ({ key }) => getFileLimits(form, key))
  const validationErrors = withFileErrors(read.errors, sent.fileErrors ?? [])
  // Answers to hidden questions are dropped, and their files.
  const shown = new Set(read.shown.map(({ key }) => key))
  const files = all.filter(({ fieldKey }) => shown.has(fieldKey))
  const dropped = all.filter((file) => !files.includes(file))
  try {
    const outcome = await database.transaction(form.tenant.id, async (tx): Promise<SubmitOutcome> => {
      await lockFormSession(tx, form, sent.sessionKey)
      const earlier = await findOne(
        tx,
        submissions,
        sql`s.template_id = ${form.templateId} and s.session_key = ${sent.sessionKey}`,
      )
      if (earlier !== null && isUuid(sent.sessionKey)) deleteDraft(tx, form, sent.sessionKey)
      if (earlier !== null) return { isAccepted: true, submission: earlier.record, isNew: false }
      if (validationErrors.length > 0) return { isAccepted: false, errors: validationErrors }
      await requireCurrentVersion(tx, form)
      const submission = await storeSubmission(tx, context, form, { ...sent, files }, read)
      await mailReceipt(tx, submission, sent.receiptIn ?? null)
      if (isUuid(sent.sessionKey)) deleteDraft(tx, form, sent.sessionKey)
      return { isAccepted: true, submission, isNew: true }
    })
    const isStored = outcome.isAccepted && outcome.isNew
    await (isStored ? discardFormFiles(database, context, dropped) : discard())
    return outcome
  } catch (error) {
    await discard().catch(() => {}) // the job `form-files` does it later
    throw error
  }
}

/** The id of the submission with a session key, or null. */
export async function findSubmission(
  database: Database,
  { tenant, templateId }: PublicForm,
  sessionKey: string,
): Promise<string | null> {
  const [row] = await database.read<{ id: string }>(
    tenant.id,
    sql`
      select id from form_submissions
       where tenant_id = ${tenant.id} and template_id = ${templateId} and session_key = ${sessionKey}`,
  )
  return row?.id ?? null
}

function requireSessionKey(sessionKey: string): void {
  if (/^[\x21-\x7e]{1,200}$/.test(sessionKey)) return
  const detail = 'must be the value that the page came with'
  throw validationProblem([{ in: 'body', pointer: '#/sessionKey', code: 'format', detail }])
}

function getFileLimits(form: PublicForm, key: string) {
  return form.files.get(key) ?? { allowedMimeTypes: [], maxSizeBytes: 0 }
}

/** A question whose file was rejected does not report `required` as well. */
function withFileErrors(validationErrors: readonly FormError[], fileErrors: readonly FormError[]): FormError[] {
  const rejected = new Set(fileErrors.map(({ fieldKey }) => fieldKey))
  const missing = ({ fieldKey, code }: FormError) => code === 'required' && rejected.has(fieldKey)
  return [...validationErrors.filter((validationError) => !missing(validationError)), ...fileErrors]
}

/** Throws `resource_not_found` when the form is no longer the version that was read; a retry reads the current one. */
async function requireCurrentVersion(tx: Transaction, { templateId, version }: PublicForm): Promise<void> {
  const [current] = await tx.query(sql`
    select 1 as found from form_templates
     where tenant_id = ${tx.tenantId} and id = ${templateId} and status = 'published' and is_public
       and current_version = ${version}
       for share`)
  if (current === undefined) throw notFoundProblem('form')
}

async function storeSubmission(
  tx: Transaction,
  context: ChangeContext,
  form: PublicForm,
  { sessionKey, studentId, files }: SentForm,
  read: ParsedAnswers,
): Promise<FormSubmissionRecord> {
  const { definition, templateId, version: templateVersion } = form
  const isApplication = definition.entityType === 'application'
  const applicationId = isApplication ? await createMappedApplication(tx, context, definition, read.values) : null
  const studentOfForm = definition.entityType === 'student' ? studentId : null
  const submission = await insertSubmission(tx, context, {
    templateId,
    templateVersion,
    studentId: studentOfForm,
    applicationId,
    source: 'public_form',
    sessionKey,
    answers: toStoredAnswers(read, (key) =>
      files.filter(({ fieldKey }) => fieldKey === key).map((file) => file.documentId),
    ),
    files: files.map(({ documentId, fieldKey }) => ({ documentId, fieldKey })),
    submittedBy: findSubmitter(definition, read),
  })
  const owner = findOwner(studentOfForm, applicationId)
  if (owner !== null) {
    for (const { documentId } of files) await linkDocument(tx, { ...context, ifMatch: null }, documentId, owner)
  }
  return submission
}

/** Mails the receipt to the address in the form, else to the student's own. */
async function mailReceipt(
  tx: Transaction,
  { id: entityId, submittedBy, entityType, entityId: ownerId }: FormSubmissionRecord,
  locale: PublicLocale | null,
): Promise<void> {
  if (locale === null) return
  const studentOfForm = entityType === 'student' && ownerId !== null ? await findStudentEmail(tx, ownerId) : null
  const recipient = submittedBy.email ?? studentOfForm
  if (recipient === null) return
  await putOutUnasked(tx, { kind: 'form_receipt', entityId, recipient, locale })
}

async function findStudentEmail(tx: Transaction, id: string): Promise<string | null> {
  const [student] = await tx.query<{ email: string | null }>(
    sql`select email from students where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  return student?.email ?? null
}

function findOwner(studentId: string | null, applicationId: string | null): Owner | null {
  if (studentId !== null) return { entityType: 'student', entityId: studentId }
  return applicationId === null ? null : { entityType: 'application', entityId: applicationId }
}

/**
 * The submitter from the answers: the contact person, else the applicant, else the signature and the first e-mail
 * address.
 */
function findSubmitter(
  { mapping }: FormDefinition,
  { shown, values }: ParsedAnswers,
): FormSubmissionRecord['submittedBy'] {
  const mapped = mapAnswers(mapping, values)
  const findFirst = (type: string) => shown.filter((field) => field.type === type).map(({ key }) => values.get(key))
  const names = [mapped.get('givenNames'), mapped.get('familyNames')].filter((name) => name !== undefined).join(' ')
  const text = (...candidates: (Json | undefined)[]) =>
    candidates.find((candidate) => typeof candidate === 'string' && candidate !== '') as string | undefined
  return {
    name: text(mapped.get('contact.displayName'), mapped.get('fullName'), names, ...findFirst('signature')) ?? '',
    email: text(mapped.get('contact.email'), mapped.get('email'), ...findFirst('email')) ?? null,
  }
}
