import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { recordRegistry } from '../../../app/record-definitions.ts'
import { revokeRoles } from '../../../identity/users/index.ts'
import { DiskFileStore } from '../../../storage/backends/disk-file-store.ts'
import { fileKey } from '../../../storage/index.ts'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { aPerson, aStudent, getOperator } from '../../../testing/fixtures/factories.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'
import { ImportRunner, importJobsJob } from './index.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'matricula-imports-'))
afterFile(() => rm(dataDir, { recursive: true }))
const signing = { secretKey: 'x'.repeat(32), publicUrl: 'https://matricula.example' }
const service = await startTestService({
  store: await DiskFileStore.open({ folder: join(dataDir, 'files'), ...signing }),
})
const commandLine = await loadCommandLine(service)
const path = '/console/v1/imports'
type Person = Awaited<ReturnType<typeof aPerson>>

const upload = ({ caller }: Person, content: string | Buffer, kind = 'students', fileName = `${kind}.csv`) =>
  caller.send('POST', `${path}?kind=${kind}&fileName=${fileName}`, Buffer.from(content), {
    'content-type': 'application/octet-stream',
  })
const act = ({ caller }: Person, id: string, what: string, body: object = {}) =>
  caller.send('POST', `${path}/${id}/${what}`, body)

/** Waits until nothing is done with an import, and gives it. */
async function settled({ caller }: Person, id: string) {
  const read = async () => (await caller.get(`${path}/${id}`)).body.data
  await until(
    async () => !['checking', 'importing', 'undoing'].includes((await read()).status),
    `the import ${id} is settled`,
  )
  return read()
}

/** Uploads and checks a file. */
async function checked(person: Person, content: string | Buffer, body: object = {}, kind = 'students') {
  const { id } = (await upload(person, content, kind)).body.data
  const begun = await act(person, id, 'check', body)
  assert.equal(begun.status, 200, begun.text)
  return settled(person, id)
}

async function countStudents(tenant: TestTenant): Promise<number> {
  return (await tenant.api.get('/students')).body.pagination.total
}

test('imports of the console: columns are guessed, a check writes nothing, the import does what it said, and is undone', async () => {
  const tenant = await service.tenant()
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const csv = 'Student no;First name;Surname;DOB;Remarks\nR-1;Ada;Byron;03/02/2011;x\nR-2;Alan;Turing;04/02/2011;y\n'
  const made = await upload(registrar, csv)
  assert.equal(made.status, 201, made.text)
  const { id, status, format, columns, mapping } = made.body.data
  assert.equal(made.headers.get('location')?.endsWith(`/imports/${id}`), true)
  assert.deepEqual([status, format], ['uploaded', 'csv'])
  assert.deepEqual(
    columns.map(({ field, isGuess }: { field: string; isGuess: boolean }) => [field, isGuess]),
    [
      ['externalId', true],
      ['givenNames', true],
      ['familyNames', true],
      ['dateOfBirth', true],
      [null, false],
    ],
  )
  assert.deepEqual(columns[0].samples, ['R-1', 'R-2'])
  assert.equal((await upload(registrar, csv)).body.data.id, id)
  await act(registrar, id, 'check')
  const faulty = await settled(registrar, id)
  assert.deepEqual([faulty.status, faulty.report.refusal], ['checked', 'invalid_file'])
  assert.deepEqual(faulty.report.faults[0].code, 'unknown_heading')
  const full = { ...mapping, dates: 'dmy', ignore: ['Remarks'] }
  await act(registrar, id, 'check', { mapping: full })
  const ready = await settled(registrar, id)
  assert.deepEqual([ready.report.created, ready.report.faultCount, ready.report.refusal], [2, 0, null])
  assert.equal(await countStudents(tenant), 0)
  const other = await act(registrar, id, 'commit', { created: 3, updated: 0 })
  assert.deepEqual([other.status, other.body.code], [409, 'state_conflict'])
  const begun = await act(registrar, id, 'commit', { created: 2, updated: 0 })
  assert.deepEqual([begun.status, begun.body.data.status], [200, 'importing'])
  const done = await settled(registrar, id)
  assert.deepEqual([done.status, done.report.created, done.rows], ['imported', 2, done.rows])
  const { data } = (await tenant.api.get('/students?externalId=R-1')).body
  assert.deepEqual([data[0].givenNames, data[0].dateOfBirth], ['Ada', '2011-02-03'])
  const traces = await service.database.inspectAt(
    tenant.id,
    `select 1 from audit_entries where tenant_id = $1 and request_id = $2 and actor_name = $3 and action = 'student.created'`,
    [tenant.id, done.runId, registrar.email],
  )
  assert.equal(traces.length, 2)
  assert.equal((await act(registrar, id, 'commit', { created: 2, updated: 0 })).body.data.status, 'imported')
  assert.equal((await act(registrar, id, 'check')).status, 409)
  const manager = await aPerson(service, tenant)
  await act(manager, id, 'undo')
  const undone = await settled(manager, id)
  assert.deepEqual([undone.status, undone.undone, undone.keptCount], ['undone', 2, 0])
  assert.equal(await countStudents(tenant), 0)
})

