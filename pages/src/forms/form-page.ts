import { errorSummary, type LocatedError } from '../error-summary.ts'
import { formatDay } from '../formats.ts'
import { frame, getAddress } from '../frame.ts'
import { type Html, html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'
import { answerErrorText } from './answer-error.ts'
import { controlId, formField } from './form-field.ts'
import type { DraftView, FormView } from './form-view.ts'

/**
 * The page of a public form. Every question is on it; one that is put only under a condition says so, until a script
 * hides and shows it. What was answered stands in it again when something is wrong.
 */
export function renderFormPage(view: FormView): string {
  const { place: context, institution, title, description, sections } = view
  const { form, script } = messagesIn(context.locale)
  const fields = sections.flatMap((section) => section.fields)
  const validationErrors = placedErrors(view)
  const hasFiles = fields.some(({ type }) => type === 'file')
  const parts = sections.map((section) => {
    const questions = section.fields.map((field) => formField(view, field, fields))
    return section.title === ''
      ? html`<div class="part">${questions}</div>`
      : html`<section class="part"><h3>${section.title}</h3>
${questions}</section>`
  })
  return frame(context, {
    institution,
    title,
    hasFaults: validationErrors.length > 0,
    script: { module: 'form-page', data: script },
    main: html`${errorSummary(context.locale, validationErrors)}
<h2>${title}</h2>
${description === '' ? nothing : html`<p class="lead text">${description}</p>`}
${view.forWhom === null ? nothing : html`<p><strong>${form.forWhom(view.forWhom)}</strong></p>`}
${view.draft === null ? nothing : savedNote(view, view.draft)}
<p class="quiet">${form.intro}</p>
${validationErrors.length > 0 && hasFiles && view.draft === null ? html`<p class="reason">${form.chooseFilesAgain}</p>` : nothing}
<form class="whole-form" method="post" enctype="multipart/form-data" action="${getAddress(context)}" novalidate>
<input type="hidden" name="submission" value="${view.submissionKey}">
${parts}
<button class="main">${form.send}</button>
<button class="save" name="save" value="yes">${form.save}</button>
</form>
<p class="hidden" id="live" role="status"></p>`,
  })
}

/** That the form is saved, until when, and how to come back to it: by the page's own address. */
function savedNote({ place: context, isLinkMailed }: FormView, { expiresAt, timeZone, sendsMail }: DraftView): Html {
  const { form, account } = messagesIn(context.locale)
  const mail = sendsMail
    ? html`<form method="post" enctype="multipart/form-data" action="${getAddress(context, '/mail')}">
<div class="field"><label for="mail-link">${form.mailLink}</label>
<input id="mail-link" name="email" type="email" autocomplete="email" required></div>
<button>${account.sendLink}</button>
</form>`
    : nothing
  return html`<section class="part saved" aria-label="${form.save}">
<p class="done" role="status">${isLinkMailed ? form.linkMailed : form.saved}</p>
<p>${form.savedUntil(formatDay(context.locale, expiresAt, timeZone))} ${form.goOnLink}</p>
<p><a class="address" href="${getAddress(context)}">${form.goOnHere}</a></p>
${mail}</section>`
}

function placedErrors(view: FormView): LocatedError[] {
  const { locale } = view.place
  const fields = view.sections.flatMap((section) => section.fields)
  const ofTheForm = view.problem === null ? [] : [{ text: view.problem, label: null, target: 'content' }]
  const ofAnswers = fields.flatMap((field) => {
    const validationError = view.faults.find(({ fieldKey }) => fieldKey === field.key)
    if (validationError === undefined) return []
    return [{ text: answerErrorText(locale, field, validationError), label: field.label, target: controlId(field) }]
  })
  return [...ofTheForm, ...ofAnswers]
}
