/** What a page of a portal says of who opens it. Values are texts, or objects that stand in the page as JSON. */
export interface PageValues {
  readonly [name: string]: string | PageValues
}

/** A page has something between braces that is not known here; the message says what. */
export class PageTemplateError extends Error {}

type Part = string | ((values: PageValues) => string)

/** Where a value stands: in a script as part of a literal, or in the page itself. */
type Context = 'script' | 'markup'

/**
 * The page of a portal as its build leaves it, made ready to be filled for one visitor after the other: values of the template
 * language of its home stand between double braces, a loop over `boot` sets many at once. Nothing of a value ends the text or the
 * script that it stands in. Each script gets the nonce of the page (CSP level 3, §8.1), and the boot values, which the build may
 * read without any braces, come before the first of them.
 *
 * @throws PageTemplateError for statements other than that loop.
 */
export function pageTemplate(source: string): (values: PageValues, nonce: string) => string {
  const parts: Part[] = []
  let at = 0
  for (;;) {
    const begin = getIndex(source, /<script\b/gi, at)
    const open = begin < 0 ? -1 : source.indexOf('>', begin)
    const close = open < 0 ? -1 : getIndex(source, /<\/script\b/gi, open)
    if (close < 0) break
    parts.push(...filled(source.slice(at, begin), 'markup'), `<script nonce="${nonceMark}"`)
    parts.push(...filled(source.slice(begin + '<script'.length, open), 'markup'))
    parts.push(...filled(source.slice(open, close), 'script'))
    at = close
  }
  parts.push(...filled(source.slice(at), 'markup'))
  return (values, nonce) => withBoot(written(parts, values).replaceAll(nonceMark, nonce), values, nonce)
}

function getIndex(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

function written(parts: readonly Part[], values: PageValues): string {
  return parts.map((part) => (typeof part === 'string' ? part : part(values))).join('')
}

/** Stands for the nonce in a template; no page has it by itself. */
const nonceMark = '\u0000nonce\u0000'

/** How marks end that begin with a brace and one of these. */
const endings = { '{': '}}', '%': '%}', '#': '#}' } as const

interface Mark {
  readonly kind: keyof typeof endings
  readonly begin: number
  readonly end: number
  /** What stands between, without the signs by which spaces around it go. */
  readonly text: string
}

/** The first mark of a text from a place on, or null. */
function markIn(text: string, from: number): Mark | null {
  const begin = getIndex(text, /\{[{%#]/g, from)
  if (begin < 0) return null
  const kind = text.charAt(begin + 1) as Mark['kind']
  const end = text.indexOf(endings[kind], begin + 2)
  if (end < 0) return null
  let between = text.slice(begin + 2, end)
  if (between.startsWith('-')) between = between.slice(1)
  if (between.endsWith('-')) between = between.slice(0, -1)
  return { kind, begin, end: end + 2, text: between.trim() }
}

/** The parts of a piece of a page: what stands still, and what is filled in. */
function filled(text: string, context: Context): Part[] {
  const parts: Part[] = []
  let at = 0
  for (let mark = markIn(text, at); mark !== null; mark = markIn(text, at)) {
    parts.push(text.slice(at, mark.begin))
    at = mark.end
    if (mark.kind === '{') parts.push(valueAt(mark.text, context))
    if (mark.kind !== '%') continue
    const [word, key = '', within, list, ...more] = mark.text.split(/\s+/)
    const end = statementAfter(text, mark.end)
    const isLoop = word === 'for' && within === 'in' && list === 'boot' && more.length === 0
    if (!isLoop || end === null) throw unknown(mark)
    if (end.text !== 'endfor') throw unknown(end)
    parts.push(loop(key, filled(text.slice(mark.end, end.begin), context)))
    at = end.end
  }
  parts.push(text.slice(at))
  return parts.filter((part) => part !== '')
}

function statementAfter(text: string, from: number): Mark | null {
  let mark = markIn(text, from)
  while (mark !== null && mark.kind !== '%') mark = markIn(text, mark.end)
  return mark
}

function unknown({ text }: Mark): PageTemplateError {
  return new PageTemplateError(`has {% ${text.slice(0, 80)} %}, which is filled in nowhere but in its home`)
}

/** Each boot value, by its name. */
function loop(key: string, body: readonly Part[]): Part {
  return (values) => {
    const boot = typeof values.boot === 'object' ? values.boot : {}
    return Object.keys(boot)
      .map((name) => written(body, { ...values, [key]: name }))
      .join('')
  }
}

/** A value by its path, such as `frappe.session.csrf_token` or `boot[key]`, with the filter that says how it is written. */
function valueAt(expression: string, context: Context): Part {
  const [path = '', ...filters] = expression.split('|').map((part) => part.trim())
  const steps = [...path.matchAll(/(\w+)|\[\s*(?:"([^"]*)"|'([^']*)'|(\w+))\s*\]/g)]
  return (values) => {
    let value: PageValues[string] | undefined = values
    for (const [, name, quoted, single, variable] of steps) {
      const member: string | undefined = variable === undefined ? (name ?? quoted ?? single) : getText(values[variable])
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

function getText(value: PageValues[string] | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** JSON that is safe in a script of a page, also within quotes of any kind (ECMA-262 §12.9.4, HTML §4.12.1.3). */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&'`$\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function markup(text: string): string {
  return text.replace(/[<>&"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Sets the boot values on the window, as pages of this kind read them, before any script runs. */
function withBoot(page: string, values: PageValues, nonce: string): string {
  const boot = scriptJson(values.boot ?? {})
  const session = scriptJson(typeof values.frappe === 'object' ? (values.frappe.session ?? {}) : {})
  const script = `<script nonce="${nonce}">{const boot = ${boot}; Object.assign(window, boot); window.frappe = { boot, csrf_token: boot.csrf_token, session: ${session} }}</script>`
  const head = page.search(/<head\b/i)
  const position = head < 0 ? Math.max(page.search(/<script\b/i), 0) : page.indexOf('>', head) + 1
  return `${page.slice(0, position)}${script}${page.slice(position)}`
}
