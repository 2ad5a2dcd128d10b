import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { RecordType } from '@matricula/contract/record-types'
import { records } from '../testing/fixtures/all-records.ts'
import { seedTenant } from '../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const { resourceClient, tenant, students, instructor } = await seedTenant(service)
const [student] = students
const guardian = (await resourceClient.make('Guardian', { guardian_name: 'Old Name' })).name

/** A record of each type whose names others show, and what a correction of its name changes. */
const people: Readonly<Record<string, { name: string; correction: object }>> = {
  Student: { name: student, correction: { first_name: 'New', middle_name: '', last_name: 'Name' } },
  Instructor: { name: instructor, correction: { instructor_name: 'New Name' } },
  Guardian: { name: guardian, correction: { guardian_name: 'New Name' } },
}

interface Shown {
  readonly type: string
  readonly table: string
  readonly rows: { readonly field: string; readonly type: string; readonly table: string } | null
  readonly field: string
  readonly link: string
  readonly target: string
}

/** The fields of a type that fetch the name of a person. */
function getShown({ fields }: RecordType): Pick<Shown, 'field' | 'link' | 'target'>[] {
  return Object.entries(fields).flatMap(([field, { fetchFrom, fetchIfEmpty }]) => {
    const [link = '', source = ''] = fetchFrom?.split('.') ?? []
    const declared = fields[link]
    if (declared?.type !== 'Link' || fetchIfEmpty === true || people[declared.target] === undefined) return []
    const isName = records.registry.require(declared.target).type.titleField === source
    return isName ? [{ field, link, target: declared.target }] : []
  })
}

const all = records.registry.all().flatMap(({ type, relation, storage }): Shown[] => {
  // Applicants share the rows of students.
  if (type.kind === 'single' || (storage !== null && type.name !== 'Student')) return []
  const own =
    storage !== null ? [] : getShown(type).map((shown) => ({ type: type.name, table: relation, rows: null, ...shown }))
  const inRows = Object.entries(type.fields).flatMap(([field, declared]) => {
    if (declared.type !== 'Table' || storage?.rowRelations?.[field] !== undefined) return []
    const rows = { field, type: declared.rows.name, table: `${storage?.table ?? relation}_${field}` }
    return getShown(declared.rows).map((shown) => ({
      type: type.name,
      table: storage?.table ?? relation,
      rows,
      ...shown,
    }))
  })
  return [...own, ...inRows]
})

/** Stores a record, or a row of one, with the name as it was fetched once; gives the name of the record. */
async function store({ table, rows, field, link, target }: Shown): Promise<string> {
  const [id, name] = [randomUUID(), `N ${randomUUID().slice(0, 8)}`]
  const values = [tenant.id, id, name]
  const linked = [people[target]?.name, 'Old Name']
  if (rows === null) {
    const text = `insert into ${table} (tenant_id, id, name, ${link}, ${field}) values ($1, $2, $3, $4, $5)`
    await service.database.inspect(text, [...values, ...linked])
    return name
  }
  const isShared = table === 'students'
  if (!isShared)
    await service.database.inspect(`insert into ${table} (tenant_id, id, name) values ($1, $2, $3)`, values)
  const found = isShared
    ? await service.database.inspect('select id from students where tenant_id = $1 and student_code = $2', [
        tenant.id,
        students[1],
      ])
    : [{ id }]
  await service.database.inspect(
    `insert into ${rows.table} (tenant_id, id, parent_id, name, idx, ${link}, ${field}) values ($1, $2, $3, $4, 1, $5, $6)`,
    [tenant.id, randomUUID(), (found[0] as { id: string }).id, name, ...linked],
  )
  return isShared ? students[1] : name
}

const stored = new Map<Shown, string>()
for (const shown of all) stored.set(shown, await store(shown))
for (const [type, { name, correction }] of Object.entries(people)) {
  const { error, told } = await resourceClient.update(type, name, correction)
  assert.equal(error, null, told)
}

test('every field that fetches a person’s name is among those that are tested', () => {
  const named = all.map(({ type, rows, field }) => [type, rows?.field, field].filter(Boolean).join('.'))
  for (const field of [
    'Student Group.students.student_name',
    'Student Group.instructors.instructor_name',
    'Program Enrollment.student_name',
    'Course Enrollment.student_name',
    'Student Attendance.student_name',
    'Student Leave Application.student_name',
    'Fees.student_name',
    'Assessment Result.student_name',
    'Student Log.student_name',
    'Course Schedule.instructor_name',
    'Student.siblings.full_name',
  ]) {
    assert.ok(named.includes(field), `${field} in ${named.join(', ')}`)
  }
})

for (const shown of all) {
  const { type, rows, field } = shown
  test(`${type}: a corrected name is shown and found in ${rows === null ? field : `${rows.field}.${field}`}`, async () => {
    const name = stored.get(shown) as string
    const reference = rows === null ? field : `${rows.field}.${field}`
    const list = (value: string) =>
      resourceClient.list(type, {
        fields: JSON.stringify(['name', `${reference} as shown`]),
        filters: JSON.stringify([
          ['name', '=', name],
          [rows?.type ?? type, field, '=', value],
        ]),
      })
    const found = await list('New Name')
    assert.equal(found.error, null, found.told)
    assert.deepEqual(
      found.data.map((row: { name: string; shown: string }) => [row.name, row.shown]),
      [[name, 'New Name']],
    )
    assert.deepEqual((await list('Old Name')).data, [])
    const whole = await resourceClient.read(type, name)
    assert.equal(whole.error, null, whole.told)
    const read = rows === null ? whole.data[field] : whole.data[rows.field][0][field]
    assert.equal(read, 'New Name')
  })
}
