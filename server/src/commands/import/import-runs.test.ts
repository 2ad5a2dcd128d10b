import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { aPlan, aScale, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { type ImportResult, importFile, rowCounts } from './import-file.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
const { folder, environment, run: matricula, json } = commandLine

const importing = (
  tenant: TestTenant,
  kind: string,
  rows: readonly (readonly string[])[],
  ...args: readonly string[]
) => importFile(commandLine, tenant, kind, rows.map((cells) => `${cells.join(',')}\n`).join(''), { args })

const undo = (tenant: TestTenant, { run }: Pick<ImportResult, 'run'>) =>
  json(['import', 'undo', run.id, '--tenant', tenant.slug])

async function theStudent(tenant: TestTenant, externalId: string) {
  const { data } = (await tenant.api.get(`/students?externalId=${externalId}`)).body
  return data[0] as { id: string; studentCode: string } & Record<string, unknown>
}

test('import: what a person corrected stays and is listed, until the file agrees; what a token changed does not', async () => {
  const tenant = await service.tenant()
  const { caller } = await aPerson(service, tenant)
  const rows = (city: string) => [
    ['externalId', 'fullName', 'city'],
    ['A', 'Ada Byron', city],
  ]
  await importing(tenant, 'students', rows('Rom'))
  const { id } = await theStudent(tenant, 'A')
  const correct = async (city: string) => {
    const response = await caller.send('PATCH', `/console/v1/students/${id}`, { city })
    assert.equal(response.status, 200, JSON.stringify(response.body))
  }
  await correct('Roma')
  for (const args of [['--dry-run'], [], []]) {
    const report = await importing(tenant, 'students', rows('Rome'), ...args)
    assert.deepEqual([report.exitCode, report.errorCount, rowCounts(report)], [0, 0, [0, 0, 1, 0]])
    assert.deepEqual(
      report.conflicts.map(({ line, column, heading }) => [line, column, heading]),
      [[2, 3, 'city']],
    )
    assert.equal((await theStudent(tenant, 'A')).city, 'Roma')
  }
  assert.deepEqual((await importing(tenant, 'students', rows('Roma'))).conflicts, [])
  const leading = await importing(tenant, 'students', rows('Rome'))
  assert.deepEqual([rowCounts(leading), leading.conflicts], [[0, 1, 0, 0], []])
  await tenant.api.patch(`/students/${id}`, { city: 'Milan' })
  assert.deepEqual(rowCounts(await importing(tenant, 'students', rows('Rome'))), [0, 1, 0, 0])
  await correct('Roma')
  const map = join(folder, 'overwrite.yaml')
  await writeFile(map, 'overwrite: [city]\n')
  const forced = await importing(tenant, 'students', rows('Rome'), '--map', map)
  assert.deepEqual([rowCounts(forced), forced.conflicts], [[0, 1, 0, 0], []])
})

test('import: the status of an application is set by the row that makes it, and never changed by another', async () => {
  const tenant = await service.tenant()
  const rows = (status: string, city: string) => [
    ['externalId', 'fullName', 'status', 'city'],
    ['A', 'Ada', status, city],
  ]
  assert.deepEqual(rowCounts(await importing(tenant, 'applications', rows('interview', 'Rome'))), [1, 0, 0, 0])
  const again = await importing(tenant, 'applications', rows('rejected', 'Milan'))
  assert.deepEqual([again.exitCode, rowCounts(again)], [0, [0, 1, 0, 0]])
  const { data } = (await tenant.api.get('/admissions/applications')).body
  assert.deepEqual([data[0].status, data[0].city], ['interview', 'Milan'])
  const unknown = await importing(tenant, 'applications', [
    ['externalId', 'fullName', 'status'],
    ['B', 'Bo', 'nowhere'],
  ])
  assert.deepEqual(
    unknown.errors.map(({ code }) => code),
    ['not_in_enum'],
  )
})

test('import undo: takes back what a run made and changed; what changed since, or is needed, stays', async () => {
  const tenant = await service.tenant()
  await importing(tenant, 'students', [
    ['externalId', 'fullName', 'city'],
    ['old', 'Olga', 'Rome'],
  ])
  const run = await importing(tenant, 'students', [
    ['externalId', 'fullName', 'city'],
    ['old', 'Olga', 'Milan'],
    ['new', 'Nina', 'Turin'],
    ['touched', 'Tara', 'Bari'],
    ['needed', 'Nora', 'Pisa'],
  ])
  assert.deepEqual(rowCounts(run), [3, 1, 0, 0])
  await tenant.api.patch(`/students/${(await theStudent(tenant, 'touched')).id}`, { city: 'Lecce' })
  const { id: studentId } = await theStudent(tenant, 'needed')
  await tenant.api.post('/payments', { studentId, amount: 5, description: 'x', dueDate: null })
  const report = await undo(tenant, run)
  assert.deepEqual(report.run, { id: run.run.id, undone: 2, kept: 2 })
  assert.deepEqual(
    report.kept.map(({ externalId, code }: { externalId: string; code: string }) => [externalId, code]).sort(),
    [
      ['needed', 'needed'],
      ['touched', 'changed_since'],
    ],
  )
  assert.equal((await theStudent(tenant, 'old')).city, 'Rome')
  assert.equal(await theStudent(tenant, 'new'), undefined)
  const { runs } = await json(['import', 'list', '--tenant', tenant.slug])
  assert.deepEqual([runs.length, runs[0].undone, runs[0].kept, runs[0].actor.type], [2, 2, 2, 'operator'])
  const events = await service.database.inspectAt(
    tenant.id,
    "select external_id from events where tenant_id = $1 and type = 'student.deleted'",
    [tenant.id],
  )
  assert.deepEqual(events, [{ external_id: 'new' }])
  const first = await undo(tenant, { run: { id: runs[1].id } } as ImportResult)
  assert.deepEqual(first.run.undone, 1)
  const unknown = await matricula(['import', 'undo', 'nothing', '--tenant', tenant.slug, '--json'])
  assert.deepEqual([unknown.code, JSON.parse(unknown.stdout).error.code], [1, 'not_found'])
})

test('import payments: a student is named by id, code or externalId, and a payment can be undone', async () => {
  const tenant = await service.tenant()
  const ada = await aStudent(tenant.api, { externalId: 'S1', fullName: 'Ada' })
  const headings = ['externalId', 'amount', 'currency', 'description', 'dueDate']
  for (const [column, value] of [
    ['studentId', ada.id],
    ['studentCode', ada.studentCode],
    ['studentExternalId', 'S1'],
  ] as const) {
    const run = await importing(tenant, 'payments', [
      [...headings, column],
      [`P-${column}`, '12.50', 'eur', 'Books', '2026-09-01', value],
    ])
    assert.deepEqual([run.exitCode, rowCounts(run)], [0, [1, 0, 0, 0]], JSON.stringify(run.errors))
    assert.equal((await undo(tenant, run)).run.undone, 1)
  }
  assert.equal((await tenant.api.get('/payments')).body.pagination.total, 0)
})

test('import payments: many of one family are charged to one account, which the first of them opens', async () => {
  const tenant = await service.tenant()
  for (const [externalId, fullName] of [
    ['S1', 'Ada Byron'],
    ['S2', 'Alan Turing'],
  ])
    await aStudent(tenant.api, { externalId, fullName })
  const rows = Array.from({ length: 601 }, (_, index) => [
    ...[`P${index}`, '2.50', tenant.currency.toLowerCase(), 'Books', '2026-09-01'],
    `S${1 + (index % 2)}`,
  ])
  const headings = ['externalId', 'amount', 'currency', 'description', 'dueDate', 'studentExternalId']
  const run = await importing(tenant, 'payments', [headings, ...rows])
  assert.deepEqual([run.exitCode, rowCounts(run)], [0, [601, 0, 0, 0]], JSON.stringify(run.errors))
  const accounts = await service.database.inspect<{ obligations: number; amount: number }>(
    `select count(o.payment_id)::integer as obligations, sum(p.amount)::float as amount
       from billing_accounts a
       join obligations o on o.tenant_id = a.tenant_id and o.account_id = a.id
       join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
      where a.tenant_id = $1 group by a.id order by 1 desc`,
    [tenant.id],
  )
  assert.deepEqual(accounts, [
    { obligations: 301, amount: 752.5 },
    { obligations: 300, amount: 750 },
  ])
})

test('import programs and courses: by externalId; a name that is taken is a duplicate', async () => {
  const tenant = await service.tenant()
  const programs = await importing(tenant, 'programs', [
    ['externalId', 'name', 'code'],
    ['P1', 'Nursing', 'NUR'],
    ['P2', 'Law', 'LAW'],
  ])
  assert.deepEqual([programs.exitCode, rowCounts(programs)], [0, [2, 0, 0, 0]], JSON.stringify(programs.errors))
  const courses = await importing(tenant, 'courses', [
    ['externalId', 'name', 'credits', 'programs'],
    ['C1', 'Anatomy', '6.5', 'Nursing; Law'],
  ])
  assert.deepEqual([courses.exitCode, rowCounts(courses)], [0, [1, 0, 0, 0]], JSON.stringify(courses.errors))
  const { data } = (await tenant.api.get('/courses')).body
  assert.deepEqual([data[0].credits, data[0].programs.length], [6.5, 2])
  const taken = await importing(tenant, 'programs', [
    ['externalId', 'name'],
    ['P3', 'Law'],
  ])
  assert.deepEqual(
    taken.errors.map(({ code }) => code),
    ['duplicate'],
  )
  const nameless = await importing(tenant, 'courses', [
    ['externalId', 'credits'],
    ['C9', '1'],
  ])
  assert.deepEqual(
    nameless.errors.map(({ code }) => code),
    ['required'],
  )
  const students = await importing(tenant, 'students', [
    ['externalId', 'fullName', 'programExternalId'],
    ['S1', 'Ada', 'P1'],
    ['S2', 'Bo', 'P9'],
  ])
  assert.deepEqual(
    students.errors.map(({ code, line, column }) => [code, line, column]),
    [['reference_not_found', 3, 3]],
  )
})

test('import programs and courses: a department is named by externalId or name, stays as a person corrected it, and is taken back by an undo', async () => {
  const tenant = await service.tenant()
  await importing(tenant, 'departments', [
    ['externalId', 'department_name'],
    ['D1', 'Science'],
    ['D2', 'Humanities'],
  ])
  const courses = (department: string, heading = 'departmentExternalId') =>
    importing(tenant, 'courses', [
      ['externalId', 'name', heading],
      ['C1', 'Anatomy', department],
    ])
  const findDepartment = async () => (await tenant.api.get('/courses')).body.data[0].department
  const first = await courses('D1')
  assert.deepEqual([rowCounts(first), await findDepartment()], [[1, 0, 0, 0], 'Science'], JSON.stringify(first.errors))
  const moved = await courses('Humanities', 'department')
  assert.deepEqual([rowCounts(moved), await findDepartment()], [[0, 1, 0, 0], 'Humanities'])
  assert.deepEqual(rowCounts(await courses('Humanities', 'department')), [0, 0, 1, 0])
  for (const heading of ['department', 'departmentExternalId']) {
    const unknown = await courses('Alchemy', heading)
    assert.deepEqual(
      unknown.errors.map(({ code, line, column }) => [code, line, column]),
      [['reference_not_found', 2, 3]],
    )
  }
  assert.equal((await undo(tenant, moved)).run.undone, 1)
  assert.equal(await findDepartment(), 'Science')
  const { caller } = await aPerson(service, tenant)
  const correction = await caller.send('PUT', '/api/resource/Course/Anatomy', { department: 'Humanities' })
  assert.equal(correction.status, 200, JSON.stringify(correction.body))
  const corrected = await courses('D1')
  assert.deepEqual(
    [corrected.conflicts.map(({ column, heading }) => [column, heading]), await findDepartment()],
    [[[3, 'departmentExternalId']], 'Humanities'],
  )
  const map = join(folder, 'overwrite-department.yaml')
  await writeFile(map, 'overwrite: [departmentExternalId]\n')
  const forced = await importing(
    tenant,
    'courses',
    [
      ['externalId', 'departmentExternalId'],
      ['C1', 'D1'],
    ],
    '--map',
    map,
  )
  assert.deepEqual([rowCounts(forced), forced.conflicts, await findDepartment()], [[0, 1, 0, 0], [], 'Science'])
  const cleared = await importing(tenant, 'programs', [
    ['externalId', 'name', 'department'],
    ['P1', 'Nursing', ''],
  ])
  assert.deepEqual(rowCounts(cleared), [1, 0, 0, 0])
  assert.equal((await tenant.api.get('/programs')).body.data[0].department, null)
})

test('import contacts: a person is made once, and linked to a student and an application', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { externalId: 'S1', fullName: 'Ada' })
  await tenant.api.put('/admissions/applications/external/A1', { fullName: 'Ada' })
  const rows = [
    ['externalId', 'displayName', 'email', 'studentExternalId', 'applicationExternalId', 'role', 'relationshipLabel'],
    ['K1', 'Anne Byron', 'anne@example.org', 'S1', 'A1', 'family', 'Mother'],
  ]
  const run = await importing(tenant, 'contacts', rows)
  assert.deepEqual([run.exitCode, rowCounts(run)], [0, [1, 0, 0, 0]], JSON.stringify(run.errors))
  assert.deepEqual(rowCounts(await importing(tenant, 'contacts', rows)), [0, 0, 1, 0])
  const { data } = (await tenant.api.get(`/students/${student.id}`)).body
  assert.deepEqual([data.contacts.length, data.contacts[0].displayName], [1, 'Anne Byron'])
  const applications = (await tenant.api.get('/admissions/applications')).body.data
  assert.deepEqual([applications[0].contacts[0].role, applications[0].contacts[0].source], ['family', 'import'])
})

