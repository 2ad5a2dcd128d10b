import type { Field } from '@matricula/contract/record-types'
import { moneyText } from './money.ts'

/** How values are read in a language: dates, times, numbers, money. */
export interface Reader {
  readonly language: string
  readonly named: (label: string) => string
  /** The currency that amounts are in (ISO 4217); null where it may be any. */
  readonly currency: string | null
}

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>()

function cachedFormat<Format extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => Format): Format {
  const known = formats.get(key) ?? make()
  formats.set(key, known)
  return known as Format
}

/** A value as people read it. Dates and times are the institution's, as they are stored; nothing is moved to the browser's zone. */
export function shownValue(field: Field | undefined, value: unknown, { language, named, currency }: Reader): string {
  if (value === null || value === undefined || value === '') return ''
  const text = String(value)
  switch (field?.type) {
    case 'Check':
      return Number(value) === 1 ? '✓' : '–'
    case 'Select':
      return named(text)
    case 'Date':
      return showDate(language, text)
    case 'Datetime':
      return `${showDate(language, text.slice(0, 10))} ${text.slice(11, 16)}`
    case 'Time':
      return text.slice(0, 5)
    case 'Currency':
      return moneyText(language, Number(value), currency)
    case 'Int':
    case 'Float':
    case 'Percent':
      return cachedFormat(`number ${language}`, () => new Intl.NumberFormat(language)).format(Number(value))
    case 'Table':
      return ''
    default:
      return text
  }
}

/** A calendar date (`YYYY-MM-DD`) as a language writes it. */
export function showDate(language: string, text: string): string {
  const day = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return text
  const make = () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return cachedFormat(`date ${language}`, make).format(day)
}
