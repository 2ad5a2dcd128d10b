import { FilterXSS } from 'xss'

const elements =
  'a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p pre q s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video'

/** What they may have; of addresses only those of the web, of mail, of telephones and of images, of styles no place on the page. */
const attributes =
  'align alt cite class color colspan controls datetime dir height href id lang name open poster rowspan size span src start style target title type valign width'

const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A dozen attributes with values make as many parts, which is more than an element of a text has. */
const maxParts = 25
const maxWork = 10_000

/**
 * Whether the library has an element's attributes soon: for each part between spaces and signs of equality, quoted values
 * aside, it goes over all its spaces once more.
 */
function isQuicklyRead(html: string): boolean {
  const parts = html.replace(/=\s*(?:"[^"]*"|'[^']*')/g, '=').split(/[\s=]/, maxParts + 1).length
  const spaces = html.match(/\s/g)?.length ?? 0
  return parts <= maxParts && parts * spaces <= maxWork
}

const filter = new FilterXSS({
  whiteList: Object.fromEntries(elements.split(' ').map((element) => [element, attributes.split(' ')])),
  onTag: (_element, html) => (isQuicklyRead(html) ? undefined : escaped(html)),
  onIgnoreTagAttr: (_element, name, value) =>
    /^data-[\w-]+$/.test(name) ? `${name}="${escaped(value).replaceAll('"', '&quot;')}"` : undefined,
})

/**
 * A text without what a page that shows it as HTML would run: elements that are not for text, such as scripts, forms and
 * frames, are escaped, and so they still read as they were typed; handlers, addresses that are scripts, and comments go.
 * Text in which nothing looks like an element, such as `a < b`, stays as it is.
 */
export function safeMarkup(text: string): string {
  if (!hasElements(text)) return text
  // An element that nothing closes would end in the text behind it.
  const end = text.lastIndexOf('>') + 1
  return filter.process(text.slice(0, end)) + text.slice(end).replaceAll('<', '&lt;')
}

/** Whether anything in a text looks like an element. */
export function hasElements(text: string): boolean {
  return /<[a-z/!?]/i.test(text)
}
