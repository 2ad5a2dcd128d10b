import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Application,
  Course,
  Document,
  DocumentRequest,
  FormSubmission,
  FormTemplate,
  Payment,
  Program,
  Student,
} from '@matricula/contract'
import { clientOptions } from '@matricula/server/database/index'
import { addContractFormats } from '@matricula/server/http/index'
import { startTestService, type TestTenant } from '@matricula/server/testing/fixtures/test-service'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import pg from 'pg'
import { copyRows } from './copy.ts'
import { fillDemoTenant, isTenantEmpty, TenantNotEmptyError } from './demo-tenant.ts'

const service = await startTestService()
const { connection, inspect } = service.database
const { store } = service.files
const size = { students: 300, payments: 2000, seed: 1 }

async function aDemo(change: Partial<typeof size> = {}): Promise<TestTenant> {
  const tenant = await service.tenant({ timeZone: 'America/Bogota', currency: 'COP' })
  await fillDemoTenant(connection, tenant, { ...size, ...change }, store, () => {})
  return tenant
}

const tenant = await service.tenant({ timeZone: 'America/Bogota', currency: 'COP' })
const steps: [number, number][] = []
const wasEmpty = await isTenantEmpty(connection, tenant.id)
const counts = await fillDemoTenant(connection, tenant, size, store, (done, total) => steps.push([done, total]))

const lists = {
  students: { path: '/students', table: 'students', schema: Student, count: counts.students },
  applications: {
    path: '/admissions/applications',
    table: 'admission_applications',
    schema: Application,
    count: counts.applications,
  },
  payments: { path: '/payments', table: 'payments', schema: Payment, count: counts.payments },
  programs: { path: '/programs', table: 'programs', schema: Program, count: counts.programs },
  courses: { path: '/courses', table: 'courses', schema: Course, count: counts.courses },
}

async function loadRows<Row extends object>(text: string, of = tenant): Promise<Row[]> {
  return inspect<Row>(text, [of.id])
}

test('the counts are those of the tables, of the API, and of each status', async () => {
  assert.equal(counts.students, 300)
  assert.equal(counts.applications, 120)
  assert.equal(counts.payments, 2000)
  for (const { path, table, count } of Object.values(lists)) {
    const statuses = await loadRows<{ status: string; count: number }>(
      `select status, count(*) from ${table} where tenant_id = $1 group by status`,
    )
    assert.equal(
      statuses.reduce((total, row) => total + row.count, 0),
      count,
    )
    assert.equal((await tenant.api.get(`${path}?limit=1`)).body.pagination.total, count)
    for (const { status, count: ofStatus } of statuses) {
      const { body } = await tenant.api.get(`${path}?status=${status}&limit=1`)
      assert.equal(body.pagination.total, ofStatus, `${path} ${status}`)
    }
  }
  const [people] = await loadRows<{ count: number }>('select count(*) from contacts where tenant_id = $1')
  assert.equal(people?.count, counts.contacts)
})

test('every status occurs: of students, of payments, of programs and courses, and of the tenant’s pipeline', async () => {
  const pipeline = await loadRows<{ key: string }>('select key from pipeline_statuses where tenant_id = $1')
  const expected = {
    students: ['active', 'inactive', 'graduated', 'withdrawn', 'suspended'],
    admission_applications: pipeline.map(({ key }) => key),
    payments: ['pending', 'paid', 'overdue', 'cancelled', 'refunded'],
    programs: ['active', 'inactive', 'archived'],
    courses: ['active', 'inactive', 'archived'],
  }
  assert.equal(pipeline.length, 8)
  for (const [table, statuses] of Object.entries(expected)) {
    const found = await loadRows<{ status: string }>(`select distinct status from ${table} where tenant_id = $1`)
    assert.deepEqual(new Set(found.map(({ status }) => status)), new Set(statuses), table)
  }
})

test('every record reads through the API as the contract says', async () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addContractFormats(ajv)
  for (const { path, schema, count } of Object.values(lists)) {
    const validate = ajv.compile(schema)
    let seen = 0
    for (let cursor: string | null = '*'; cursor !== null; ) {
      const { status, body, headers } = await tenant.api.get(`${path}?limit=100&cursor=${cursor}`)
      assert.equal(status, 200)
      for (const record of body.data) assert.ok(validate(record), JSON.stringify([validate.errors, record]))
      seen += body.data.length
      cursor = headers.get('next-cursor')
    }
    assert.equal(seen, count, path)
  }
})

