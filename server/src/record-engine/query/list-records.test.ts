import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordRegistry } from '../../app/record-definitions.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { RecordError } from '../model/record-error.ts'
import { getTableFields } from '../model/record-tables.ts'
import { countRecords, listRecords, loadFieldValue, loadSingleFieldValue, recordReader } from './list-records.ts'
import { type ListParameters, parseListRequest } from './list-request.ts'
import { createListedTables, declaredRecords, getCaller, list, storeRecord, storeSchool } from './query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)
const tenant = await service.tenant()
await storeSchool(service.database, tenant.id)
const reader = recordReader(service.data, tenant.id)
const staff = getCaller(tenant)
const lists = (type: string, parameters?: ListParameters) => list(service.data, staff, type, parameters)
const names = async (type: string, parameters?: ListParameters) =>
  (await lists(type, parameters)).map((row) => (row as { name: string }).name)
const feesWith = (filters: unknown, more: ListParameters = {}) => names('Fees', { filters, ...more })
const refusal =
  (type: string, message = /./) =>
  (error: unknown) =>
    error instanceof RecordError && error.type === type && message.test(error.message)

test('a list is of names in their order unless other fields are asked for', async () => {
  assert.deepEqual(await lists('Fees'), [{ name: 'F-1' }, { name: 'F-2' }, { name: 'F-3' }])
  assert.deepEqual(
    await lists('Fees', { fields: '["name", "student.student_name", "grand_total as total"]', limit: 1 }),
    [{ name: 'F-1', student_name: 'Ana Ruiz', total: 150.25 }],
  )
  assert.deepEqual(await lists('Fees', { fields: ['name', 'docstatus'], as_dict: 'false', limit: '1' }), [['F-1', 1]])
})

test('a star stands for the standard fields and those of the type, with values as clients read them', async () => {
  const [row] = (await lists('Fees', { fields: ['*'], limit: 1 })) as Record<string, unknown>[]
  const first = ['name', 'owner', 'creation', 'modified', 'modified_by', 'docstatus', 'idx']
  assert.deepEqual(Object.keys(row ?? {}).slice(0, 7), first)
  assert.match(String(row?.creation), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}000$/)
  const { posting_time, due_date, grand_total, program, idx, set_posting_time } = row ?? {}
  assert.deepEqual(
    [posting_time, due_date, grand_total, program, idx, set_posting_time],
    [...['9:05:00', '2026-02-01', 150.25, null, 0, 0]],
  )
  assert.ok(!('components' in (row ?? {})))
  const [settings] = (await lists('Education Settings', { fields: '["*"]' })) as object[]
  assert.ok(settings === undefined || !('razorpay_secret' in settings))
})

test('rows are joined one by one, by their field or by their type, and filtered with it', async () => {
  const fields = ['name', 'components.fees_category', '`tabFee Component`.`amount` as part', 'components.idx']
  assert.deepEqual(await lists('Fees', { fields, as_dict: 0, filters: { student: 'S-1' } }), [
    ['F-1', 'Tuition', 100, 1],
    ['F-1', 'Books', 50.25, 2],
    ['F-3', null, null, null],
  ])
  assert.deepEqual(await feesWith([['Fee Component', 'fees_category', '=', 'Books']]), ['F-1'])
  assert.deepEqual(await feesWith([['components.parent', '=', 'F-2']]), ['F-2'])
})

test('orders are by several fields, qualified or by the names given to them, with what is not set first', async () => {
  const ordered = (order_by: string, more: ListParameters = {}) => names('Fees', { order_by, ...more })
  assert.deepEqual(await ordered('grand_total'), ['F-3', 'F-2', 'F-1'])
  assert.deepEqual(await ordered('student desc, `tabFees`.`name` DESC'), ['F-2', 'F-3', 'F-1'])
  assert.deepEqual(await names('Student Log', { order_by: 'date asc' }), ['F-2', 'F-1', 'F-3'])
  assert.deepEqual(await names('Student Log', { order_by: 'date desc' }), ['F-3', 'F-1', 'F-2'])
  assert.deepEqual(
    await ordered('idx, student.student_name, total desc', { fields: ['name', 'grand_total as total'] }),
    [...['F-1', 'F-3', 'F-2']],
  )
  assert.deepEqual(await ordered('name desc', { limit_start: 1, limit_page_length: 1 }), ['F-2'])
  assert.deepEqual(await ordered('', { limit: '0' }), ['F-1', 'F-2', 'F-3'])
})

