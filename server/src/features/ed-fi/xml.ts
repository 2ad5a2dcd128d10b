/** Characters that XML 1.0 (section 2.2) cannot have or discourages. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|\p{Cs}/gu

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** An element with children that are written already; nothing where all of them are empty. */
export function element(name: string, ...children: readonly string[]): string {
  const content = children.join('')
  return content === '' ? '' : `<${name}>${content}</${name}>`
}

/**
 * An element with text; nothing where there is no text. Characters that XML cannot have are removed.
 *
 * @param maxLength In characters as XML Schema counts them; what is longer is cut off
 */
export function textElement(name: string, value: string | number | boolean | null, maxLength = 255): string {
  if (value === null) return ''
  const text = String(value).replace(forbidden, '').trim()
  const cut = text.length <= maxLength ? text : Array.from(text).slice(0, maxLength).join('').trimEnd()
  return element(
    name,
    cut.replace(/[&<>]/g, (character) => escapes[character] as string),
  )
}
