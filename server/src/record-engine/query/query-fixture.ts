import { randomUUID } from 'node:crypto'
import { type Field, type RecordType, recordTypes } from '@matricula/contract/record-types'
import type { Database } from '../../database/index.ts'
import { migrate } from '../../database/index.ts'
import { noCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { TestDatabase } from '../../testing/fixtures/database/test-database.ts'
import type { TestTenant } from '../../testing/fixtures/test-service.ts'
import type { Caller } from '../model/caller.ts'
import { isNumber } from '../model/field-values.ts'
import { defineRecord, type RecordDefinition, type RecordStorage } from '../model/record-definition.ts'
import { getRowRelation, RecordRegistry } from '../model/record-registry.ts'
import { getTable, getTableFields, getValueFields } from '../model/record-tables.ts'
import { type ListRow, listRecords, type RecordReader, recordReader } from './list-records.ts'
import { type ListParameters, parseListRequest } from './list-request.ts'

/** Types with a storage of their own; here each has a plain table, so that lists are tested without any feature. */
const sharedTypes = [
  ...['Student', 'Guardian', 'Student Applicant', 'Program', 'Course', 'User', 'Role'],
  ...['Customer', 'Sales Invoice', 'Payment Entry'],
]

/** Copies: what is noted of the fields of the service's own types in this process stays as it is. */
const copiedTypes = structuredClone(recordTypes) as readonly RecordType[]

/** Every declared type without its rules. */
export const declaredRecords = new RecordRegistry(
  copiedTypes,
  copiedTypes
    .filter((type) => sharedTypes.includes(type.name))
    .map((type) => defineRecord(type, { storage: plainStorage(type) })),
  async () => ({ links: {}, belongsTo: {}, isStrict: false, fiscalYearFirstMonth: 1 }),
)

function plainStorage(type: RecordType): RecordStorage {
  const relation = `listed_${getTable(type)}`
  const rowRelations = Object.fromEntries(getTableFields(type).map(({ field }) => [field, `${relation}_${field}`]))
  return { relation, rowRelations } as unknown as RecordStorage
}

const columnTypes: Readonly<Record<string, string>> = {
  Date: 'date',
  Datetime: 'timestamp',
  Time: 'time',
  Check: 'smallint not null default 0',
  Int: 'integer not null default 0',
}

function columnType(field: Field): string {
  return columnTypes[field.type] ?? (isNumber(field) ? 'numeric not null default 0' : 'text')
}

/** Creates plain tables for the types with a storage of their own. */
export async function createListedTables(database: TestDatabase): Promise<void> {
  const tables = sharedTypes.flatMap((name) => {
    const definition = declaredRecords.require(name)
    const row = 'parent_id uuid not null, idx integer not null,'
    return [
      createTable(definition.relation, definition.type, ''),
      ...getTableFields(definition.type).map(({ field, rows }) =>
        createTable(getRowRelation(definition, field), rows, row),
      ),
    ]
  })
  await database.runMigration(tables.join(';\n'))
  await migrate(database.connection) // which closes them to other tenants
}

function createTable(relation: string, type: RecordType, more: string): string {
  const columns = getValueFields(type).map(([name, field]) => `, "${name}" ${columnType(field)}`)
  return `create table ${relation} (
    tenant_id uuid not null, id uuid not null, name text not null, ${more}
    owner text not null default 'Administrator', modified_by text not null default 'Administrator',
    docstatus smallint not null default 0, version integer not null default 1,
    created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()
    ${columns.join('')}, primary key (tenant_id, id), unique (tenant_id, name));
    grant select on ${relation} to matricula_service`
}

type Fields = Readonly<Record<string, unknown>>

/** Stores a record with its rows as it is, without checking links. */
export async function storeRecord(database: TestDatabase, tenantId: string, typeName: string, fields: Fields) {
  const definition = declaredRecords.require(typeName)
  const id = randomUUID()
  await storeRow(database, definition.relation, { tenant_id: tenantId, id, ...fields }, fields)
  for (const { field } of getTableFields(definition.type)) {
    const rows = (fields[field] ?? []) as Fields[]
    for (const [index, row] of rows.entries()) {
      const keys = { tenant_id: tenantId, id: randomUUID(), parent_id: id, name: `${id.slice(0, 8)}${field}${index}` }
      await storeRow(database, getRowRelation(definition, field), { ...keys, idx: index + 1, ...row }, {})
    }
  }
}

async function storeRow(database: TestDatabase, relation: string, values: Fields, tables: Fields): Promise<void> {
  const names = Object.keys(values).filter((name) => !Array.isArray(tables[name]))
  const columns = names.map((name) => `"${name}"`).join(', ')
  await database.load(
    String(values.tenant_id),
    `insert into ${relation} (${columns}) select ${columns} from jsonb_populate_record(null::${relation}, $1)`,
    [JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])))],
  )
}

