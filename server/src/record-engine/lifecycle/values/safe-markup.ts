import { createRequire } from 'node:module'
import { FilterXSS } from 'xss'
import { runAtOnce, type Steps } from '../../../concurrency/index.ts'

// Exported in a loop, so that no import finds them.
const { parseTag, stripCommentTag } = createRequire(import.meta.url)('xss') as typeof import('xss')

const elements =
  'a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p pre q s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video'

/**
 * The allowed attributes. The library limits URLs to those of the web, mail, telephone and images, and styles to those
 * without a position.
 */
const attributes =
  'align alt cite class color colspan controls datetime dir height href id lang name open poster rowspan size span src start style target title type valign width'

const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The maximum parts of an element, about a dozen attributes with values. */
const maxParts = 25
const maxWork = 10_000

/**
 * Whether the library parses an element's attributes in bounded time: for each part between spaces and equals signs
 * outside of quotes, it scans all spaces again.
 */
function isQuicklyRead(html: string): boolean {
  const parts = html.replace(/=\s*(?:"[^"]*"|'[^']*')/g, '=').split(/[\s=]/, maxParts + 1).length
  const spaces = html.match(/\s/g)?.length ?? 0
  return parts <= maxParts && parts * spaces <= maxWork
}

const filter = new FilterXSS({
  // Comments are taken out of the whole text before.
  allowCommentTag: true,
  whiteList: Object.fromEntries(elements.split(' ').map((element) => [element, attributes.split(' ')])),
  onTag: (_element, html) => (isQuicklyRead(html) ? undefined : escaped(html)),
  onIgnoreTagAttr: (_element, name, value) =>
    /^data-[\w-]+$/.test(name) ? `${name}="${escaped(value).replaceAll('"', '&quot;')}"` : undefined,
})

/**
 * Sanitizes HTML: elements outside of the allow list, such as scripts, forms and frames, are escaped and still read as
 * they were typed; event handlers, `javascript:` URLs and comments are removed. Text without elements, such as `a < b`,
 * stays as it is.
 */
export function* safeMarkupSteps(text: string): Steps<string> {
  if (!hasElements(text)) return text
  // An unclosed element would swallow the text behind it.
  const end = text.lastIndexOf('>') + 1
  const safe: string[] = []
  for (const part of partsOf(stripCommentTag(text.slice(0, end)))) {
    safe.push(filter.process(part))
    yield
  }
  return safe.join('') + text.slice(end).replaceAll('<', '&lt;')
}

/** The same at once. */
export const safeMarkup = (text: string): string => runAtOnce(safeMarkupSteps(text))

/** How many elements are sanitized in a step: a few milliseconds. */
const elementsOfStep = 200

/** A text in parts, each of whole elements as the library reads them. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let [begin, elements] = [0, 0]
  const end = (at: number, _position: number, _name: string, element: string) => {
    elements += 1
    if (elements % elementsOfStep === 0) {
      parts.push(text.slice(begin, at + element.length))
      begin = at + element.length
    }
    return ''
  }
  parseTag(text, end, () => '')
  parts.push(text.slice(begin))
  return parts
}

/** Whether anything in a text looks like an element. */
export function hasElements(text: string): boolean {
  return /<[a-z/!?]/i.test(text)
}
