import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { camt, camtEntry, mt940, ofx } from './formats.fixture.ts'
import { type CsvOptions, readStatementFile, type StatementMediaType } from './read-file.ts'
import { RejectedStatement } from './statement.ts'

const csv: CsvOptions = { account: { iban: 'DE89370400440532013000', currency: 'EUR' } }

const read = (mediaType: StatementMediaType, text: string) =>
  readStatementFile(mediaType, Buffer.from(text), mediaType === 'text/csv' ? csv : null)

/** What is told of a file that is refused. */
function errorsOf(mediaType: StatementMediaType, text: string) {
  try {
    read(mediaType, text)
  } catch (error) {
    assert.ok(error instanceof RejectedStatement, String(error))
    return error.errors
  }
  return assert.fail('the file was not refused')
}

describe('camt', () => {
  it('reads the same entries in versions 02, 04 and 08, with balances, days and number', () => {
    for (const version of ['02', '04', '08'] as const) {
      const file = read('application/xml', camt({ version, entries: [camtEntry({ version })] }))
      assert.equal(file.format, `camt.053.001.${version}`)
      assert.deepEqual(
        [file.account, file.currency, file.number, file.openingBalance, file.closingBalance],
        ['DE89370400440532013000', 'EUR', '7', 100, 350.5],
      )
      assert.deepEqual([file.from, file.to], ['2026-02-01', '2026-02-03'])
      assert.deepEqual(file.entries, [
        {
          bookedOn: '2026-02-02',
          valueOn: '2026-02-03',
          amount: 250.5,
          currency: 'EUR',
          bankReference: 'BANK-1',
          endToEndId: 'E2E-1',
          reference: 'RF18539007547034',
          name: 'Ada Dyer',
          iban: 'FR1420041010050500013M02606',
          text: 'Fees of February',
          returnReason: null,
          details: [],
        },
      ])
    }
  })

  it('reads the parts of a batch as details of one entry', () => {
    const parts = ['100.00', '150.50'].map((amount, index) => {
      const refs = `<Refs><EndToEndId>E${index}</EndToEndId></Refs>`
      return `<TxDtls>${refs}<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`
    })
    const [entry] = read('application/xml', camt({ entries: [camtEntry({ details: parts.join('') })] })).entries
    assert.equal(entry?.amount, 250.5)
    assert.deepEqual(
      entry?.details.map(({ amount, endToEndId }) => [amount, endToEndId]),
      [
        [100, 'E0'],
        [150.5, 'E1'],
      ],
    )
  })

  it('reads a returned debit with its reason, and leaves out what is only pending', () => {
    const returned = camtEntry({ sign: 'DBIT', extra: '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' })
    const pending = camtEntry({ status: 'PDNG' })
    const file = read('application/xml', camt({ closing: '-150.50', entries: [returned, pending] }))
    assert.deepEqual(
      file.entries.map(({ amount, returnReason, name }) => [amount, returnReason, name]),
      [[-250.5, 'AC04', 'Ada Dyer']],
    )
    assert.equal(file.closingBalance, -150.5)
  })

  it('reads notifications of camt.054, which have no balances', () => {
    const file = read('application/xml', camt({ message: '054', entries: [camtEntry()] }))
    assert.deepEqual([file.format, file.openingBalance, file.entries.length], ['camt.054.001.08', null, 1])
  })

  it('refuses balances that do not follow from the entries, at the closing balance', () => {
    const [error] = errorsOf('application/xml', camt({ closing: '350.51', entries: [camtEntry()] }))
    assert.equal(error?.code, 'balance_mismatch')
    assert.match(error?.detail ?? '', /0\.01 is missing/)
    assert.ok((error?.line ?? 0) > 1)
  })

  it('refuses what is cut off wherever it ends', () => {
    const whole = camt({ entries: [camtEntry()] })
    for (let length = 1; length < whole.length - 1; length += 7) {
      const errors = errorsOf('application/xml', whole.slice(0, length))
      assert.equal(errors.length, 1)
      assert.ok(['truncated', 'broken_xml'].includes(errors[0]?.code ?? ''), `${length}: ${errors[0]?.code}`)
    }
  })

  it('refuses another version, another message, entities and what is no XML', () => {
    const other = camt({ entries: [camtEntry()] }).replace('camt.053.001.08', 'pain.001.001.09')
    assert.equal(errorsOf('application/xml', other)[0]?.code, 'unsupported_format')
    assert.equal(errorsOf('application/xml', 'bookedOn,amount')[0]?.code, 'broken_xml')
    const bomb = `<!DOCTYPE a [<!ENTITY x "y">]>${camt({ entries: [camtEntry({ extra: '&x;' })] })}`
    assert.equal(errorsOf('application/xml', bomb)[0]?.code, 'broken_xml')
  })

  it('refuses statements of two accounts, and an entry in another currency', () => {
    const two = camt({ entries: [camtEntry()] })
    const statement = /<Stmt>[\s\S]*<\/Stmt>/.exec(two)?.[0] ?? ''
    const other = statement.replace('DE89370400440532013000', 'GB82WEST12345698765432')
    assert.equal(errorsOf('application/xml', two.replace(statement, statement + other))[0]?.code, 'other_account')
    const foreign = camt({ entries: [camtEntry().replace('Ccy="EUR"', 'Ccy="USD"')] })
    assert.equal(errorsOf('application/xml', foreign)[0]?.code, 'other_currency')
  })

  it('accepts a gap between statements of one file, and tells it', () => {
    const one = camt({ entries: [camtEntry()] })
    const statement = /<Stmt>[\s\S]*<\/Stmt>/.exec(one)?.[0] ?? ''
    const file = read('application/xml', one.replace(statement, statement + statement))
    assert.deepEqual(file.gaps, [{ after: '7', before: '7', expected: 350.5, found: 100 }])
    assert.deepEqual([file.openingBalance, file.closingBalance, file.entries.length], [100, 350.5, 2])
  })
})

