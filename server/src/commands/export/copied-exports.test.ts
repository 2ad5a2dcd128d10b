import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Database } from '../../database/index.ts'
import { exportedKind, writeRecordsFile } from '../../features/imports/index.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const service = await startTestService()
const { folder, json } = await loadCommandLine(service)
const database = new Database(service.database.connection, { connections: 1 })
afterFile(() => database.close())

const texts = [
  ...['=1+1', '+34', '-5', '@x', "'quoted", ' before', 'after ', '\u00a0edges\u2003', '"', 'a "b", c', 'one, two'],
  ...[
    '=a,"b"',
    'José',
    'é',
    '日本',
    '\u{1f600}',
    'line\nbreak',
    'line\r\nbreak',
    '\\.',
    '\\N',
    'a;b',
    '1e5',
    '00123',
    '-',
  ],
]

const dueDates = [null, '2026-09-01T00:00:00.000Z', '2026-09-01T23:59:59.007Z']

test('export: CSV that PostgreSQL writes is byte for byte that of single records, whatever the texts', async () => {
  const { tenant, students, group, resourceClient } = await seedTenant(service)
  for (const [index, text] of texts.entries()) {
    const ada = await aStudent(tenant.api, {
      ...{ externalId: `X${index}`, fullName: 'Ada', address: text, city: text, preferredName: text.trim() || null },
      ...(index % 2 === 0 && { enrolledAt: '2026-09-01T08:00:00.120Z', dateOfBirth: '2011-02-03', program: 'Nursing' }),
    })
    const payment = {
      studentId: ada.id,
      amount: [12.5, 100, 0.01, 1e11][index % 4],
      description: text,
      dueDate: dueDates[index % 3],
    }
    const { status } = await tenant.api.post('/payments', payment)
    assert.equal(status, 201, text)
    await resourceClient.make('Guardian', { guardian_name: `G ${text}`, occupation: text })
  }
  // Enough that the rows come in several pieces, which end anywhere.
  await service.database.load(
    tenant.id,
    `insert into students (tenant_id, id, student_code, full_name, given_names, address, search_text, custom_fields)
     select $1, gen_random_uuid(), 'S-' || n, repeat('é', n % 90) || ' "x"', '', repeat(E'=ü\n,', n % 40), '', '{"a": "b"}'
       from generate_series(1, 4000) n`,
    [tenant.id],
  )
  await resourceClient.create('Student Attendance', {
    ...{ student: students[0], date: '2026-09-01', status: 'Present', student_group: group, docstatus: 1 },
  })
  for (const kind of ['students', 'payments', 'contacts', 'attendance'] as const) {
    const [csv, ndjson] = [join(folder, `${kind}.csv`), join(folder, `${kind}.ndjson`)]
    const printed = await json(['export', kind, '--tenant', tenant.slug, '-o', csv])
    await json(['export', kind, '--tenant', tenant.slug, '-o', ndjson])
    const records = (await readFile(ndjson, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(printed.export.rows, records.length)
    const single: string[] = []
    const columns = Object.keys(records[0])
    for await (const piece of writeRecordsFile({ columns, rows: inOneBatch(records) }, 'csv'))
      single.push(String(piece))
    assert.equal(await readFile(csv, 'utf8'), single.join(''), kind)
    const known = { ...tenant, customFields: new Map() } as never
    assert.ok(exportedKind(database, known, kind, null).copied !== undefined, `${kind} is written by PostgreSQL`)
  }
})

async function* inOneBatch<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}
