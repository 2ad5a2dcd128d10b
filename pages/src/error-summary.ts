import { type Html, html, nothing } from './html.ts'
import { type Locale, messagesIn } from './messages/index.ts'

/** One thing that is wrong, and the id of the element where it can be mended. */
export interface LocatedError {
  readonly text: string
  readonly label: string | null
  readonly target: string
}

/** What is wrong, at the top of a page, each with a link to its place; it gets the focus when the page opens. */
export function errorSummary(locale: Locale, validationErrors: readonly LocatedError[]): Html {
  if (validationErrors.length === 0) return nothing
  const lines = validationErrors.map(
    ({ text, label, target }) =>
      html`<li><a href="#${target}">${label === null ? text : `${label.replace(/(?<![\s.:?!])[\s.:?!]+$/u, '')}: ${text}`}</a></li>`,
  )
  return html`<section class="problems" id="problems" aria-labelledby="problems-title" tabindex="-1" autofocus>
<h2 id="problems-title">${messagesIn(locale).page.problems(validationErrors.length)}</h2>
<ul>${lines}</ul>
</section>`
}
