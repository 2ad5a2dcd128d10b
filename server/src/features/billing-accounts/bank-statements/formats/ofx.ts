import { mapSteps, type Steps } from '../../../../concurrency/index.ts'
import { type Entry, type Place, refuse, type Statement, untold } from './statement.ts'
import { listLines, readSignedAmount, readText, toDay } from './values.ts'

/** An element of OFX: in version 1 (SGML) those with a value are not closed. */
interface Tag {
  readonly name: string
  readonly isEnd: boolean
  readonly text: string
  readonly place: Place
}

/** The statements of an OFX file, of version 1 (SGML) or 2 (XML). Throws `RejectedStatement`. */
export function* readOfx(bytes: Uint8Array): Steps<Statement[]> {
  const source = decodeOfx(bytes)
  const tags = yield* readTags(source)
  const root = tags.find(({ name }) => name === 'OFX')
  if (root === undefined) {
    refuse({ line: 1, column: 1 }, 'unsupported_format', 'An OFX file has an element OFX. Export the statement as OFX.')
  }
  const last = tags.at(-1) as Tag
  if (last.name !== 'OFX' || !last.isEnd) {
    refuse(last.place, 'truncated', 'The file ends before </OFX>. Fetch it from the bank again.')
  }
  const found = [...within(tags, 'STMTRS'), ...within(tags, 'CCSTMTRS')]
  if (found.length === 0) refuse(root.place, 'no_statement', 'The file has no statement (STMTRS).')
  const statements: Statement[] = []
  for (const each of found) statements.push(yield* readStatement(each))
  return statements
}

/** The text in the encoding of the header: UTF-8 where it says so, or Windows-1252. */
function decodeOfx(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 400))
  const isPlain = /CHARSET:\s*(?:1252|ISO-8859-1|8859-1)/i.test(head) && !/ENCODING:\s*(?:UTF-8|UNICODE)/i.test(head)
  if (isPlain) return new TextDecoder('windows-1252').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function* readTags(source: string): Steps<Tag[]> {
  const tags: Tag[] = []
  let line = 0
  for (const text of listLines(source)) {
    line += 1
    yield
    for (const match of text.matchAll(/<(\/?)([A-Z0-9.]+)>([^<]*)/g)) {
      const [, slash, name = '', value = ''] = match
      yield
      tags.push({
        name,
        isEnd: slash === '/',
        text: unescaped(value.trim()),
        place: { line, column: match.index + 1 },
      })
    }
  }
  return tags
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|nbsp|quot|apos);/g, (_, name: string) => entities[name] as string)
}

/**
 * The elements between each beginning and end of a name, the beginning included. Elements of one name are not nested, so that each is in
 * one of them. Throws where one has no end.
 */
function within(tags: readonly Tag[], name: string): Tag[][] {
  const found: Tag[][] = []
  let end: number | null = null
  let unclosed: Tag | null = null
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    const tag = tags[index] as Tag
    if (tag.name !== name) continue
    if (tag.isEnd) end = index
    else if (end === null) unclosed = tag
    else {
      found.push(tags.slice(index, end))
      end = null
    }
  }
  if (unclosed !== null) {
    refuse(unclosed.place, 'truncated', `<${name}> is not closed. Fetch the file from the bank again.`)
  }
  return found.reverse()
}

/** The value of the first element of a name. */
function textOf(tags: readonly Tag[], name: string): string | null {
  return readText(tags.find((tag) => tag.name === name && !tag.isEnd)?.text)
}

function* readStatement(tags: readonly Tag[]): Steps<Statement> {
  const place = (tags[0] as Tag).place
  const [account] = [...within(tags, 'BANKACCTFROM'), ...within(tags, 'CCACCTFROM')]
  const number = account === undefined ? null : textOf(account, 'ACCTID')
  if (account === undefined || number === null) refuse(place, 'required', 'The statement names no account (ACCTID).')
  const currency = textOf(tags, 'CURDEF')
  if (currency === null) refuse(place, 'required', 'The statement names no currency (CURDEF).')
  const entries = yield* mapSteps(within(tags, 'STMTTRN'), (entry) => readEntry(entry, currency))
  const [balance] = within(tags, 'LEDGERBAL')
  const days = entries.map(({ bookedOn }) => bookedOn).sort()
  const bank = textOf(account, 'BANKID')
  return {
    account: /^[A-Z]{2}\d{2}/.test(number) || bank === null ? number : `${bank}/${number}`,
    currency: currency.toUpperCase(),
    number: null,
    from: readDay(textOf(tags, 'DTSTART')) ?? days[0] ?? null,
    to: readDay(textOf(tags, 'DTEND')) ?? days.at(-1) ?? null,
    // The format has no opening balance, and its closing one may be of another day than its last entry.
    openingBalance: null,
    closingBalance: balance === undefined ? null : readSignedAmount(textOf(balance, 'BALAMT') ?? ''),
    entries,
    place,
    end: (tags.at(-1) as Tag).place,
  }
}

/** The day of a date with or without time (OFX 3.2.8.2). */
function readDay(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(text ?? '') ?? []
  return day === undefined ? null : toDay(Number(year), Number(month), Number(day))
}

function readEntry(tags: readonly Tag[], ofStatement: string): Entry {
  const place = (tags[0] as Tag).place
  const amount = readSignedAmount(textOf(tags, 'TRNAMT') ?? '')
  if (amount === null) refuse(place, 'wrong_amount', 'The entry has no amount (TRNAMT).')
  const bookedOn = readDay(textOf(tags, 'DTPOSTED'))
  if (bookedOn === null) refuse(place, 'wrong_date', 'The entry has no date (DTPOSTED).')
  const [currency] = within(tags, 'CURRENCY')
  const [other] = within(tags, 'BANKACCTTO')
  const account = other === undefined ? null : textOf(other, 'ACCTID')
  return {
    ...untold,
    bookedOn,
    valueOn: readDay(textOf(tags, 'DTAVAIL')),
    amount,
    currency: (currency === undefined ? null : textOf(currency, 'CURSYM')) ?? ofStatement.toUpperCase(),
    bankReference: textOf(tags, 'FITID'),
    reference: textOf(tags, 'REFNUM'),
    name: textOf(tags, 'NAME'),
    iban: account !== null && /^[A-Z]{2}\d{2}/.test(account) ? account : null,
    text: textOf(tags, 'MEMO'),
    details: [],
  }
}
