import { randomUUID } from 'node:crypto'
import {
  type FieldView,
  type FormView,
  messagesIn,
  type PageContext,
  renderFormPage,
  renderFormReceipt,
  type SectionView,
} from '@matricula/pages'
import type { Database } from '../../../database/index.ts'
import { Problem, validationProblem } from '../../../errors/index.ts'
import { isEmail } from '../../../http/index.ts'
import { ClosedLink, type PageResponse, type PublicPage, type Visit } from '../../../http/pages/public/index.ts'
import { countAttempt } from '../../../identity/users/index.ts'
import { putOutUnasked } from '../../../mail/index.ts'
import { getNetwork, isUuid, shortReference } from '../../../values/index.ts'
import type { VaultFiles } from '../../documents/index.ts'
import { findAutocomplete } from '../autocomplete.ts'
import type { FormError, FormFieldRecord } from '../form-definition.ts'
import { type PostedForm, readPostedForm } from '../submissions/form-delivery.ts'
import { readFormReceipt } from '../submissions/form-receipts.ts'
import { findSubmission, formActor, submitForm } from '../submissions/submit-form.ts'
import { type FormDraft, readDraft, SubmittedError, saveDraft } from './form-drafts.ts'
import { draftToken, openDraftToken } from './form-links.ts'
import { type FormStudent, findFormStudent, findPublicForm, formIn, type PublicForm } from './public-forms.ts'

/** An opened form: public, by a student's link, or from a saved draft. */
interface OpenedForm {
  readonly form: PublicForm
  readonly student: FormStudent | null
  readonly draft: FormDraft | null
}

interface FormPageOptions {
  readonly secretKey: string
  readonly sendsMail: boolean
}

