type Version = '02' | '04' | '08'

interface CamtEntry {
  readonly version?: Version
  readonly sign?: 'CRDT' | 'DBIT'
  readonly amount?: string
  readonly status?: string
  readonly bankReference?: string
  readonly endToEndId?: string
  readonly reference?: string
  readonly bookedOn?: string
  readonly name?: string
  readonly text?: string
  /** Transactions instead of the one that is made of the other values. */
  readonly details?: string
  /** Further elements of the transaction. */
  readonly extra?: string
}

/** An entry of a camt message. */
export function camtEntry({
  version = '08',
  sign = 'CRDT',
  amount = '250.50',
  status = 'BOOK',
  bankReference = 'BANK-1',
  endToEndId = 'E2E-1',
  reference = 'RF18539007547034',
  bookedOn = '2026-02-02',
  name = 'Ada Dyer',
  text = 'Fees of February',
  details,
  extra = '',
}: CamtEntry = {}): string {
  const person = version === '08' ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`
  const structured = reference === '' ? '' : `<Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd>`
  // Version 04 alone asks for it.
  const own = version === '04' ? `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>` : ''
  const transaction = `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>${own}
    <RltdPties><Dbtr>${person}</Dbtr>
      <DbtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></DbtrAcct></RltdPties>
    <RmtInf><Ustrd>${text}</Ustrd>${structured}</RmtInf>${extra}</TxDtls>`
  const bank = bankReference === '' ? '' : `<AcctSvcrRef>${bankReference}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>
    <Sts>${version === '08' ? `<Cd>${status}</Cd>` : status}</Sts>
    <BookgDt><Dt>${bookedOn}</Dt></BookgDt><ValDt><DtTm>2026-02-03T00:00:00+01:00</DtTm></ValDt>${bank}<BkTxCd/>
    <NtryDtls>${details ?? transaction}</NtryDtls></Ntry>`
}

interface Camt {
  readonly version?: Version
  readonly message?: '053' | '054'
  readonly iban?: string
  readonly currency?: string
  readonly number?: string
  readonly opening?: string
  readonly closing?: string
  readonly from?: string
  readonly to?: string
  readonly entries: readonly string[]
}

/** A camt message with one statement or notification. */
export function camt({
  version = '08',
  message = '053',
  iban = 'DE89370400440532013000',
  currency = 'EUR',
  number = '7',
  opening = '100.00',
  closing = '350.50',
  from = '2026-02-01',
  to = '2026-02-03',
  entries,
}: Camt): string {
  const balance = (kind: string, signed: string, day: string) => `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>
    <Amt Ccy="${currency}">${signed.replace('-', '')}</Amt><CdtDbtInd>${signed.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>
    <Dt><Dt>${day}</Dt></Dt></Bal>`
  const [outer, inner] = message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const balances = message === '053' ? balance('OPBD', opening, from) + balance('CLBD', closing, to) : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${version}">
  <${outer}><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-02-03T20:00:00</CreDtTm></GrpHdr>
    <${inner}><Id>S-${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb><CreDtTm>2026-02-03T20:00:00</CreDtTm>
      <FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>
      <Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
      ${balances}
      ${entries.join('\n')}
    </${inner}>
  </${outer}>
</Document>`
}

const germanEntry = [
  ':61:2602030202C250,50NTRFNONREF//BANK-1',
  ':86:166?00GUTSCHRIFT?20EREF+E2E-1?21SVWZ+RF18539007547034 Fees?22 of February?31FR1420041010050500013M02606?32Ada Dyer',
]

/** An MT940 statement. */
export function mt940({ entries = germanEntry, closing = 'C260203EUR350,50' } = {}): string {
  const head = [':20:STARTUMS', ':25:37040044/532013000', ':28C:00007/001', ':60F:C260201EUR100,00']
  return [...head, ...entries, `:62F:${closing}`, '-'].join('\r\n')
}

/** An OFX file of version 1. */
export function ofx({ account = '532013000', reference = 'FIT-1', memo = 'RF18539007547034' } = {}): string {
  return `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX>
<BANKMSGSRSV1>
<STMTTRNRS>
<STMTRS>
<CURDEF>EUR
<BANKACCTFROM>
<BANKID>37040044
<ACCTID>${account}
<ACCTTYPE>CHECKING
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>20260201
<DTEND>20260203
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20260202120000[+1:CET]
<TRNAMT>250.50
<FITID>${reference}
<NAME>Dyer &amp; Co
<MEMO>${memo}
</STMTTRN>
</BANKTRANLIST>
<LEDGERBAL>
<BALAMT>350.50
<DTASOF>20260203
</LEDGERBAL>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>`
}
