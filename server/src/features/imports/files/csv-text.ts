/** A record of a CSV file (RFC 4180), with its line end. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`
}

/** A cell of a CSV file, in quotation marks where it needs them. */
export function csvCell(text: string, delimiter = ','): string {
  const isPlain = !/["\r\n]/.test(text) && !text.includes(delimiter) && text === text.trim()
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** A text as a cell that no spreadsheet runs: with an apostrophe before what would be a formula. */
export function guarded(text: string): string {
  return /^[=+\-@\t\r']/.test(text) ? `'${text}` : text
}