test('records can be counted, summed and grouped; a field that differs in a group is read off one of its records', async () => {
  const fields = ['student', 'count(name) as number', 'sum(grand_total) as total', 'max(due_date) as last', 'docstatus']
  assert.deepEqual(await lists('Fees', { fields, group_by: 'student', order_by: 'count(name) desc' }), [
    { student: 'S-1', number: 2, total: 150.25, last: '2026-03-01', docstatus: 0 },
    { student: 'S-2', number: 1, total: 100, last: null, docstatus: 1 },
  ])
  assert.deepEqual(await lists('Fees', { fields: ['count(*)', 'avg(docstatus)', 'min(posting_time)'] }), [
    { 'count(*)': 3, 'avg(docstatus)': 0.6666666666666666, 'min(posting_time)': '9:05:00' },
  ])
  const grouped = await lists('Fees', {
    fields: ['creation', 'name', 'idx'],
    group_by: 'idx, creation, name',
    order_by: 'name',
  })
  assert.equal(grouped.length, 3)
})

test('rows are listed by the type that they belong to, in the order in which they stand there', async () => {
  const fields = ['parent', 'idx', 'parenttype', 'parentfield', 'amount']
  const rows = await lists('Fee Component', { parent: 'Fees', fields, as_dict: 0, filters: { parent: 'F-1' } })
  assert.deepEqual(rows, [
    ['F-1', 1, 'Fees', 'components', 100],
    ['F-1', 2, 'Fees', 'components', 50.25],
  ])
  const filters = [
    ['Fees', 'student', '=', 'S-2'],
    ['parenttype', '=', 'Fees'],
    ['parentfield', 'in', 'components'],
  ]
  assert.equal((await lists('Fee Component', { parent: 'Fees', fields: '["*"]', filters })).length, 1)
  for (const parent of [undefined, 'Student', 'Nothing', ['Fees']]) {
    await assert.rejects(lists('Fee Component', { parent }), refusal('PermissionError', /Send parent as one of/))
  }
})

test('a count takes names and lists of names too', async () => {
  const count = (filters?: unknown) => countRecords(reader, declaredRecords, staff, 'Fees', { filters })
  assert.equal(await count(), 3)
  assert.equal(await count('F-1'), 1)
  assert.equal(await count('["F-1", "F-2"]'), 2)
  assert.equal(await count('{"program": null}'), 2)
  assert.equal(await count([['docstatus', '=', 1]]), 2)
})

test('a value is that of the first record; of a single record also before it was saved', async () => {
  const value = (type: string, parameters: ListParameters) =>
    loadFieldValue(reader, declaredRecords, staff, type, parameters)
  assert.deepEqual(await value('Fees', { fieldname: 'student', filters: 'F-2' }), { student: 'S-2' })
  assert.deepEqual(await value('Fees', { fieldname: '["name", "student"]', filters: '{"docstatus": 0}' }), {
    name: 'F-3',
    student: 'S-1',
  })
  assert.deepEqual(await value('Fees', { fieldname: '[]', filters: '[]' }), { name: 'F-1' })
  assert.deepEqual(await value('Fees', { fieldname: 'student', filters: 'F-9' }), {})
  assert.equal(await value('Fees', { fieldname: 'student', filters: 'F-2', as_dict: 0 }), 'S-2')
  assert.deepEqual(await value('Fees', { fieldname: '["name","idx"]', filters: 'F-2', as_dict: 'False' }), ['F-2', 0])
  assert.equal(await value('Fees', { fieldname: 'student', filters: 'F-9', as_dict: 0 }), null)
  assert.deepEqual(await value('Education Settings', { fieldname: 'instructor_created_by' }), {
    instructor_created_by: 'Full Name',
  })
  const single = (field: unknown, type = 'Education Settings') =>
    loadSingleFieldValue(reader, declaredRecords, staff, type, field)
  assert.equal(await single('validate_batch'), 0)
  await assert.rejects(single('razorpay_secret'), refusal('DataError', /Field not permitted in query: razorpay_secret/))
  await assert.rejects(single('name', 'Fees'), refusal('ValidationError'))
})

test('another tenant’s records are in no list, count or join', async () => {
  const other = await service.tenant()
  const caller = getCaller(other)
  assert.deepEqual(await list(service.data, caller, 'Fees'), [])
  assert.equal(await countRecords(recordReader(service.data, other.id), declaredRecords, caller, 'Fees', {}), 0)
  await storeRecord(service.database, other.id, 'Fees', { name: 'F-1', student: 'S-1' })
  const fields = ['student.student_name', 'components.amount']
  assert.deepEqual(await list(service.data, caller, 'Fees', { fields }), [{ student_name: null, amount: null }])
})

test('every type of the service can be listed with all its fields, its rows and the records that it links to', async () => {
  for (const { type } of recordRegistry.all()) {
    const rows = getTableFields(type).map(({ rows }) => `\`tab${rows.name}\`.*`)
    const links = Object.entries(type.fields)
      .filter(([, field]) => field.type === 'Link' && recordRegistry.find(field.target) !== null)
      .map(([name]) => `${name}.modified as ${name}_modified`)
    for (const fields of [['*'], ...rows.map((each) => ['*', each]), links.slice(0, 20)]) {
      const request = parseListRequest(recordRegistry, staff, type.name, {
        fields,
        filters: { creation: ['!=', null] },
      })
      assert.ok((await listRecords(reader, request)).length <= 20, type.name)
    }
  }
})
