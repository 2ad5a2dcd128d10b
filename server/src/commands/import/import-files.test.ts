import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { errorPlaces, importFile, rowCounts } from './import-file.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
const { folder, run: matricula } = commandLine

const importing = (tenant: TestTenant, ...order: [string, string | Buffer, Parameters<typeof importFile>[4]?]) =>
  importFile(commandLine, tenant, ...order)

test('import: a row makes a student once, with audit and event; the same file again changes nothing', async () => {
  const tenant = await service.tenant()
  const csv = 'externalId,fullName,dateOfBirth\nA-1,José Pérez,2011-02-03\nA-2,"Silva, Ana",\n'
  const first = await importing(tenant, 'students', csv)
  assert.deepEqual([first.exitCode, first.errors, first.conflicts, rowCounts(first)], [0, [], [], [2, 0, 0, 0]])
  assert.deepEqual(Object.keys(first.printed), ['run', 'faults', 'faultCount', 'conflicts'])
  assert.match(first.run.id, /^[0-9a-f-]{36}$/)
  const { data } = (await tenant.api.get('/students')).body as { data: Record<string, unknown>[] }
  assert.deepEqual(
    data.map(({ externalId, fullName, dateOfBirth }) => [externalId, fullName, dateOfBirth]),
    [
      ['A-1', 'José Pérez', '2011-02-03'],
      ['A-2', 'Silva, Ana', null],
    ],
  )
  const told = 'select action, actor_type from audit_entries where tenant_id = $1 and entity_type = $2'
  const audit = await service.database.inspectAt(tenant.id, told, [tenant.id, 'student'])
  assert.deepEqual(audit, Array(2).fill({ action: 'student.created', actor_type: 'operator' }))
  const events = await service.database.inspectAt(
    tenant.id,
    "select external_id from events where tenant_id = $1 and type = 'student.created' order by external_id",
    [tenant.id],
  )
  assert.deepEqual(events, [{ external_id: 'A-1' }, { external_id: 'A-2' }])
  const second = await importing(tenant, 'students', csv)
  assert.deepEqual([second.exitCode, rowCounts(second)], [0, [0, 0, 2, 0]])
  const third = await importing(tenant, 'students', csv.replace('2011-02-03', '2011-02-04'))
  assert.deepEqual([third.exitCode, rowCounts(third)], [0, [0, 1, 1, 0]])
})

test('import: with one faulty row nothing is written, and every fault says where it is and what to do', async () => {
  const tenant = await service.tenant()
  const csv =
    'externalId,fullName,status,email\nA,Ada,active,\nB,"Bo\nb",gone,x\nC,Cy,active\nA,Ada,active,,\n,Eve,active,\n'
  const report = await importing(tenant, 'students', csv)
  assert.equal(report.exitCode, 2)
  assert.deepEqual(report.failure, 'invalid_file')
  assert.deepEqual(errorPlaces(report), [
    ['not_in_enum', 3, 3],
    ['format', 3, 4],
    ['short_row', 5, null],
    ['long_row', 6, null],
    ['required', 7, 1],
  ])
  assert.deepEqual(Object.keys(report.errors[0] as object), [
    'file',
    'sheet',
    'line',
    'column',
    'heading',
    'code',
    'detail',
    'remedy',
  ])
  assert.ok(report.errors.every(({ remedy, detail }) => remedy !== '' && detail !== ''))
  assert.deepEqual([report.errorCount, rowCounts(report)], [5, [0, 0, 0, 4]])
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
  const rows = await service.database.inspectAt(tenant.id, 'select 1 from import_runs where tenant_id = $1', [
    tenant.id,
  ])
  assert.equal(rows.length, 0)
})

test('import: a dry run finds what the real run finds and writes nothing', async () => {
  const tenant = await service.tenant()
  const csv = 'externalId,fullName\nA,Ada\n'
  const dry = await importing(tenant, 'students', csv, { args: ['--dry-run'] })
  assert.deepEqual([dry.exitCode, dry.run.dryRun, rowCounts(dry)], [0, true, [1, 0, 0, 0]])
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
  assert.deepEqual(
    await service.database.inspectAt(tenant.id, 'select 1 from naming_series where tenant_id = $1', [tenant.id]),
    [],
  )
})

