/** The values of a portal page. Values are texts, or objects that are written as JSON. */
export interface PageValues {
  readonly [name: string]: string | PageValues
}

/** The template has an unsupported expression, named in the message. */
export class PageTemplateError extends Error {}

type Part = string | ((values: PageValues) => string)

/** The context of a value: within a script literal, or in markup. */
type Context = 'script' | 'markup'

/**
 * Compiles the page of a portal build into a render function. Values of the template language (Jinja) stand between
 * double braces; a loop over `boot` writes many. Values are escaped for their context, so none can end its text or
 * script. Each script gets the nonce of the page (CSP level 3, §8.1), and the boot values come before the first script.
 *
 * @throws PageTemplateError for statements other than that loop.
 */
export function pageTemplate(source: string): (values: PageValues, nonce: string) => string {
  const parts: Part[] = []
  let at = 0
  for (;;) {
    const begin = indexOfPattern(source, /<script\b/gi, at)
    const open = begin < 0 ? -1 : source.indexOf('>', begin)
    const close = open < 0 ? -1 : indexOfPattern(source, /<\/script\b/gi, open)
    if (close < 0) break
    parts.push(...parseParts(source.slice(at, begin), 'markup'), `<script nonce="${noncePlaceholder}"`)
    parts.push(...parseParts(source.slice(begin + '<script'.length, open), 'markup'))
    parts.push(...parseParts(source.slice(open, close), 'script'))
    at = close
  }
  parts.push(...parseParts(source.slice(at), 'markup'))
  return (values, nonce) => withBoot(written(parts, values).replaceAll(noncePlaceholder, nonce), values, nonce)
}

function indexOfPattern(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

function written(parts: readonly Part[], values: PageValues): string {
  return parts.map((part) => (typeof part === 'string' ? part : part(values))).join('')
}

/** Placeholder of the nonce; no page contains it. */
const noncePlaceholder = '\u0000nonce\u0000'

/** The closing delimiters, by the second character of the opening one. */
const endings = { '{': '}}', '%': '%}', '#': '#}' } as const

interface Mark {
  readonly kind: keyof typeof endings
  readonly begin: number
  readonly end: number
  /** The content, without whitespace-control characters. */
  readonly text: string
}

/** The first delimiter pair at or after an index, or null. */
function findDelimiter(text: string, from: number): Mark | null {
  const begin = indexOfPattern(text, /\{[{%#]/g, from)
  if (begin < 0) return null
  const kind = text.charAt(begin + 1) as Mark['kind']
  const end = text.indexOf(endings[kind], begin + 2)
  if (end < 0) return null
  let between = text.slice(begin + 2, end)
  if (between.startsWith('-')) between = between.slice(1)
  if (between.endsWith('-')) between = between.slice(0, -1)
  return { kind, begin, end: end + 2, text: between.trim() }
}

/** The parts of a template: static text and values. */
function parseParts(text: string, context: Context): Part[] {
  const parts: Part[] = []
  let at = 0
  for (let mark = findDelimiter(text, at); mark !== null; mark = findDelimiter(text, at)) {
    parts.push(text.slice(at, mark.begin))
    at = mark.end
    if (mark.kind === '{') parts.push(parseValue(mark.text, context))
    if (mark.kind !== '%') continue
    const [word, key = '', within, list, ...more] = mark.text.split(/\s+/)
    const end = statementAfter(text, mark.end)
    const isLoop = word === 'for' && within === 'in' && list === 'boot' && more.length === 0
    if (!isLoop || end === null) throw unknown(mark)
    if (end.text !== 'endfor') throw unknown(end)
    parts.push(buildLoop(key, parseParts(text.slice(mark.end, end.begin), context)))
    at = end.end
  }
  parts.push(text.slice(at))
  return parts.filter((part) => part !== '')
}

function statementAfter(text: string, from: number): Mark | null {
  let mark = findDelimiter(text, from)
  while (mark !== null && mark.kind !== '%') mark = findDelimiter(text, mark.end)
  return mark
}

function unknown({ text }: Mark): PageTemplateError {
  return new PageTemplateError(`has {% ${text.slice(0, 80)} %}, which is filled in nowhere but in its home`)
}

/** The loop over the boot values. */
function buildLoop(key: string, body: readonly Part[]): Part {
  return (values) => {
    const boot = typeof values.boot === 'object' ? values.boot : {}
    return Object.keys(boot)
      .map((name) => written(body, { ...values, [key]: name }))
      .join('')
  }
}

/** A value by its path, such as `frappe.session.csrf_token` or `boot[key]`, with its filter. */
function parseValue(expression: string, context: Context): Part {
  const [path = '', ...filters] = expression.split('|').map((part) => part.trim())
  const steps = [...path.matchAll(/(\w+)|\[\s*(?:"([^"]*)"|'([^']*)'|(\w+))\s*\]/g)]
  return (values) => {
    let value: PageValues[string] | undefined = values
    for (const [, name, quoted, single, variable] of steps) {
      const member: string | undefined = variable === undefined ? (name ?? quoted ?? single) : toText(values[variable])
      if (typeof value !== 'object' || member === undefined || !Object.hasOwn(value, member)) return ''
      value = value[member]
    }
    if (filters.includes('tojson') || typeof value === 'object') {
      const json = scriptJson(value ?? null)
      return context === 'script' ? json : markup(JSON.stringify(value ?? null))
    }
    const text = value ?? ''
    return context === 'script' ? scriptJson(text).slice(1, -1) : markup(text)
  }
}

function toText(value: PageValues[string] | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** JSON that is safe in a script, also within quotes of any kind (ECMA-262 §12.9.4, HTML §4.12.1.3). */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&'`$\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function markup(text: string): string {
  return text.replace(/[<>&"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Sets the boot values on the window before any script runs. */
function withBoot(page: string, values: PageValues, nonce: string): string {
  const boot = scriptJson(values.boot ?? {})
  const session = scriptJson(typeof values.frappe === 'object' ? (values.frappe.session ?? {}) : {})
  const script = `<script nonce="${nonce}">{const boot = ${boot}; Object.assign(window, boot); window.frappe = { boot, csrf_token: boot.csrf_token, session: ${session} }}</script>`
  const head = page.search(/<head\b/i)
  const position = head < 0 ? Math.max(page.search(/<script\b/i), 0) : page.indexOf('>', head) + 1
  return `${page.slice(0, position)}${script}${page.slice(position)}`
}
