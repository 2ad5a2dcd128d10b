import type { Steps } from '../../../../concurrency/index.ts'
import { type Entry, type EntryPart, type Place, refuse, type Statement } from './statement.ts'
import { decodeText, readAmount, readIsoDay, readText } from './values.ts'
import { all, first, readXmlTree, textAt, textsAt, type XmlNode } from './xml-tree.ts'

const versions = /^urn:iso:std:iso:20022:tech:xsd:camt\.(053\.001\.(?:02|04|08)|054\.001\.\d\d)$/

/** The statements of a camt.053 or the notifications of a camt.054 (ISO 20022). Throws `RejectedStatement`. */
export function* readCamt(bytes: Uint8Array): Steps<{ readonly format: string; readonly statements: Statement[] }> {
  const read = (entry: XmlNode, document: XmlNode) => {
    requireVersion(document)
    return isBooked(entry) ? readEntry(entry) : null
  }
  const root = yield* readXmlTree(decodeXml(bytes), { name: 'Ntry', read })
  const version = requireVersion(root)
  const isStatement = version.startsWith('053')
  const message = first(root, isStatement ? 'BkToCstmrStmt' : 'BkToCstmrDbtCdtNtfctn')
  const found = message === null ? [] : all(message, isStatement ? 'Stmt' : 'Ntfctn')
  if (found.length === 0) refuse(root.place, 'no_statement', 'The document has no statement.')
  return { format: `camt.${version}`, statements: found.map((node) => readStatement(node, isStatement)) }
}

/** The version of a message, such as `053.001.08`. Throws for one that is not read. */
function requireVersion({ name, namespace, place }: XmlNode): string {
  const [, version] = versions.exec(namespace) ?? []
  if (name === 'Document' && version !== undefined) return version
  const detail = 'The document is none of camt.053.001.02, .04, .08 or camt.054. Export the statement in one of these.'
  return refuse(place, 'unsupported_format', detail)
}

/** XML in the encoding that it declares: UTF-8 by default. */
function decodeXml(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const [, label = 'utf-8'] = /^[^<]{0,3}<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)["']/.exec(head) ?? []
  if (/^utf-?8$/i.test(label)) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      return refuse({ line: 1, column: 1 }, 'encoding', 'The file is not in UTF-8, as it says.')
    }
  }
  if (/^(?:iso-8859-1|iso-8859-15|windows-1252)$/i.test(label)) return new TextDecoder(label).decode(bytes)
  return /^utf-16(?:le|be)?$/i.test(label) ? new TextDecoder(label).decode(bytes) : decodeText(bytes)
}

function readStatement(node: XmlNode, hasBalances: boolean): Statement {
  const account = textAt(node, 'Acct', 'Id', 'IBAN') ?? textAt(node, 'Acct', 'Id', 'Othr', 'Id')
  if (account === null) refuse(node.place, 'required', 'The statement names no account (Acct/Id).')
  const entries = all(node, 'Ntry').flatMap(({ value }) => (value as Entry | null) ?? [])
  const balances = all(node, 'Bal').map(readBalance)
  const opening = balances.find(({ kind }) => kind === 'OPBD' || kind === 'PRCD') ?? findInterim(balances, 0)
  const closing = balances.find(({ kind }) => kind === 'CLBD') ?? findInterim(balances, -1)
  if (hasBalances && (opening === undefined || closing === undefined)) {
    const missing = opening === undefined ? 'opening balance (OPBD)' : 'closing balance (CLBD)'
    refuse(node.place, 'balance_missing', `The statement has no ${missing}.`)
  }
  const currency = textAt(node, 'Acct', 'Ccy') ?? opening?.currency ?? entries[0]?.currency ?? null
  if (currency === null) refuse(node.place, 'required', 'The statement names no currency (Acct/Ccy).')
  const days = entries.map(({ bookedOn }) => bookedOn).sort()
  const told = (name: string) => readIsoDay(textAt(node, 'FrToDt', name) ?? '')
  return {
    account,
    currency,
    number: readText(textAt(node, 'ElctrncSeqNb') ?? textAt(node, 'LglSeqNb') ?? textAt(node, 'Id')),
    from: told('FrDtTm') ?? told('FrDt') ?? days[0] ?? opening?.day ?? null,
    to: told('ToDtTm') ?? told('ToDt') ?? closing?.day ?? days.at(-1) ?? null,
    openingBalance: hasBalances ? (opening?.amount ?? null) : null,
    closingBalance: hasBalances ? (closing?.amount ?? null) : null,
    entries,
    place: node.place,
    end: closing?.place ?? node.place,
  }
}

interface Balance {
  readonly kind: string | null
  readonly amount: number
  readonly currency: string
  readonly day: string | null
  readonly place: Place
}

