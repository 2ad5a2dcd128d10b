/** The marks of a locale's numbers: the decimal mark, and the separators of thousands that people type for its own. */
interface Marks {
  readonly decimal: string
  readonly groups: string
}

const known = new Map<string, Marks>()

/** The locale of a person's numbers: the browser's where it speaks the console's language, so that Mexico keeps its point. */
export function numberLocale(language: string, browser: string): string {
  return browser.slice(0, 2).toLowerCase() === language ? browser : language
}

function getMarks(locale: string): Marks {
  const marks = known.get(locale) ?? readMarks(locale)
  known.set(locale, marks)
  return marks
}

function readMarks(locale: string): Marks {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.5)
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const group = parts.find(({ type }) => type === 'group')?.value ?? ' '
  // Spaces are written as whatever the keyboard has.
  return { decimal, groups: /\s/.test(group) ? ' \u00a0\u202f' : group }
}

/**
 * A number as people of a locale type it, as the service takes it: digits with at most one point. `1.250,50` is `1250.50`
 * where the comma is the decimal mark. Separators of thousands must stand in their places; a plain number with a point is
 * taken everywhere unless its point is such a separator. Null for what is no number.
 */
export function readDecimal(locale: string, typed: string): string | null {
  const { decimal, groups } = getMarks(locale)
  const text = typed.trim().replace('−', '-')
  const separator = `[${groups.replace(/[.\-\]\\]/g, '\\$&')}]`
  const mark = decimal === '.' ? '\\.' : decimal
  const own = new RegExp(`^-?(?:\\d+|\\d{1,3}(?:${separator}\\d{3})+)(?:${mark}\\d+)?$`)
  if (own.test(text)) return text.replace(new RegExp(separator, 'g'), '').replace(decimal, '.')
  return /^-?\d+\.\d+$/.test(text) ? text : null
}

/** A number of the service as people of a locale type it, without separators of thousands; another text as it is. */
export function showDecimal(locale: string, value: string): string {
  return /^-?\d+\.\d+$/.test(value) ? value.replace('.', getMarks(locale).decimal) : value
}
