import { randomUUID } from 'node:crypto'
import {
  type FieldView,
  type FormView,
  type PagePlace,
  renderFormPage,
  renderFormReceipt,
  type SectionView,
  wordsIn,
} from '@matricula/pages'
import type { Database } from '../../database/index.ts'
import type { PageAnswer, PublicPage, Visit } from '../../http/public-pages/index.ts'
import { Problem, validationProblem } from '../../platform/problem.ts'
import { readOne } from '../../platform/reading.ts'
import type { VaultFiles } from '../documents/index.ts'
import type { FormFault, FormFieldRecord } from './form-definition.ts'
import { type FormSending, readSending } from './form-sending.ts'
import { type FormStudent, findFormStudent, findPublicForm, formIn, type PublicForm } from './public-forms.ts'
import { submissions } from './submission-store.ts'
import { formVisitor, submitForm } from './submit-form.ts'

/** A form that a visitor has opened, for one student or for nobody in particular. */
interface OpenedForm {
  readonly form: PublicForm
  readonly student: FormStudent | null
}

/** The pages of public forms: the form, the same for one student by a link of their own, and the receipt. */
export function formPages(files: VaultFiles, database: Database, secretKey: string): PublicPage[] {
  const opened = async ({ params }: Visit): Promise<OpenedForm> => {
    const form = await findPublicForm(database, params.slug as string, params.key as string)
    if (form === null) throw unknownFormProblem()
    if (params.student === undefined) return { form, student: null }
    const student = await findFormStudent(database, secretKey, form, params.student)
    if (student === null) throw unknownFormProblem()
    return { form, student }
  }
  const show: PublicPage['answer'] = async (visit) => {
    const view = viewOf(await opened(visit), visit, { answers: new Map(), sessionKey: randomUUID() })
    return { kind: 'page', html: renderFormPage(view) }
  }
  const take: PublicPage['answer'] = async (visit) => {
    const { form, student } = await opened(visit)
    const context = formVisitor(form, visit)
    const sending = await readSending(files, database, context, form, visit)
    try {
      const outcome = await submitForm(database, context, form, {
        ...sending,
        ...given(form, sending),
        studentId: student?.id ?? null,
      })
      if (!outcome.isAccepted) return refused({ form, student }, visit, sending, outcome.faults)
      return {
        kind: 'done',
        goTo: `${pathOf(visit, { withStudent: false })}/receipt/${outcome.submission.id}${languageOf(visit)}`,
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error
      // It was published anew while it was filled in: what was typed stands in the new one.
      return refused(await opened(visit), visit, sending, [], (words) => words.formChanged)
    }
  }
  const receipt: PublicPage['answer'] = async (visit) => {
    const { form: written } = await opened(visit)
    const { record } = await readOne(database, written.tenant.id, submissions, visit.params.submission as string)
    const { id, templateId, submittedAt, createdAt } = record
    if (templateId !== written.templateId) throw unknownFormProblem()
    const place = placeOf(visit, written, `/receipt/${id}`)
    const form = formIn(written, place.locale)
    const html = renderFormReceipt({
      place,
      institution: form.institution,
      title: form.name,
      timeZone: form.tenant.timeZone,
      submittedAt: submittedAt ?? createdAt,
      reference: id,
    })
    return { kind: 'page', html }
  }
  const path = '/f/:slug/:key'
  return [
    { id: 'openFormPage', method: 'GET', path, secret: null, answer: show },
    { id: 'submitForm', method: 'POST', path, secret: null, answer: take },
    { id: 'openStudentFormPage', method: 'GET', path: `${path}/:student`, secret: 'student', answer: show },
    { id: 'submitStudentForm', method: 'POST', path: `${path}/:student`, secret: 'student', answer: take },
    {
      id: 'openFormReceipt',
      method: 'GET',
      path: `${path}/receipt/:submission`,
      secret: 'submission',
      answer: receipt,
    },
  ]
}

function unknownFormProblem(): Problem {
  return new Problem('resource_not_found', 'There is no such form.')
}

function pathOf({ params }: Visit, { withStudent = true }: { readonly withStudent?: boolean } = {}): string {
  const { slug, key, student } = params
  const form = `f/${encodeURIComponent(slug as string)}/${encodeURIComponent(key as string)}`
  return student === undefined || !withStudent ? form : `${form}/${encodeURIComponent(student)}`
}

function placeOf(visit: Visit, { language }: PublicForm, below = ''): PagePlace {
  return visit.place(pathOf(visit), below, null, language)
}

function languageOf(visit: Visit): string {
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
  opened: OpenedForm,
  visit: Visit,
  sending: FormSending,
  faults: readonly FormFault[],
  say = (words: ReturnType<typeof wordsIn>['faults']): string => words.failed,
): PageAnswer {
  const known = new Set(opened.form.definition.fields.map(({ key }) => key))
  const ofQuestions = faults.filter(({ fieldKey }) => known.has(fieldKey))
  const view = viewOf(opened, visit, sending)
  const words = say(wordsIn(view.place.locale).faults)
  const problem = validationProblem(
    faults.map(({ fieldKey }) => ({
      in: 'body',
      pointer: `#/${fieldKey}`,
      code: 'inconsistent',
      detail: 'is not right',
    })),
  )
  const html = renderFormPage({ ...view, faults: ofQuestions, problem: ofQuestions.length === 0 ? words : null })
  return { kind: 'refused', problem, words, html }
}

function viewOf(
  { form: written, student }: OpenedForm,
  visit: Visit,
  { answers, sessionKey }: Pick<FormSending, 'answers' | 'sessionKey'>,
): FormView {
  const place = placeOf(visit, written)
  const form = formIn(written, place.locale)
  return {
    place,
    institution: form.institution,
    title: form.name,
    description: form.description,
    forWhom: student === null ? null : (student.fullName.trim().split(/\s+/)[0] as string),
    sections: sectionsOf(form),
    answers: Object.fromEntries(answers),
    faults: [],
    problem: null,
    submissionKey: sessionKey,
  }
}

/** The questions by section, in order; those of none stand in front, without a heading. */
function sectionsOf(form: PublicForm): SectionView[] {
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
  const place = form.files.get(field.key)
  if (place === undefined) return field
  const { allowedMimeTypes: mediaTypes, maxSizeBytes } = place
  return { ...field, validation: { ...field.validation, mediaTypes, maxSizeBytes } }
}