/** The public pages of forms: the form itself, by a student's link, from a saved draft, and the receipt. */
export function formPages(files: VaultFiles, database: Database, options: FormPageOptions): PublicPage[] {
  const { secretKey, sendsMail } = options
  const findForm = async ({ params }: Visit): Promise<PublicForm> => {
    const form = await findPublicForm(database, params.slug as string, params.key as string)
    if (form === null) throw unknownFormProblem()
    return form
  }
  const openForm = async (visit: Visit): Promise<OpenedForm> => {
    const { params } = visit
    const form = await findForm(visit)
    if (params.draft !== undefined) {
      const draft = await openDraft(database, secretKey, form, params.draft)
      return { form, student: draft.student, draft }
    }
    if (params.student === undefined) return { form, student: null, draft: null }
    const student = await findFormStudent(database, secretKey, form, params.student)
    if (student === null) throw unknownFormProblem()
    return { form, student, draft: null }
  }
  const toReceipt = (visit: Visit, submissionId: string): PageResponse => ({
    kind: 'done',
    goTo: `${formPath(visit)}/receipt/${submissionId}${getLanguageQuery(visit)}`,
  })
  const draftPath = (visit: Visit, { tenant, templateId }: PublicForm, draftId: string) =>
    `${formPath(visit)}/draft/${draftToken(secretKey, { tenantId: tenant.id, templateId, draftId })}`
  const buildFormView = (visit: Visit, opening: OpenedForm, posted: Pick<PostedForm, 'answers' | 'sessionKey'>) =>
    buildView(opening, visit, posted, options)
  /** Wraps a handler: redirects to the receipt when the form is already submitted. */
  const withReceiptRedirect =
    (response: PublicPage['answer']): PublicPage['answer'] =>
    async (visit) => {
      try {
        return await response(visit)
      } catch (error) {
        if (error instanceof SubmittedError) return toReceipt(visit, error.submissionId)
        throw error
      }
    }
  const show = withReceiptRedirect(async (visit) => {
    const opening = await openForm(visit)
    const { draft } = opening
    const posted = { answers: draft?.answers ?? new Map(), sessionKey: draft?.id ?? randomUUID() }
    return { kind: 'page', html: renderFormPage(buildFormView(visit, opening, posted)) }
  })
  /** Saves a draft. Errors of its files are shown on the page of the draft. */
  const save = async (visit: Visit, opening: OpenedForm, posted: PostedForm): Promise<PageResponse> => {
    const { form, student } = opening
    try {
      await saveDraft(database, formActor(form, visit), form, student?.id ?? null, posted)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429) throw error
      const message = messagesIn(getPageContext(visit, form).locale).form.notSaved
      return renderRateLimited(
        buildFormView(visit, { form, student, draft: opening.draft }, posted),
        getPath(visit),
        error,
        message,
      )
    }
    const path = draftPath(visit, form, posted.sessionKey)
    if (posted.fileErrors.length === 0) return { kind: 'done', goTo: `${path}${getLanguageQuery(visit)}` }
    const draft = await readDraft(database, form, posted.sessionKey)
    return renderInvalid(buildFormView(visit, { form, student, draft }, posted), path, form, posted.fileErrors)
  }
  const submitOrSave = withReceiptRedirect(async (visit) => {
    const { form, student, draft } = await openForm(visit)
    const context = formActor(form, visit)
    const read = await readPostedForm(files, database, context, form, visit)
    const posted = draft === null ? read : { ...read, sessionKey: draft.id }
    if (posted.isSaving) return save(visit, { form, student, draft }, posted)
    return submit(visit, { form, student, draft }, posted)
  })
  const submit = async (
    visit: Visit,
    { form, student, draft }: OpenedForm,
    posted: PostedForm,
  ): Promise<PageResponse> => {
    const context = formActor(form, visit)
    // A saved draft is updated first, files included, whatever errors the rest has.
    if (draft !== null) await saveDraft(database, context, form, student?.id ?? null, posted)
    const saved = draft === null ? null : await readDraft(database, form, draft.id)
    try {
      const outcome = await submitForm(database, context, form, {
        ...posted,
        ...toAnswers(form, posted),
        ...(draft !== null && { files: [], savedFiles: saved?.files ?? [] }),
        studentId: student?.id ?? null,
        receiptIn: sendsMail ? getPageContext(visit, form).locale : null,
      })
      if (outcome.isAccepted) return toReceipt(visit, outcome.submission.id)
      return renderInvalid(
        buildFormView(visit, { form, student, draft: saved }, posted),
        getPath(visit),
        form,
        outcome.errors,
      )
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error
      // A new version was published meanwhile: show it with the same answers.
      const now = await openForm(visit)
      return renderInvalid(
        buildFormView(visit, now, posted),
        getPath(visit),
        now.form,
        [],
        (messages) => messages.formChanged,
      )
    }
  }
  const mailLink = withReceiptRedirect(async (visit) => {
    const opening = await openForm(visit)
    const { form, draft } = opening
    const context = getPageContext(visit, form)
    if (draft === null || !sendsMail) throw unknownFormProblem()
    const posted = { answers: draft.answers, sessionKey: draft.id }
    const view = buildFormView(visit, opening, posted)
    const recipient = await readEmail(visit)
    if (recipient === null) {
      const message = messagesIn(context.locale).answers.email
      const html = renderFormPage({ ...view, problem: message })
      return { kind: 'refused', problem: validationProblem([]), message, html }
    }
    const mail = { kind: 'form_draft', entityId: draft.id, recipient, locale: context.locale } as const
    const wait = await database.transaction(form.tenant.id, async (tx) => {
      const seconds = await countAttempt(tx, {
        kind: 'form_draft_mail',
        subject: '',
        address: getNetwork(visit.address),
      })
      if (seconds > 0) return seconds
      return (await putOutUnasked(tx, mail)) ? 0 : 3600
    })
    if (wait > 0)
      return renderRateLimited(view, getPath(visit), tooManyLinks(wait), messagesIn(context.locale).form.notMailed)
    return { kind: 'page', html: renderFormPage({ ...view, isLinkMailed: true }) }
  })
  const receipt: PublicPage['answer'] = async (visit) => {
    const written = await findForm(visit)
    const id = visit.params.submission as string
    const found = isUuid(id) ? await readFormReceipt(database, written.tenant.id, id) : null
    if (found?.templateId !== written.templateId) throw unknownFormProblem()
    const { fullName, code, submittedAt, fileNames } = found
    const context = getPageContext(visit, written, `/receipt/${id}`)
    const form = formIn(written, context.locale)
    const html = renderFormReceipt({
      place: context,
      institution: form.institution,
      title: form.name,
      timeZone: form.tenant.timeZone,
      submittedAt,
      reference: shortReference(id),
      forWhom: fullName === null ? null : `${fullName} (${code})`,
      fileNames,
    })
    return { kind: 'page', html }
  }
  /** Redirects a reload of a POST-only address to the form. */
  const redirectToForm: PublicPage['answer'] = async (visit) => ({
    kind: 'done',
    goTo: `${getPath(visit)}${getLanguageQuery(visit)}`,
  })
  const path = '/f/:slug/:key'
  const page = (
    id: string,
    method: PublicPage['method'],
    below: string,
    secret: string | null,
    response: PublicPage['answer'],
  ): PublicPage => ({ id, method, path: `${path}${below}`, secret, answer: response })
  return [
    page('openFormPage', 'GET', '', null, show),
    page('submitForm', 'POST', '', null, submitOrSave),
    page('openStudentFormPage', 'GET', '/:student', 'student', show),
    page('submitStudentForm', 'POST', '/:student', 'student', submitOrSave),
    page('openSavedForm', 'GET', '/draft/:draft', 'draft', show),
    page('submitSavedForm', 'POST', '/draft/:draft', 'draft', submitOrSave),
    page('mailSavedFormLink', 'POST', '/draft/:draft/mail', 'draft', mailLink),
    page('reloadSavedFormLink', 'GET', '/draft/:draft/mail', 'draft', redirectToForm),
    page('openFormReceipt', 'GET', '/receipt/:submission', 'submission', receipt),
  ]
}

