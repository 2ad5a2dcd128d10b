import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { RecordError } from '../model/record-error.ts'
import type { ListParameters } from './list-request.ts'
import { createListedTables, getCaller, list, storeSchool } from './query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)
const [tenant, other] = [await service.tenant(), await service.tenant()]
await storeSchool(service.database, tenant.id)
await storeSchool(service.database, other.id)
const fees = (parameters: ListParameters) => list(service.data, getCaller(tenant), 'Fees', parameters)

test('rows are read within each record, in their order, with the fields that an object names', async () => {
  const rows = await fees({ fields: ['name', { components: ['fees_category', 'amount', 'idx'] }], order_by: 'name' })
  assert.deepEqual(rows, [
    {
      name: 'F-1',
      components: [
        { fees_category: 'Tuition', amount: 100, idx: 1 },
        { fees_category: 'Books', amount: 50.25, idx: 2 },
      ],
    },
    { name: 'F-2', components: [{ fees_category: 'Tuition', amount: 100, idx: 1 }] },
    { name: 'F-3', components: [] },
  ])
  const text = '[{"components": ["parent", "parenttype"]}, "name"]'
  const [first] = await fees({ fields: text, filters: { name: 'F-2' } })
  assert.deepEqual(first, { components: [{ parent: 'F-2', parenttype: 'Fees' }], name: 'F-2' })
})

test('stars, stamps and one name in the place of a list are taken as they are elsewhere', async () => {
  const [all] = (await fees({ fields: [{ components: '*' }], filters: { name: 'F-2' } })) as [Record<string, never[]>]
  const [row] = all.components as unknown as [Record<string, unknown>]
  assert.deepEqual([row.amount, row.parentfield, row.docstatus], [100, 'components', 0])
  assert.match(String(row.creation), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
  const [flat] = await fees({ fields: [{ components: ['amount'] }], filters: { name: 'F-2' }, as_dict: 0 })
  assert.deepEqual(flat, [[{ amount: 100 }]])
})

test('what is counted or computed is asked for by an object, under a name or its own', async () => {
  assert.deepEqual(await fees({ fields: [{ COUNT: 'name', as: 'n' }] }), [{ n: 3 }])
  assert.deepEqual(await fees({ fields: [{ COUNT: '*' }] }), [{ 'COUNT(*)': 3 }])
  assert.deepEqual(await fees({ fields: [{ SUM: ['grand_total'] }] }), [{ 'SUM(`grand_total`)': 250.25 }])
  const byStudent = await fees({
    fields: ['student', { MAX: 'grand_total', as: 'most' }],
    group_by: 'student',
    order_by: 'most desc',
  })
  assert.deepEqual(byStudent, [
    { student: 'S-1', most: 150.25 },
    { student: 'S-2', most: 100 },
  ])
})

test('anything else that an object may ask for is refused, with how to ask', async () => {
  const rejected: [unknown, string][] = [
    [{ components: ['nope'] }, 'DataError'],
    [{ components: [] }, 'FrappeTypeError'],
    [{ components: null }, 'FrappeTypeError'],
    [{ components: [{ amount: 1 }] }, 'FrappeTypeError'],
    [{ components: ['student.user'] }, 'DataError'],
    [{ components: ['amount; drop table fees'] }, 'DataError'],
    [{ components: ['amount as x'] }, 'DataError'],
    [{ student: ['student_name'] }, 'DataError'],
    [{ nope: ['name'] }, 'DataError'],
    [{ __proto__: null, constructor: ['name'] }, 'DataError'],
    [{ COUNT: { SUM: 'name' } }, 'DataError'],
    [{ COUNT: ['name', 'student'] }, 'DataError'],
    [{ COUNT: 'name', as: { a: 1 } }, 'DataError'],
    [{ COUNT: 'name', as: 'n; drop table fees' }, 'DataError'],
    [{ COUNT: 'name', as: '__proto__' }, 'DataError'],
    [{ COUNT: 'name) from users --' }, 'DataError'],
    [{ COUNT: 'name', SUM: 'grand_total' }, 'DataError'],
    [{ SUM: 'student' }, 'DataError'],
    [{ SLEEP: 'name' }, 'DataError'],
    [['name'], 'FrappeTypeError'],
    [1, 'FrappeTypeError'],
  ]
  for (const [field, type] of rejected) {
    const ask = fees({ fields: [field] })
    await assert.rejects(ask, (error) => {
      assert.ok(error instanceof RecordError, String(error))
      assert.deepEqual([JSON.stringify(field), error.type], [JSON.stringify(field), type])
      return true
    })
  }
  await assert.rejects(fees({ fields: [{ components: ['amount'] }, 'count(name)'] }), { type: 'DataError' })
  const rows = { parent: 'Fees', fields: [{ components: ['amount'] }] }
  await assert.rejects(list(service.data, getCaller(tenant), 'Fee Component', rows), { type: 'DataError' })
})
