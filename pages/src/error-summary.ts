import { type Html, html, nothing } from './html.ts'
import { type Locale, wordsIn } from './messages/index.ts'

/** One thing that is wrong, and the id of the element where it can be mended. */
export interface PlacedFault {
  readonly text: string
  readonly label: string | null
  readonly target: string
}

/** What is wrong, at the top of a page, each with a link to its place; it gets the focus when the page opens. */
export function faultSummary(locale: Locale, faults: readonly PlacedFault[]): Html {
  if (faults.length === 0) return nothing
  const lines = faults.map(
    ({ text, label, target }) =>
      html`<li><a href="#${target}">${label === null ? text : `${label.replace(/(?<![\s.:?!])[\s.:?!]+$/u, '')}: ${text}`}</a></li>`,
  )
  return html`<section class="problems" id="problems" aria-labelledby="problems-title" tabindex="-1" autofocus>
<h2 id="problems-title">${wordsIn(locale).page.problems(faults.length)}</h2>
<ul>${lines}</ul>
</section>`
}