test('import enrollments, attendance and assessment results: by the record engine, once, and undone again', async () => {
  const seeded = await seedTenant(service)
  const { tenant, students, program, year, group } = seeded
  const enrollments = await importing(tenant, 'enrollments', [
    ['externalId', 'student', 'program', 'Academic year', 'enrollment_date'],
    ['E1', students[0], program, year, '2026-08-02'],
    ['E2', students[1], 'Nothing', year, '2026-08-02'],
  ])
  assert.deepEqual(
    enrollments.errors.map(({ code, line, heading }) => [code, line, heading]),
    [['reference_not_found', 3, 'program']],
  )
  const enrolled = await importing(tenant, 'enrollments', [
    ['externalId', 'student', 'program', 'Academic year', 'enrollment_date'],
    ['E1', students[0], program, year, '2026-08-02'],
  ])
  assert.deepEqual([enrolled.exitCode, rowCounts(enrolled)], [0, [1, 0, 0, 0]], JSON.stringify(enrolled.errors))
  const attendance = [
    ['externalId', 'student', 'date', 'status', 'student_group', 'docstatus'],
    ['D1', students[0], '2026-09-01', 'Present', group, '1'],
    ['D2', students[1], '2026-09-01', 'Absent', group, '0'],
  ]
  const marked = await importing(tenant, 'attendance', attendance)
  assert.deepEqual([marked.exitCode, rowCounts(marked)], [0, [2, 0, 0, 0]], JSON.stringify(marked.errors))
  assert.deepEqual(rowCounts(await importing(tenant, 'attendance', attendance)), [0, 0, 2, 0])
  const posted = await importing(tenant, 'attendance', [
    ['externalId', 'status'],
    ['D1', 'Absent'],
  ])
  assert.deepEqual([posted.exitCode, rowCounts(posted), posted.conflicts.length], [0, [0, 0, 1, 0], 1])
  await aScale(seeded)
  const plan = await aPlan(seeded)
  const results = await importing(tenant, 'assessment-results', [
    ['externalId', 'assessment_plan', 'studentCode', 'scores.Written', 'scores.Oral'],
    ['R1', plan, students[0], '30', '20'],
  ])
  assert.equal(results.exitCode, 0, JSON.stringify(results.errors))
  assert.equal((await undo(tenant, results)).run.undone, 1)
  assert.equal((await undo(tenant, marked)).run.undone, 2)
})

