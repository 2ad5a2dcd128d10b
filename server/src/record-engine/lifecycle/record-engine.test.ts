import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  academicTerm,
  academicYear,
  account,
  company,
  department,
  holidayList,
  user as userType,
} from '@matricula/contract/record-types'
import { recordRegistry } from '../../app/record-definitions.ts'
import { sql } from '../../database/index.ts'
import { noCustomFields } from '../../tenancy/custom-fields/index.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import type { Caller } from '../model/caller.ts'
import { RecordError } from '../model/record-error.ts'
import { RecordEngine } from './record-engine.ts'
import { createRecord, deleteRecord, readRecord, renameRecord, shownRecord, updateRecord } from './record-requests.ts'

const service = await startTestService()

function getCaller(tenant: TestTenant, roles: string[] = ['System Manager']): Caller {
  return {
    tenant: { ...tenant, systemOfRecord: tenant.sorByDomain, customFields: noCustomFields },
    kind: 'key',
    user: 'Administrator',
    fullName: 'Administrator',
    roles: new Set(roles),
    actor: { type: 'api_key', id: null, name: 'test' },
    requestId: null,
    address: null,
  }
}

function work<Result>(tenant: TestTenant, run: (engine: RecordEngine) => Promise<Result>, roles?: string[]) {
  return service.data.transaction(tenant.id, (tx) =>
    run(new RecordEngine(tx, getCaller(tenant, roles), recordRegistry)),
  )
}

const refusal = (type: string, message?: RegExp) => (error: unknown) =>
  error instanceof RecordError && error.type === type && (message === undefined || message.test(error.message))

const year = { academic_year_name: '2026-27', year_start_date: '2026-08-01', year_end_date: '2027-06-30' }

test('a record is made, read, changed and deleted, each with its audit row and event', async () => {
  const tenant = await service.tenant()
  const made = await work(tenant, (engine) => createRecord(engine, 'Academic Year', { ...year, unknown: 1 }))
  assert.equal(made.name, '2026-27')
  assert.match(made.modified, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
  const changed = await work(tenant, (engine) =>
    updateRecord(engine, 'Academic Year', '2026-27', { year_end_date: '2027-07-31' }),
  )
  assert.equal(changed.year_end_date, '2027-07-31')
  const same = await work(tenant, (engine) => updateRecord(engine, 'Academic Year', '2026-27', {}))
  assert.equal(same.modified, changed.modified)
  await work(tenant, (engine) => deleteRecord(engine, 'Academic Year', '2026-27'))
  const rows = await service.data.transaction(tenant.id, (tx) =>
    tx.query<{ type: string }>(sql`
      select type from events where entity_type = 'academic_year' and tenant_id = ${tenant.id} order by occurred_at, id`),
  )
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['academic_year.created', 'academic_year.updated', 'academic_year.deleted'],
  )
})

test('a second record of the same name is refused, and so is a wrong order of dates', async () => {
  const tenant = await service.tenant()
  await work(tenant, (engine) => engine.insert(academicYear, year))
  await assert.rejects(
    work(tenant, (engine) => engine.insert(academicYear, year)),
    refusal('DuplicateEntryError'),
  )
  const backwards = { ...year, academic_year_name: 'X', year_end_date: '2026-07-31' }
  await assert.rejects(
    work(tenant, (engine) => engine.insert(academicYear, backwards)),
    refusal('ValidationError', /cannot be earlier/),
  )
})

test('what is required, linked or of a form is told with its class', async () => {
  const tenant = await service.tenant()
  await assert.rejects(
    work(tenant, (engine) => engine.insert(academicYear, { academic_year_name: 'Y' })),
    refusal('MandatoryError', /year_start_date, year_end_date/),
  )
  const term = { academic_year: 'nowhere', term_name: '1', term_start_date: '2026-08-01', term_end_date: '2026-12-20' }
  await assert.rejects(
    work(tenant, (engine) => engine.insert(academicTerm, term)),
    refusal('LinkValidationError', /Academic Year: nowhere/),
  )
  await assert.rejects(
    work(tenant, (engine) => createRecord(engine, 'Academic Year', { ...year, year_end_date: '2027-02-30' })),
    refusal('ValidationError', /is not a date/),
  )
})

test('a term is named after its year, is renamed with its links, and keeps its year from being deleted', async () => {
  const tenant = await service.tenant()
  await work(tenant, (engine) => engine.insert(academicYear, year))
  const term = await work(tenant, (engine) =>
    engine.insert(academicTerm, {
      academic_year: '2026-27',
      term_name: 'Autumn',
      term_start_date: '2026-08-01',
      term_end_date: '2026-12-20',
    }),
  )
  assert.equal(term.name, '2026-27 (Autumn)')
  await assert.rejects(
    work(tenant, (engine) => deleteRecord(engine, 'Academic Year', '2026-27')),
    refusal('LinkExistsError', /Academic Term 2026-27 \(Autumn\)/),
  )
  await work(tenant, (engine) => renameRecord(engine, 'Company', tenant.name, 'Renamed', { merge: false }))
  const accounts = await work(tenant, (engine) => engine.get(company, 'Renamed'))
  assert.equal(
    (await work(tenant, (engine) => engine.get(account, accounts.default_bank_account ?? ''))).company,
    'Renamed',
  )
})

