import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { html } from '@matricula/pages'
import { addressOfFile, guides, type ServedDocument } from './documents.ts'
import { getHeadings, type LinkTarget, markdown } from './markdown.ts'
import { page, trail } from './page.ts'
import type { SearchEntry } from './served-documents.ts'

const root = new URL('../../../', import.meta.url)

/** The text of a file of the repository; `file` is relative to its root. */
function getText(file: string): string {
  return readFileSync(new URL(file, root), 'utf8')
}

/** The bytes of a file of the repository, such as a picture. */
export function getBytes(file: string): Buffer {
  return readFileSync(new URL(file, root))
}

/** A document of the repository as a page; its links to other documents lead to their pages. */
export function documentPage({ file, address, title, summary }: ServedDocument): string {
  const source = getText(file)
  const isGuide = guides.some((guide) => guide.file === file)
  const way = trail(
    ['/docs', 'Matricula'],
    ...(address === '/docs/changelog' ? [] : [['/docs/guides', 'Guides'] as const]),
  )
  const main = html`${way}
${markdown(source, getLinks(file))}`
  return page({
    title: isGuide ? `${title}: guide` : title,
    description: summary,
    address,
    main,
    outline: getHeadings(source),
  })
}

/** Resolves the links of a file to pages of the service or to the web; null where the target has no page. */
function getLinks(file: string): LinkTarget {
  return (link) => {
    if (/^https?:\/\//.test(link) || link.startsWith('#')) return link
    const [path = '', location] = link.split('#')
    const address = addressOfFile(posix.join(posix.dirname(file), path))
    return address === null ? null : `${address}${location === undefined ? '' : `#${location}`}`
  }
}

/** All guides, each with its purpose. */
export function guideIndexPage(): string {
  const main = html`${trail(['/docs', 'Matricula'])}
<h1>Guides</h1>
<dl class="fields">${guides.map(
    ({ address, title, summary }) => html`<div><dt><a href="${address}">${title}</a></dt><dd>${summary}</dd></div>
`,
  )}</dl>`
  return page({
    title: 'Guides: Matricula',
    description: 'How to work with Matricula, by subject.',
    address: '/docs/guides',
    main,
  })
}

/** The search entries of a document: itself and its chapters. */
export function documentEntries({ file, address, title }: ServedDocument): SearchEntry[] {
  const kind = guides.some((guide) => guide.file === file) ? 'Guide' : 'Document'
  const chapters = getHeadings(getText(file)).map((heading) => ({
    title: heading.title,
    kind: `${kind}: ${title}`,
    address: `${address}#${heading.id}`,
  }))
  return [{ title, kind, address }, ...chapters]
}