test('import: rows that the database refuses, in batches that are written while the next are looked up, leave all others with their traces', async () => {
  const tenant = await service.tenant()
  const { studentCode: taken } = await aStudent(tenant.api, { fullName: 'Ada Byron', studentCode: 'TAKEN-1' })
  const refused = [300, 2100, 2101, 4400]
  const code = (index: number) => (refused.includes(index) ? taken : `OWN-${index}`)
  const rows = Array.from({ length: 4500 }, (_, index) => [`K${index}`, `Name ${index}`, code(index)])
  const report = await importing(
    tenant,
    'students',
    [['externalId', 'fullName', 'studentCode'], ...rows],
    '--skip-faulty',
  )
  assert.deepEqual([report.exitCode, rowCounts(report)], [0, [4496, 0, 0, 4]])
  assert.deepEqual(
    report.errors.map(({ line, code }) => [line, code]),
    refused.map((index) => [index + 2, 'duplicate']),
  )
  const [found] = await service.database.inspect<Record<string, number>>(
    `select (select count(*) from students s where s.tenant_id = $1)::integer as students,
            (select count(distinct s.student_code) from students s where s.tenant_id = $1)::integer as codes,
            (select count(*) from students s
               join audit_entries a on a.tenant_id = $1 and a.entity_id = s.id and a.action = 'student.created'
                and a.after ->> 'externalId' = s.external_id and a.external_id = s.external_id and a.request_id = $2
               join events e on e.tenant_id = $1 and e.entity_id = s.id and e.type = 'student.created' and e.request_id = $2
                and e.changed @> '{fullName,studentCode}'
              where s.tenant_id = $1)::integer as told,
            (select count(*) from audit_entries where tenant_id = $1 and request_id = $2)::integer as audit,
            (select count(*) from imported_records where tenant_id = $1 and made_by = $2 and corrected = '{}')::integer as made`,
    [tenant.id, report.run.id],
  )
  assert.deepEqual(found, { students: 4497, codes: 4497, told: 4496, audit: 4496, made: 4496 })
  assert.equal((await tenant.api.get('/students?limit=1')).body.pagination.total, 4497)
  const again = await importing(
    tenant,
    'students',
    [['externalId', 'fullName', 'studentCode'], ...rows],
    '--skip-faulty',
  )
  assert.deepEqual(rowCounts(again), [0, 0, 4496, 4])
})