/** A caller of a tenant, with roles. */
export function getCaller(
  tenant: TestTenant,
  roles: readonly string[] = ['System Manager'],
  user = 'key@a.example',
): Caller {
  return {
    tenant: { ...tenant, systemOfRecord: tenant.sorByDomain, customFields: noCustomFields },
    kind: 'key',
    user,
    fullName: user,
    roles: new Set(roles),
    actor: { type: 'api_key', id: null, name: 'test' },
    requestId: null,
    address: null,
  }
}

/** A list as a caller reads it. */
export async function list(
  data: Database,
  caller: Caller,
  typeName: string,
  parameters: ListParameters = {},
  reader: RecordReader = recordReader(data, caller.tenant.id),
): Promise<ListRow[]> {
  const request = parseListRequest(declaredRecords, caller, typeName, parameters)
  return listRecords(reader, request)
}

/** The definitions of types that have rows. */
export function typesWithRows(): RecordDefinition[] {
  return declaredRecords.all().filter(({ type }) => getTableFields(type).length > 0)
}

/** Stores two students with three fees, three log entries and a tree of assessment groups. */
export async function storeSchool(database: TestDatabase, tenantId: string): Promise<void> {
  const store = (type: string, fields: Record<string, unknown>) => storeRecord(database, tenantId, type, fields)
  await store('Student', { name: 'S-1', student_name: 'Ana Ruiz', user: 'ana@a.example', first_name: 'Ana' })
  await store('Student', { name: 'S-2', student_name: 'Bo Li', first_name: 'Bo', city: '100% \\ Oslo' })
  const group = (name: string, parent: string) => {
    return store('Assessment Group', { name, assessment_group_name: name, parent_assessment_group: parent })
  }
  for (const [name, parent] of [
    ['All', 'All Assessment Groups'],
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
    ...{
      ...fee,
      name: 'F-1',
      student: 'S-1',
      posting_date: new Date().toISOString().slice(0, 10),
      due_date: '2026-02-01',
      grand_total: 150.25,
    },
    components: [tuition, { fees_category: 'Books', amount: 50.25 }],
  })
  await store('Fees', { ...fee, name: 'F-2', student: 'S-2', grand_total: 100, components: [tuition], program: '' })
  await store('Fees', { ...fee, name: 'F-3', student: 'S-1', docstatus: 0, due_date: '2026-03-01', program: 'Law' })
}

const sqlWords = `select exists from where and or not in is null set as on join left order by group asc desc nulls first last limit
  offset with recursive union like ilike between any all array unnest value distinct count sum avg min max coalesce to_char at time zone
  text integer numeric timestamp tree node self named r tenant_id id parent_id name owner modified_by docstatus idx created_at
  updated_at`

/** Every word that the statement of a list may contain: keywords of SQL that lists use, and declared names. */
export function allowedWords(): ReadonlySet<string> {
  const allowed = new Set(sqlWords.split(/\s+/))
  for (const definition of declaredRecords.all()) {
    allowed.add(definition.relation)
    for (const [name] of getValueFields(definition.type)) allowed.add(name)
    for (const { field, rows } of getTableFields(definition.type)) {
      allowed.add(getRowRelation(definition, field))
      for (const [name] of getValueFields(rows)) allowed.add(name)
    }
  }
  for (let index = 0; index < 500; index += 1) allowed.add(`f${index}`).add(`j${index}`).add(`t${index}`)
  return allowed
}
