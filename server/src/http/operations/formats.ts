import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isUuid } from '../../values/index.ts'

const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const calendarDate = /^(\d{4})-(\d{2})-(\d{2})$/
const earliest = Date.parse('0001-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * A timestamp of a request in its stored form: RFC 3339, UTC, milliseconds (further digits are truncated). A bare
 * date means midnight UTC. Null when the text is neither, or is outside of the years 1 to 9999.
 */
export function parseStamp(text: string): string | null {
  if (calendarDate.test(text)) return isCalendarDate(text) ? `${text}T00:00:00.000Z` : null
  const parts = dateTime.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, fraction, , offsetHour, offsetMinute] = parts
  if (!isCalendarDate(`${year}-${month}-${day}`)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null
  const milliseconds = (fraction ?? '').slice(0, 3).padEnd(3, '0')
  const zone = /[Zz]$/.test(text) ? 'Z' : text.slice(-6)
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`)
  if (Number.isNaN(moment) || moment < earliest || moment > latest) return null
  return new Date(moment).toISOString()
}

/** Whether a text is a date of the Gregorian calendar in the years 1 to 9999. */
export function isCalendarDate(text: string): boolean {
  const parts = calendarDate.exec(text)
  if (parts === null || parts[1] === '0000') return false
  const month = Number(parts[2]) - 1
  const day = Number(parts[3])
  // An impossible day overflows into the next month; parsing with `Date` takes many times as long.
  const date = new Date(0)
  date.setUTCFullYear(Number(parts[1]), month, day)
  return date.getUTCMonth() === month && date.getUTCDate() === day
}

const email = addFormats.default(new Ajv2020(), ['email']).formats.email as RegExp

/** Whether a text of at most 254 characters is an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && email.test(text)
}

/** The formats that the contract's schemas name. */
export function addContractFormats(ajv: Ajv2020): void {
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date', isCalendarDate)
  ajv.addFormat('date-time', (text: string) => !calendarDate.test(text) && parseStamp(text) !== null)
  ajv.addFormat('date-time-or-date', (text: string) => parseStamp(text) !== null)
  ajv.addFormat('email-or-empty', (text: string) => text === '' || isEmail(text))
  ajv.addFormat('https-url', (text: string) => /^https:\/\//i.test(text) && URL.canParse(text))
}