test('imports of the console: refused rows are a file that is corrected and uploaded, and sound rows can go first', async () => {
  const tenant = await service.tenant()
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const csv = 'externalId,fullName,email\nA,Ada Byron,ada@x.example\nB,Alan Turing,nowhere\nC,Grace Hopper,\n'
  const found = await checked(registrar, csv)
  assert.deepEqual(
    [found.report.created, found.report.refused, found.report.refusal, found.report.hasRefusedRows],
    [2, 1, 'invalid_file', true],
  )
  const [fault] = found.report.faults
  assert.deepEqual([fault.file, fault.line, fault.column, fault.heading], ['students.csv', 3, 3, 'email'])
  const whole = await act(registrar, found.id, 'commit', { created: 2, updated: 0 })
  assert.deepEqual([whole.status, whole.body.code], [409, 'state_conflict'])
  const file = await registrar.caller.send('GET', `${path}/${found.id}/refused-rows`)
  assert.match(file.headers.get('content-disposition') ?? '', /filename="students\.refused\.csv"$/)
  assert.match(file.text, /^externalId,fullName,email,faults\r\nB,Alan Turing,nowhere,/)
  await act(registrar, found.id, 'commit', { created: 2, updated: 0, skipFaulty: true })
  const done = await settled(registrar, found.id)
  assert.deepEqual([done.status, done.report.created, done.report.refused], ['imported', 2, 1])
  const corrected = await checked(registrar, file.text.replace(',nowhere,', ',alan@x.example,'))
  assert.deepEqual([corrected.report.created, corrected.report.faultCount], [1, 0])
})

test('imports of the console: what changed since the check is not written, and the new figures are told', async () => {
  const tenant = await service.tenant()
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const found = await checked(registrar, 'externalId,fullName\nA,Ada Byron\nB,Alan Turing\n')
  await aStudent(tenant.api, { externalId: 'A', fullName: 'Ada Lovelace' })
  await act(registrar, found.id, 'commit', { created: 2, updated: 0 })
  const again = await settled(registrar, found.id)
  assert.deepEqual([again.status, again.report.refusal], ['checked', 'changed_since_check'])
  assert.deepEqual([again.report.created, again.report.updated], [1, 1])
  assert.equal(await countStudents(tenant), 1)
  await act(registrar, found.id, 'commit', { created: 1, updated: 1 })
  assert.equal((await settled(registrar, found.id)).status, 'imported')
  // What an import of a person changed is no correction by hand; what the person changed in a form is.
  await registrar.caller.put(
    `/api/resource/Student/${(await tenant.api.get('/students?externalId=A')).body.data[0].studentCode}`,
    {
      city: 'Rom',
    },
  )
  const next = await checked(registrar, 'externalId,fullName,city\nA,Ada King,Paris\nB,Alan Turing,Oslo\n')
  assert.deepEqual(
    [next.report.updated, next.report.conflicts.map(({ heading }: { heading: string }) => heading)],
    [2, ['city']],
  )
})

test('imports of the console: who may not create and change such records imports none', async () => {
  const tenant = await service.tenant({
    systemOfRecord: { students: 'integration', enrollment: 'shared', payments: 'shared' },
  })
  const csv = 'externalId,fullName\nA,Ada\n'
  const teacher = await aPerson(service, tenant, ['Instructor'])
  assert.deepEqual([(await upload(teacher, csv)).status, (await teacher.caller.get(path)).status], [403, 403])
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const foreign = await upload(bursar, csv)
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'insufficient_role'], foreign.text)
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const owned = await upload(registrar, csv)
  assert.deepEqual([owned.status, owned.body.code], [403, 'system_of_record_elsewhere'], owned.text)
  const payments = await upload(registrar, 'externalId,amount\nA,1\n', 'payments')
  assert.deepEqual([payments.status, payments.body.code], [403, 'insufficient_scope'])
  const own = await upload(bursar, 'externalId,studentCode,amount\nA,S,1\n', 'payments')
  assert.equal(own.status, 201, own.text)
  const { id } = own.body.data
  assert.equal((await registrar.caller.get(`${path}/${id}`)).status, 404)
  assert.deepEqual((await registrar.caller.get(path)).body.data, [])
  const elsewhere = await aPerson(service, await service.tenant())
  assert.equal((await act(elsewhere, id, 'check')).status, 404)
})

