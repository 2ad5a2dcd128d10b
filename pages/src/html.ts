/** A piece of HTML whose every part is either written by us or escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Part[]

/** HTML from a template. What is put in is escaped unless it is HTML itself; lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((string, index) => string + (index < parts.length ? write(parts[index] as Part) : '')).join(''),
  )
}

/** Parts with a separator between them. */
export function joined(parts: readonly Part[], separator: string): Html {
  return new Html(parts.map(write).join(write(separator)))
}

/** Nothing at all. */
export const nothing = new Html('')

function write(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(write).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** JSON as the text of a script element: no character in it can end the element or begin a comment. */
export function jsonHtml(value: unknown): Html {
  return new Html(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, unicodeEscape))
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
