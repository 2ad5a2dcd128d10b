import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import { type Collection, type Initiation, type PainVersion, writePain } from './pain.ts'
import { toSepaText } from './sepa-text.ts'

const collection: Collection = {
  endToEndId: 'DD-01985b2e5a0070008000000000000401',
  sequence: 'FRST',
  amount: 1250.5,
  currency: 'EUR',
  mandateId: "M-1/O'Neil",
  signedAt: '2026-01-02',
  debtorName: 'Família Müller & Søn <Ł>',
  debtorIban: 'DE89370400440532013000',
  text: 'EDU-FEE-2026-00001',
}

function anInitiation(painVersion: PainVersion, collections: readonly Collection[] = [collection]): Initiation {
  return {
    messageId: '01985b2e5a0070008000000000000400',
    createdAt: '2026-11-01T08:09:10.123Z',
    collectionDate: '2026-11-16',
    creditor: {
      name: 'Lycée Saint-Exupéry',
      creditorId: 'DE98ZZZ09999999999',
      iban: 'DE75512108001245126199',
      bic: 'SOGEDEFF',
      painVersion,
    },
    collections,
  }
}

/** The leaves of a document as `path=text`, in their order. */
function readLeaves(xml: string): string[] {
  const parser = new SaxesParser()
  const path: string[] = []
  const leaves: string[] = []
  let text = ''
  let isLeaf = false
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', ({ name, attributes }) => {
    path.push(attributes.Ccy === undefined ? name : `${name}@${attributes.Ccy}`)
    text = ''
    isLeaf = true
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('closetag', () => {
    if (isLeaf) leaves.push(`${path.slice(2).join('/')}=${text}`)
    path.pop()
    isLeaf = false
  })
  parser.write(xml).close()
  return leaves
}

function expectLeaves(bank: string): string[] {
  return [
    'GrpHdr/MsgId=01985b2e5a0070008000000000000400',
    'GrpHdr/CreDtTm=2026-11-01T08:09:10Z',
    'GrpHdr/NbOfTxs=1',
    'GrpHdr/CtrlSum=1250.50',
    'GrpHdr/InitgPty/Nm=Lycee Saint-Exupery',
    'PmtInf/PmtInfId=01985b2e5a0070008000000000000400-1',
    'PmtInf/PmtMtd=DD',
    'PmtInf/NbOfTxs=1',
    'PmtInf/CtrlSum=1250.50',
    'PmtInf/PmtTpInf/SvcLvl/Cd=SEPA',
    'PmtInf/PmtTpInf/LclInstrm/Cd=CORE',
    'PmtInf/PmtTpInf/SeqTp=FRST',
    'PmtInf/ReqdColltnDt=2026-11-16',
    'PmtInf/Cdtr/Nm=Lycee Saint-Exupery',
    'PmtInf/CdtrAcct/Id/IBAN=DE75512108001245126199',
    `PmtInf/CdtrAgt/FinInstnId/${bank}=SOGEDEFF`,
    'PmtInf/ChrgBr=SLEV',
    'PmtInf/CdtrSchmeId/Id/PrvtId/Othr/Id=DE98ZZZ09999999999',
    'PmtInf/CdtrSchmeId/Id/PrvtId/Othr/SchmeNm/Prtry=SEPA',
    'PmtInf/DrctDbtTxInf/PmtId/EndToEndId=DD-01985b2e5a0070008000000000000401',
    'PmtInf/DrctDbtTxInf/InstdAmt@EUR=1250.50',
    "PmtInf/DrctDbtTxInf/DrctDbtTx/MndtRltdInf/MndtId=M-1/O'Neil",
    'PmtInf/DrctDbtTxInf/DrctDbtTx/MndtRltdInf/DtOfSgntr=2026-01-02',
    'PmtInf/DrctDbtTxInf/DbtrAgt/FinInstnId/Othr/Id=NOTPROVIDED',
    'PmtInf/DrctDbtTxInf/Dbtr/Nm=Familia Muller + Son .L.',
    'PmtInf/DrctDbtTxInf/DbtrAcct/Id/IBAN=DE89370400440532013000',
    'PmtInf/DrctDbtTxInf/RmtInf/Ustrd=EDU-FEE-2026-00001',
  ]
}

for (const [version, bank] of [
  ['pain.008.001.02', 'BIC'],
  ['pain.008.001.08', 'BICFI'],
] as const) {
  test(`writePain: ${version} has its namespace, and its elements in the order of the schema`, () => {
    const xml = writePain(anInitiation(version))
    assert.match(
      xml,
      new RegExp(`^<\\?xml version="1.0" encoding="UTF-8"\\?>\n<Document xmlns="urn:[a-z:0-9]*:${version}">`),
    )
    assert.deepEqual(readLeaves(xml), expectLeaves(bank))
  })
}

test('writePain: a payment information for each currency and sequence, with sums that are exact', () => {
  const many = [
    { ...collection, amount: 0.1, sequence: 'RCUR' as const },
    { ...collection, amount: 0.2, sequence: 'RCUR' as const },
    { ...collection, amount: 1_234_567.89 },
    { ...collection, amount: 10, currency: 'CHF' },
  ]
  const leaves = readLeaves(writePain(anInitiation('pain.008.001.08', many)))
  const find = (path: string) => leaves.filter((leaf) => leaf.startsWith(`${path}=`)).map((leaf) => leaf.split('=')[1])
  assert.deepEqual(find('GrpHdr/NbOfTxs'), ['4'])
  assert.deepEqual(find('GrpHdr/CtrlSum'), ['1234578.19'])
  assert.deepEqual(find('PmtInf/CtrlSum'), ['10.00', '1234567.89', '0.30'])
  assert.deepEqual(find('PmtInf/NbOfTxs'), ['1', '1', '2'])
  assert.deepEqual(find('PmtInf/PmtTpInf/SeqTp'), ['FRST', 'FRST', 'RCUR'])
  // The SEPA schemes are for euro.
  assert.deepEqual(find('PmtInf/PmtTpInf/SvcLvl/Cd'), ['SEPA', 'SEPA'])
  for (const leaf of leaves.filter((each) => /Id=/.test(each) && /(MsgId|PmtInfId|EndToEndId|MndtId)=/.test(each))) {
    assert.ok((leaf.split('=')[1] as string).length <= 35, leaf)
  }
})

test('writePain: without a BIC the bank is not named, and a name without Latin letters gives way to the mandate', () => {
  const { creditor, ...rest } = anInitiation('pain.008.001.02', [{ ...collection, debtorName: '田中', text: '。' }])
  const leaves = readLeaves(writePain({ ...rest, creditor: { ...creditor, bic: null } }))
  assert.ok(leaves.includes('PmtInf/CdtrAgt/FinInstnId/Othr/Id=NOTPROVIDED'))
  assert.ok(leaves.includes("PmtInf/DrctDbtTxInf/Dbtr/Nm=M-1/O'Neil"))
  assert.equal(
    leaves.some((leaf) => leaf.includes('RmtInf')),
    false,
  )
})

test('toSepaText: characters outside of the SEPA set are replaced, and the length is kept to', () => {
  assert.equal(toSepaText('Żółć Straße 7/B', 70), 'Zolc Strasse 7/B')
  assert.equal(toSepaText('//a//b/ ', 70), 'a/b')
  assert.equal(toSepaText('a\r\n\tb', 70), 'a b')
  assert.equal(toSepaText('“Dyer” @ 5 %', 70), 'Dyer. . 5 .')
  assert.equal(toSepaText('x'.repeat(100), 70).length, 70)
  assert.equal(toSepaText('日本', 70), '')
})
