import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import yauzl from 'yauzl'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { anEnrollment, aPlan, aResult, aScale, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, run, json } = await loadCommandLine(service)

test('export: a file of each kind that is imported again changes nothing, as CSV, as a workbook and as NDJSON', async () => {
  const seeded = await seedTenant(service)
  const { tenant, students, group } = seeded
  const formula = await aStudent(tenant.api, {
    externalId: '00123',
    fullName: '=SUM(A1)',
    phone: '+34600000001',
    address: 'Line "1"\nLine 2; x',
    preferredName: "'quoted",
    dateOfBirth: '2011-02-03',
    enrolledAt: '2026-09-01T08:00:00Z',
  })
  await tenant.api.post('/payments', {
    ...{ studentId: formula.id, amount: 12.5, currency: 'EUR', description: '@x', dueDate: '2026-09-01' },
  })
  await tenant.api.put('/admissions/applications/external/A1', {
    fullName: 'José',
    contacts: [{ email: 'a@b.example' }],
  })
  await anEnrollment(seeded)
  await seeded.resourceClient.create('Student Attendance', {
    ...{ student: students[0], date: '2026-09-01', status: 'Present', student_group: group, docstatus: 1 },
  })
  await aScale(seeded)
  await aResult(seeded, await aPlan(seeded), { Written: 30, Oral: 20.5 })
  const expected: Record<string, number> = {
    ...{ students: 3, applications: 1, contacts: 1, payments: 1, programs: 1, courses: 2 },
    ...{ enrollments: 1, attendance: 1, 'assessment-results': 1 },
  }
  for (const format of ['csv', 'xlsx', 'ndjson']) {
    for (const [kind, count] of Object.entries(expected)) {
      const file = join(folder, `${kind}.${format}`)
      const printed = await json(['export', kind, '--tenant', tenant.slug, '-o', file])
      assert.deepEqual(printed.export, { kind, format, file, rows: count })
      const { code, stdout } = await run(['import', kind, file, '--tenant', tenant.slug, '--json'])
      const { run: result, faults: errors, conflicts } = JSON.parse(stdout)
      const { created, updated, unchanged } = result
      assert.deepEqual(
        [code, errors, conflicts, created, updated, unchanged],
        [0, [], [], 0, 0, count],
        `${kind} ${format}`,
      )
    }
  }
  const csv = await readFile(join(folder, 'students.csv'), 'utf8')
  assert.match(csv, /^\ufeffid,externalId,studentCode/)
  assert.match(csv, /,'=SUM\(A1\),/)
  assert.match(csv, /,'\+34600000001,/)
  assert.match(csv, /,''quoted,/)
  const audit = await service.database.inspectAt(
    tenant.id,
    "select 1 from audit_entries where tenant_id = $1 and action = 'records.exported'",
    [tenant.id],
  )
  assert.equal(audit.length, 27)
})

test('export: --since leaves out what changed before, - is standard output, and unknown words are refused', async () => {
  const tenant = await service.tenant()
  await aStudent(tenant.api, { externalId: 'A', fullName: 'Ada' })
  const args = ['export', 'students', '--tenant', tenant.slug, '--format', 'ndjson', '-o', '-']
  const { stdout } = await run(args)
  assert.deepEqual(JSON.parse(stdout).externalId, 'A')
  assert.equal((await run([...args, '--since', '2099-01-01'])).stdout, '')
  assert.equal((await run([...args, '--since', 'yesterday'])).code, 2)
  assert.equal((await run([...args, '--format', 'pdf'])).code, 2)
  assert.equal((await run(['export', 'students', '--tenant', tenant.slug, '-o', '/no/such/folder/a.csv'])).code, 2)
  assert.equal((await run(['export', 'students', '--tenant', 'nobody', '-o', '-'])).code, 1)
})

test('export records: all records of a type of the Resource API', async () => {
  const { tenant, group } = await seedTenant(service)
  const file = join(folder, 'groups.ndjson')
  const printed = await json(['export', 'records', 'Student Group', '--tenant', tenant.slug, '-o', file])
  assert.equal(printed.export.rows, 1)
  assert.equal(JSON.parse(await readFile(file, 'utf8')).name, group)
  const unknown = await run(['export', 'records', 'Nothing', '--tenant', tenant.slug, '-o', file])
  assert.equal(unknown.code, 1)
})

test('export all: an archive with one file of each kind', async () => {
  const { tenant } = await seedTenant(service)
  const file = join(folder, 'all.zip')
  const printed = await json(['export', 'all', '--tenant', tenant.slug, '-o', file])
  assert.deepEqual([printed.export.counts.students, printed.export.counts.courses], [2, 2])
  const names: string[] = []
  await new Promise<void>((resolve, reject) => {
    yauzl.open(file, (error, zip) => {
      if (error !== null) return reject(error)
      zip.on('entry', ({ fileName }) => names.push(fileName)).once('end', resolve)
    })
  })
  assert.deepEqual([names.length, names[0]], [9, 'students.csv'])
})

test('export parquet: typed files of every table with a manifest, and no account or secret', async () => {
  const { tenant } = await seedTenant(service)
  const ada = await aStudent(tenant.api, { externalId: 'P', fullName: 'Ada', dateOfBirth: '2011-02-03' })
  await tenant.api.post('/payments', { studentId: ada.id, amount: 12.5, description: 'x', dueDate: '2026-09-01' })
  const output = join(folder, 'parquet')
  const printed = await json(['export', 'parquet', '--tenant', tenant.slug, '-o', output])
  const manifest = JSON.parse(await readFile(join(output, 'manifest.json'), 'utf8'))
  assert.deepEqual(manifest, { eventPosition: printed.export.eventPosition, tables: printed.export.tables })
  assert.match(manifest.eventPosition, /^\d+$/)
  const names = manifest.tables.map(({ name }: { name: string }) => name)
  assert.ok(['students', 'payments', 'student_groups', 'deleted_records'].every((name) => names.includes(name)))
  assert.ok(names.every((name: string) => !/^(users|sessions|api_key)/.test(name)))
  const read = async (name: string) =>
    parquetReadObjects({ file: await asyncBufferFromFile(join(output, `${name}.parquet`)) })
  const students = await read('students')
  assert.equal(students.length, 3)
  const found = students.find(({ external_id }) => external_id === 'P')
  assert.deepEqual([found?.full_name, found?.date_of_birth], ['Ada', new Date('2011-02-03T00:00:00Z')])
  const [payment] = await read('payments')
  assert.deepEqual([payment?.amount, payment?.due_date], [12.5, new Date('2026-09-01T00:00:00Z')])
})

test('export parquet: the event position is that of the feed, and an increment has what changed after it', async () => {
  const { tenant } = await seedTenant(service)
  await aStudent(tenant.api, { externalId: 'OLD', fullName: 'Old' })
  await service.database.inspectAt(
    tenant.id,
    "update students set updated_at = now() - interval '1 hour', created_at = now() - interval '1 hour' where tenant_id = $1 returning 1",
    [tenant.id],
  )
  const export_ = (name: string, ...args: readonly string[]) =>
    json(['export', 'parquet', '--tenant', tenant.slug, '-o', join(folder, name), ...args])
  const { eventPosition } = (await export_('whole')).export
  const feed = async (after: string) => (await tenant.api.get(`/events?after=${after}`)).body
  assert.deepEqual((await feed(eventPosition)).data, [])
  const ada = await aStudent(tenant.api, { externalId: 'NEW', fullName: 'Ada' })
  assert.equal((await feed(eventPosition)).data[0].entityId, ada.id)
  const { export: increment } = await export_('increment', '--since', eventPosition)
  const manifest = JSON.parse(await readFile(join(folder, 'increment', 'manifest.json'), 'utf8'))
  assert.deepEqual([manifest.since, manifest.eventPosition > eventPosition], [eventPosition, true])
  const file = await asyncBufferFromFile(join(folder, 'increment', 'students.parquet'))
  const students = await parquetReadObjects({ file })
  assert.deepEqual(
    students.map(({ external_id }) => external_id),
    ['NEW'],
  )
  const found = increment.tables.find(({ name }: { name: string }) => name === 'students')
  assert.deepEqual([found.rows, found.isWhole], [1, false])
  for (const [since, code] of [
    ['soon', 2],
    ['999999999', 1],
  ] as const) {
    const refused = await run([
      'export',
      'parquet',
      '--tenant',
      tenant.slug,
      '-o',
      join(folder, 'none'),
      '--since',
      since,
    ])
    assert.equal(refused.code, code, since)
  }
})

/** A server that keeps what is put to it by its path, as a bucket of S3 does. */
async function aBucket() {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.method === 'PUT') objects.set((request.url ?? '').split('?')[0] ?? '', Buffer.concat(pieces))
      response.writeHead(200, { etag: '"1"' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { objects, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('export parquet: files go to a part of a bucket', async () => {
  const { tenant } = await seedTenant(service)
  const { objects, endpoint } = await aBucket()
  const place = `s3://files/analytics?endpoint=${endpoint}&region=default`
  const environment = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
  const printed = await json(['export', 'parquet', '--tenant', tenant.slug, '-o', place], { environment })
  const manifest = objects.get('/files/analytics/manifest.json') ?? Buffer.alloc(0)
  assert.deepEqual(JSON.parse(manifest.toString()).tables, printed.export.tables)
  const bytes = objects.get('/files/analytics/students.parquet') ?? Buffer.alloc(0)
  const students = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
  assert.equal(students.length, 2)
  const wrong = await run(['export', 'parquet', '--tenant', tenant.slug, '-o', 's3://user:pw@files/x'], { environment })
  assert.deepEqual([wrong.code, wrong.stderr.includes('pw')], [2, false])
})

test('export: whom it shows is recorded as disclosed, and everybody where everything is written', async () => {
  const seeded = await seedTenant(service)
  const { tenant, students } = seeded
  await anEnrollment(seeded)
  await tenant.api.get('/programs')
  const asked = [
    ['students', 'student', 'identity'],
    ['enrollments', 'Program Enrollment', 'academic'],
    ['records', 'Student', 'identity'],
  ] as const
  for (const [kind] of asked) {
    const args = kind === 'records' ? ['records', 'Student'] : [kind]
    await json(['export', ...args, '--tenant', tenant.slug, '-o', join(folder, `disclosed-${kind}.csv`)])
  }
  await json(['export', 'programs', '--tenant', tenant.slug, '-o', join(folder, 'disclosed-programs.csv')])
  await json(['export', 'parquet', '--tenant', tenant.slug, '-o', join(folder, 'disclosed')])
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from students where tenant_id = $1 and student_code = $2',
    [tenant.id, students[0]],
  )
  const { body } = await tenant.api.get(`/disclosures?entityId=${row?.id}`)
  const exported = body.data.filter(({ surface }: { surface: string }) => surface === 'export')
  assert.deepEqual(
    exported.map((each: Record<string, unknown>) => [each.operation, each.recordType, each.fieldGroup]).reverse(),
    [
      ...asked.map(([kind, recordType, fieldGroup]) => [`export ${kind}`, recordType, fieldGroup]),
      ['export parquet', 'person', 'everything'],
    ],
  )
  assert.ok(exported.every(({ actor }: { actor: { type: string } }) => actor.type === 'operator'))
})

test('export: of a long file each person is in one entry, and all entries count its rows', async () => {
  const { tenant } = await seedTenant(service)
  const { id } = await aStudent(tenant.api)
  await service.database.load(
    tenant.id,
    `insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date, created_at, updated_at)
     select $1, gen_random_uuid(), $2, 10, 'EUR', 'cancelled', '', now(), now(), now() from generate_series(1, 25000)`,
    [tenant.id, id],
  )
  await json(['export', 'payments', '--tenant', tenant.slug, '-o', join(folder, 'long.csv')])
  const [entries] = await service.database.inspect<Record<string, number>>(
    `select sum(d.count)::integer as rows, sum(cardinality(d.record_ids))::integer as named,
            count(*) filter (where $2 = any (d.record_ids))::integer as student
       from disclosures d where d.tenant_id = $1 and d.surface = 'export'`,
    [tenant.id, id],
  )
  assert.deepEqual(entries, { rows: 25_000, named: 1, student: 1 })
})
