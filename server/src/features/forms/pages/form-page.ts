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
import { type FormSending, readSending } from '../submissions/form-delivery.ts'
import { readFormReceipt } from '../submissions/form-receipts.ts'
import { findSubmission, formActor, submitForm } from '../submissions/submit-form.ts'
import { type FormDraft, readDraft, SentAlready, saveDraft } from './form-drafts.ts'
import { draftToken, openDraftToken } from './form-links.ts'
import { type FormStudent, findFormStudent, findPublicForm, formIn, type PublicForm } from './public-forms.ts'

/** A form that a visitor has opened, for one student or for nobody in particular, with what was saved of it. */
interface OpenedForm {
  readonly form: PublicForm
  readonly student: FormStudent | null
  readonly draft: FormDraft | null
}

interface FormPageOptions {
  readonly secretKey: string
  readonly sendsMail: boolean
}

/** The pages of public forms: the form, the same for one student or with what was saved by a link of their own, and the receipt. */
export function formPages(files: VaultFiles, database: Database, options: FormPageOptions): PublicPage[] {
  const { secretKey, sendsMail } = options
  const findForm = async ({ params }: Visit): Promise<PublicForm> => {
    const form = await findPublicForm(database, params.slug as string, params.key as string)
    if (form === null) throw unknownFormProblem()
    return form
  }
  const opened = async (visit: Visit): Promise<OpenedForm> => {
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
    goTo: `${formPath(visit)}/receipt/${submissionId}${getLanguage(visit)}`,
  })
  const draftPath = (visit: Visit, { tenant, templateId }: PublicForm, draftId: string) =>
    `${formPath(visit)}/draft/${draftToken(secretKey, { tenantId: tenant.id, templateId, draftId })}`
  const viewed = (visit: Visit, opening: OpenedForm, sending: Pick<FormSending, 'answers' | 'sessionKey'>) =>
    getView(opening, visit, sending, options)
  /** The same answer, or the way to the receipt where the form is sent already. */
  const orReceipt =
    (response: PublicPage['answer']): PublicPage['answer'] =>
    async (visit) => {
      try {
        return await response(visit)
      } catch (error) {
        if (error instanceof SentAlready) return toReceipt(visit, error.submissionId)
        throw error
      }
    }
  const show = orReceipt(async (visit) => {
    const opening = await opened(visit)
    const { draft } = opening
    const sending = { answers: draft?.answers ?? new Map(), sessionKey: draft?.id ?? randomUUID() }
    return { kind: 'page', html: renderFormPage(viewed(visit, opening, sending)) }
  })
  /** Saves what was filled in. Where there was a fault of a file, the answer says so on the page of what is saved. */
  const save = async (visit: Visit, opening: OpenedForm, sending: FormSending): Promise<PageResponse> => {
    const { form, student } = opening
    try {
      await saveDraft(database, formActor(form, visit), form, student?.id ?? null, sending)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429) throw error
      const messages = messagesIn(getLocation(visit, form).locale).form.notSaved
      return notNow(viewed(visit, { form, student, draft: opening.draft }, sending), getPath(visit), error, messages)
    }
    const path = draftPath(visit, form, sending.sessionKey)
    if (sending.fileFaults.length === 0) return { kind: 'done', goTo: `${path}${getLanguage(visit)}` }
    const draft = await readDraft(database, form, sending.sessionKey)
    return refused(viewed(visit, { form, student, draft }, sending), path, form, sending.fileFaults)
  }
  const take = orReceipt(async (visit) => {
    const { form, student, draft } = await opened(visit)
    const context = formActor(form, visit)
    const read = await readSending(files, database, context, form, visit)
    const sending = draft === null ? read : { ...read, sessionKey: draft.id }
    if (sending.isSaving) return save(visit, { form, student, draft }, sending)
    return submit(visit, { form, student, draft }, sending)
  })
  const submit = async (
    visit: Visit,
    { form, student, draft }: OpenedForm,
    sending: FormSending,
  ): Promise<PageResponse> => {
    const context = formActor(form, visit)
    // What was saved once keeps what came since, its files too, whatever is wrong with the rest.
    if (draft !== null) await saveDraft(database, context, form, student?.id ?? null, sending)
    const saved = draft === null ? null : await readDraft(database, form, draft.id)
    try {
      const outcome = await submitForm(database, context, form, {
        ...sending,
        ...given(form, sending),
        ...(draft !== null && { files: [], savedFiles: saved?.files ?? [] }),
        studentId: student?.id ?? null,
        receiptIn: sendsMail ? getLocation(visit, form).locale : null,
      })
      if (outcome.isAccepted) return toReceipt(visit, outcome.submission.id)
      return refused(viewed(visit, { form, student, draft: saved }, sending), getPath(visit), form, outcome.faults)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error
      // It was published anew while it was filled in: what was typed stands in the new one.
      const now = await opened(visit)
      return refused(viewed(visit, now, sending), getPath(visit), now.form, [], (messages) => messages.formChanged)
    }
  }
  const mailLink = orReceipt(async (visit) => {
    const opening = await opened(visit)
    const { form, draft } = opening
    const context = getLocation(visit, form)
    if (draft === null || !sendsMail) throw unknownFormProblem()
    const sending = { answers: draft.answers, sessionKey: draft.id }
    const view = viewed(visit, opening, sending)
    const recipient = await typedAddress(visit)
    if (recipient === null) {
      const messages = messagesIn(context.locale).answers.email
      const html = renderFormPage({ ...view, problem: messages })
      return { kind: 'refused', problem: validationProblem([]), words: messages, html }
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
    if (wait > 0) return notNow(view, getPath(visit), tooManyLinks(wait), messagesIn(context.locale).form.notMailed)
    return { kind: 'page', html: renderFormPage({ ...view, isLinkMailed: true }) }
  })
  const receipt: PublicPage['answer'] = async (visit) => {
    const written = await findForm(visit)
    const id = visit.params.submission as string
    const found = isUuid(id) ? await readFormReceipt(database, written.tenant.id, id) : null
    if (found?.templateId !== written.templateId) throw unknownFormProblem()
    const { fullName, code, submittedAt, fileNames } = found
    const context = getLocation(visit, written, `/receipt/${id}`)
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
  /** Leads from an address that only takes a form back to the page, for whoever loads it again. */
  const back: PublicPage['answer'] = async (visit) => ({ kind: 'done', goTo: `${getPath(visit)}${getLanguage(visit)}` })
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
    page('submitForm', 'POST', '', null, take),
    page('openStudentFormPage', 'GET', '/:student', 'student', show),
    page('submitStudentForm', 'POST', '/:student', 'student', take),
    page('openSavedForm', 'GET', '/draft/:draft', 'draft', show),
    page('submitSavedForm', 'POST', '/draft/:draft', 'draft', take),
    page('mailSavedFormLink', 'POST', '/draft/:draft/mail', 'draft', mailLink),
    page('reloadSavedFormLink', 'GET', '/draft/:draft/mail', 'draft', back),
    page('openFormReceipt', 'GET', '/receipt/:submission', 'submission', receipt),
  ]
}