test('import: headings are names of fields, their titles in three languages, or what a map says', async () => {
  const tenant = await service.tenant()
  const titles = [
    'External ID,Given names,Family names,Date of birth',
    'identificador externo;Nombres;APELLIDOS;Fecha de nacimiento',
    'Código externo\tPrenomes\tSobrenomes\tData de nascimento',
  ]
  for (const [index, title] of titles.entries()) {
    const delimiter = [',', ';', '\t'][index] as string
    const csv = `${title}\n${['K', 'Ana', 'Lima', '2011-02-03'].join(delimiter)}\n`
    const report = await importing(tenant, 'students', csv)
    assert.deepEqual([report.exitCode, rowCounts(report)], [0, index === 0 ? [1, 0, 0, 0] : [0, 0, 1, 0]])
  }
  const map = join(folder, 'map.yaml')
  await writeFile(map, 'columns: { Matrikel: externalId, Navn: fullName }\nignore: [Note]\ndates: dmy\n')
  const csv = 'Matrikel,Navn,Note,dateOfBirth\nM,Mo,x,3/2/2011\n'
  const report = await importing(tenant, 'students', csv, { args: ['--map', map] })
  assert.deepEqual([report.exitCode, rowCounts(report)], [0, [1, 0, 0, 0]])
  const { data } = (await tenant.api.get('/students?externalId=M')).body
  assert.equal(data[0].dateOfBirth, '2011-02-03')
  const unmapped = await importing(tenant, 'students', csv)
  assert.deepEqual(errorPlaces(unmapped), [
    ['unknown_heading', 1, 1],
    ['unknown_heading', 1, 2],
    ['unknown_heading', 1, 3],
  ])
  const doubled = await importing(tenant, 'students', 'externalId,Full name,fullName\nA,B,C\n')
  assert.deepEqual(errorPlaces(doubled), [['doubled_heading', 1, 3]])
  await writeFile(map, 'columns: { A: nothing }\n')
  assert.equal((await importing(tenant, 'students', csv, { args: ['--map', map] })).exitCode, 2)
  await writeFile(map, 'rows: 3\n')
  const { code, stdout } = await matricula([
    ...['import', 'students', map, '--tenant', tenant.slug, '--map', map, '--json'],
  ])
  assert.deepEqual([code, JSON.parse(stdout).error.code], [2, 'invalid_file'])
})

test('import: UTF-8, UTF-16 and Windows-1252 are recognised; text of another encoding is named', async () => {
  const csv = 'externalId,fullName\r\nE,José “Pepe” € Núñez\r\n'
  const asWindows1252 = Buffer.from(csv.replace('“', '\u0093').replace('”', '\u0094').replace('€', '\u0080'), 'latin1')
  const files = [
    Buffer.from(csv),
    Buffer.from(`\ufeff${csv}`),
    Buffer.from(`\ufeff${csv}`, 'utf16le'),
    Buffer.from(csv, 'utf16le'),
    Buffer.from(`\ufeff${csv}`, 'utf16le').swap16(),
    asWindows1252,
  ]
  for (const file of files) {
    const tenant = await service.tenant()
    const report = await importing(tenant, 'students', file)
    assert.deepEqual([report.exitCode, report.errors], [0, []])
    const { data } = (await tenant.api.get('/students')).body
    assert.equal(data[0].fullName, 'José “Pepe” € Núñez')
  }
  const tenant = await service.tenant()
  const mojibake = await importing(tenant, 'students', 'externalId,fullName\nE,JosÃ©\n')
  assert.deepEqual(errorPlaces(mojibake), [['mojibake', 2, 2]])
  assert.match(mojibake.errors[0]?.detail ?? '', /José/)
  const heading = await importing(tenant, 'students', 'ï»¿externalId,fullName\nE,A\n')
  assert.deepEqual(errorPlaces(heading), [['mojibake', 1, 1]])
  const stored = await aStudent(tenant.api, { externalId: 'M', fullName: 'JosÃ©' })
  const same = await importing(tenant, 'students', `externalId,fullName\nM,JosÃ©\n`)
  assert.deepEqual([same.exitCode, rowCounts(same)], [0, [0, 0, 1, 0]], stored.id)
  const zeros = await importing(tenant, 'students', Buffer.from('a\0\0\0b\0\0\0,\0'))
  assert.deepEqual(errorPlaces(zeros), [['unknown_encoding', null, null]])
  const undefinedBytes = Buffer.from([...Buffer.from('externalId,fullName\nE,'), 0x81, 0xe9, 0x0a])
  assert.deepEqual(errorPlaces(await importing(tenant, 'students', undefinedBytes)), [['unknown_encoding', null, null]])
})

