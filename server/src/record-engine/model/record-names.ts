import { randomFillSync } from 'node:crypto'
import { giveBackNumber, takeNumbers } from '../../concurrency/index.ts'
import type { Transaction } from '../../database/index.ts'
import type { AnyDocument } from './record-document.ts'
import { RecordError } from './record-error.ts'

const hashLetters = '0123456789abcdefghijklmnopqrstuv'

const hashLength = 10

/** A pool of random bytes: a system call per name would cost many times as much as the name. */
const piece = new Uint8Array(400 * hashLength)
let used = piece.length

/** Ten random characters, which name rows. */
export function hashName(): string {
  if (used === piece.length) {
    randomFillSync(piece)
    used = 0
  }
  let name = ''
  for (const end = used + hashLength; used < end; used += 1) name += hashLetters[(piece[used] as number) & 31]
  return name
}

/** The day on which a record is named, and the fiscal year that it is in. */
export interface NamingDay {
  readonly today: string
  readonly fiscalYear: string
}

/**
 * The next name of a series, such as `EDU-STU-.YYYY.-#####`: parts between points, of which `YYYY`, `YY`, `MM`, `DD`
 * and `WW` are those of the day and `FY` the fiscal year, `{field}` is the value of a field, and a run of `#` is the
 * counter of the text before it. The counter stays locked until the transaction ends.
 */
export async function nextOfSeries(
  tx: Transaction,
  series: string,
  day: NamingDay,
  document: AnyDocument,
): Promise<string> {
  const parts = series.includes('#') ? series : `${series}.#####`
  let name = ''
  for (const piece of parts.split('.').flatMap((part) => part.split(/(#+)/))) {
    name += piece.startsWith('#') ? await nextNumber(tx, name, piece.length) : expanded(piece, day, document)
  }
  return name
}

/**
 * The next name of a format, such as `EDU-CE-{YYYY}-{#####}`. All formats of a tenant share one counter, as upstream's
 * do.
 */
export async function nextOfFormat(
  tx: Transaction,
  format: string,
  day: NamingDay,
  document: AnyDocument,
): Promise<string> {
  let name = ''
  for (const piece of format.split(/(\{[^{}]*\})/)) {
    const inside = /^\{(.*)\}$/.exec(piece)?.[1]
    if (inside === undefined) name += piece
    else name += /^#+$/.test(inside) ? await nextNumber(tx, '', inside.length) : expanded(inside, day, document)
  }
  return name
}

function expanded(piece: string, { today, fiscalYear }: NamingDay, document: AnyDocument): string {
  const [year = '', month = '', day = ''] = today.split('-')
  const dated: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    DD: day,
    WW: String(getWeek(today)).padStart(2, '0'),
    FY: fiscalYear,
  }
  const known = Object.hasOwn(dated, piece) ? dated[piece] : undefined
  if (known !== undefined) return known
  const field = /^\{(\w+)\}$/.exec(piece)?.[1]
  return field === undefined ? piece : String((Object.hasOwn(document, field) && document[field]) || '')
}

/** The number of the week (ISO 8601). */
function getWeek(day: string): number {
  const date = new Date(`${day}T00:00:00Z`)
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000)
  const firstOfYear = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday.getTime() - firstOfYear) / (7 * 86_400_000))
}

async function nextNumber(tx: Transaction, prefix: string, digits: number): Promise<string> {
  const [number] = await takeNumbers(tx, prefix, 1)
  return String(number).padStart(digits, '0')
}

/** Returns the number of a deleted record to its series when no later one was taken. */
export async function giveBackName(tx: Transaction, name: string): Promise<void> {
  const digits = /(?<!\d)\d{1,9}$/.exec(name)?.[0]
  if (digits === undefined) return
  const prefix = name.slice(0, -digits.length)
  await giveBackNumber(tx, prefix, Number(digits))
}

/**
 * The name of an amendment: the cancelled record's with `-1`, or with the next number when it was an amendment itself.
 */
export function amendedName(source: AnyDocument): string {
  const [, stem, number] = /^(.*)-(\d+)$/.exec(source.name) ?? []
  return source.amended_from && stem !== undefined ? `${stem}-${Number(number) + 1}` : `${source.name}-1`
}

/**
 * Returns a trimmed name. Throws `ValidationError` for an empty one, `NameError` for one with `<` or `>` or that looks
 * like a new record's, `CharacterLengthExceededError` for more than 140 characters.
 */
export function requireName(typeName: string, name: string): string {
  const trimmed = name.trim()
  if (trimmed === '')
    throw new RecordError('ValidationError', `Name of ${typeName} must not be empty. Fill in what it is named after.`)
  if (/[<>\0]/.test(trimmed) || trimmed === typeName || trimmed.startsWith(`New ${typeName}`)) {
    throw new RecordError('NameError', `${JSON.stringify(trimmed.slice(0, 140))} cannot be the name of a ${typeName}.`)
  }
  if (trimmed.length > 140) {
    throw new RecordError('CharacterLengthExceededError', `The name of a ${typeName} has at most 140 characters.`)
  }
  return trimmed
}

/**
 * The name of a row that is stored by its id alone: the last 50 bits, in base 32, as the views of such rows have them.
 */
export function getRowName(id: string): string {
  const bits = BigInt(`0x${id.replaceAll('-', '').slice(-13)}`)
  return Array.from(
    { length: 10 },
    (_, position) => hashLetters[Number((bits >> BigInt(45 - 5 * position)) & 31n)],
  ).join('')
}