function tooManyLinks(seconds: number): Problem {
  const detail = 'Too many links were asked for. Keep the address of this page: it is the link.'
  return new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': String(seconds) })
}

/** What a link to a saved form opens. Throws `SentAlready`, a Problem for what it never opened, and `ClosedLink`. */
async function openDraft(database: Database, secretKey: string, form: PublicForm, token: string): Promise<FormDraft> {
  const { tenant, templateId, institution, language } = form
  const id = openDraftToken(secretKey, { tenantId: tenant.id, templateId }, token)
  if (id === null) throw unknownFormProblem()
  const draft = await readDraft(database, form, id)
  if (draft === null) {
    const submissionId = await findSubmission(database, form, id)
    if (submissionId !== null) throw new SentAlready(submissionId)
  }
  if (draft === null || draft.isOver) {
    throw new ClosedLink('link_expired', { institution, contact: null, locale: null, language })
  }
  return draft
}

/** The address that a visitor typed to be mailed the link, or null for none. */
async function typedAddress(visit: Visit): Promise<string | null> {
  for await (const part of visit.parts()) {
    if (part.kind === 'text' && part.name === 'email') return isEmail(part.text.trim()) ? part.text.trim() : null
  }
  return null
}

function unknownFormProblem(): Problem {
  return new Problem('resource_not_found', 'There is no such form.')
}