function tooManyLinks(seconds: number): Problem {
  const detail = 'Too many links were requested. Keep the address of this page: it is the link.'
  return new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': String(seconds) })
}

/**
 * The draft of a link.
 *
 * @throws SubmittedError when its form is submitted.
 * @throws ClosedLink when it has expired.
 * @throws Problem `resource_not_found` for an invalid link.
 */
async function openDraft(database: Database, secretKey: string, form: PublicForm, token: string): Promise<FormDraft> {
  const { tenant, templateId, institution, language } = form
  const id = openDraftToken(secretKey, { tenantId: tenant.id, templateId }, token)
  if (id === null) throw unknownFormProblem()
  const draft = await readDraft(database, form, id)
  if (draft === null) {
    const submissionId = await findSubmission(database, form, id)
    if (submissionId !== null) throw new SubmittedError(submissionId)
  }
  if (draft === null || draft.isExpired) {
    throw new ClosedLink('link_expired', { institution, contact: null, locale: null, language })
  }
  return draft
}

/** The e-mail address that the user entered, or null. */
async function readEmail(visit: Visit): Promise<string | null> {
  for await (const part of visit.parts()) {
    if (part.kind === 'text' && part.name === 'email') return isEmail(part.text.trim()) ? part.text.trim() : null
  }
  return null
}

function unknownFormProblem(): Problem {
  return new Problem('resource_not_found', 'This form does not exist.')
}

/** The path of the form itself. */
function formPath({ params: { slug, key } }: Visit): string {
  return `f/${encodeURIComponent(slug as string)}/${encodeURIComponent(key as string)}`
}

/** The path of the page that was opened, by any of its links. */
function getPath(visit: Visit): string {
  const { student, draft } = visit.params
  if (draft !== undefined) return `${formPath(visit)}/draft/${encodeURIComponent(draft)}`
  return student === undefined ? formPath(visit) : `${formPath(visit)}/${encodeURIComponent(student)}`
}

