import assert from 'node:assert/strict'
import { test } from 'node:test'
import yazl from 'yazl'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { errorPlaces, importFile, rowCounts } from './import-file.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)

const importing = (tenant: TestTenant, content: Buffer, args: readonly string[] = []) =>
  importFile(commandLine, tenant, 'students', content, { extension: 'xlsx', args })

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface Workbook {
  /** The rows of the first visible sheet, as the XML of their cells. */
  readonly rows: string
  readonly strings?: readonly string[]
  readonly is1904?: boolean
  readonly further?: Readonly<Record<string, Buffer>>
}

/** A workbook with a hidden sheet before the one that is read, which stands first in the archive. */
function workbook({ rows, strings = [], is1904 = false, further = {} }: Workbook): Promise<Buffer> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const related = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`
  const parts: Record<string, string> = {
    'xl/worksheets/sheet2.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row><c t="str"><v>wrong</v></c></row></sheetData></worksheet>`,
    '_rels/.rels': related(relation('a', 'officeDocument', '/xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr date1904="${is1904 ? 1 : 'false'}"/><sheets><sheet name="Old" sheetId="1" state="hidden" r:id="h"/><sheet name="Students" sheetId="7" r:id="s"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related(
      relation('h', 'worksheet', 'worksheets/sheet1.xml') +
        relation('s', 'worksheet', 'worksheets\\sheet2.xml') +
        relation('t', 'sharedStrings', 'sharedStrings.xml') +
        relation('y', 'styles', '/xl/styles.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="General"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="&quot;days&quot;0"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
  }
  return zipped({
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])),
    ...further,
  })
}