/** The page of the form itself, whoever has opened it. */
function formPath({ params: { slug, key } }: Visit): string {
  return `f/${encodeURIComponent(slug as string)}/${encodeURIComponent(key as string)}`
}

/** The page that was opened, by whichever link. */
function getPath(visit: Visit): string {
  const { student, draft } = visit.params
  if (draft !== undefined) return `${formPath(visit)}/draft/${encodeURIComponent(draft)}`
  return student === undefined ? formPath(visit) : `${formPath(visit)}/${encodeURIComponent(student)}`
}

function getLocation(visit: Visit, { language }: PublicForm, below = ''): PageContext {
  return visit.place(getPath(visit), below, null, language)
}

function getLanguage(visit: Visit): string {
  const { isLocaleChosen, locale } = visit.place('')
  return isLocaleChosen ? `?lang=${locale}` : ''
}

/** What was sent, as the questions take it: a list of choices where several may be made, else one text. */
function given({ definition }: PublicForm, { answers }: FormSending): { answers: Record<string, unknown> } {
  const several = new Set(definition.fields.filter(({ type }) => type === 'multiselect').map(({ key }) => key))
  return {
    answers: Object.fromEntries([...answers].map(([key, texts]) => [key, several.has(key) ? texts : texts[0]])),
  }
}

/** The form again, with what was typed and what is wrong with it. */
function refused(
  view: FormView,
  path: string,
  { definition }: PublicForm,
  validationErrors: readonly FormError[],
  say = (messages: ReturnType<typeof messagesIn>['faults']): string => messages.failed,
): PageResponse {
  const known = new Set(definition.fields.map(({ key }) => key))
  const ofQuestions = validationErrors.filter(({ fieldKey }) => known.has(fieldKey))
  const messages = say(messagesIn(view.place.locale).faults)
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
    faults: ofQuestions,
    problem: ofQuestions.length === 0 ? messages : null,
  })
  return { kind: 'refused', problem, words: messages, html }
}

/** The form again, as it is saved or was typed, for what is refused because it was asked too often. */
function notNow(view: FormView, path: string, problem: Problem, messages: string): PageResponse {
  const html = renderFormPage({ ...view, place: { ...view.place, path }, problem: messages })
  return { kind: 'refused', problem, words: messages, html }
}

function getView(
  { form: written, student, draft }: OpenedForm,
  visit: Visit,
  { answers, sessionKey }: Pick<FormSending, 'answers' | 'sessionKey'>,
  { sendsMail }: FormPageOptions,
): FormView {
  const context = getLocation(visit, written)
  const form = formIn(written, context.locale)
  return {
    place: context,
    institution: form.institution,
    title: form.name,
    description: form.description,
    forWhom: student === null ? null : (student.fullName.trim().split(/\s+/)[0] as string),
    sections: getSections(form),
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

/** The questions by section, in order; those of none stand in front, without a heading. */
function getSections(form: PublicForm): SectionView[] {
  const { sections, fields } = form.definition
  const known = new Set(sections.map(({ key }) => key))
  const inSection = (key: string | null) =>
    fields.filter(({ section }) => (known.has(section) ? section : null) === key).map((field) => fieldView(form, field))
  return [
    { title: '', fields: inSection(null) },
    ...sections.map(({ key, title }) => ({ title, fields: inSection(key) })),
  ].filter((section) => section.fields.length > 0)
}

function fieldView(form: PublicForm, field: FormFieldRecord): FieldView {
  const autocomplete = findAutocomplete(form.definition, field)
  const location = form.files.get(field.key)
  if (location === undefined) return { ...field, autocomplete }
  const { allowedMimeTypes: mediaTypes, maxSizeBytes } = location
  return { ...field, validation: { ...field.validation, mediaTypes, maxSizeBytes } }
}