test('a fetched record can be sent back and changes nothing', async () => {
  for (const path of ['/students', '/admissions/applications', '/payments']) {
    const { body } = await tenant.api.get(`${path}?limit=5`)
    for (const record of body.data) {
      const { contacts, ...fields } = record
      const sent = path === '/payments' ? record : fields
      const response = await tenant.api.patch(`${path}/${record.id}`, sent)
      assert.equal(response.status, 200, response.text)
      assert.equal(response.body.data.updatedAt, record.updatedAt)
    }
  }
})

test('every student and every application has contacts, exactly one of them primary, and every person is linked', async () => {
  for (const [owners, links, owner] of [
    ['students', 'student_contacts', 'student_id'],
    ['admission_applications', 'application_contacts', 'application_id'],
  ]) {
    const wrong = await loadRows(`
      select o.id from ${owners} o left join ${links} l on l.tenant_id = o.tenant_id and l.${owner} = o.id
       where o.tenant_id = $1 group by o.id having count(*) filter (where l.is_primary) <> 1`)
    assert.deepEqual(wrong, [])
  }
  const unlinked = await loadRows(`
    select c.id from contacts c
     where c.tenant_id = $1
       and not exists (select from student_contacts l where l.tenant_id = c.tenant_id and l.contact_id = c.id)
       and not exists (select from application_contacts l where l.tenant_id = c.tenant_id and l.contact_id = c.id)`)
  assert.deepEqual(unlinked, [])
})

test('siblings share their parents, and who enrolled shares name and contacts with the application', async () => {
  const shared = await loadRows(`
    select contact_id from student_contacts where tenant_id = $1 group by contact_id having count(distinct student_id) > 1`)
  assert.ok(shared.length > 20)
  const admitted = await loadRows<{ same: boolean }>(`
    select s.full_name = a.full_name and a.created_at < s.created_at and exists (
             select from student_contacts sl
               join application_contacts al on al.tenant_id = sl.tenant_id and al.contact_id = sl.contact_id
              where sl.tenant_id = $1 and sl.student_id = s.id and al.application_id = a.id) as same
      from admission_applications a left join students s on s.tenant_id = $1 and s.id = a.student_id
     where a.tenant_id = $1 and a.status = 'enrolled'`)
  assert.ok(admitted.length >= 20)
  assert.ok(admitted.every(({ same }) => same))
  const others = await loadRows(
    `select id from admission_applications where tenant_id = $1 and status <> 'enrolled' and student_id is not null`,
  )
  assert.deepEqual(others, [])
})

test('the moves of an application begin with nothing, follow each other in time and end at its status', async () => {
  const applications = await loadRows<{ status: string; created_at: string; updated_at: string; moves: Move[] }>(`
    select a.status, a.created_at, a.updated_at,
           (select jsonb_agg(jsonb_build_object('from', m.from_status, 'to', m.to_status, 'at', stamp_text(m.moved_at))
                             order by m.moved_at, m.id)
              from application_moves m where m.tenant_id = a.tenant_id and m.application_id = a.id) as moves
      from admission_applications a where a.tenant_id = $1`)
  for (const { status, moves, created_at: createdAt, updated_at: updatedAt } of applications) {
    assert.deepEqual(
      moves.map(({ from }) => from),
      [null, ...moves.slice(0, -1).map(({ to }) => to)],
    )
    assert.equal(moves.at(-1)?.to, status)
    assert.equal(moves[0]?.at, createdAt)
    assert.equal(moves.at(-1)?.at, updatedAt)
  }
})

interface Move {
  readonly from: string | null
  readonly to: string
  readonly at: string
}

test('people are found by what the service searches', async () => {
  const [student] = (await tenant.api.get('/students?limit=1')).body.data
  const found = await tenant.api.get(`/students?search=${encodeURIComponent(student.fullName.toUpperCase())}`)
  assert.ok(found.body.data.some(({ id }: { id: string }) => id === student.id))
  const [link] = await loadRows<{ phone: string; id: string; name: string }>(
    'select phone, id, display_name as name from contacts where tenant_id = $1 and phone_digits is not null order by id limit 1',
  )
  const [application] = (await tenant.api.get('/admissions/applications?limit=1')).body.data
  const body = { phone: link?.phone, displayName: link?.name, role: 'other' }
  const { body: response } = await tenant.api.post(`/admissions/applications/${application.id}/contacts`, body)
  assert.ok(response.data.contacts.some(({ contactId }: { contactId: string }) => contactId === link?.id))
})

test('the next student and application get the next codes', async () => {
  for (const [path, table, column] of [
    ['/students', 'students', 'student_code'],
    ['/admissions/applications', 'admission_applications', 'application_code'],
  ]) {
    const created = await tenant.api.post(path as string, { fullName: 'Ada Byron' })
    assert.equal(created.status, 201)
    const code: string = created.body.data.studentCode ?? created.body.data.applicationCode
    const given = await inspect<{ last: string | null }>(
      `select max(${column}) as last from ${table} where tenant_id = $1 and ${column} like $2 and id <> $3`,
      [tenant.id, `${code.slice(0, -5)}%`, created.body.data.id],
    )
    assert.equal(Number(code.slice(-5)), Number(given[0]?.last?.slice(-5) ?? 0) + 1)
  }
})