test('import: two of the same file at once make each record once', async () => {
  const tenant = await service.tenant()
  const file = join(folder, 'twice.csv')
  const rows = Array.from({ length: 1200 }, (_, index) => `K${index},Name ${index}`)
  await writeFile(file, `externalId,fullName\n${rows.join('\n')}\n`)
  const args = ['import', 'students', file, '--tenant', tenant.slug, '--json']
  const [one, other] = await Promise.all([matricula(args), matricula(args)])
  const runs = [one, other].map(({ stdout }) => JSON.parse(stdout).run)
  assert.deepEqual([one.code, other.code, runs[0].created + runs[1].created], [0, 0, 1200])
  assert.equal((await tenant.api.get('/students?limit=1')).body.pagination.total, 1200)
})

test('import: killed on its way and started again, it leaves nothing half done and no double', async () => {
  const tenant = await service.tenant()
  const file = join(folder, 'killed.csv')
  const rows = Array.from({ length: 4000 }, (_, index) => `K${index},Name ${index}`)
  await writeFile(file, `externalId,fullName\n${rows.join('\n')}\n`)
  const program = fileURLToPath(new URL('../../../bin/matricula.js', import.meta.url))
  const args = ['import', 'students', file, '--tenant', tenant.slug, '--json']
  const total = async () => (await tenant.api.get('/students?limit=1')).body.pagination.total as number
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await isWriting(tenant)
    child.kill('SIGKILL')
    await ended
    assert.ok([0, 4000].includes(await total()))
  }
  const { code, stdout } = await matricula(args)
  const { created, unchanged } = JSON.parse(stdout).run
  assert.deepEqual([code, created + unchanged, await total()], [0, 4000, 4000])
})

/** Waits until an import of the tenant holds its lock, or has just committed. */
async function isWriting(tenant: TestTenant): Promise<void> {
  for (;;) {
    const sessions = await service.database.inspectEach(
      "select 1 as found from pg_stat_activity where state <> 'idle' and query ~ 'students' and pid <> pg_backend_pid()",
    )
    const runs = await service.database.inspectAt(tenant.id, 'select 1 from import_runs where tenant_id = $1', [
      tenant.id,
    ])
    if (sessions.length > 0 || runs.length > 0) return
  }
}
