import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestTenant } from '../../testing/test-service.ts'
import { RecordError } from '../record-error.ts'
import { momentIn } from '../tenant-clock.ts'
import { countRecords, fieldValueOf, recordReader, singleFieldValueOf } from './list-records.ts'
import type { ListParameters } from './list-request.ts'
import { callerOf, createListedTables, declaredRecords, list, storeRecord } from './query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

async function school(timeZone = 'UTC'): Promise<TestTenant> {
  const tenant = await service.tenant({ timeZone })
  const store = (type: string, fields: Record<string, unknown>) =>
    storeRecord(service.database, tenant.id, type, fields)
  await store('Student', { name: 'S-1', student_name: 'Ana Ruiz', user: 'ana@a.example', first_name: 'Ana' })
  await store('Student', { name: 'S-2', student_name: 'Bo Li', first_name: 'Bo', city: '100% \\ Oslo' })
  const group = (name: string, parent: string | null) => {
    return store('Assessment Group', { name, assessment_group_name: name, parent_assessment_group: parent })
  }
  for (const [name, parent] of [
    ['All', null],
    ['Term 1', 'All'],
    ['Exam', 'Term 1'],
    ['Term 2', 'All'],
  ] as const) {
    await group(name, parent)
  }
  const fee = { company: 'A', docstatus: 1, posting_time: '09:05:00' }
  const tuition = { fees_category: 'Tuition', amount: 100 }
  const date: Record<string, string | null> = { 'F-1': '2026-02-01', 'F-2': null, 'F-3': '2026-03-01' }
  for (const name of Object.keys(date)) await store('Student Log', { name, student: 'S-1', date: date[name] })
  await store('Fees', {
    ...{ ...fee, name: 'F-1', student: 'S-1', posting_date: day(0), due_date: '2026-02-01', grand_total: 150.25 },
    components: [tuition, { fees_category: 'Books', amount: 50.25 }],
  })
  await store('Fees', { ...fee, name: 'F-2', student: 'S-2', grand_total: 100, components: [tuition], program: '' })
  await store('Fees', { ...fee, name: 'F-3', student: 'S-1', docstatus: 0, due_date: '2026-03-01', program: 'Law' })
  return tenant
}

const tenant = await school()
const reader = recordReader(service.data, tenant.id)
const staff = callerOf(tenant)
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

test('filters come in every form, and all of them hold', async () => {
  const forms = [
    { student: 'S-1', docstatus: 1 },
    '{"student": "S-1", "docstatus": ["=", 1]}',
    [
      ['student', '=', 'S-1'],
      ['docstatus', '=', '1'],
    ],
    [
      ['Fees', 'student', '=', 'S-1', false],
      ['Fees', 'docstatus', '>', 0],
    ],
    '[["`tabFees`.`student`", "=", "S-1"], {"docstatus": 1}]',
    [
      ['student', 'S-1'],
      ['docstatus', ['!=', 0]],
    ],
    ['name', '=', 'F-1'],
  ]
  for (const form of forms) assert.deepEqual(await feesWith(form), ['F-1'], JSON.stringify(form))
  assert.deepEqual(await feesWith('', { or_filters: '' }), ['F-1', 'F-2', 'F-3'])
})

test('or_filters hold among themselves, and with the filters', async () => {
  const or_filters = [
    ['grand_total', '=', 100],
    ['due_date', '>=', '2026-03-01'],
  ]
  assert.deepEqual(await feesWith(null, { or_filters }), ['F-2', 'F-3'])
  assert.deepEqual(await feesWith({ docstatus: 1 }, { or_filters }), ['F-2'])
})

