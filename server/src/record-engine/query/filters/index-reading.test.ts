import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordRegistry } from '../../../app/record-definitions.ts'
import { type Sql, sql } from '../../../database/index.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import type { RecordDefinition } from '../../model/record-definition.ts'
import { type ListParameters, parseListRequest } from '../list-request.ts'
import { getCaller } from '../query-fixture.ts'

const service = await startTestService()
const tenant = await service.tenant()
const getRequest = (type: string, parameters: ListParameters, roles?: readonly string[]) =>
  parseListRequest(recordRegistry, getCaller(tenant, roles), type, { limit_page_length: 20, ...parameters })

/** How a statement is read where a whole table, and sorting, are the last resort. */
function loadPlan(statement: Sql): Promise<string> {
  return service.data.transaction(tenant.id, async (tx) => {
    await tx.query(sql`set local enable_seqscan = off`)
    await tx.query(sql`set local enable_sort = off`)
    await tx.query(sql`set local enable_bitmapscan = off`)
    const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

/** A value of a field, as a filter asks for it. */
function filteredBy({ type }: RecordDefinition, field: string): unknown {
  const declared = type.fields[field]
  if (declared?.type === 'Check') return 0
  return declared?.type === 'Date' ? '2026-02-01' : 'X'
}

test('every index that a type says it has reads its records in that order, up and down, with nothing to sort', async () => {
  let read = 0
  for (const definition of recordRegistry.all()) {
    for (const index of definition.indexes) {
      const given = index.slice(0, -1)
      const filters = Object.fromEntries(given.map((field) => [field, filteredBy(definition, field)]))
      for (const direction of ['asc', 'desc']) {
        const what = `${definition.type.name} ${index} ${direction}`
        const request = getRequest(definition.type.name, { filters, order_by: `${index.at(-1)} ${direction}` })
        assert.equal(request.isCheap, true, what)
        const plan = await loadPlan(request.statement)
        assert.doesNotMatch(plan, /Sort {2}\(/, `${what}\n${plan}`)
        assert.match(plan, direction === 'asc' ? /Index(?: Only)? Scan using/ : /Scan Backward using/, what)
        const conditions = plan.match(/Index Cond:.*/g)?.join('\n') ?? ''
        for (const field of given) {
          const column = definition.storage?.linksById?.[field]?.id ?? field
          assert.match(conditions, new RegExp(`\\b${column}\\b`), `${what}\n${plan}`)
        }
        read += 1
      }
    }
  }
  assert.ok(read > 300, String(read))
})

test('a list shares a connection with others only where an index has it, and no more than it, in its order', () => {
  const attendance = 'Student Attendance'
  const ofStudent = { student: 'S-1' }
  const ofLaw = [['program', '=', 'Law']]
  const shared: [string, ListParameters][] = [
    [attendance, { filters: ofStudent, order_by: 'date desc' }],
    [attendance, { filters: { ...ofStudent, date: ['between', ['2026-02-01', '2026-02-28']] }, order_by: 'date' }],
    [attendance, { filters: { date: ['>=', '2026-02-01'] }, order_by: 'date', limit_start: 100 }],
    ['Student', { filters: { enabled: 0 }, order_by: 'modified desc' }],
    ['Student Applicant', { filters: ofLaw, order_by: 'modified desc' }],
    ['Student', { filters: { name: 'S-1', last_name: 'Li' }, order_by: 'last_name' }],
  ]
  const alone: [string, ListParameters][] = [
    [attendance, { filters: { ...ofStudent, status: 'Absent' }, order_by: 'date' }],
    [attendance, { filters: { student: ['in', ['S-1', 'S-2']] }, order_by: 'date' }],
    [attendance, { filters: { student: ['!=', 'S-1'] }, order_by: 'date' }],
    [attendance, { filters: { 'student.enabled': 1 }, order_by: 'date' }],
    [attendance, { filters: ofStudent, or_filters: { status: 'Absent' }, order_by: 'date' }],
    [attendance, { filters: ofStudent, order_by: 'date, status' }],
    [attendance, { filters: ofStudent, order_by: 'status' }],
    [attendance, { filters: ofStudent, order_by: 'date', limit_start: 101 }],
    [attendance, { filters: ofStudent, order_by: 'date', limit_page_length: 101 }],
    [attendance, { filters: ofStudent, order_by: 'date', limit_page_length: 0 }],
    [attendance, { fields: ['count(name)'], filters: ofStudent, order_by: 'date' }],
    [attendance, { fields: ['student.student_name'], filters: ofStudent, order_by: 'date' }],
    ['Student', { filters: { enabled: 0 }, order_by: 'creation' }],
    ['Student Applicant', { filters: { program: 'Law' }, order_by: 'creation' }],
    ['Student Applicant', { filters: { program: ['in', ['Law', 'Care']] }, order_by: 'modified' }],
    ['Student Applicant', { filters: [...ofLaw, ['program', '=', 'Care']], order_by: 'modified' }],
    ['Student', { order_by: 'modified desc' }],
  ]
  for (const [type, parameters] of shared)
    assert.equal(getRequest(type, parameters).isCheap, true, JSON.stringify(parameters))
  for (const [type, parameters] of alone)
    assert.equal(getRequest(type, parameters).isCheap, false, JSON.stringify(parameters))
  // A student's own records are looked for among those of all.
  assert.equal(getRequest(attendance, { filters: ofStudent, order_by: 'date' }, ['Student']).isCheap, false)
})
