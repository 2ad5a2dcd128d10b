/** An amount without sign, with a point or a comma before at most five decimals; null for anything else. */
export function readAmount(text: string): number | null {
  if (!/^\d{1,15}(?:[.,]\d{0,5})?$/.test(text)) return null
  return Number(text.replace(',', '.'))
}

/** A signed amount; null for anything else. */
export function readSignedAmount(text: string): number | null {
  const sign = text.startsWith('-') ? -1 : 1
  const amount = readAmount(text.replace(/^[+-]/, ''))
  return amount === null ? null : amount * sign || 0
}

/** A day of the calendar by its parts, as YYYY-MM-DD; null where there is none. */
export function toDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return date.toISOString().slice(0, 10)
}

/** The day at the beginning of a date or a date with time (ISO 8601); null for anything else. */
export function readIsoDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:$|[TZ+-])/.exec(text) ?? []
  return day === undefined ? null : toDay(Number(year), Number(month), Number(day))
}

/** A text without control characters and needless space; null for an empty one, and for what says that nothing is told. */
export function readText(text: string | null | undefined): string | null {
  const plain = (text ?? '').replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim()
  return plain === '' || /^(?:NOTPROVIDED|NONREF|NOT PROVIDED)$/i.test(plain) ? null : plain
}

/** The text of a file in UTF-8 or, where it is not, in Windows-1252, as banks of older formats write. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The lines of a text one by one, whatever ends them. */
export function* listLines(text: string): Generator<string> {
  let from = 0
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(from, index)
    from = index + end.length
  }
  yield text.slice(from)
}
