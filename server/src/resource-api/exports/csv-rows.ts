import type { Chunks } from '../../http/index.ts'

/** What the lines of a file are written with. */
export interface CsvOptions {
  readonly delimiter: string
  /** What stands in quotes: what needs it, everything, or every text. */
  readonly quotes: 'needed' | 'all' | 'texts'
}

/** Rows as a CSV file (RFC 4180), in pieces: numbered from 1 beneath their headings, in UTF-8 with the mark by which spreadsheets know it. */
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
 * A text that no spreadsheet computes: one that would begin a formula gets an apostrophe before it, as OWASP advises against CSV
 * injection. Spreadsheets pass over blanks before the sign and read its full-width forms, too. A plain number is none.
 */
function harmless(text: string): string {
  if (!/^[\s\u00a0]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text)) return text
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? text : `'${text}`
}
