import type { Steps } from '../../../../concurrency/index.ts'
import { readMt940Information } from './mt940-information.ts'
import { type Entry, type Place, refuse, type Statement } from './statement.ts'
import { decodeText, listLines, readAmount, readText, toDay } from './values.ts'

/** A field of a SWIFT message: its tag, its text with the lines that continue it, and where it stands. */
interface Field {
  readonly tag: string
  readonly text: string
  readonly place: Place
}

/** The statements of an MT940 file (SWIFT). Throws `RejectedStatement`. */
export function* readMt940(bytes: Uint8Array): Steps<Statement[]> {
  const fields = yield* readFields(decodeText(bytes))
  const begin = fields.flatMap(({ tag }, index) => (tag === '20' ? [index] : []))
  if (begin.length === 0 || begin[0] !== 0) {
    refuse(fields[0]?.place ?? { line: 1, column: 1 }, 'unsupported_format', 'An MT940 statement begins with :20:.')
  }
  const statements: Statement[] = []
  for (const [index, from] of begin.entries()) {
    statements.push(yield* readStatement(fields.slice(from, begin[index + 1])))
  }
  return statements
}

/** Fields begin with a tag at the beginning of a line; what follows up to the next one belongs to them. */
function* readFields(source: string): Steps<Field[]> {
  const fields: Field[] = []
  let number = 0
  for (const whole of listLines(source.replace(/^\uFEFF/, ''))) {
    yield
    number += 1
    // The envelope of SWIFT may stand before the first and behind the last field.
    const line = whole.replace(/^\{1:.*\{4:/, '').trimEnd()
    const [, tag, text = ''] = /^:(\d{2}[A-Z]?):(.*)$/.exec(line) ?? []
    const last = fields.at(-1)
    if (tag !== undefined) {
      fields.push({ tag, text, place: { line: number, column: whole.length - line.length + 1 } })
    } else if (last !== undefined && !/^-\}?/.test(line) && line !== '') {
      fields[fields.length - 1] = { ...last, text: `${last.text}\n${line}` }
    } else if (last === undefined && line !== '' && !/^[{}-]/.test(line)) {
      refuse({ line: number, column: 1 }, 'unsupported_format', 'An MT940 statement begins with :20:.')
    }
  }
  return fields
}

function* readStatement(fields: readonly Field[]): Steps<Statement> {
  const place = fields[0]?.place ?? { line: 1, column: 1 }
  const end = fields.at(-1)?.place ?? place
  const find = (...tags: string[]) => fields.find(({ tag }) => tags.includes(tag))
  const account = find('25', '25P')?.text.split('\n')[0]?.trim()
  if (account === undefined || account === '') refuse(place, 'required', 'The statement names no account (:25:).')
  const opening = find('60F', '60M')
  if (opening === undefined) refuse(place, 'balance_missing', 'The statement has no opening balance (:60F:).')
  const closing = find('62F', '62M')
  if (closing === undefined) {
    refuse(end, 'truncated', 'The statement ends without a closing balance (:62F:). Fetch it from the bank again.')
  }
  const from = readBalance(opening)
  const to = readBalance(closing)
  if (from.currency !== to.currency) {
    refuse(closing.place, 'other_currency', `The balances are in ${from.currency} and in ${to.currency}.`)
  }
  return {
    // Some banks write the currency behind the number of the account.
    account: account.replace(/\s+|(?<=\d)[A-Z]{3}$/g, ''),
    currency: from.currency,
    number: readText(find('28C', '28')?.text),
    from: from.day,
    to: to.day,
    openingBalance: from.amount,
    closingBalance: to.amount,
    entries: yield* readEntries(fields, from.currency),
    place,
    end: closing.place,
  }
}

function readBalance({ text, place }: Field): { amount: number; currency: string; day: string } {
  const [, sign, date, currency, sent] = /^([CD])(\d{6})([A-Z]{3})([\d,.]+)$/.exec(text.trim()) ?? []
  const amount = readAmount(sent ?? '')
  const day = readShortDay(date ?? '')
  if (currency === undefined || amount === null || day === null) {
    refuse(place, 'wrong_balance', 'A balance has C or D, a date as YYMMDD, a currency and an amount with a comma.')
  }
  return { amount: sign === 'C' ? amount : -amount || 0, currency, day }
}

/** A day as YYMMDD (SWIFT: years from 80 are of the last century). */
function readShortDay(text: string): string | null {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(text) ?? []
  if (day === undefined) return null
  return toDay(Number(year) + (Number(year) < 80 ? 2000 : 1900), Number(month), Number(day))
}

/** At most so many characters of the information of an entry are read: more than a bank may write (SWIFT: 6 lines of 65). */
const maxInformation = 16_384

function* readEntries(fields: readonly Field[], currency: string): Steps<Entry[]> {
  const entries: Entry[] = []
  for (const [index, field] of fields.entries()) {
    yield
    if (field.tag !== '61') continue
    const next = fields[index + 1]
    const information = next?.tag === '86' ? next.text.slice(0, maxInformation) : ''
    entries.push(readEntry({ ...field, text: field.text.slice(0, maxInformation) }, information, currency))
  }
  return entries
}

const entryForm =
  /^(?<value>\d{6})(?<booked>\d{4})?(?<mark>RC|RD|EC|ED|C|D)(?:[A-Z])?(?<amount>\d{1,15}[,.]\d{0,5})(?<kind>[A-Z][A-Z0-9]{3})(?<own>(?:(?!\/\/).)*)(?:\/\/(?<bank>.*))?$/

/** An entry with the information that follows it (:61: and :86:). */
function readEntry({ text, place }: Field, information: string, currency: string): Entry {
  const [head = '', ...supplement] = text.split('\n')
  const { value = '', booked, mark = '', amount: sent = '', own, bank } = entryForm.exec(head.trim())?.groups ?? {}
  const amount = readAmount(sent)
  const valueOn = readShortDay(value)
  const bookedOn = valueOn === null ? null : findBooked(valueOn, booked)
  if (amount === null || valueOn === null || bookedOn === null) {
    const detail = 'An entry has its value date as YYMMDD, C or D, an amount with a comma, and its kind (:61:).'
    refuse(place, 'wrong_entry', detail)
  }
  // What is reversed goes the other way: RC takes a credit back, RD a debit.
  const isCredit = mark === 'C' || mark === 'RD' || mark === 'EC'
  const told = readMt940Information(information)
  return {
    bookedOn,
    valueOn,
    amount: isCredit ? amount : -amount || 0,
    currency,
    bankReference: readText(bank),
    ...told,
    endToEndId: told.endToEndId ?? readText(own),
    text: told.text ?? readText(supplement.join(' ')),
    details: [],
  }
}

/** The booking date as MMDD in the year in which it is nearest to the value date. */
function findBooked(valueOn: string, booked: string | undefined): string | null {
  if (booked === undefined) return valueOn
  const year = Number(valueOn.slice(0, 4))
  const days = [year - 1, year, year + 1].flatMap(
    (each) => toDay(each, Number(booked.slice(0, 2)), Number(booked.slice(2))) ?? [],
  )
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(valueOn))
  return days.sort((one, other) => distance(one) - distance(other))[0] ?? null
}
