import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { recordRegistry } from '../../app/record-definitions.ts'
import { importProgram } from '../../features/programs/program-import.ts'
import { explaining } from '../../testing/fixtures/database/query-plans.ts'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { aCatalogue, getOperator } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { loadSpellings } from '../lifecycle/record-store.ts'
import type { RecordDefinition } from './record-definition.ts'

const onOnePostgres = { skip: notOnCluster('tables and indexes are below views') }

const service = await startTestService()

async function school() {
  const tenant = await service.tenant()
  return { tenant, resourceClient: new ResourceClient(service, tenant) }
}

test('a name is found in any case, and the record has its own spelling', async () => {
  const { resourceClient } = await school()
  await resourceClient.make('School House', { house_name: 'Red Hé' })
  assert.equal((await resourceClient.read('School House', 'rED hÉ')).data.name, 'Red Hé')
  const changed = await resourceClient.update('School House', 'RED HÉ', { name: 'RED HÉ', description: 'x' })
  assert.deepEqual([changed.data?.name, changed.data?.description], ['Red Hé', 'x'], changed.told)
  assert.equal((await resourceClient.read('School House', 'Red He')).error, 'DoesNotExistError')
  assert.equal((await resourceClient.remove('School House', 'red hé')).error, null)
  assert.equal((await resourceClient.remove('School House', 'Red Hé')).status, 404)
})

test('a record is neither made nor renamed with a name that another has in any case; its own may change its case', async () => {
  const { resourceClient } = await school()
  await resourceClient.make('Topic', { topic_name: 'Cells' })
  await resourceClient.make('Topic', { topic_name: 'Bones' })
  for (const rejected of [
    await resourceClient.create('Topic', { topic_name: 'CELLS' }),
    await resourceClient.rename('Topic', 'Bones', 'cells'),
  ]) {
    assert.deepEqual([rejected.status, rejected.error], [409, 'DuplicateEntryError'])
    assert.match(rejected.told, /Topic Cells already exists/)
  }
  assert.equal((await resourceClient.rename('Topic', 'Cells', 'CELLS')).error, null)
  assert.equal((await resourceClient.read('Topic', 'cells')).data.topic_name, 'CELLS')
  const itself = await resourceClient.rename('Topic', 'CELLS', 'cells', 1)
  assert.deepEqual([itself.status, itself.error], [404, 'DoesNotExistError'])
  assert.equal((await resourceClient.rename('Topic', 'Bones', 'cells', 1)).error, null)
  assert.equal((await resourceClient.read('Topic', 'Bones')).error, 'DoesNotExistError')
})

test('a link in any case becomes the linked name, in rows too, and one to nothing is refused', async () => {
  const { tenant, resourceClient } = await school()
  await aCatalogue(service, tenant)
  await resourceClient.make('Department', { department_name: 'Health' })
  const { data } = await resourceClient.create('Course', { course_name: 'Ethics', department: 'hEALTH' })
  assert.equal(data.department, 'Health')
  const program = await resourceClient.update('Program', 'Nursing', {
    department: 'HEALTH',
    courses: [{ course: 'ethics' }],
  })
  assert.deepEqual([program.data.department, program.data.courses[0].course], ['Health', 'Ethics'])
  const again = await resourceClient.update('Program', 'Nursing', { department: 'health' })
  assert.equal(again.data.modified, program.data.modified)
  const missing = await resourceClient.update('Program', 'Nursing', { department: 'Healthy' })
  assert.deepEqual([missing.status, missing.error], [417, 'LinkValidationError'])
})

test('a series counts on in whatever case it is written', async () => {
  const { tenant, resourceClient } = await school()
  const student = (naming_series: string) => resourceClient.create('Student', { first_name: 'Ann', naming_series })
  assert.equal((await student('edu-x-.###')).data.name, 'edu-x-001')
  assert.equal((await student('EDU-X-.###')).data.name, 'EDU-X-002')
  const taken = await tenant.api.post('/students', { givenNames: 'Ben', familyNames: 'B', studentCode: 'edu-X-003' })
  assert.equal(taken.status, 201)
  const clash = await resourceClient.create('Student', { first_name: 'Cid', naming_series: 'EDU-X-.###' })
  assert.deepEqual([clash.status, clash.error], [409, 'DuplicateEntryError'])
})

test('where names may differ in case only, a change reaches the record that is spelt so and a deletion no other one', async () => {
  const { tenant, resourceClient } = await school()
  const load = (name: string) =>
    service.data.transaction(tenant.id, (tx) => importProgram(tx, getOperator(tenant), { externalId: name, name }))
  await load('Care')
  const only = await resourceClient.remove('Program', 'care')
  assert.deepEqual([only.status, only.error], [417, 'ValidationError'])
  assert.match(only.told, /spelt "Care"/)
  assert.equal((await resourceClient.update('Program', 'care', { program_abbreviation: 'C' })).data.name, 'Care')
  await load('CARE')
  assert.equal((await resourceClient.read('Program', 'care')).data.name, 'CARE')
  const either = await resourceClient.update('Program', 'care', { program_abbreviation: 'D' })
  assert.deepEqual([either.status, either.error], [417, 'ValidationError'])
  assert.match(either.told, /"CARE", "Care"/)
  const unsure = await resourceClient.create('Student Admission', {
    title: 'A',
    academic_year: 'none',
    program_details: [{ program: 'care' }],
  })
  assert.equal(unsure.error, 'LinkValidationError')
  assert.match(unsure.told, /care/)
  assert.equal((await resourceClient.update('Program', 'Care', { program_abbreviation: 'D' })).data.name, 'Care')
  assert.equal((await resourceClient.rename('Program', 'Care', 'cARE')).error, 'DuplicateEntryError')
  assert.equal((await resourceClient.create('Program', { program_name: 'care' })).error, 'DuplicateEntryError')
  assert.equal((await resourceClient.remove('Program', 'Care')).error, null)
  assert.equal((await resourceClient.remove('Program', 'Care')).error, 'ValidationError')
  assert.equal((await resourceClient.read('Program', 'CARE')).data.name, 'CARE')
})

