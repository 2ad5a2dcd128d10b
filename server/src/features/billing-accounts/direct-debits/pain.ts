import { amountText, sumExactly } from '../../../money/index.ts'
import { toSepaText } from './sepa-text.ts'

export const painVersions = ['pain.008.001.02', 'pain.008.001.08'] as const
export type PainVersion = (typeof painVersions)[number]

/** Who collects. */
export interface Creditor {
  readonly name: string
  readonly creditorId: string
  readonly iban: string
  readonly bic: string | null
  readonly painVersion: PainVersion
}

/** One collection of a message. */
export interface Collection {
  /** At most 35 characters, as each id of a message. */
  readonly endToEndId: string
  readonly sequence: 'FRST' | 'RCUR'
  readonly amount: number
  readonly currency: string
  readonly mandateId: string
  /** `YYYY-MM-DD`. */
  readonly signedAt: string
  readonly debtorName: string
  readonly debtorIban: string
  /** What the payer reads on the bank statement. */
  readonly text: string
}

/** A direct debit initiation. */
export interface Initiation {
  /** At most 32 characters: the ids of its groups add three. */
  readonly messageId: string
  /** RFC 3339, in UTC. */
  readonly createdAt: string
  /** `YYYY-MM-DD`. */
  readonly collectionDate: string
  readonly creditor: Creditor
  /** At least one. */
  readonly collections: readonly Collection[]
}

/**
 * The direct debit initiation as XML in UTF-8 (ISO 20022, pain.008.001.02 or .08): collections of one currency and one
 * sequence are one payment information. Euro is collected by the SEPA Core scheme (EPC130-08).
 */
export function writePain(initiation: Initiation): string {
  const { messageId, createdAt, creditor, collections } = initiation
  const header = tag(
    'GrpHdr',
    leaf('MsgId', messageId),
    leaf('CreDtTm', `${createdAt.slice(0, 19)}Z`),
    ...countAndSum(collections),
    tag('InitgPty', leaf('Nm', toSepaText(creditor.name, 70))),
  )
  const groups = groupCollections(collections).map((group, index) =>
    writeGroup(initiation, `${messageId}-${index + 1}`, group),
  )
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${creditor.painVersion}`
  const message = tag('CstmrDrctDbtInitn', header, ...groups)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${message}</Document>\n`
}

/** At least one collection. */
type Group = readonly [Collection, ...Collection[]]

/** Collections by currency and sequence, first ones first. */
function groupCollections(collections: readonly Collection[]): Group[] {
  const groups = new Map<string, [Collection, ...Collection[]]>()
  for (const collection of collections) {
    const key = `${collection.currency} ${collection.sequence}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [collection])
    else group.push(collection)
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
}

function writeGroup({ collectionDate, creditor }: Initiation, id: string, group: Group): string {
  const [{ currency, sequence }] = group
  const scheme = currency === 'EUR' ? [code('SvcLvl', 'SEPA'), code('LclInstrm', 'CORE')] : []
  const creditorId = tag('Othr', leaf('Id', creditor.creditorId), tag('SchmeNm', leaf('Prtry', 'SEPA')))
  return tag(
    'PmtInf',
    leaf('PmtInfId', id),
    leaf('PmtMtd', 'DD'),
    ...countAndSum(group),
    tag('PmtTpInf', ...scheme, leaf('SeqTp', sequence)),
    leaf('ReqdColltnDt', collectionDate),
    tag('Cdtr', leaf('Nm', toSepaText(creditor.name, 70))),
    tag('CdtrAcct', tag('Id', leaf('IBAN', creditor.iban))),
    tag('CdtrAgt', writeBank(creditor.bic, creditor.painVersion)),
    leaf('ChrgBr', 'SLEV'),
    tag('CdtrSchmeId', tag('Id', tag('PrvtId', creditorId))),
    ...group.map((collection) => writeCollection(collection, creditor.painVersion)),
  )
}

function writeCollection(collection: Collection, version: PainVersion): string {
  const { endToEndId, amount, currency, mandateId, signedAt, debtorIban } = collection
  const text = toSepaText(collection.text, 140)
  return tag(
    'DrctDbtTxInf',
    tag('PmtId', leaf('EndToEndId', endToEndId)),
    `<InstdAmt Ccy="${escapeXml(currency)}">${toDecimal(amount, currency)}</InstdAmt>`,
    tag('DrctDbtTx', tag('MndtRltdInf', leaf('MndtId', mandateId), leaf('DtOfSgntr', signedAt))),
    tag('DbtrAgt', writeBank(null, version)),
    tag('Dbtr', leaf('Nm', toSepaText(collection.debtorName, 70) || mandateId)),
    tag('DbtrAcct', tag('Id', leaf('IBAN', debtorIban))),
    ...(text === '' ? [] : [tag('RmtInf', leaf('Ustrd', text))]),
  )
}

/** A bank by its BIC (ISO 9362); where none is said the account number names it. */
function writeBank(bic: string | null, version: PainVersion): string {
  const id = bic === null ? tag('Othr', leaf('Id', 'NOTPROVIDED')) : leaf(bicTags[version], bic)
  return tag('FinInstnId', id)
}

const bicTags: Readonly<Record<PainVersion, string>> = { 'pain.008.001.02': 'BIC', 'pain.008.001.08': 'BICFI' }

/** How many collections there are, and their control sum, whatever their currencies are. */
function countAndSum(collections: readonly Collection[]): string[] {
  const sum = sumExactly(...collections.map(({ amount }) => amount))
  return [leaf('NbOfTxs', String(collections.length)), leaf('CtrlSum', toDecimal(sum, 'EUR'))]
}

/** An amount with the digits of its currency, and a point before them. */
function toDecimal(amount: number, currency: string): string {
  return amountText(amount, currency).replaceAll(',', '')
}

const tag = (name: string, ...content: readonly string[]) => `<${name}>${content.join('')}</${name}>`
const leaf = (name: string, text: string) => tag(name, escapeXml(text))
const code = (name: string, value: string) => tag(name, leaf('Cd', value))

/** Text of an element or an attribute (XML 1.0 §2.4). */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
