import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { RecordError } from '../../model/record-error.ts'
import { momentIn } from '../../model/tenant-clock.ts'
import { countRecords, recordReader } from '../list-records.ts'
import type { ListParameters } from '../list-request.ts'
import { createListedTables, declaredRecords, getCaller, list, storeSchool } from '../query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)
const tenant = await service.tenant()
await storeSchool(service.database, tenant.id)
const staff = getCaller(tenant)
const lists = (type: string, parameters?: ListParameters) => list(service.data, staff, type, parameters)
const names = async (type: string, parameters?: ListParameters) =>
  (await lists(type, parameters)).map((row) => (row as { name: string }).name)
const feesWith = (filters: unknown, more: ListParameters = {}) => names('Fees', { filters, ...more })
const refusal =
  (type: string, message = /./) =>
  (error: unknown) =>
    error instanceof RecordError && error.type === type && message.test(error.message)

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

test('of several lists of or_filters one of each must hold', async () => {
  const named = (...names: string[]) => names.map((name) => ['name', '=', name])
  assert.deepEqual(await feesWith(null, { or_filters: [named('F-1', 'F-2'), named('F-2', 'F-3')] }), ['F-2'])
  assert.deepEqual(await feesWith(null, { or_filters: [named('F-1', 'F-3')] }), ['F-1', 'F-3'])
  assert.deepEqual(await feesWith({ name: 'F-1' }, { or_filters: [named('F-1', 'F-2'), named('F-2', 'F-3')] }), [])
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
  assert.deepEqual(await groups('ancestors of', 'Exam'), ['All', 'All Assessment Groups', 'Term 1'])
  assert.deepEqual(await groups('not descendants of', 'Term 1'), ['All', 'All Assessment Groups', 'Term 1', 'Term 2'])
  assert.deepEqual(await groups('Not Ancestors Of', 'Exam'), ['Exam', 'Term 2'])
  const filters = [['parent_assessment_group', 'descendants of', 'All']]
  assert.deepEqual(await names('Assessment Group', { filters }), ['Exam'])
  await assert.rejects(feesWith([['student', 'descendants of', 'S-1']]), refusal('ValidationError', /no tree/))
})

test('moments are shown and compared in the tenant’s time zone', async () => {
  const zone = 'America/Mexico_City'
  const there = await service.tenant({ timeZone: zone })
  await storeSchool(service.database, there.id)
  const rows = await list(service.data, getCaller(there), 'Fees', { fields: ['creation', 'name'], limit: 1 })
  const [{ creation }] = rows as [{ creation: string }]
  assert.ok(Math.abs(Date.parse(`${creation}Z`) - Date.parse(`${momentIn(zone, new Date())}Z`)) < 60_000)
  const count = (filters: unknown) =>
    countRecords(recordReader(service.data, there.id), declaredRecords, getCaller(there), 'Fees', { filters })
  assert.ok((await count([['creation', '=', creation]])) >= 1)
  assert.ok((await count([['creation', 'in', [creation]]])) >= 1)
  assert.equal(await count([['creation', '>=', creation]]), 3)
  assert.equal(await count([['creation', '>', `${creation.slice(0, 10)} 23:59:59.999`]]), 0)
  assert.equal(await count([['modified', 'between', [creation.slice(0, 10), creation.slice(0, 10)]]]), 3)
  assert.equal(await count([['creation', 'like', `${creation.slice(0, 10)}%`]]), 3)
  assert.equal(await count([['creation', 'timespan', 'today']]), 3)
  assert.equal(await count([['creation', '<', '2001-01-01']]), 0)
})