test('import: a quotation mark that is not closed is named with the line where its record begins', async () => {
  const tenant = await service.tenant()
  const many = Array.from({ length: 3000 }, (_, index) => `K${index},Name ${index}`)
  many[2000] = 'K2000,"Name'
  const open = await importing(tenant, 'students', `externalId,fullName\n${many.join('\n')}\n`)
  assert.deepEqual([open.exitCode, errorPlaces(open)], [2, [['open_quote', 2002, 2]]])
  const broken = await importing(tenant, 'students', 'externalId,fullName\nA,"Ada" B\nB,Bo\n')
  assert.deepEqual(errorPlaces(broken), [['broken_quote', 2, 2]])
  const far = await importing(tenant, 'students', `externalId,fullName\nA,"${'x\n'.repeat(1_000_000)}`)
  assert.deepEqual(errorPlaces(far), [['open_quote', 2, 2]])
  const wide = await importing(tenant, 'students', `externalId,fullName\nA,${'x'.repeat(2_000_000)}\n`)
  assert.deepEqual(errorPlaces(wide), [['too_large', 2, 2]])
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
})

test('import: what a spreadsheet does to keys, numbers and dates is a fault, never guessed', async () => {
  const tenant = await service.tenant()
  await aStudent(tenant.api, { externalId: '00123', fullName: 'Ada' })
  const lost = await importing(tenant, 'students', 'externalId,fullName\n123,Ada\n')
  assert.deepEqual(errorPlaces(lost), [['lost_zeros', 2, 1]])
  const short = await importing(tenant, 'students', 'externalId,fullName\n0456,B\n99,C\n')
  assert.deepEqual(errorPlaces(short), [['lost_zeros', 3, 1]])
  const long = await importing(tenant, 'students', 'externalId,fullName\n1.23457E+19,B\n')
  assert.deepEqual(errorPlaces(long), [['scientific', 2, 1]])
  const date = await importing(tenant, 'students', 'externalId,fullName,dateOfBirth\nX,B,03/02/2011\nY,C,31.12.2010\n')
  assert.deepEqual(errorPlaces(date), [
    ['ambiguous_date', 2, 3],
    ['ambiguous_date', 3, 3],
  ])
  const payments = 'externalId,studentExternalId,amount,description,dueDate\n'
  const amounts = `${payments}P1,00123,1E5,x,2026-09-01\nP2,00123,"1.234,50",x,2026-09-01\nP3,404,1,x,2026-09-01\nP4,00123,,x,\n`
  assert.deepEqual(errorPlaces(await importing(tenant, 'payments', amounts)), [
    ['scientific', 2, 3],
    ['wrong_type', 3, 3],
    ['reference_not_found', 4, 2],
    ['not_allowed_null', 5, 3],
  ])
})