test('a table that is sent replaces the stored rows; a row with a stored name stays that row', async () => {
  const tenant = await service.tenant()
  const list = await work(tenant, (engine) =>
    createRecord(engine, 'Holiday List', {
      holiday_list_name: 'Year',
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      holidays: [
        { holiday_date: '2026-01-01', description: 'New Year' },
        { holiday_date: '2026-05-01', description: 'Labour Day' },
      ],
    }),
  )
  const [first] = list.holidays as { name: string }[]
  assert.equal(list.total_holidays, 2)
  const shown = (await work(tenant, async (engine) => {
    const changed = await updateRecord(engine, 'Holiday List', 'Year', {
      holidays: [{ name: first?.name, holiday_date: '2026-01-01', description: 'First' }],
    })
    return shownRecord(engine.caller, holidayList, changed, { nulls: true })
  })) as { holidays: object[]; total_holidays: number }
  assert.equal(shown.total_holidays, 1)
  const [row] = shown.holidays as Record<string, unknown>[]
  const { name, description, parent, parenttype, parentfield, idx } = row ?? {}
  assert.deepEqual(
    { name, description, parent, parenttype, parentfield, idx },
    {
      name: first?.name,
      description: 'First',
      parent: 'Year',
      parenttype: 'Holiday List',
      parentfield: 'holidays',
      idx: 1,
    },
  )
  assert.equal(shown.holidays.length, 1)
})

test('roles decide: without the right a record is neither read nor written', async () => {
  const tenant = await service.tenant()
  await assert.rejects(
    work(tenant, (engine) => createRecord(engine, 'Academic Year', year), ['Instructor']),
    refusal('PermissionError'),
  )
})

test('a modified that is not the stored one is refused', async () => {
  const tenant = await service.tenant()
  await work(tenant, (engine) => engine.insert(department, { department_name: 'Arts' }))
  await assert.rejects(
    work(tenant, (engine) =>
      updateRecord(engine, 'Department', 'Arts', { disabled: 1, modified: '2020-01-01 00:00:00.000000' }),
    ),
    refusal('TimestampMismatchError'),
  )
})

test('who may read only what is about its own student neither reads nor changes what is about another', async () => {
  const tenant = await service.tenant()
  const make = (first_name: string, user: string | null) =>
    work(tenant, (engine) => createRecord(engine, 'Student', { first_name, user }))
  await work(tenant, (engine) => engine.insert(userType, { email: 'ada@school.example', first_name: 'Ada' }))
  const own = await make('Ada', 'ada@school.example')
  const other = await make('Bo', null)
  const asStudent = <Result>(run: (engine: RecordEngine) => Promise<Result>) =>
    service.data.transaction(tenant.id, (tx) => {
      const caller = { ...getCaller(tenant, ['Student']), kind: 'user' as const, user: 'ada@school.example' }
      return run(new RecordEngine(tx, caller, recordRegistry))
    })
  assert.equal((await asStudent((engine) => readRecord(engine, 'Student', own.name))).name, own.name)
  await assert.rejects(
    asStudent((engine) => readRecord(engine, 'Student', other.name)),
    refusal('PermissionError', /not about you/),
  )
  await assert.rejects(
    asStudent((engine) => readRecord(engine, 'Student', 'no such student')),
    refusal('PermissionError', /not about you/),
  )
})

test('changes of one record at once that name no modified wait for each other, and all are kept', async () => {
  const tenant = await service.tenant()
  await work(tenant, (engine) =>
    engine.insert(holidayList, { holiday_list_name: 'L', from_date: '2026-01-01', to_date: '2026-12-31' }),
  )
  const changes = Array.from({ length: 6 }, (_, index) => ({ to_date: `2027-0${index + 1}-01` }))
  await Promise.all(
    changes.map((fields) => work(tenant, (engine) => updateRecord(engine, 'Holiday List', 'L', fields))),
  )
  const rows = await service.data.transaction(tenant.id, (tx) =>
    tx.query<{ type: string }>(sql`
      select type from events where entity_type = 'holiday_list' and type = 'holiday_list.updated'
         and tenant_id = ${tenant.id}`),
  )
  assert.equal(rows.length, 6)
})

test('the current term is the default of records of the current year, and of no other', async () => {
  const tenant = await service.tenant()
  const other = { academic_year_name: '2027-28', year_start_date: '2027-08-01', year_end_date: '2028-06-30' }
  const logs = await work(tenant, async (engine) => {
    await engine.insert(academicYear, year)
    await engine.insert(academicYear, other)
    const term = {
      academic_year: '2026-27',
      term_name: '1',
      term_start_date: '2026-08-01',
      term_end_date: '2026-12-20',
    }
    const { name } = await engine.insert(academicTerm, term)
    const settings = { current_academic_year: '2026-27', current_academic_term: name }
    await updateRecord(engine, 'Education Settings', 'Education Settings', settings)
    const student = await createRecord(engine, 'Student', { first_name: 'Ada' })
    const log = (fields: object) => createRecord(engine, 'Student Log', { student: student.name, ...fields })
    return [await log({}), await log({ academic_year: '2027-28' })]
  })
  const shown = logs.map(({ academic_year, academic_term }) => [academic_year, academic_term])
  assert.deepEqual(shown, [
    ['2026-27', '2026-27 (1)'],
    ['2027-28', null],
  ])
})