describe('MT940', () => {
  it('reads entries with the fields of the German banks', () => {
    const file = read('text/plain', mt940())
    assert.deepEqual([file.account, file.currency, file.number], ['37040044/532013000', 'EUR', '00007/001'])
    assert.deepEqual(file.entries, [
      {
        bookedOn: '2026-02-02',
        valueOn: '2026-02-03',
        amount: 250.5,
        currency: 'EUR',
        bankReference: 'BANK-1',
        endToEndId: 'E2E-1',
        reference: 'RF18539007547034',
        name: 'Ada Dyer',
        iban: 'FR1420041010050500013M02606',
        text: 'RF18539007547034 Fees of February',
        returnReason: null,
        details: [],
      },
    ])
  })

  it('reads words between slashes, reversals and booking dates of the other year', () => {
    const entries = [
      ':61:2601021231RC10,00NTRFNONREF//B-2',
      ':86:/TRTP/SEPA/IBAN/NL91ABNA0417164300/NAME/J. DE VRIES/REMI/USTD//Fees/EREF/E-9/RTRN/MS03/',
      ':61:260102RD5,NRTINONREF',
    ]
    const file = read('text/plain', mt940({ entries, closing: 'C260103EUR95,00' }))
    assert.deepEqual(
      file.entries.map((each) => [
        each.bookedOn,
        each.amount,
        each.endToEndId,
        each.name,
        each.iban,
        each.returnReason,
      ]),
      [
        ['2025-12-31', -10, 'E-9', 'J. DE VRIES', 'NL91ABNA0417164300', 'MS03'],
        ['2026-01-02', 5, null, null, null, null],
      ],
    )
    assert.equal(file.entries[0]?.text, 'Fees')
  })

  it('reads the reason of a returned debit', () => {
    const entries = [
      ':61:2602030202D250,50NRTIE2E-1//BANK-2',
      ':86:109?00RETOURE?20EREF+E2E-1?21SVWZ+RETURN AC04 CLOSED?32ADA DYER',
    ]
    const [entry] = read('text/plain', mt940({ entries, closing: 'D260203EUR150,50' })).entries
    assert.deepEqual([entry?.amount, entry?.returnReason, entry?.endToEndId], [-250.5, 'AC04', 'E2E-1'])
  })

  it('refuses a missing closing balance, a wrong one and a wrong entry, with the line', () => {
    const cut = mt940().split(':62F:')[0] as string
    assert.equal(errorsOf('text/plain', cut)[0]?.code, 'truncated')
    const wrong = errorsOf('text/plain', mt940({ closing: 'C260203EUR350,49' }))
    assert.deepEqual([wrong[0]?.code, wrong[0]?.line, wrong[0]?.column], ['balance_mismatch', 7, 1])
    const broken = errorsOf('text/plain', mt940({ entries: [':61:2602310202C1,00NTRFX'] }))
    assert.deepEqual([broken[0]?.code, broken[0]?.line], ['wrong_entry', 5])
    assert.equal(errorsOf('text/plain', 'Dear customer')[0]?.code, 'unsupported_format')
  })
})

