import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordType } from '@matricula/contract/record-types'
import { recordRegistry } from '../../../app/record-definitions.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { RecordRegistry } from '../record-registry.ts'
import { declaredTables } from './declared-tables.ts'
import { draftMigration } from './draft-migration.ts'

const { database } = await startTestService()
const draft = (registry: RecordRegistry) => draftMigration(declaredTables(registry), database.inspect)

test('the database has tables, columns, keys and indexes for every declared record type and its rows', async () => {
  assert.equal(await draft(recordRegistry), '')
})

const stop = recordType({
  name: 'Bus Stop',
  summary: 'A stop of a bus.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: { place: { type: 'Data', label: 'Place' }, minute: { type: 'Int', label: 'Minute' } },
})
const route = recordType({
  name: 'Bus Route',
  summary: 'A route of the school bus.',
  kind: 'plain',
  naming: { by: 'field', field: 'route' },
  permissions: {},
  fields: {
    route: { type: 'Data', label: 'Route' },
    driver: { type: 'Link', label: 'Driver', target: 'Instructor' },
    gender: { type: 'Link', label: 'Gender', target: 'Gender' },
    serves: { type: 'Link', label: 'Serves', target: 'DocType' },
    from: { type: 'Date', label: 'From' },
    stops: { type: 'Table', label: 'Stops', rows: stop },
  },
})
const withRoutes = new RecordRegistry(
  [...recordRegistry.all().map(({ type }) => type), route],
  recordRegistry.all(),
  async () => ({ links: {}, belongsTo: {}, isStrict: false, fiscalYearFirstMonth: 1 }),
)

test('what a new record type needs is drafted as SQL that brings it, and nothing is missing then', async () => {
  const drafted = await draft(withRoutes)
  assert.match(drafted, /create table bus_routes \(/)
  assert.match(drafted, /create table bus_routes_stops \(/)
  assert.match(drafted, /foreign key \(tenant_id, driver\)\s+references instructors \(tenant_id, name\) deferrable/)
  assert.match(drafted, /create index bus_routes_driver_idx .* where driver is not null/)
  assert.doesNotMatch(drafted, /bus_routes_gender_idx/)
  assert.doesNotMatch(drafted, /doctypes|bus_routes_serves/)
  await database.runMigration(drafted)
  assert.equal(await draft(withRoutes), '')
})

test('a column, a key of a link and an index that are gone are drafted again, each alone', async () => {
  await database.inspect('alter table bus_routes_stops drop column minute')
  assert.equal(await draft(withRoutes), 'alter table bus_routes_stops add column minute integer not null default 0;\n')
  await database.runMigration(await draft(withRoutes))
  await database.inspect('drop index bus_routes_driver_idx')
  assert.match(await draft(withRoutes), /^create index bus_routes_driver_idx [^;]*;\n$/)
  await database.runMigration(await draft(withRoutes))
  await database.inspect('alter table bus_routes drop constraint bus_routes_driver_fkey')
  assert.match(await draft(withRoutes), /^alter table bus_routes add constraint bus_routes_driver_fkey [^;]*;\n$/)
})