test('import: --skip-faulty writes the sound rows and a report that can be corrected and imported', async () => {
  const tenant = await service.tenant()
  const csv = 'externalId;fullName;status\nA;Ada;active\nB;Bo;gone\nC;Cy;active\n'
  const report = await importing(tenant, 'students', csv, { args: ['--skip-faulty'] })
  assert.deepEqual([report.exitCode, rowCounts(report), report.failure], [0, [2, 0, 0, 1], null])
  assert.equal(report.report, `${report.path}.refused.csv`)
  const refused = await readFile(report.report as string, 'utf8')
  assert.match(refused, /^externalId;fullName;status;faults\r\nB;Bo;gone;"?status not_in_enum/)
  const corrected = await importing(tenant, 'students', refused.replace('gone', 'active'))
  assert.deepEqual([corrected.exitCode, rowCounts(corrected)], [0, [1, 0, 0, 0]])
})

test('import: --max-change refuses a file that would change more of the existing records', async () => {
  const tenant = await service.tenant()
  const rows = (status: string) =>
    `externalId,fullName,status\n${['A', 'B', 'C', 'D'].map((key) => `${key},Name ${key},${status}`).join('\n')}\n`
  assert.equal((await importing(tenant, 'students', rows('active'))).exitCode, 0)
  const report = await importing(tenant, 'students', rows('inactive'), { args: ['--max-change', '20%'] })
  assert.deepEqual([report.exitCode, report.failure, report.run.updated], [1, 'too_many_changes', 0])
  const { data } = (await tenant.api.get('/students?status=active')).body
  assert.equal(data.length, 4)
  const allowed = await importing(tenant, 'students', rows('inactive'), { args: ['--max-change', '100%'] })
  assert.deepEqual([allowed.exitCode, allowed.run.updated], [0, 4])
})

test('import: an unknown tenant, a missing file and an empty one are told by code', async () => {
  const tenant = await service.tenant()
  const unknown = await matricula(['import', 'students', '/no/such.csv', '--tenant', 'nobody', '--json'])
  assert.deepEqual([unknown.code, JSON.parse(unknown.stdout).error.code], [1, 'not_found'])
  const missing = await matricula(['import', 'students', '/no/such.csv', '--tenant', tenant.slug, '--json'])
  const { error, ...printed } = JSON.parse(missing.stdout)
  assert.deepEqual([missing.code, printed.faults[0].code, error.code], [2, 'missing_file', 'invalid_file'])
  assert.deepEqual(errorPlaces(await importing(tenant, 'students', '')), [['required', null, null]])
  const headingsOnly = await importing(tenant, 'students', 'externalId,fullName\n')
  assert.deepEqual([headingsOnly.exitCode, rowCounts(headingsOnly)], [0, [0, 0, 0, 0]])
  const noKey = await importing(tenant, 'students', 'fullName\nA\n')
  assert.deepEqual(errorPlaces(noKey), [['required', 1, null]])
  const ole = Buffer.from('d0cf11e0a1b11ae10000', 'hex')
  assert.deepEqual(errorPlaces(await importing(tenant, 'students', ole, { extension: 'xlsx' })), [
    ['encrypted', null, null],
  ])
})

test('import: NDJSON has one object a line, with typed values', async () => {
  const tenant = await service.tenant()
  const lines = [
    { externalId: 'A', fullName: 'Ada', customFields: { house: 'red', points: 3 } },
    { externalId: 5, fullName: 'Bo' },
  ]
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n[]\n{"externalId":"D"\n`
  const report = await importing(tenant, 'students', text, { extension: 'ndjson' })
  assert.deepEqual(
    report.errors.map(({ code, line }) => [code, line]),
    [
      ['numeric_key', 2],
      ['format', 3],
      ['format', 4],
    ],
  )
  const first = await importing(tenant, 'students', JSON.stringify(lines[0]), { extension: 'ndjson' })
  assert.deepEqual([first.exitCode, rowCounts(first)], [0, [1, 0, 0, 0]])
  const { data } = (await tenant.api.get('/students')).body
  assert.deepEqual(data[0].customFields, { house: 'red', points: 3 })
})

test('import template: files of each kind with headings that an import takes, never written over', async () => {
  const tenant = await service.tenant()
  const target = join(folder, 'template')
  const { code, stdout } = await matricula(['import', 'template', target, '--json'])
  const { files } = JSON.parse(stdout) as { files: string[] }
  assert.deepEqual([code, files.length], [0, 14])
  for (const file of files) {
    const kind = file.slice(target.length + 1, -'.csv'.length)
    const report = await importing(tenant, kind, await readFile(file))
    assert.deepEqual([report.exitCode, report.errors], [0, []], kind)
  }
  const again = await matricula(['import', 'template', target, '--json'])
  assert.deepEqual([again.code, JSON.parse(again.stdout).error.code], [1, 'already_exists'])
})