async function zipped(parts: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(content, name)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const text = (value: string) => `<x:c t="inlineStr"><x:is><x:t>${value}</x:t></x:is></x:c>`

const headings = `<x:row r="1">${text('externalId')}${text('fullName')}${text('dateOfBirth')}</x:row>`

test('import of a workbook: the first visible sheet, by its own order; texts, dates and gaps as they are shown', async () => {
  const strings = [
    '<t>externalId</t>',
    '<r><t>full</t></r><r><t>Name</t></r><rPh sb="0"><t>phonetic</t></rPh>',
    '<t>dateOfBirth</t>',
    '<t>José_x000D_ A</t>',
    '<t><![CDATA[00123]]></t>',
  ]
  const rows = `
    <x:row r="3"><x:c r="A3" t="s"><x:v>0</x:v></x:c><x:c r="B3" t="s"><x:v>1</x:v></x:c><x:c r="C3" t="s"><x:v>2</x:v></x:c></x:row>
    <x:row r="5"><x:c r="A5" t="s"><x:v>4</x:v></x:c><x:c r="B5" t="s"><x:v>3</x:v></x:c><x:c r="C5" s="1"><x:v>40604</x:v></x:c></x:row>
    <x:row r="6"><x:c r="A6" t="inlineStr"><x:is><x:t>B</x:t></x:is></x:c><x:c r="B6" t="inlineStr"><x:is><x:t>Bo</x:t></x:is></x:c></x:row>
    <x:row r="7"><x:c r="A7" t="s"><x:v></x:v></x:c></x:row>`
  const tenant = await service.tenant()
  const report = await importing(tenant, await workbook({ rows, strings }))
  assert.deepEqual([report.exitCode, report.errors, rowCounts(report)], [0, [], [2, 0, 0, 0]])
  const { data } = (await tenant.api.get('/students')).body as { data: Record<string, unknown>[] }
  assert.deepEqual(
    data.map(({ externalId, fullName, dateOfBirth }) => [externalId, fullName, dateOfBirth]),
    [
      ['00123', 'José\r A', '2011-03-02'],
      ['B', 'Bo', null],
    ],
  )
})

test('import of a workbook: days count from 1904 where it says so, and t="d" holds the date itself', async () => {
  const row = (key: string, cell: string) => `<x:row>${text(key)}${text('Ada')}${cell}</x:row>`
  const rows = `${headings}${row('A', '<x:c s="1"><x:v>39142</x:v></x:c>')}${row('B', '<x:c t="d"><x:v>2011-03-02T00:00:00</x:v></x:c>')}`
  const tenant = await service.tenant()
  assert.equal((await importing(tenant, await workbook({ rows, is1904: true }))).exitCode, 0)
  const { data } = (await tenant.api.get('/students')).body as { data: { dateOfBirth: string }[] }
  assert.deepEqual(
    data.map(({ dateOfBirth }) => dateOfBirth),
    ['2011-03-02', '2011-03-02'],
  )
})

test('import of a workbook: formulas, errors, numbers as keys and numbers as dates are named with sheet and cell', async () => {
  const rows = `${headings}
    <x:row r="2"><x:c r="A2"><x:v>123</x:v></x:c><x:c r="B2" t="str"><x:f>1+1</x:f><x:v>2</x:v></x:c></x:row>
    <x:row r="3"><x:c r="A3" t="inlineStr"><x:is><x:t>C</x:t></x:is></x:c><x:c r="B3" t="e"><x:v>#N/A</x:v></x:c><x:c r="C3" s="2"><x:v>40604</x:v></x:c></x:row>
    <x:row r="4">${text('D')}${text('Di')}${text('')}${text('more')}</x:row>`
  const report = await importing(await service.tenant(), await workbook({ rows }))
  assert.equal(report.exitCode, 2)
  assert.deepEqual(errorPlaces(report), [
    ['numeric_key', 2, 1],
    ['formula', 2, 2],
    ['error_cell', 3, 2],
    ['format', 3, 3],
    ['long_row', 4, null],
  ])
  assert.deepEqual([...new Set(report.errors.map(({ sheet }) => sheet))], ['Students'])
})

test('import of a workbook: refused rows go to a workbook that can be imported', async () => {
  const rows = `${headings}<x:row>${text('A')}${text('Ada')}${text('2011-02-03')}</x:row><x:row>${text('B')}${text('Bo')}${text('never')}</x:row>`
  const tenant = await service.tenant()
  const report = await importing(tenant, await workbook({ rows }), ['--skip-faulty'])
  assert.deepEqual([report.exitCode, rowCounts(report)], [0, [1, 0, 0, 1]])
  assert.match(report.report as string, /\.refused\.xlsx$/)
  const { code, stdout } = await commandLine.run([
    ...['import', 'students', report.report as string, '--tenant', tenant.slug, '--json'],
  ])
  assert.deepEqual([code, JSON.parse(stdout).faults[0].code], [2, 'format'])
})

test('import of a workbook: bombs, false sizes, broken and encrypted archives are refused', async () => {
  const tenant = await service.tenant()
  const toCode = async (content: Buffer) => {
    const report = await importing(tenant, content)
    assert.equal(report.exitCode, 2)
    return report.errors[0]?.code
  }
  const sound = await workbook({ rows: headings })
  const bomb = { 'xl/worksheets/sheet2.xml': Buffer.from(`<a>${'A'.repeat(8 * 1024 * 1024)}</a>`) }
  assert.equal(await toCode(await workbook({ rows: '', further: bomb })), 'too_large')
  assert.equal(await toCode(withSize(sound, 'xl/worksheets/sheet2.xml', 10)), 'too_large')
  assert.equal(await toCode(withSize(sound, 'xl/worksheets/sheet2.xml', 1_200_000_000)), 'too_large')
  assert.equal(await toCode(sound.subarray(0, sound.length - 40)), 'broken_workbook')
  assert.equal(await toCode(Buffer.from('no workbook')), 'broken_workbook')
  assert.equal(await toCode(await zipped({ 'a.txt': Buffer.from('a') })), 'broken_workbook')
  assert.equal(await toCode(await workbook({ rows: '<x:row>' })), 'broken_workbook')
  assert.equal(await toCode(await workbook({ rows: '' })), 'required')
  assert.equal(await toCode(Buffer.from('d0cf11e0a1b11ae1000000', 'hex')), 'encrypted')
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
})

/** An archive whose central directory says another unpacked size of a part. */
function withSize(archive: Buffer, part: string, size: number): Buffer {
  const copy = Buffer.from(archive)
  for (let at = copy.indexOf('PK\u0001\u0002'); at >= 0; at = copy.indexOf('PK\u0001\u0002', at + 4)) {
    const length = copy.readUInt16LE(at + 28)
    if (copy.toString('utf8', at + 46, at + 46 + length) === part) copy.writeUInt32LE(size, at + 24)
  }
  return copy
}
