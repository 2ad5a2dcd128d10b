import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordRegistry } from '../../app/record-definitions.ts'
import { sql } from '../../database/index.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { listRecords, recordReader } from './list-records.ts'
import { type ListParameters, parseListRequest } from './list-request.ts'
import { getCaller } from './query-fixture.ts'

const service = await startTestService()
const [tenant, large, ordered] = [await service.tenant(), await service.tenant(), await service.tenant()]
const getRequest = (type: string, parameters: ListParameters, of = tenant) =>
  parseListRequest(recordRegistry, getCaller(of), type, parameters)

const loadNames = async (type: string, filters: object) => {
  const request = getRequest(type, { filters, order_by: 'name' })
  const rows = await listRecords(recordReader(service.data, tenant.id), request)
  return rows.map((row) => (row as { name: string }).name)
}

/** How a list is read where reading a whole table is the last resort, and so is sorting where an order is asked for. */
function loadPlan(type: string, parameters: ListParameters): Promise<string> {
  return service.data.transaction(large.id, async (tx) => {
    await tx.query(sql`set local enable_seqscan = off`)
    if (parameters.order_by !== undefined) await tx.query(sql`set local enable_sort = off`)
    const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${getRequest(type, parameters, large).statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

test('what clients commonly filter and order by is read off an index, under row-level security too', async () => {
  await service.database.inspect(
    `insert into students (tenant_id, id, student_code, full_name, family_names, status, search_text)
     select $1, new_uuid7(), 'S-' || n, 'Student ' || n, 'Family ' || n, 'active', '' from generate_series(1, 3000) n`,
    [large.id],
  )
  await service.database.inspect(
    `insert into admission_applications (tenant_id, id, application_code, full_name, status, program, search_text)
     select $1, new_uuid7(), 'P-' || n, 'Applicant ' || n, 'new', 'Program ' || n, '' from generate_series(1, 3000) n`,
    [large.id],
  )
  await service.database.inspect('analyze students, admission_applications')
  const expected: [string, ListParameters, RegExp, RegExp][] = [
    ['Student', { filters: { enabled: 0 }, order_by: 'modified desc' }, /students_enabled_idx/, /enabled = 0/],
    ['Student', { filters: { last_name: 'Li' } }, /students_family_names_idx/, /family_names = /],
    [
      'Student Applicant',
      { filters: { program: 'Nursing' } },
      /admission_applications_program_id_updated_at_idx[\s\S]*admission_applications_program_updated_at_idx/,
      /program_id = ANY/,
    ],
    [
      'GL Entry',
      { filters: { account: 'Cash' }, order_by: 'posting_date desc' },
      /Backward using gl_entries_account_idx/,
      /account = /,
    ],
    ['GL Entry', { order_by: 'modified desc' }, /Backward using gl_entries_updated_at_idx/, /tenant_id = /],
    [
      'Student Attendance',
      { filters: { student: 'S-1', date: ['between', ['2026-02-01', '2026-02-28']] }, order_by: 'date desc' },
      /Backward using student_attendances_student_idx/,
      /date >= /,
    ],
  ]
  for (const [type, parameters, index, condition] of expected) {
    const plan = await loadPlan(type, parameters)
    assert.match(plan, index, type)
    assert.match(plan.match(/Index Cond:.*/g)?.join('\n') ?? '', condition, type)
    if (parameters.order_by !== undefined) assert.doesNotMatch(plan, /Sort/, type)
  }
})

test('applicants are found by their program, be it a record or a text that names none', async () => {
  const nursing = await service.database.inspect<{ id: string }>(
    `insert into programs (tenant_id, id, name, search_text) values ($1, new_uuid7(), 'Nursing', '') returning id`,
    [tenant.id],
  )
  const apply = (code: string, programId: string | null, program: string) =>
    service.database.inspect(
      `insert into admission_applications (tenant_id, id, application_code, full_name, status, program_id, program, search_text)
       values ($1, new_uuid7(), $2, $2, 'new', $3, $4, '')`,
      [tenant.id, code, programId, program],
    )
  await apply('A-1', nursing[0]?.id ?? null, '')
  await apply('A-2', null, 'Nursing')
  await apply('A-3', null, 'Evening School')
  await apply('A-4', null, '')
  assert.deepEqual(await loadNames('Student Applicant', { program: 'Nursing' }), ['A-1', 'A-2'])
  assert.deepEqual(await loadNames('Student Applicant', { program: 'Evening School' }), ['A-3'])
  assert.deepEqual(await loadNames('Student Applicant', { program: ['in', ['Nursing', 'Evening School', 'None']] }), [
    'A-1',
    'A-2',
    'A-3',
  ])
  assert.deepEqual(await loadNames('Student Applicant', { program: '' }), ['A-4'])
  assert.deepEqual(await loadNames('Student Applicant', { program: ['in', ['', 'Nursing']] }), ['A-1', 'A-2', 'A-4'])
  assert.deepEqual(await loadNames('Student Applicant', { program: ['!=', 'Nursing'] }), ['A-3', 'A-4'])
  await service.database.inspect(`update programs set name = 'Care' where tenant_id = $1`, [tenant.id])
  assert.deepEqual(await loadNames('Student Applicant', { program: 'Care' }), ['A-1'])
  assert.deepEqual(await loadNames('Student Applicant', { program: 'Nursing' }), ['A-2'])
})

test('the applicants of a program are in the order of their changes, those who have it by its id among those by its name', async () => {
  const { id: tenantId } = ordered
  await service.database.inspect(
    `insert into programs (tenant_id, id, name, search_text) values ($1, new_uuid7(), 'Law', ''), ($1, new_uuid7(), 'Care', '')`,
    [tenantId],
  )
  await service.database.inspect(
    `insert into admission_applications (tenant_id, id, application_code, full_name, status, program_id, program, search_text, updated_at)
     select p.tenant_id, new_uuid7(), p.name || '-' || n, 'Applicant ' || n, 'new', case when n % 3 > 0 then p.id end,
            case when n % 3 = 0 then p.name else '' end, '', timestamptz '2026-01-01' + n / 2 * interval '1 minute'
       from programs p, generate_series(1, 90) n where p.tenant_id = $1`,
    [tenantId],
  )
  const reader = recordReader(service.data, tenantId)
  const read = (parameters: ListParameters) =>
    listRecords(
      reader,
      getRequest('Student Applicant', { fields: ['*'], filters: { program: 'Law' }, ...parameters }, ordered),
    )
  for (const order_by of ['modified', 'modified desc']) {
    const all = await read({ order_by, limit_page_length: 0 })
    assert.equal(all.length, 90)
    for (const limit_start of [0, 1, 20, 75, 90]) {
      const page = await read({ order_by, limit_start, limit_page_length: 20 })
      assert.deepEqual(page, all.slice(limit_start, limit_start + 20), `${order_by} from ${limit_start}`)
    }
  }
  assert.deepEqual(await read({ filters: { program: 'None' }, order_by: 'modified desc' }), [])
})

test('a deep page is that part of the list which it is when all is read at once, whatever the order, and finds its records by their ids', async () => {
  const reader = recordReader(service.data, large.id)
  const read = (parameters: ListParameters) =>
    listRecords(
      reader,
      getRequest('Student', { fields: ['*'], filters: { last_name: ['like', '%1%'] }, ...parameters }, large),
    )
  for (const order_by of [undefined, 'creation desc', 'enabled', 'last_name desc, name', 'modified']) {
    const all = await read({ order_by, limit_page_length: 0 })
    assert.ok(all.length > 600, String(all.length))
    for (const limit_start of [199, 200, 500, all.length - 3, all.length]) {
      const page = await read({ order_by, limit_start, limit_page_length: 20 })
      assert.deepEqual(page, all.slice(limit_start, limit_start + 20), `${order_by} from ${limit_start}`)
    }
  }
  const plan = await loadPlan('Student', { fields: ['*'], limit_start: 2000 })
  assert.match(plan, /Index Scan using students_pkey\S* on students.*\n.*id = ANY/)
})