function getPageContext(visit: Visit, { language }: PublicForm, below = ''): PageContext {
  return visit.place(getPath(visit), below, null, language)
}

function getLanguageQuery(visit: Visit): string {
  const { isLocaleChosen, locale } = visit.place('')
  return isLocaleChosen ? `?lang=${locale}` : ''
}

/** The posted answers in the form that the questions take: a list for a multiselect, else one text. */
function toAnswers({ definition }: PublicForm, { answers }: PostedForm): { answers: Record<string, unknown> } {
  const several = new Set(definition.fields.filter(({ type }) => type === 'multiselect').map(({ key }) => key))
  return {
    answers: Object.fromEntries([...answers].map(([key, texts]) => [key, several.has(key) ? texts : texts[0]])),
  }
}

/** The form again, with the entered answers and their errors. */
function renderInvalid(
  view: FormView,
  path: string,
  { definition }: PublicForm,
  validationErrors: readonly FormError[],
  getMessage = (messages: ReturnType<typeof messagesIn>['faults']): string => messages.failed,
): PageResponse {
  const known = new Set(definition.fields.map(({ key }) => key))
  const questionErrors = validationErrors.filter(({ fieldKey }) => known.has(fieldKey))
  const message = getMessage(messagesIn(view.place.locale).faults)
  const problem = validationProblem(
    validationErrors.map(({ fieldKey }) => ({
      in: 'body',
      pointer: `#/${fieldKey}`,
      code: 'inconsistent',
      detail: 'is not right',
    })),
  )
  const html = renderFormPage({
    ...view,
    place: { ...view.place, path },
    faults: questionErrors,
    problem: questionErrors.length === 0 ? message : null,
  })
  return { kind: 'refused', problem, message, html }
}

/** The form again, with the entered answers, for a rate limit. */
function renderRateLimited(view: FormView, path: string, problem: Problem, message: string): PageResponse {
  const html = renderFormPage({ ...view, place: { ...view.place, path }, problem: message })
  return { kind: 'refused', problem, message, html }
}

function buildView(
  { form: written, student, draft }: OpenedForm,
  visit: Visit,
  { answers, sessionKey }: Pick<PostedForm, 'answers' | 'sessionKey'>,
  { sendsMail }: FormPageOptions,
): FormView {
  const context = getPageContext(visit, written)
  const form = formIn(written, context.locale)
  return {
    place: context,
    institution: form.institution,
    title: form.name,
    description: form.description,
    forWhom: student === null ? null : (student.fullName.trim().split(/\s+/)[0] as string),
    sections: buildSections(form),
    answers: Object.fromEntries(answers),
    faults: [],
    problem: null,
    submissionKey: sessionKey,
    draft:
      draft === null
        ? null
        : { expiresAt: draft.expiresAt, timeZone: form.tenant.timeZone, files: draft.files, sendsMail },
    isLinkMailed: false,
  }
}

/** The visible questions by section, in order; those without a section first, without a heading. */
function buildSections(form: PublicForm): SectionView[] {
  const { sections, fields } = form.definition
  const known = new Set(sections.map(({ key }) => key))
  const inSection = (key: string | null) =>
    fields
      .filter(({ section }) => (known.has(section) ? section : null) === key)
      .map((field) => buildFieldView(form, field))
  return [
    { title: '', fields: inSection(null) },
    ...sections.map(({ key, title }) => ({ title, fields: inSection(key) })),
  ].filter((section) => section.fields.length > 0)
}

function buildFieldView(form: PublicForm, field: FormFieldRecord): FieldView {
  const autocomplete = findAutocomplete(form.definition, field)
  const location = form.files.get(field.key)
  if (location === undefined) return { ...field, autocomplete }
  const { allowedMimeTypes: mediaTypes, maxSizeBytes } = location
  return { ...field, validation: { ...field.validation, mediaTypes, maxSizeBytes } }
}