function readBalance(node: XmlNode): Balance {
  const kind = textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(node, 'Tp', 'CdOrPrtry', 'Prtry')
  const day = readIsoDay(textAt(node, 'Dt', 'Dt') ?? textAt(node, 'Dt', 'DtTm') ?? '')
  return { kind, ...readMoney(node), day, place: node.place }
}

/** Pages of a statement have interim balances: the first opens, the last closes. */
function findInterim(balances: readonly Balance[], at: 0 | -1): Balance | undefined {
  const interim = balances.filter(({ kind }) => kind === 'ITBD' || kind === 'OPBD' || kind === 'CLBD')
  return interim.length > 1 ? interim.at(at) : undefined
}

/** Version 08 puts the status into a choice. */
function isBooked(entry: XmlNode): boolean {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK'
  return status === 'BOOK'
}

/** The amount of a node with the sign of its credit or debit indicator. */
function readMoney(node: XmlNode): { amount: number; currency: string } {
  const sent = first(node, 'Amt')
  const amount = sent === null ? null : readAmount(sent.text.trim())
  const currency = sent?.attributes.Ccy
  if (sent === null || amount === null || currency === undefined) {
    refuse((sent ?? node).place, 'wrong_amount', 'There must be an amount with its currency here (Amt).')
  }
  const indicator = textAt(node, 'CdtDbtInd')
  if (indicator !== 'CRDT' && indicator !== 'DBIT') {
    refuse(node.place, 'wrong_indicator', 'CdtDbtInd must be CRDT or DBIT.')
  }
  return { amount: indicator === 'CRDT' ? amount : -amount || 0, currency }
}

function readDate(node: XmlNode, name: string): string | null {
  const sent = textAt(node, name, 'Dt') ?? textAt(node, name, 'DtTm')
  if (sent === null) return null
  const day = readIsoDay(sent)
  return day ?? refuse((first(node, name) ?? node).place, 'wrong_date', `${sent} is no date.`)
}

function readEntry(node: XmlNode): Entry {
  const { amount, currency } = readMoney(node)
  const valueOn = readDate(node, 'ValDt')
  const bookedOn = readDate(node, 'BookgDt') ?? valueOn
  if (bookedOn === null) refuse(node.place, 'required', 'The entry has no booking date (BookgDt).')
  const transactions = all(node, 'NtryDtls').flatMap((details) => all(details, 'TxDtls'))
  const [only] = transactions
  const single = only !== undefined && transactions.length === 1 ? readPart(only, amount) : null
  const entryText = textAt(node, 'AddtlNtryInf')
  const ofTransaction = only !== undefined && transactions.length === 1 ? textAt(only, 'Refs', 'AcctSvcrRef') : null
  const details = transactions.length > 1 ? transactions.map((each) => readPart(each, null, amount)) : []
  return {
    bookedOn,
    valueOn,
    amount,
    currency,
    bankReference: readText(textAt(node, 'AcctSvcrRef') ?? ofTransaction ?? textAt(node, 'NtryRef')),
    endToEndId: single?.endToEndId ?? null,
    reference: single?.reference ?? null,
    name: single?.name ?? null,
    iban: single?.iban ?? null,
    text: single?.text ?? readText(entryText),
    returnReason: single?.returnReason ?? null,
    details,
  }
}

/** A transaction; its amount is that of its entry where it is the only one. */
function readPart(node: XmlNode, known: number | null, ofEntry = 0): EntryPart {
  const sent = first(node, 'Amt') ?? first(node, 'AmtDtls', 'TxAmt', 'Amt') ?? first(node, 'AmtDtls', 'InstdAmt', 'Amt')
  const amount = known ?? (sent === null ? null : readAmount(sent.text.trim()))
  if (amount === null) refuse(node.place, 'wrong_amount', 'The transaction of a batch has no amount (Amt).')
  const indicator = textAt(node, 'CdtDbtInd')
  const isDebit = indicator === null ? ofEntry < 0 : indicator === 'DBIT'
  const signed = known ?? (isDebit ? -amount || 0 : amount)
  // The other side: who paid what came in, and who got what went out; of a return, the payer.
  const reason = textAt(node, 'RtrInf', 'Rsn', 'Cd') ?? textAt(node, 'RtrInf', 'Rsn', 'Prtry')
  const other = signed > 0 || reason !== null ? 'Dbtr' : 'Cdtr'
  const free = textsAt(node, 'RmtInf', 'Ustrd')
  return {
    amount: signed,
    endToEndId: readText(textAt(node, 'Refs', 'EndToEndId')),
    reference: readText(textAt(node, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref')),
    name: readText(textAt(node, 'RltdPties', other, 'Nm') ?? textAt(node, 'RltdPties', other, 'Pty', 'Nm')),
    iban: readText(textAt(node, 'RltdPties', `${other}Acct`, 'Id', 'IBAN')),
    text: readText(free.length > 0 ? free.join(' ') : textAt(node, 'AddtlTxInf')),
    returnReason: readText(reason ?? (first(node, 'RtrInf') === null ? null : 'NARR')),
  }
}
