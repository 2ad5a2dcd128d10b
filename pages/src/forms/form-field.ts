import { type Html, html, nothing } from '../html.ts'
import { messagesIn } from '../messages/index.ts'
import { limitsText } from '../requests/request-item.ts'
import { answerErrorText } from './answer-error.ts'
import { conditionText, isAlways } from './condition-text.ts'
import type { FieldView, FormView } from './form-view.ts'

/** The name of a question's control. The prefix keeps any key apart from what else the form sends. */
export function controlName(key: string): string {
  return `answer.${key}`
}

/** The id of the element that a link to a question leads to. */
export function controlId({ key, type }: Pick<FieldView, 'key' | 'type'>): string {
  return type === 'multiselect' ? `field-${key}-0` : `field-${key}`
}

interface FieldParts {
  readonly view: FormView
  readonly field: FieldView
  readonly given: readonly string[]
  /** Attributes that tie the control to its help and its fault. */
  readonly tied: Html
}

/** One question with its help, its condition, its fault and its control. */
export function formField(view: FormView, field: FieldView, fields: readonly FieldView[]): Html {
  const { locale } = view.place
  const { page, form } = messagesIn(locale)
  const { key, type } = field
  const validationError = view.faults.find(({ fieldKey }) => fieldKey === key)
  const condition = isAlways(field.visibleWhen) ? null : conditionText(locale, field.visibleWhen, fields)
  const help = getHelp(view, field)
  const notes = [
    ...(condition === null ? [] : [{ id: `when-${key}`, kind: 'when', text: condition }]),
    ...(help === '' ? [] : [{ id: `help-${key}`, kind: 'quiet', text: help }]),
    ...(validationError === undefined
      ? []
      : [{ id: `fault-${key}`, kind: 'fault', text: answerErrorText(locale, field, validationError) }]),
  ]
  const described = notes.length === 0 ? nothing : html` aria-describedby="${notes.map(({ id }) => id).join(' ')}"`
  const tied = html`${described}${validationError === undefined ? nothing : html` aria-invalid="true"`}`
  const parts: FieldParts = { view, field, given: (Object.hasOwn(view.answers, key) && view.answers[key]) || [], tied }
  const lines = notes.map(({ id, kind, text }) => html`<p class="${kind}" id="${id}">${text}</p>`)
  const optional = field.isRequired ? nothing : html` <span class="quiet">(${page.optional.toLowerCase()})</span>`
  const when = condition === null ? nothing : html` data-when="${JSON.stringify(field.visibleWhen)}"`
  const open = html`data-field="${key}"${when}`
  if (type === 'multiselect') {
    return html`<fieldset class="field" ${open}${described}><legend>${field.label}${optional}</legend>
${lines}${choices(parts)}</fieldset>
`
  }
  if (type === 'checkbox') {
    return html`<div class="field" ${open}>${checkbox(parts, html`${field.label}${optional}`)}${lines}</div>
`
  }
  const sign = type === 'signature' ? html`<p class="quiet">${form.signature}</p>` : nothing
  return html`<div class="field" ${open}><label for="${controlId(field)}">${field.label}${optional}</label>
${sign}${lines}${keptFiles(parts)}${control(parts)}</div>
`
}

function getFiles({ draft }: FormView, { key }: FieldView) {
  return (draft?.files ?? []).filter(({ fieldKey }) => fieldKey === key)
}

/** The files that were saved with the form, each with a way to take it back. */
function keptFiles({ view, field }: FieldParts): Html[] {
  const { form } = messagesIn(view.place.locale)
  return getFiles(view, field).map(
    ({ documentId, fileName }) => html`<p class="done">${form.keptFile(fileName)}</p>
<div class="choice"><input type="checkbox" id="remove-${documentId}" name="remove" value="${documentId}"><label for="remove-${documentId}">${form.removeFile(fileName)}</label></div>
`,
  )
}

function getHelp(view: FormView, field: FieldView): string {
  const { mediaTypes = [], maxSizeBytes } = field.validation
  if (field.type !== 'file' || maxSizeBytes === undefined || mediaTypes.length === 0) return field.helpText
  const limits = limitsText(view.place.locale, { allowedMimeTypes: mediaTypes, maxSizeBytes })
  return field.helpText === '' ? limits : `${field.helpText} (${limits})`
}

function control(parts: FieldParts): Html {
  const { view, field, given, tied } = parts
  const { validation: bounds } = field
  const [value = ''] = given
  const isThere = getFiles(view, field).length > 0
  const common = html` id="${controlId(field)}" name="${controlName(field.key)}"${field.isRequired && !isThere ? html` required` : nothing}${attribute('autocomplete', field.autocomplete)}${tied}`
  switch (field.type) {
    case 'textarea':
      return html`<textarea rows="5"${common}>
${value}</textarea>`
    case 'select': {
      const options = field.options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value ? html` selected` : nothing}>${option.label}</option>`,
      )
      return html`<select${common}><option value="">${messagesIn(view.place.locale).form.choose}</option>${options}</select>`
    }
    case 'file':
      return html`<input type="file"${common}${accepted(bounds.mediaTypes)}${(bounds.maxItems ?? 1) > 1 ? html` multiple` : nothing}${bounds.maxSizeBytes === undefined ? nothing : html` data-limit="${bounds.maxSizeBytes}"`}>`
    case 'number':
      return html`<input type="number" step="any"${common}${attribute('min', bounds.min)}${attribute('max', bounds.max)} value="${value}">`
    case 'date':
      return html`<input type="date"${common}${attribute('min', bounds.minDate)}${attribute('max', bounds.maxDate)} value="${value}">`
    case 'email':
      return html`<input type="email"${common} value="${value}">`
    case 'phone':
      return html`<input type="tel"${common} value="${value}">`
    case 'signature':
      return html`<input class="signature"${common} value="${value}">`
    default:
      return html`<input${common} value="${value}">`
  }
}

function accepted(mediaTypes: readonly string[] = []): Html {
  return mediaTypes.length === 0 ? nothing : html` accept="${mediaTypes.join(',')}"`
}

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? nothing : html` ${name}="${value}"`
}

function choices({ field, given, tied }: FieldParts): Html[] {
  return field.options.map(({ value, label }, index) => {
    const checked = given.includes(value) ? html` checked` : nothing
    const id = `field-${field.key}-${index}`
    return html`<div class="choice"><input type="checkbox" id="${id}" name="${controlName(field.key)}" value="${value}"${checked}${index === 0 ? tied : nothing}><label for="${id}">${label}</label></div>
`
  })
}

function checkbox({ field, given, tied }: FieldParts, label: Html): Html {
  const checked = given.includes('true') ? html` checked` : nothing
  const id = controlId(field)
  return html`<div class="choice"><input type="checkbox" id="${id}" name="${controlName(field.key)}" value="true"${checked}${tied}${field.isRequired ? html` required` : nothing}><label for="${id}">${label}</label></div>
`
}