describe('OFX', () => {
  it('reads version 1, whose elements are not closed, and version 2', () => {
    for (const source of [ofx(), ofx().replace(/<(\w+)>([^<\n]+)$/gm, '<$1>$2</$1>')]) {
      const file = read('application/x-ofx', source)
      assert.deepEqual(
        [file.format, file.account, file.currency, file.openingBalance, file.closingBalance],
        ['ofx', '37040044/532013000', 'EUR', null, 350.5],
      )
      assert.deepEqual(
        file.entries.map(({ bookedOn, amount, bankReference, name, text }) => [
          bookedOn,
          amount,
          bankReference,
          name,
          text,
        ]),
        [['2026-02-02', 250.5, 'FIT-1', 'Dyer & Co', 'RF18539007547034']],
      )
    }
  })

  it('refuses what is cut off, has no amount or no statement', () => {
    assert.equal(errorsOf('application/x-ofx', ofx().replace('</OFX>', ''))[0]?.code, 'truncated')
    assert.equal(errorsOf('application/x-ofx', ofx().replace('250.50', 'much'))[0]?.code, 'wrong_amount')
    assert.equal(errorsOf('application/x-ofx', '<OFX>\n</OFX>')[0]?.code, 'no_statement')
    assert.equal(errorsOf('application/x-ofx', 'nothing')[0]?.code, 'unsupported_format')
  })
})

