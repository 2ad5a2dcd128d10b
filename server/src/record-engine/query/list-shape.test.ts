import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import type { Caller } from '../model/caller.ts'
import { RecordError } from '../model/record-error.ts'
import { listRecords, recordReader } from './list-records.ts'
import { type ListParameters, parseListRequest } from './list-request.ts'
import { createListedTables, declaredRecords, getCaller, list, storeRecord } from './query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)
const [one, other] = [await service.tenant(), await service.tenant()]
for (const [tenant, phone] of [
  [one, '111'],
  [other, '222'],
] as const) {
  const store = (type: string, fields: Record<string, unknown>) =>
    storeRecord(service.database, tenant.id, type, fields)
  await store('Student', { name: 'S-1', student_name: 'Ana', user: 'ana@a.example', student_mobile_number: phone })
  await store('Student', { name: 'S-2', student_name: 'Bo', student_mobile_number: '333' })
  await store('Student Attendance', { name: 'A-1', student: 'S-1', date: '2026-02-02' })
  await store('Tag Link', {
    name: `T-${phone}`,
    document_type: 'Student',
    document_name: 'S-1',
    tag: `tag of ${phone}`,
  })
}
const read = (caller: Caller, type: string, parameters: ListParameters) => list(service.data, caller, type, parameters)
const asked = JSON.stringify(['name', 'student_mobile_number'])
const notPermitted = (error: unknown) => error instanceof RecordError && error.type === 'DataError'

test('a list that was asked for before is of whoever asks now: with its own filters, institution, time zone and page', async () => {
  const lists = (caller: Caller, more: ListParameters) =>
    read(caller, 'Student', { fields: asked, order_by: 'name', as_dict: 0, ...more })
  const [staff, others] = [getCaller(one), getCaller(other)]
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(await lists(staff, {}), [
      ...[
        ['S-1', '111'],
        ['S-2', '333'],
      ],
    ])
    assert.deepEqual(await lists(others, { filters: '{"name": "S-1"}' }), [['S-1', '222']])
    assert.deepEqual(await lists(staff, { filters: '{"name": "S-2"}', limit_page_length: '1' }), [['S-2', '333']])
    assert.deepEqual(await lists(staff, { limit_start: '1' }), [['S-2', '333']])
    assert.deepEqual(await lists(staff, { order_by: 'name desc', limit_page_length: '1' }), [['S-2', '333']])
    assert.deepEqual(await lists(staff, { fields: 'name', limit_page_length: '1' }), [['S-1']])
  }
  const moment = async (timeZone: string) => {
    const caller = { ...staff, tenant: { ...staff.tenant, timeZone } }
    const [row] = await read(caller, 'Student', { fields: '["creation"]', filters: '{"name": "S-1"}', as_dict: 0 })
    return Date.parse(
      `${String((row as unknown[])[0])
        .replace(' ', 'T')
        .slice(0, 23)}Z`,
    )
  }
  const hours = ((await moment('Asia/Tokyo')) - (await moment('UTC'))) / 3_600_000
  assert.equal(hours, 9)
})

test('what somebody is not shown is refused also right after somebody else was shown it', async () => {
  const staff = getCaller(one)
  const teacher = getCaller(one, ['Instructor'], 'teacher@a.example')
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await read(staff, 'Student', { fields: asked })).length, 2)
    await assert.rejects(read(teacher, 'Student', { fields: asked }), notPermitted)
    const ordered = { fields: '["name"]', order_by: 'student_mobile_number' }
    assert.equal((await read(staff, 'Student', ordered)).length, 2)
    await assert.rejects(read(teacher, 'Student', ordered), notPermitted)
  }
})

test('a student reads its own records alone by a list that the staff reads all of, and none of its notes', async () => {
  const [staff, ana] = [getCaller(one), getCaller(one, ['Student'], 'ana@a.example')]
  const recorded = { fields: '["name", "_user_tags"]', order_by: 'name' }
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(await read(staff, 'Student', recorded), [
      { name: 'S-1', _user_tags: ',tag of 111' },
      { name: 'S-2', _user_tags: null },
    ])
    assert.deepEqual(await read(getCaller(other), 'Student', { ...recorded, filters: '{"name": "S-1"}' }), [
      { name: 'S-1', _user_tags: ',tag of 222' },
    ])
    assert.deepEqual(await read(ana, 'Student', recorded), [{ name: 'S-1' }])
  }
})

test('rows that a filter brings beside records end the order of a list that was asked for without them before', async () => {
  await storeRecord(service.database, one.id, 'Fees', {
    ...{ name: 'F-1', student: 'S-1', company: 'A', grand_total: 3 },
    components: [
      { fees_category: 'Tuition', amount: 1 },
      { fees_category: 'Books', amount: 2 },
    ],
  })
  const fields = '["name", "grand_total"]'
  const parse = (filters?: unknown) =>
    parseListRequest(declaredRecords, getCaller(one), 'Fees', { fields, order_by: 'grand_total', filters })
  parse()
  const joined = parse('[["components.amount", ">", 0]]')
  assert.match(joined.statement.text, /order by .*"grand_total".*idx/)
  const rows = await listRecords(recordReader(service.data, one.id), joined)
  assert.deepEqual(rows, [
    { name: 'F-1', grand_total: 3 },
    { name: 'F-1', grand_total: 3 },
  ])
  assert.doesNotMatch(parse().statement.text, /idx/)
})

test('what is kept of lists is bounded: a thousand of different shapes are each as they were asked for', async () => {
  const staff = getCaller(one)
  for (let number = 0; number < 1000; number += 1) {
    const fields = `["name as n${number}"]`
    const { statement, fields: read } = parseListRequest(declaredRecords, staff, 'Student', { fields })
    assert.equal(read[0]?.key, `n${number}`)
    assert.match(statement.text, /select r\."name" as f0/)
  }
})

test('a list of today is of the day on which it is asked for, also word for word again', (t) => {
  const daysAsked = (now: string) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse(now) })
    const filters = '{"date": ["timespan", "today"]}'
    const { statement } = parseListRequest(declaredRecords, getCaller(one), 'Student Attendance', { filters })
    t.mock.timers.reset()
    return statement.values.filter((value) => /^\d{4}-\d\d-\d\d$/.test(String(value)))
  }
  assert.deepEqual(daysAsked('2026-02-02T12:00:00Z'), ['2026-02-02', '2026-02-02'])
  assert.deepEqual(daysAsked('2026-02-03T12:00:00Z'), ['2026-02-03', '2026-02-03'])
})
