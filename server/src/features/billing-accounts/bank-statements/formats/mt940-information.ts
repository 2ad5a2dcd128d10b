import type { EntryPart } from './statement.ts'
import { readText } from './values.ts'

/** What the information of an entry (:86:) tells. */
export type Information = Omit<EntryPart, 'amount'>

/**
 * Reads the information of an entry: in fields of the German banks (`166?20EREF+…?32NAME`), in words between slashes
 * (`/EREF/…/NAME/…`), else as a plain text.
 */
export function readMt940Information(information: string): Information {
  const joined = information.replace(/\n/g, '')
  if (/^\d{3}\?\d{2}/.test(joined)) return readNumbered(joined)
  if (/^\/[A-Z]{3,5}\//.test(joined.trim())) return readSlashed(joined.trim())
  const text = information.replace(/\n/g, ' ')
  const tags = readTags(joined)
  return {
    endToEndId: readText(tags.get('EREF')),
    reference: findReference(text),
    name: null,
    iban: readText(tags.get('IBAN')),
    text: readText(tags.get('SVWZ') ?? text),
    returnReason: null,
  }
}

/** Codes of a returned direct debit or transfer (ISO 20022 ExternalReturnReason1Code). */
const returnReason =
  /(?:^|[^A-Z0-9])((?:AC|AG|AM|BE|CN|DT|MD|MS|RC|RR|SL)\d{2}|CNOR|DNOR|CUST|FOCR|NARR|DUPL|TECH|UPAY)(?![A-Z0-9])/

/** Business transaction codes of returns: 108 direct debit, 109 direct debit unpaid, 159 transfer, 181 and 184 others. */
const returnCodes: ReadonlySet<string> = new Set(['108', '109', '159', '181', '184'])

function readNumbered(joined: string): Information {
  const fields = new Map<string, string>()
  for (const [, number = '', text = ''] of joined.slice(3).matchAll(/\?(\d{2})([^?]*)/g)) fields.set(number, text)
  const between = (from: number, to: number) =>
    [...fields].flatMap(([number, text]) => (Number(number) >= from && Number(number) <= to ? [text] : [])).join('')
  const purpose = between(20, 29) + between(60, 63)
  const tags = readTags(purpose)
  const text = readText(tags.get('SVWZ') ?? (tags.size > 0 ? null : purpose))
  const account = readText(fields.get('31'))
  const isReturn = returnCodes.has(joined.slice(0, 3))
  return {
    endToEndId: readText(tags.get('EREF')),
    reference: findReference(tags.get('SVWZ') ?? purpose),
    name: readText(between(32, 33)),
    iban: readText(tags.get('IBAN')) ?? (account !== null && /^[A-Z]{2}\d{2}/.test(account) ? account : null),
    text,
    returnReason: isReturn ? (returnReason.exec(`${text ?? ''} ${purpose}`)?.[1] ?? 'NARR') : null,
  }
}

/** What stands behind the tags of SEPA (`EREF+`, `SVWZ+` and others) in a purpose. */
function readTags(purpose: string): Map<string, string> {
  const tag = /(?:EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC)\+/g
  const found = [...purpose.matchAll(tag)]
  return new Map(
    found.map((match, index) => {
      const from = match.index + match[0].length
      return [match[0].slice(0, -1), purpose.slice(from, found[index + 1]?.index)] as const
    }),
  )
}

const words =
  'EREF|PREF|REMI|NAME|IBAN|BIC|TRTP|RTRN|MARF|CSID|ORDP|BENM|ADDR|ISDT|SVCL|PURP|ULTD|ULTB|ULTC|CNTP|INV|OCMT|CHGS|EXCH'

function readSlashed(joined: string): Information {
  const fields = new Map<string, string>()
  const found = [...joined.matchAll(new RegExp(`/(${words})/`, 'g'))]
  for (const [index, match] of found.entries()) {
    const text = joined.slice(match.index + match[0].length, found[index + 1]?.index)
    if (!fields.has(match[1] as string)) fields.set(match[1] as string, text)
  }
  const [iban, , name] = fields.get('CNTP')?.split('/') ?? []
  const remittance = fields.get('REMI') ?? ''
  const [, structured] = /STRD\/(?:CUR\/|ISO\/|[A-Z]*\/)?([^/]+)/.exec(remittance) ?? []
  const free = remittance.replace(/^(?:USTD|STRD)\/[A-Z]*\/?/, '')
  return {
    endToEndId: readText(withoutSlash(fields.get('EREF'))),
    reference: readText(structured) ?? findReference(free),
    name: readText(withoutSlash(fields.get('NAME') ?? name)),
    iban: readText(withoutSlash(fields.get('IBAN') ?? iban)),
    text: readText(withoutSlash(free)),
    returnReason: readText(withoutSlash(fields.get('RTRN'))?.split('/')[0]),
  }
}

const withoutSlash = (text: string | undefined) => text?.replace(/(?<!\/)\/+$/, '')

/** A creditor reference (ISO 11649) in a text, where one stands there by itself. */
function findReference(text: string): string | null {
  const [found] = /(?<![A-Z0-9])RF\d{2}[A-Z0-9]{1,21}(?![A-Z0-9])/.exec(text) ?? []
  return found ?? null
}