test('a load leaves no audit rows and no events', async () => {
  const other = await aDemo({ students: 20, payments: 50 })
  for (const [table, column] of [
    ['audit_entries', 'entity_type'],
    ['events', 'entity_type'],
  ]) {
    const rows = await loadRows<{ type: string }>(`select ${column} as type from ${table} where tenant_id = $1`, other)
    assert.deepEqual(
      rows.filter(({ type }) => type !== 'api_key'),
      [],
    )
  }
})

test('two tenants with one seed have equal records under different ids', async () => {
  const [one, other] = [await aDemo(), await aDemo()]
  for (const { table } of Object.values(lists)) {
    const rows = (of: TestTenant) =>
      loadRows<{ id: string; record: object }>(
        `select id, to_jsonb(t) - array['tenant_id', 'id', 'student_id', 'program_id'] as record
           from ${table} t where tenant_id = $1 order by created_at, id`,
        of,
      )
    const [ones, others] = [await rows(one), await rows(other)]
    assert.deepEqual(
      ones.map(({ record }) => record),
      others.map(({ record }) => record),
    )
    const ids = new Set(ones.map(({ id }) => id))
    assert.ok(others.every(({ id }) => !ids.has(id)))
  }
})

test('the progress grows up to its total', () => {
  const expected = counts.programs + counts.courses + counts.students + counts.applications + counts.payments
  assert.deepEqual(steps.at(-1), [expected, expected])
  for (const [index, [done, total]] of steps.entries()) {
    assert.equal(total, expected)
    assert.ok(done > (steps[index - 1]?.[0] ?? 0))
  }
})

test('a tenant that has records is refused and left as it is', async () => {
  assert.equal(wasEmpty, true)
  assert.equal(await isTenantEmpty(connection, tenant.id), false)
  await assert.rejects(() => fillDemoTenant(connection, tenant, size, store, () => {}), TenantNotEmptyError)
})

test('of two loads at once one fills the tenant and the other is refused', async () => {
  const other = await service.tenant()
  const load = () => fillDemoTenant(connection, other, { students: 50, payments: 100, seed: 1 }, store, () => {})
  const results = await Promise.allSettled([load(), load()])
  const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(rejected.length, 1)
  assert.ok(rejected[0] instanceof TenantNotEmptyError)
  assert.equal((await other.api.get('/students')).body.pagination.total, 50)
})

test('a load that stops halfway leaves nothing', async () => {
  const other = await service.tenant()
  const stop = (done: number) => {
    if (done > 1000) throw new Error('stopped')
  }
  await assert.rejects(() => fillDemoTenant(connection, other, size, store, stop), /stopped/)
  assert.equal(await isTenantEmpty(connection, other.id), true)
  const series = await loadRows('select prefix from naming_series where tenant_id = $1', other)
  assert.deepEqual(series, [])
  assert.equal((await fillDemoTenant(connection, other, size, store, () => {})).students, 300)
})

test('a tenant can be filled without payments, and without students', async () => {
  const [none, few] = [await service.tenant(), await service.tenant()]
  const withoutStudents = await fillDemoTenant(
    connection,
    none,
    { students: 0, payments: 10, seed: 1 },
    store,
    () => {},
  )
  assert.deepEqual([withoutStudents.students, withoutStudents.payments], [0, 0])
  assert.equal((await none.api.get('/programs')).body.pagination.total, withoutStudents.programs)
  assert.equal(
    (await fillDemoTenant(connection, few, { students: 5, payments: 0, seed: 1 }, store, () => {})).students,
    5,
  )
  assert.equal((await few.api.post('/students', { fullName: 'Ada Byron' })).status, 201)
})

test('every text comes out of the database as it went in', async () => {
  const client = new pg.Client(clientOptions(connection, 'owner'))
  await client.connect()
  try {
    await client.query('create temporary table texts (tenant_id uuid, position integer, text text, json jsonb)')
    const unit = fc.constantFrom('\\', '\t', '\n', '\r', '\b', '\f', '\v', 'N', '.', 'n', 'é', '😀', '"', "'", ',')
    const texts = fc.sample(fc.oneof(fc.string({ unit }), fc.constant(null)), { numRuns: 500, seed: 7 })
    const rows = texts.map((text, position) => ({ position, text, json: { text } }))
    const table = { name: 'texts', columns: ['position', 'text', 'json'] } as const
    assert.equal(await copyRows(client, tenant.id, table, rows), 500)
    const read = await client.query('select position, text, json from texts order by position')
    assert.deepEqual(read.rows, rows)
  } finally {
    await client.end()
  }
})