test(
  'a name is looked for in any case by an index, whatever the type, under row-level security too',
  onOnePostgres,
  async () => {
    const { tenant } = await school()
    // Tables with few rows cost the same by any index: only this one is left to choose.
    const others = `indexrelid in (select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace
                                    and c.relkind = 'i' and c.relname !~ 'any_case')`
    await service.database.inspect(`update pg_index set indisvalid = false where ${others}`)
    await service.data.transaction(tenant.id, async (tx) => {
      const loadPlan = async (definition: RecordDefinition): Promise<string> => {
        const explained = await explaining(tx)
        await loadSpellings({ tenantId: tenant.id, query: explained.tx.query }, definition, 'Nobody')
        return explained.plan()
      }
      for (const definition of recordRegistry.all()) {
        const plan = await loadPlan(definition)
        assert.match(plan, /any_case_(key|idx)/, definition.type.name)
        assert.match(plan, /Index Cond: .*'Nobody'/, definition.type.name)
      }
    })
    await service.database.inspect(`update pg_index set indisvalid = true where ${others}`)
  },
)

test(
  'names of earlier versions that differ in case only get numbers, wherever they are named',
  onOnePostgres,
  async () => {
    const { tenant, resourceClient } = await school()
    for (const name of ['Maths', 'Arts']) await resourceClient.make('Department', { department_name: name })
    await resourceClient.make('Course', { course_name: 'Sums', department: 'Arts' })
    await resourceClient.make('Topic', { topic_name: 'Cells', topic_content: [] })
    await resourceClient.make('Article', { title: 'First', content: 'x' })
    await resourceClient.make('Article', { title: 'Second', content: 'y' })
    const content = [{ content_type: 'Article', content: 'Second' }]
    assert.equal((await resourceClient.update('Topic', 'Cells', { topic_content: content })).error, null)
    const inspect = (text: string, values: unknown[] = []) => service.database.inspect<{ text: string }>(text, values)
    const indexes = await inspect(
      `select 'drop index ' || indexname as text from pg_indexes where indexname ~ '_any_case_(key|idx)$'`,
    )
    for (const { text } of indexes) await inspect(text)
    await inspect(`alter table naming_series alter column prefix type text collate "default"`)
    await inspect('drop collation any_case')
    await inspect(`
    begin;
    set constraints all deferred;
    update departments set name = 'MATHS', department_name = 'MATHS' where name = 'Arts';
    update courses set department = 'MATHS' where department = 'Arts';
    update articles set name = 'first', title = 'first' where name = 'Second';
    update topics_topic_content set content = 'first';
    commit`)
    await inspect('insert into naming_series values ($1, $2, 3), ($1, $3, 8)', [tenant.id, 'A-', 'a-'])
    await inspect(await readFile(new URL('../../../migrations/0027_names_in_any_case.sql', import.meta.url), 'utf8'))
    assert.equal((await resourceClient.read('Course', 'Sums')).data.department, 'MATHS-2')
    assert.equal((await resourceClient.read('Department', 'maths-2')).data.department_name, 'MATHS-2')
    assert.equal((await resourceClient.read('Department', 'maths')).data.name, 'Maths')
    assert.equal((await resourceClient.read('Topic', 'Cells')).data.topic_content[0].content, 'first-2')
    assert.equal((await resourceClient.read('Article', 'FIRST')).data.content, 'x')
    const series = await service.database.inspect('select current from naming_series where prefix = $1', ['A-'])
    assert.deepEqual(series, [{ current: 8 }])
  },
)

test('a type with one record has it always: it stays without a docstatus, and a creation changes what was sent', async () => {
  const { resourceClient } = await school()
  const [type, name] = ['Education Settings', 'Education Settings']
  for (const docstatus of [1, 2]) {
    const stored = await resourceClient.update(type, name, { docstatus, validate_course: docstatus % 2 })
    assert.deepEqual([stored.data?.docstatus, stored.data?.validate_course], [0, docstatus % 2], stored.told)
  }
  await resourceClient.update(type, name, { validate_batch: 1 })
  const made = await resourceClient.create(type, { name: 'Other', docstatus: 1, validate_course: 1 })
  assert.deepEqual([made.status, made.data.name, made.data.docstatus], [200, name, 0])
  assert.deepEqual([made.data.validate_course, made.data.validate_batch], [1, 1])
  const removed = await resourceClient.remove(type, name)
  assert.deepEqual([removed.status, removed.error], [417, 'ValidationError'])
  assert.match(removed.told, /Change its fields instead/)
  assert.equal((await resourceClient.read(type, name)).data.validate_batch, 1)
  const guest = await resourceClient.as('Student').create(type, { validate_batch: 0 })
  assert.deepEqual([guest.status, guest.error], [403, 'PermissionError'])
})
