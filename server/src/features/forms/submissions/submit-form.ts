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
import { forgetDraft, takeFormTurn } from '../pages/form-drafts.ts'
import type { PublicForm } from '../pages/public-forms.ts'
import { answersOf, type ReadAnswers, readAnswers } from './form-answers.ts'
import { createMappedApplication, mappedValues } from './form-application.ts'
import { discardFormFiles, type ReceivedFormFile } from './form-files.ts'
import { insertSubmission } from './submission-changes.ts'
import { type FormSubmissionRecord, submissions } from './submission-store.ts'

/** What somebody sends with a form. */
export interface SentForm {
  /** Of one opening of the page, 1 to 200 printable ASCII characters: however often it is sent, one submission is made. */
  readonly sessionKey: string
  /** By the keys of the questions, as the page sends them or as JSON; without files. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly files: readonly ReceivedFormFile[]
  /** Files that were saved before, which stay where they are when the form is not taken; none where it is absent. */
  readonly savedFiles?: readonly ReceivedFormFile[]
  /** Faults of files that were not taken (`receiveFormFile`). */
  readonly fileFaults?: readonly FormError[]
  /** The student whose link was opened (`findFormStudent`), or null. */
  readonly studentId: string | null
  /** The language of a receipt that whoever left an address is mailed; none is where it is absent or null. */
  readonly receiptIn?: PublicLocale | null
}

/** A form that was sent: the submission, made now or when the same was sent before; or every fault of its answers. */
export type SubmitOutcome =
  | { readonly isAccepted: true; readonly submission: FormSubmissionRecord; readonly isNew: boolean }
  | { readonly isAccepted: false; readonly faults: readonly FormError[] }

/** Who fills in a form, as the audit names them: whoever opened its page. */
export function formActor(
  form: PublicForm,
  { address, requestId }: Pick<ChangeContext, 'address' | 'requestId'>,
): ChangeContext {
  return { tenant: form.tenant, actor: { type: 'link', id: form.templateId, name: form.key }, address, requestId }
}

/**
 * Takes what somebody answered: in one transaction the submission, the application that it stands for, the links of its
 * documents, and their audit and events; what was saved of it before is forgotten. Documents that came with a form that is not taken,
 * or was taken before, are put away.
 *
 * @throws Problem `validation_failed` for a session key that is none, `resource_not_found` when the form has ceased to be
 * what was read, and what a create of an application throws.
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
  const read = readAnswers(definition, sent.answers, all, ({ key }) => getLocation(form, key))
  const validationErrors = withFileErrors(read.faults, sent.fileFaults ?? [])
  // What was hidden is dropped, its files too.
  const shown = new Set(read.shown.map(({ key }) => key))
  const files = all.filter(({ fieldKey }) => shown.has(fieldKey))
  const dropped = all.filter((file) => !files.includes(file))
  try {
    const outcome = await database.transaction(form.tenant.id, async (tx): Promise<SubmitOutcome> => {
      await takeFormTurn(tx, form, sent.sessionKey)
      const earlier = await findOne(
        tx,
        submissions,
        sql`s.template_id = ${form.templateId} and s.session_key = ${sent.sessionKey}`,
      )
      if (earlier !== null && isUuid(sent.sessionKey)) forgetDraft(tx, form, sent.sessionKey)
      if (earlier !== null) return { isAccepted: true, submission: earlier.record, isNew: false }
      if (validationErrors.length > 0) return { isAccepted: false, faults: validationErrors }
      await requireCurrent(tx, form)
      const submission = await store(tx, context, form, { ...sent, files }, read)
      await mailReceipt(tx, submission, sent.receiptIn ?? null)
      if (isUuid(sent.sessionKey)) forgetDraft(tx, form, sent.sessionKey)
      return { isAccepted: true, submission, isNew: true }
    })
    const isTaken = outcome.isAccepted && outcome.isNew
    await (isTaken ? discardFormFiles(database, context, dropped) : discard())
    return outcome
  } catch (error) {
    await discard().catch(() => {}) // the sweep does it then
    throw error
  }
}

/** The id of the submission that was made with a session key; null while there is none. */
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