/** Every record of a list. */
async function readAll(path: string): Promise<{ status: string }[]> {
  const records: { status: string }[] = []
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const { body, headers } = await tenant.api.get(`${path}?limit=100&cursor=${cursor}`)
    records.push(...body.data)
    cursor = headers.get('next-cursor')
  }
  return records
}

test('the further an application has come, the fewer there are, and the more of its documents are approved', async () => {
  const stages = await loadRows<{ key: string; count: number; approved: number }>(`
    select s.key, count(distinct a.id)::int as count,
           (count(d.id) filter (where d.status = 'approved'))::float8 / count(distinct a.id) as approved
      from pipeline_statuses s
      join admission_applications a on a.tenant_id = s.tenant_id and a.status = s.key
      left join document_links l on l.tenant_id = a.tenant_id and l.application_id = a.id
      left join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id
     where s.tenant_id = $1 and s.category in ('open', 'accepted')
     group by s.key, s.category, s.position order by s.position`)
  const open = stages.slice(0, -1)
  for (const [index, { key, count }] of open.entries()) {
    assert.ok(index === 0 || count < (open[index - 1]?.count ?? 0), `${key}: ${JSON.stringify(stages)}`)
  }
  const [first, last] = [stages[0], stages.at(-1)]
  assert.ok((first?.approved ?? 3) < 1 && (last?.approved ?? 0) > 2, JSON.stringify(stages))
})

test('documents, requests, templates and submissions occur in every state, and read as the contract says', async () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addContractFormats(ajv)
  const states = {
    '/vault/documents': ['pending_upload', 'uploaded', 'in_review', 'approved', 'rejected', 'expired', 'archived'],
    '/vault/requests': ['open', 'partially_completed', 'completed', 'expired', 'revoked'],
    '/forms/templates': ['draft', 'published', 'archived'],
    '/forms/submissions': ['submitted', 'processed', 'withdrawn'],
  }
  const schemas = {
    '/vault/documents': Document,
    '/vault/requests': DocumentRequest,
    '/forms/templates': FormTemplate,
    '/forms/submissions': FormSubmission,
  }
  for (const path of Object.keys(states) as (keyof typeof states)[]) {
    const validate = ajv.compile(schemas[path])
    const records = await readAll(path)
    for (const record of records) assert.ok(validate(record), JSON.stringify([validate.errors, record]))
    for (const status of states[path]) {
      const ofStatus = await tenant.api.get(`${path}?status=${status}&limit=1`)
      const expected = records.filter((record) => record.status === status).length
      assert.ok(expected > 0, `${path} ${status}`)
      assert.equal(ofStatus.body.pagination.total, expected, `${path} ${status}`)
    }
  }
  const [{ untranslated }] = (await loadRows<{ untranslated: number }>(`
    select count(*)::int as untranslated from form_templates
     where tenant_id = $1 and not (translations -> 'name') ?& array['es', 'pt', 'fr']`)) as [{ untranslated: number }]
  assert.equal(untranslated, 0)
  const templates = await tenant.api.get('/forms/templates?status=published&limit=100')
  const kinds = templates.body.data.map(({ entityType }: { entityType: string }) => entityType)
  assert.deepEqual(new Set(kinds), new Set(['student', 'application', 'none']))
})

test('a required document is missing of a student and of an application, and the files of the others are there', async () => {
  const { body: submissions } = await tenant.api.get('/forms/submissions?limit=100')
  for (const entityType of ['student', 'application']) {
    const list = entityType === 'student' ? '/students' : '/admissions/applications'
    const { body } = await tenant.api.get(`${list}?limit=10`)
    const [{ id }] = body.data
    const last = body.data.at(-1).id
    const checklists = await Promise.all(
      [id, last].map((entityId) => tenant.api.get(`/vault/requirements?entityType=${entityType}&entityId=${entityId}`)),
    )
    assert.ok(checklists.some((response) => response.body.data.summary.missing > 0))
    assert.ok(submissions.data.some((submission: { entityType: string }) => submission.entityType === entityType))
  }
  const { body } = await tenant.api.get('/vault/documents?status=approved&limit=100')
  for (const document of body.data) {
    const link = await tenant.api.get(`/vault/documents/${document.id}/download`)
    const file = await service.sendFile(link.body.data.url, {})
    assert.equal(file.status, 200)
    assert.equal((await file.arrayBuffer()).byteLength, document.currentVersion.sizeBytes)
  }
})