test('every operator does what it says, whatever its case, with upstream’s reading of what is not set', async () => {
  const cases: [unknown[], string[]][] = [
    [['program', '=', 'Law'], ['F-3']],
    [
      ['program', '=', ''],
      ['F-1', 'F-2'],
    ],
    [
      ['program', '!=', 'Law'],
      ['F-1', 'F-2'],
    ],
    [['program', '<>', ''], ['F-3']],
    [['program', '>', ''], ['F-3']],
    [
      ['program', '<', 'Law'],
      ['F-1', 'F-2'],
    ],
    [['program', 'LIKE', '%a%'], ['F-3']],
    [['program', 'like', 'lAW'], ['F-3']],
    [
      ['program', 'Not Like', '%a%'],
      ['F-1', 'F-2'],
    ],
    [['program', 'not like', '%'], []],
    [['program', 'in', ['Law', 'Art']], ['F-3']],
    [['program', 'in', 'Law, Art'], ['F-3']],
    [
      ['program', 'in', []],
      ['F-1', 'F-2'],
    ],
    [
      ['program', 'in', ['Law', '']],
      ['F-1', 'F-2', 'F-3'],
    ],
    [
      ['program', 'in', ['Law', null]],
      ['F-1', 'F-2', 'F-3'],
    ],
    [
      ['program', 'not in', ['Law']],
      ['F-1', 'F-2'],
    ],
    [['program', 'not in', ['']], ['F-3']],
    [['program', 'not in', []], ['F-3']],
    [['program', 'is', 'set'], ['F-3']],
    [
      ['program', 'is', 'Not Set'],
      ['F-1', 'F-2'],
    ],
    [['program', 'between', ['A', 'M']], ['F-3']],
    [
      ['date', '<', '2026-03-01'],
      ['F-1', 'F-2'],
    ],
    [
      ['date', '<=', '2026-02-01'],
      ['F-1', 'F-2'],
    ],
    [
      ['date', '>', '2026-01-01'],
      ['F-1', 'F-3'],
    ],
    [
      ['date', '!=', '2026-02-01'],
      ['F-2', 'F-3'],
    ],
    [['date', '=', ''], ['F-2']],
    [['date', '=', null], ['F-2']],
    [
      ['date', 'in', ['2026-02-01', '2026-03-01']],
      ['F-1', 'F-3'],
    ],
    [
      ['date', 'not in', ['2026-02-01']],
      ['F-2', 'F-3'],
    ],
    [['date', 'in', []], ['F-2']],
    [
      ['date', 'is', 'set'],
      ['F-1', 'F-3'],
    ],
    [['date', 'is', 'not set'], ['F-2']],
    [['date', 'like', '2026-02%'], ['F-1']],
    [
      ['date', 'between', ['2026-02-01', '2026-03-01']],
      ['F-1', 'F-3'],
    ],
    [['posting_date', 'between', []], ['F-1']],
    [['posting_date', 'Timespan', 'Today'], ['F-1']],
    [['posting_date', 'timespan', 'last 7 days'], ['F-1']],
    [['posting_date', 'previous', '1 year'], []],
    [['posting_date', 'next', '1 week'], []],
    [['grand_total', '=', '150.25'], ['F-1']],
    [['grand_total', '>', '99,999'], []],
    [
      ['grand_total', '<', 100.5],
      ['F-2', 'F-3'],
    ],
    [
      ['grand_total', 'between', [100, 151]],
      ['F-1', 'F-2'],
    ],
    [
      ['grand_total', 'in', [0, '100', 1e300]],
      ['F-2', 'F-3'],
    ],
    [
      ['grand_total', 'not in', '100'],
      ['F-1', 'F-3'],
    ],
    [['grand_total', 'in', []], []],
    [
      ['grand_total', 'is', 'set'],
      ['F-1', 'F-2'],
    ],
    [['grand_total', 'like', '150%'], ['F-1']],
    [['docstatus', '<', 0.5], ['F-3']],
    [
      ['docstatus', '<', 9e15],
      ['F-1', 'F-2', 'F-3'],
    ],
    [
      ['posting_time', '=', '9:05:00'],
      ['F-1', 'F-2', 'F-3'],
    ],
    [
      ['posting_time', 'like', '09:%'],
      ['F-1', 'F-2', 'F-3'],
    ],
    [
      ['idx', '=', 0],
      ['F-1', 'F-2', 'F-3'],
    ],
    [['name', 'not in', ['F-1', 'F-2']], ['F-3']],
    [
      ['student.user', '=', 'ana@a.example'],
      ['F-1', 'F-3'],
    ],
    [['student.city', 'like', '100\\% \\ %'], []],
    [['student.city', 'like', '%\\'], []],
    [['student.city', 'like', '100% \\ Oslo'], ['F-2']],
  ]
  for (const [filter, expected] of cases) {
    const type = filter[0] === 'date' ? 'Student Log' : 'Fees'
    assert.deepEqual(await names(type, { filters: [filter] }), expected, JSON.stringify(filter))
  }
})

