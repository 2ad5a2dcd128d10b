import { html } from '@matricula/pages'
import { page } from './page.ts'
import type { SearchEntry } from './served-documents.ts'

/** The search index for the script of the pages: title, kind and absolute path of every entry. */
export function searchIndex(entries: readonly SearchEntry[]): string {
  return `export default ${JSON.stringify(entries.map(({ title, kind, address }) => [title, kind, address]))}\n`
}

/** The same as a list, for browsers without JavaScript. */
export function searchPage(entries: readonly SearchEntry[]): string {
  const sorted = [...entries].sort((one, other) => one.title.localeCompare(other.title, 'en'))
  const main = html`<h1>Everything, from A to Z</h1>
<p>All ${entries.length} operations, records, methods, problems and chapters of the guides. With JavaScript the field at the top finds them as you
type (press <kbd>/</kbd> to go there); without it, search this page with your browser.</p>
<ul class="places">${sorted.map(
    ({ title, kind, address }) => html`<li><a href="${address}">${title}</a> <span class="quiet">${kind}</span></li>
`,
  )}</ul>`
  return page({
    title: 'Search: Matricula',
    description: 'Every operation, record, method, problem and chapter.',
    address: '/docs/search',
    main,
  })
}
