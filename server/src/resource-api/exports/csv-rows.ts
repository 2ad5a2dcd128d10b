import type { Chunks } from '../../http/index.ts'

/** The format of a CSV file. */
export interface CsvOptions {
  readonly delimiter: string
  /** Which values are quoted: those that need it, all, or all texts. */
  readonly quotes: 'needed' | 'all' | 'texts'
}

/**
 * Streams rows as a CSV file (RFC 4180) with headings and row numbers from 1, in UTF-8 with a byte order mark for
 * spreadsheets.
 */
export async function* csvOfRows(
  headings: readonly string[],
  batches: AsyncIterable<readonly unknown[]> | readonly unknown[],
  options: CsvOptions,
): Chunks {
  const line = (values: readonly unknown[]) =>
    `${values.map((value) => cell(value, options)).join(options.delimiter)}\r\n`
  yield `\uFEFF${line(['Sr', ...headings])}`
  let number = 0
  const lines = (rows: readonly unknown[]) =>
    rows.map((row) => {
      number += 1
      return line([number, ...(row as readonly unknown[])])
    })
  if (Array.isArray(batches)) {
    yield lines(batches).join('')
    return
  }
  for await (const rows of batches as AsyncIterable<readonly unknown[]>) yield lines(rows).join('')
}

function cell(value: unknown, { delimiter, quotes }: CsvOptions): string {
  if (typeof value === 'number' || typeof value === 'bigint') return quotes === 'all' ? `"${value}"` : String(value)
  const text = value === null || value === undefined ? '' : harmless(getText(value))
  const isQuoted =
    quotes === 'needed' ? text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) : text !== '' || quotes === 'all'
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

function getText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Escapes formulas against CSV injection (OWASP): a text that would begin one gets an apostrophe before it.
 * Spreadsheets skip leading blanks and accept full-width signs. A plain number stays.
 */
function harmless(text: string): string {
  if (!/^[\s\u00a0]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text)) return text
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? text : `'${text}`
}