test('operators on the tree of assessment groups reach every level', async () => {
  const groups = (operator: string, value: string) =>
    names('Assessment Group', { filters: [['name', operator, value]] })
  assert.deepEqual(await groups('descendants of', 'All'), ['Exam', 'Term 1', 'Term 2'])
  assert.deepEqual(await groups('descendants of (inclusive)', 'Term 1'), ['Exam', 'Term 1'])
  assert.deepEqual(await groups('ancestors of', 'Exam'), ['All', 'Term 1'])
  assert.deepEqual(await groups('not descendants of', 'Term 1'), ['All', 'Term 1', 'Term 2'])
  assert.deepEqual(await groups('Not Ancestors Of', 'Exam'), ['Exam', 'Term 2'])
  const filters = [['parent_assessment_group', 'descendants of', 'All']]
  assert.deepEqual(await names('Assessment Group', { filters }), ['Exam'])
  await assert.rejects(feesWith([['student', 'descendants of', 'S-1']]), refusal('ValidationError', /no tree/))
})

test('moments are shown and compared in the tenant’s time zone', async () => {
  const zone = 'America/Mexico_City'
  const there = await school(zone)
  const rows = await list(service.data, callerOf(there), 'Fees', { fields: ['creation', 'name'], limit: 1 })
  const [{ creation }] = rows as [{ creation: string }]
  assert.ok(Math.abs(Date.parse(`${creation}Z`) - Date.parse(`${momentIn(zone, new Date())}Z`)) < 60_000)
  const count = (filters: unknown) =>
    countRecords(recordReader(service.data, there.id), declaredRecords, callerOf(there), 'Fees', { filters })
  assert.ok((await count([['creation', '=', creation]])) >= 1)
  assert.ok((await count([['creation', 'in', [creation]]])) >= 1)
  assert.equal(await count([['creation', '>=', creation]]), 3)
  assert.equal(await count([['creation', '>', `${creation.slice(0, 10)} 23:59:59.999`]]), 0)
  assert.equal(await count([['modified', 'between', [creation.slice(0, 10), creation.slice(0, 10)]]]), 3)
  assert.equal(await count([['creation', 'like', `${creation.slice(0, 16)}%`]]), 3)
  assert.equal(await count([['creation', 'timespan', 'today']]), 3)
  assert.equal(await count([['creation', '<', '2001-01-01']]), 0)
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
    group_by: 'idx, creation',
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
    fieldValueOf(reader, declaredRecords, staff, type, parameters)
  assert.deepEqual(await value('Fees', { fieldname: 'student', filters: 'F-2' }), { student: 'S-2' })
  assert.deepEqual(await value('Fees', { fieldname: '["name", "student"]', filters: '{"docstatus": 0}' }), {
    ...{ name: 'F-3', student: 'S-1' },
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
    singleFieldValueOf(reader, declaredRecords, staff, type, field)
  assert.equal(await single('validate_batch'), 0)
  await assert.rejects(single('razorpay_secret'), refusal('DataError', /Field not permitted in query: razorpay_secret/))
  await assert.rejects(single('name', 'Fees'), refusal('ValidationError'))
})

test('another tenant’s records are in no list, count or join', async () => {
  const other = await service.tenant()
  const caller = callerOf(other)
  assert.deepEqual(await list(service.data, caller, 'Fees'), [])
  assert.equal(await countRecords(recordReader(service.data, other.id), declaredRecords, caller, 'Fees', {}), 0)
  await storeRecord(service.database, other.id, 'Fees', { name: 'F-1', student: 'S-1' })
  const fields = ['student.student_name', 'components.amount']
  assert.deepEqual(await list(service.data, caller, 'Fees', { fields }), [{ student_name: null, amount: null }])
})
