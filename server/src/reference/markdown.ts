import { Html } from '@matricula/pages'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'

/** Resolves a link to its URL, or null where it becomes plain text. */
export type LinkTarget = (address: string) => string | null

/**
 * Renders GitHub Flavored Markdown to HTML. Raw HTML is shown as text, comments are dropped; `target` resolves links,
 * by default only those to the web. Images are shown where they resolve to a PNG file below `/docs/`, and else as their
 * alternative text. Headings have the ids that GitHub gives them.
 */
export function markdown(source: string, target: LinkTarget = webOnly): Html {
  return new Html(parserOf(target).parse(source, { async: false }).trim())
}

/** Renders inline Markdown, without blocks. */
export function inlineMarkdown(source: string): Html {
  return new Html(parserOf(webOnly).parseInline(source, { async: false }) as string)
}

/** The headings of a text with their ids: those of the second level unless told otherwise. */
export function getHeadings(source: string, depth = 2): { id: string; title: string }[] {
  return headings(new Marked().lexer(source))
    .filter((heading) => heading.depth === depth)
    .map(({ id, title }) => ({ id, title }))
}

/** All headings of a parsed text. */
function headings(tokens: readonly Token[]): { id: string; title: string; depth: number }[] {
  const taken = new Map<string, number>()
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((token) => ({ id: getUniqueId(token.tokens, taken), title: getMessages(token.tokens), depth: token.depth }))
}

function getMessages(tokens: readonly Token[]): string {
  return tokens.map((token) => ('tokens' in token ? getMessages(token.tokens as Token[]) : plain(token))).join('')
}

function plain(token: Token): string {
  return 'text' in token ? (token.text as string) : ''
}

/** The id that GitHub gives a heading. */
function getId(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** The id of a heading, with a number behind it where a heading above has the same text, as GitHub counts. */
function getUniqueId(tokens: readonly Token[], taken: Map<string, number>): string {
  const id = getId(getMessages(tokens))
  const count = taken.get(id) ?? 0
  taken.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

const webOnly: LinkTarget = (address) => (/^https?:\/\//.test(address) ? address : null)

const parsers = new Map<LinkTarget, Marked>()

function parserOf(target: LinkTarget): Marked {
  const known = parsers.get(target)
  if (known !== undefined) return known
  const taken = new Map<string, number>()
  const preprocess = (source: string) => {
    taken.clear()
    return source
  }
  const parser = new Marked({ gfm: true, renderer: getRenderer(target, taken), hooks: { preprocess } })
  parsers.set(target, parser)
  return parser
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function getRenderer(target: LinkTarget, taken: Map<string, number>): RendererObject {
  return {
    html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? '' : escaped(text)),
    heading({ tokens, depth }) {
      const content = this.parser.parseInline(tokens)
      const id = escaped(getUniqueId(tokens, taken))
      return depth === 1
        ? `<h1>${content}</h1>\n`
        : `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens)
      const address = target(href)
      return address === null ? content : `<a href="${escaped(address)}">${content}</a>`
    },
    image({ href, text }) {
      const address = target(href)
      // Pictures of this service alone: the policy of the pages loads none from elsewhere.
      return address !== null && /^\/docs\/.+\.png$/.test(address)
        ? `<img src="${escaped(address)}" alt="${escaped(text)}" loading="lazy">`
        : escaped(text)
    },
    code: ({ text, lang = '' }) => codeFigure(lang.split(' ')[0] as string, text).text,
    table({ header, rows, align: _ }) {
      const cell = ({ tokens, text }: Tokens.TableCell, isHead: boolean) => {
        const content = this.parser.parseInline(tokens)
        return isHead && text !== '' ? `<th scope="col">${content}</th>` : `<td>${content}</td>`
      }
      const cells = (row: readonly Tokens.TableCell[], isHead = false) =>
        `<tr>${row.map((one) => cell(one, isHead)).join('')}</tr>`
      const head = header.some(({ text }) => text !== '') ? `<thead>${cells(header, true)}</thead>` : ''
      const body = rows.map((row) => cells(row)).join('\n')
      return `<div class="table" role="group" aria-label="Table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
    },
  }
}

const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  yaml: 'YAML',
  json: 'JSON',
  http: 'HTTP',
}

/** A code block with a caption, scrollable by keyboard; the script of the pages adds a copy button. */
export function codeFigure(language: string, code: string, caption = languages[language] ?? 'Text'): Html {
  return new Html(
    `<figure class="code" data-language="${escaped(language)}"><figcaption>${escaped(caption)}</figcaption>` +
      `<pre role="group" aria-label="${escaped(caption)}" tabindex="0"><code>${escaped(code)}</code></pre></figure>\n`,
  )
}