function getLocation(form: PublicForm, key: string) {
  return form.files.get(key) ?? { allowedMimeTypes: [], maxSizeBytes: 0 }
}

/** A file that was refused is not missing besides. */
function withFileErrors(validationErrors: readonly FormError[], fileErrors: readonly FormError[]): FormError[] {
  const rejected = new Set(fileErrors.map(({ fieldKey }) => fieldKey))
  const missing = ({ fieldKey, code }: FormError) => code === 'required' && rejected.has(fieldKey)
  return [...validationErrors.filter((validationError) => !missing(validationError)), ...fileErrors]
}

/** Refuses with `resource_not_found` a form that is no longer what was read; whoever asks again gets the one that is. */
async function requireCurrent(tx: Transaction, { templateId, version }: PublicForm): Promise<void> {
  const [current] = await tx.query(sql`
    select 1 as found from form_templates
     where tenant_id = ${tx.tenantId} and id = ${templateId} and status = 'published' and is_public
       and current_version = ${version}
       for share`)
  if (current === undefined) throw notFoundProblem('form')
}

async function store(
  tx: Transaction,
  context: ChangeContext,
  form: PublicForm,
  { sessionKey, studentId, files }: SentForm,
  read: ReadAnswers,
): Promise<FormSubmissionRecord> {
  const { definition, templateId, version: templateVersion } = form
  const isApplication = definition.entityType === 'application'
  const applicationId = isApplication ? await createMappedApplication(tx, context, definition, read.values) : null
  const ofStudent = definition.entityType === 'student' ? studentId : null
  const submission = await insertSubmission(tx, context, {
    templateId,
    templateVersion,
    studentId: ofStudent,
    applicationId,
    source: 'public_form',
    sessionKey,
    answers: answersOf(read, (key) => files.filter(({ fieldKey }) => fieldKey === key).map((file) => file.documentId)),
    files: files.map(({ documentId, fieldKey }) => ({ documentId, fieldKey })),
    submittedBy: findSubmitter(definition, read),
  })
  const owner = findOwner(ofStudent, applicationId)
  if (owner !== null) {
    for (const { documentId } of files) await linkDocument(tx, { ...context, ifMatch: null }, documentId, owner)
  }
  return submission
}

/** Mails the receipt to the address that was typed, else to the student's own. */
async function mailReceipt(
  tx: Transaction,
  { id: entityId, submittedBy, entityType, entityId: ownerId }: FormSubmissionRecord,
  locale: PublicLocale | null,
): Promise<void> {
  if (locale === null) return
  const ofStudent = entityType === 'student' && ownerId !== null ? await addressOfStudent(tx, ownerId) : null
  const recipient = submittedBy.email ?? ofStudent
  if (recipient === null) return
  await putOutUnasked(tx, { kind: 'form_receipt', entityId, recipient, locale })
}

async function addressOfStudent(tx: Transaction, id: string): Promise<string | null> {
  const [student] = await tx.query<{ email: string | null }>(
    sql`select email from students where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  return student?.email ?? null
}

function findOwner(studentId: string | null, applicationId: string | null): Owner | null {
  if (studentId !== null) return { entityType: 'student', entityId: studentId }
  return applicationId === null ? null : { entityType: 'application', entityId: applicationId }
}

/** Who sent it, as far as the answers say: the contact person, else the applicant, else who signed and the first address. */
function findSubmitter(
  { mapping }: FormDefinition,
  { shown, values }: ReadAnswers,
): FormSubmissionRecord['submittedBy'] {
  const mapped = mappedValues(mapping, values)
  const findFirst = (type: string) => shown.filter((field) => field.type === type).map(({ key }) => values.get(key))
  const names = [mapped.get('givenNames'), mapped.get('familyNames')].filter((name) => name !== undefined).join(' ')
  const text = (...candidates: (Json | undefined)[]) =>
    candidates.find((candidate) => typeof candidate === 'string' && candidate !== '') as string | undefined
  return {
    name: text(mapped.get('contact.displayName'), mapped.get('fullName'), names, ...findFirst('signature')) ?? '',
    email: text(mapped.get('contact.email'), mapped.get('email'), ...findFirst('email')) ?? null,
  }
}