describe('CSV', () => {
  it('reads the headings in any order, with commas or semicolons', () => {
    for (const separator of [',', ';']) {
      const line = ['-12.50', '2026-02-02', '"A, ""B"""', ''].join(separator)
      const file = read('text/csv', `\uFEFF${['amount', 'bookedOn', 'name', 'text'].join(separator)}\r\n${line}\r\n`)
      assert.deepEqual(
        file.entries.map(({ amount, bookedOn, currency, name, text }) => [amount, bookedOn, currency, name, text]),
        [[-12.5, '2026-02-02', 'EUR', separator === ',' ? 'A, "B"' : 'A, "B"', null]],
      )
      assert.deepEqual([file.from, file.to], ['2026-02-02', '2026-02-02'])
    }
  })

  it('reads the headings of a bank by their mapping', () => {
    const mapping = { bookedOn: 'Day', amount: 'Sum' }
    const options = { ...csv, mapping }
    const file = readStatementFile('text/csv', Buffer.from('Day;Sum;Other\n02.03.2026;-1.234,50;x\n'), options)
    assert.deepEqual([file.entries[0]?.amount, file.entries[0]?.bookedOn], [-1234.5, '2026-03-02'])
  })

  it('refuses every cell that is wrong, by line and column', () => {
    const text = 'bookedOn,amount,currency\n2026-02-30,1,EUR\n\n2026-02-01,1.000,00\n2026-02-01,x,EUR\n2026-02-01\n'
    assert.deepEqual(
      errorsOf('text/csv', text).map(({ line, column, code }) => [line, column, code]),
      [
        [2, 1, 'wrong_date'],
        [5, 2, 'wrong_amount'],
        [6, 2, 'truncated'],
      ],
    )
  })

  it('refuses unknown, missing and repeated headings, an open quotation mark and an empty file', () => {
    assert.deepEqual(
      errorsOf('text/csv', 'bookedOn,Amount,bookedOn\n').map(({ column, code }) => [column, code]),
      [
        [2, 'unknown_heading'],
        [3, 'duplicate_heading'],
        [4, 'missing_heading'],
      ],
    )
    assert.equal(errorsOf('text/csv', 'bookedOn,amount\n2026-02-01,"1\n')[0]?.code, 'truncated')
    assert.equal(errorsOf('text/csv', '')[0]?.code, 'truncated')
  })

  it('refuses an entry in another currency', () => {
    assert.equal(errorsOf('text/csv', 'bookedOn,amount,currency\n2026-02-01,1,USD\n')[0]?.code, 'other_currency')
  })
})

describe('readStatementFile of a hostile file', () => {
  it('refuses lines of any length, attributes without number, and elements that end together', () => {
    assert.deepEqual(errorsOf('text/csv', ','.repeat(1024 * 1024))[0]?.code, 'broken_csv')
    assert.deepEqual(errorsOf('text/csv', `bookedOn,amount\n"${'a\n'.repeat(50_000)}`)[0]?.code, 'truncated')
    const attributes = Array.from({ length: 1000 }, (_, index) => `a${index}=""`).join(' ')
    assert.equal(errorsOf('application/xml', `<Document ${attributes}/>`)[0]?.code, 'broken_xml')
    const open = `<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${'<STMTTRN>'.repeat(50_000)}</STMTTRN></STMTRS></OFX>`
    assert.equal(errorsOf('application/x-ofx', open)[0]?.code, 'truncated')
  })

  it('tells at most fifty errors, and the line of each where the file is read in parts', () => {
    const wrong = errorsOf('text/csv', `bookedOn,amount\n${'2026-01-02,1\n\n'.repeat(5_000)}${'x,1\n'.repeat(100)}`)
    assert.deepEqual([wrong.length, wrong[0]?.line, wrong[0]?.column], [50, 10_002, 1])
    const quoted = errorsOf('text/csv', `bookedOn,amount,text\r\n${'2026-01-02,1,"a\r\nb"\r\n'.repeat(2_000)}x,1,\r\n`)
    assert.deepEqual(
      quoted.map(({ line }) => line),
      [4_002],
    )
  })

  it('reads as many entries as a mebibyte has in every format', () => {
    const entries = ':61:2601020102C0,00NTRFA\r\n'.repeat(30_000)
    const text = `:20:A\r\n:25:DE89370400440532013000\r\n:28C:1\r\n:60F:C260101EUR0,00\r\n${entries}:62F:C260102EUR0,00\r\n`
    assert.equal(read('text/plain', text).entries.length, 30_000)
    const rows = `bookedOn,amount\n${'2026-01-02,1\n'.repeat(60_000)}`
    assert.equal(read('text/csv', rows).entries.length, 60_000)
    const debits = '<STMTTRN><TRNAMT>1<DTPOSTED>20260102</STMTTRN>'.repeat(20_000)
    const account = '<CURDEF>EUR<BANKACCTFROM><ACCTID>DE89370400440532013000</BANKACCTFROM>'
    const file = `OFXHEADER:100\n\n<OFX><STMTRS>${account}${debits}</STMTRS></OFX>`
    assert.equal(read('application/x-ofx', file).entries.length, 20_000)
  })
})
