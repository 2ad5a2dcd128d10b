import { type Html, html, nothing } from '../html.ts'

interface Control {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'one-time-code' | 'off'
  readonly value?: string
  readonly help?: string
  /** The most characters. */
  readonly longest?: number
  readonly fault?: boolean
}

/** What a form says of where somebody goes on to; nothing where everybody goes. */
export function goesToField(goesTo: string | null): Html {
  return goesTo === null ? nothing : html`<input type="hidden" name="redirect-to" value="${goesTo}">`
}

/** A control of the pages on which people log in, with its label and its help. */
export function field({
  id,
  name,
  label,
  type,
  autocomplete,
  value = '',
  help,
  longest,
  fault: validationError = false,
}: Control): Html {
  const tied = html`${longest === undefined ? nothing : html` maxlength="${longest}"`}${help === undefined ? nothing : html` aria-describedby="help-${id}"`}${validationError ? html` aria-invalid="true"` : nothing}`
  return html`<div class="field"><label for="${id}">${label}</label>
${help === undefined ? nothing : html`<p class="quiet" id="help-${id}">${help}</p>`}
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required${tied}></div>`
}