test('imports of the console: a file that is none is refused by code, and one that is gone is told', async () => {
  const tenant = await service.tenant()
  const manager = await aPerson(service, tenant)
  for (const [content, name] of [
    [Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'a.xlsx'],
    ['no workbook', 'b.xlsx'],
    ['', 'c.csv'],
  ] as const) {
    const refused = await upload(manager, content, 'students', name)
    assert.ok([400, 422].includes(refused.status), `${name}: ${refused.status} ${refused.text}`)
  }
  assert.equal((await upload(manager, 'a', 'planets')).status, 400)
  const { id } = (await upload(manager, 'externalId,fullName\nA,Ada\n')).body.data
  const wrong = await act(manager, id, 'check', { mapping: { dates: 'ymd' } })
  assert.equal(wrong.status, 400, wrong.text)
  const unknown = await act(manager, id, 'check', { mapping: { columns: { fullName: 'nothing' } } })
  assert.equal(unknown.status, 200, unknown.text)
  const told = await settled(manager, id)
  assert.deepEqual([told.report.refusal, told.report.faults[0].code], ['invalid_file', 'unknown_field'])
  assert.equal((await manager.caller.get(`${path}/${id}/refused-rows`)).status, 404)
})

/** Leaves a checked import as a process does that was asked for it and was killed an hour ago. */
async function leaveImporting(tenant: TestTenant, id: string): Promise<void> {
  await service.database.inspect(
    `update import_jobs set status = 'importing', run_id = $3, expected = '{"created": 1, "updated": 0, "skipFaulty": false}',
            heard_at = now() - interval '1 hour' where tenant_id = $1 and id = $2 returning 1`,
    [tenant.id, id, randomUUID()],
  )
}

test('imports of the console: what a killed process left is done by the next one, once', async () => {
  const tenant = await service.tenant()
  const manager = await aPerson(service, tenant)
  const found = await checked(manager, 'externalId,fullName\nA,Ada\n')
  await leaveImporting(tenant, found.id)
  const runner = new ImportRunner({
    database: service.data,
    registry: recordRegistry,
    store: service.files.store,
    report: (error) => assert.fail(String(error)),
  })
  await importJobsJob(() => runner, service.files.store).run(service.data, tenant)
  const done = await settled(manager, found.id)
  assert.deepEqual([done.status, done.report.created, await countStudents(tenant)], ['imported', 1, 1])
})

test('imports of the console: whoever lost the right since asks for nothing any more: what waits writes nothing and says why', async () => {
  const tenant = await service.tenant()
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const { id } = await checked(registrar, 'externalId,fullName\nA,Ada\n')
  await leaveImporting(tenant, id)
  await service.data.transaction(tenant.id, (tx) =>
    revokeRoles(tx, getOperator(tenant), registrar.email, ['Academics User']),
  )
  const runner = new ImportRunner({
    database: service.data,
    registry: recordRegistry,
    store: service.files.store,
    report: (error) => assert.fail(String(error)),
  })
  await importJobsJob(() => runner, service.files.store).run(service.data, tenant)
  const [row] = await service.database.inspect<{ status: string; error: string }>(
    'select status, error from import_jobs where tenant_id = $1 and id = $2',
    [tenant.id, id],
  )
  assert.equal(row?.status, 'failed')
  assert.match(row?.error ?? '', /need the right to read all records of the type Student/)
  assert.equal(await countStudents(tenant), 0)
})

test('imports of the console: erasing a person removes the files that name them, with their refused rows, and leaves the others', async () => {
  const tenant = await service.tenant()
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const student = await aStudent(tenant.api, { fullName: 'Odile Quillonby', email: 'quill@quillonby.example' })
  const named = await checked(registrar, 'externalId,fullName,email\nB,Odile Quillonby,nowhere\nC,Ada Byron,\n')
  const objects = await upload(
    registrar,
    '{"fullName":"Somebody","email":"QUILL@quillonby.example"}\n',
    'students',
    'a.ndjson',
  )
  assert.equal(objects.status, 201, objects.text)
  const other = await checked(registrar, 'externalId,fullName\nD,Grace Hopper\n')
  assert.equal(named.report.hasRefusedRows, true)
  const erase = ['person', 'erase', student.studentCode, '--tenant', tenant.slug, '--json']
  const settings = { environment: { SECRET_KEY: signing.secretKey, DATA_DIR: dataDir } }
  const preview = await commandLine.run(erase, settings)
  assert.equal(JSON.parse(preview.stdout).wouldErase?.importFiles, 2, preview.stdout + preview.stderr)
  assert.equal((await registrar.caller.get(`${path}/${named.id}`)).status, 200)
  const { erased } = await commandLine.json([...erase, '--yes'], settings)
  assert.equal(erased.importFiles, 2)
  for (const id of [named.id, objects.body.data.id]) {
    assert.equal((await registrar.caller.get(`${path}/${id}`)).status, 404)
    assert.equal(await service.files.store.stat('frozen', fileKey(tenant.id, id)), null)
  }
  assert.notEqual(await service.files.store.stat('frozen', fileKey(tenant.id, other.id)), null)
  await act(registrar, other.id, 'commit', { created: 1, updated: 0 })
  assert.equal((await settled(registrar, other.id)).status, 'imported')
  const files: string[] = []
  for await (const key of service.files.store.list('frozen', { tenantId: tenant.id })) files.push(key)
  assert.deepEqual(files, [fileKey(tenant.id, other.id)])
})
