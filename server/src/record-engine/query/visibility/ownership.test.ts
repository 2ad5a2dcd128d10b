import assert from 'node:assert/strict'
import { test } from 'node:test'
import { student } from '@matricula/contract/record-types'
import { records } from '../../../testing/fixtures/all-records.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { mayDo } from '../../model/permissions.ts'
import { RecordError } from '../../model/record-error.ts'
import { getTableFields } from '../../model/record-tables.ts'
import { createListedTables, getCaller, list, storeRecord, typesWithRows } from '../query-fixture.ts'
import { ownershipCondition, readsOnlyItsOwn, requireAll } from './ownership.ts'

const service = await startTestService()
await createListedTables(service.database)
const tenant = await service.tenant()
const store = (type: string, fields: Record<string, unknown>) => storeRecord(service.database, tenant.id, type, fields)
await store('Student', {
  name: 'S-1',
  student_name: 'Ana',
  user: 'ana@a.example',
  guardians: [{ guardian_name: 'Eva' }],
})
await store('Student', { name: 'S-2', student_name: 'Bo', user: 'bo@a.example', guardians: [{ guardian_name: 'Kim' }] })
await store('Student Attendance', { name: 'A-1', student: 'S-1', date: '2026-02-02' })
await store('Student Attendance', { name: 'A-2', student: 'S-2', date: '2026-02-02' })
await store('Course Schedule', { name: 'C-1', student_group: 'G' })

const denied = (error: unknown) => error instanceof RecordError && error.type === 'PermissionError'
const ana = (...roles: string[]) => getCaller(tenant, roles, 'ana@a.example')
const names = async (roles: string[], type: string, parameters = {}) =>
  (await list(service.data, ana(...roles), type, parameters)).map((row) => Object.values(row)[0])

test('a student sees itself and what is about it, and everything of types that are about nobody', async () => {
  assert.deepEqual(await names(['Student'], 'Student'), ['S-1'])
  assert.deepEqual(await names(['Student'], 'Student Attendance'), ['A-1'])
  assert.deepEqual(await names(['Student'], 'Student Attendance', { filters: { student: 'S-2' } }), [])
  assert.deepEqual(await names(['Student'], 'Student Attendance', { or_filters: [['student', '=', 'S-2']] }), [])
  assert.deepEqual(await names(['Student'], 'Course Schedule'), ['C-1'])
  assert.deepEqual(await names(['Student'], 'Student Guardian', { parent: 'Student', fields: ['guardian_name'] }), [
    'Eva',
  ])
})

test('a role of the staff beside it opens everything that the role may read', async () => {
  assert.deepEqual(await names(['Student', 'Academics User'], 'Student Attendance'), ['A-1', 'A-2'])
  assert.deepEqual(await names(['Student', 'Admissions Officer'], 'Student'), ['S-1', 'S-2'])
  assert.deepEqual(await names(['Student', 'Admissions Officer'], 'Student Attendance'), ['A-1'])
})

test('a type is listed, and joined, only by who may read it', async () => {
  await assert.rejects(names(['Student'], 'Fees'), denied)
  await assert.rejects(names([], 'Student'), denied)
  await assert.rejects(names(['Student'], 'Course Schedule', { fields: ['student_group.program'] }), denied)
  await assert.rejects(names(['Student'], 'Course Schedule', { filters: { 'room.seating_capacity': 1 } }), denied)
  await assert.rejects(names(['Student'], 'Course Schedule', { order_by: 'room.room_name' }), denied)
  await assert.rejects(names(['Student'], 'Fee Component', { parent: 'Fees' }), denied)
  await assert.rejects(list(service.data, { ...ana('Student'), kind: 'guest' }, 'Student'), denied)
})

test('without a right a condition of ownership holds for no record, whatever the type and the right', () => {
  const bare = ana()
  const rights = ['read', 'write', 'create', 'delete', 'submit', 'cancel'] as const
  const open = records.registry.declared().flatMap((definition) => {
    if (definition.seenBy !== null) return []
    return rights
      .filter((right) => !mayDo(bare, definition.type, right))
      .filter((right) => ownershipCondition(records.registry, bare, definition, 'r', right) === null)
      .map((right) => `${definition.type.name} ${right}`)
  })
  assert.deepEqual(open, [])
  const closed = records.registry.declared().filter(({ type }) => !mayDo(bare, type, 'read'))
  assert.ok(closed.length > 40)
  for (const definition of closed) assert.equal(readsOnlyItsOwn(bare, definition), true, definition.type.name)
  assert.throws(() => requireAll(bare, student), denied)
})

test('a record that only joins another shows nothing of it to whom it is not about', async () => {
  await store('Student Leave Application', { name: 'L-1', student: 'S-1', student_group: 'G' })
  await store('Program Enrollment', { name: 'E-2', student: 'S-2', student_name: 'Bo' })
  await store('Student Attendance', { name: 'A-3', student: 'S-1', leave_application: 'L-1', amended_from: 'A-2' })
  const fields = ['amended_from.student as other', 'leave_application.student as own']
  assert.deepEqual(
    await list(service.data, ana('Student'), 'Student Attendance', { fields, filters: { name: 'A-3' } }),
    [{ other: null, own: 'S-1' }],
  )
})

test('no type has two table fields with rows of one type, so that rows are named by their type without doubt', () => {
  for (const { type } of typesWithRows()) {
    const kinds = getTableFields(type).map(({ rows }) => rows.name)
    assert.equal(new Set(kinds).size, kinds.length, type.name)
  }
})
