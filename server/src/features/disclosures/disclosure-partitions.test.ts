import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { DisclosureLog } from '../../changes/index.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { aStudent, getOperator } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { newId } from '../../values/index.ts'
import { disclosures } from './disclosures.fixture.ts'
import { changeDisclosureSettings, forgetDisclosuresJob } from './index.ts'

const service = await startTestService()
const { inspect } = service.database
const { json: matricula, folder } = await loadCommandLine(service)

/** The first day of a month, so many months from this one. */
function getMonth(offset: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10)
}

const getPartition = (month: string) => `disclosures_${month.slice(0, 7).replace('-', '_')}`

async function listPartitions(): Promise<string[]> {
  const rows = await inspect<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'disclosures'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Where the entries of an institution are, by operation. */
async function findPartitions({ id }: TestTenant): Promise<[string, string][]> {
  const rows = await inspect<{ operation: string; partition: string }>(
    `select operation, regexp_replace(tableoid::regclass::text, '_[0-9]{5,}$', '') as partition from disclosures where tenant_id = $1 order by month, operation`,
    [id],
  )
  return rows.map(({ operation, partition }) => [operation, partition])
}

/** Stores that a record was read in a month. */
const readIn = (month: string, { id }: TestTenant, record: string, operation = 'getStudent') =>
  inspect(
    `insert into disclosures (tenant_id, month, id, occurred_at, actor_type, actor_name, surface, operation, record_type, field_group,
                              record_ids, count)
     values ($1, $2::text::date, $3, $2::text::timestamptz, 'api_key', 'ERP', 'client_api', $4, 'student', 'identity', array[$5], 1)`,
    [id, month, newId(), operation, record],
  )

const maintain = () => forgetDisclosuresJob.prepare?.(service.data)

test('disclosures: partitions of this month and three more are there from the migration on, and one for what has none', async () => {
  const expected = [0, 1, 2, 3].map((offset) => getPartition(getMonth(offset)))
  assert.deepEqual(await listPartitions(), [...expected, 'disclosures_default'].sort())
  const [{ strategy, first } = { strategy: '', first: '' }] = await inspect<{ strategy: string; first: string }>(
    `select partstrat as strategy, (select attname from pg_attribute where attrelid = partrelid and attnum = partattrs[0]) as first
       from pg_partitioned_table where partrelid = 'disclosures'::regclass`,
  )
  assert.deepEqual([strategy, first], ['r', 'month'])
})

test('disclosures: the last moment of a month and the first of the next one are in the partitions of their months', async (t) => {
  const tenant = await service.tenant()
  const log = new DisclosureLog(service.data, { error: () => {} }, { gatherMilliseconds: 60_000 })
  const read = (operation: string) => ({
    context: getOperator(tenant),
    surface: 'client_api' as const,
    operation,
    disclosed: { recordType: 'student', fieldGroup: 'identity' as const },
    ids: [newId()],
    count: 1,
    filter: null,
  })
  const turn = Date.parse(getMonth(0))
  t.mock.timers.enable({ apis: ['Date'], now: turn - 1 })
  void log.add(read('last'))
  t.mock.timers.setTime(turn)
  void log.add(read('first'))
  t.mock.timers.reset()
  await log.close()
  await maintain()
  assert.deepEqual(await findPartitions(tenant), [
    ['last', getPartition(getMonth(-1))],
    ['first', getPartition(getMonth(0))],
  ])
})

test('disclosures: an entry of a month without a partition is stored and found, and the job moves it into its month', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const month = getMonth(5)
  const student = await aStudent(tenant.api)
  await readIn(month, tenant, student.id)
  await readIn(month, other, student.id)
  assert.deepEqual(await findPartitions(tenant), [['getStudent', 'disclosures_default']])
  const find = async () =>
    (await disclosures(tenant.api, `&entityId=${student.id}`, 1)).map(({ operation }) => operation)
  assert.deepEqual(await find(), ['getStudent'])
  await Promise.all([maintain(), maintain()])
  for (const each of [tenant, other])
    assert.deepEqual(await findPartitions(each), [['getStudent', getPartition(month)]])
  assert.deepEqual(await find(), ['getStudent'])
  const [{ rows } = { rows: -1 }] = await inspect<{ rows: number }>(
    'select count(*)::integer as rows from disclosures_default',
  )
  assert.equal(rows, 0)
  await inspect(`drop table ${getPartition(month)}`)
})

test('disclosures: a partition is closed to the service, which sees its own institution through the table alone', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  await readIn(getMonth(-2), ours, 'one')
  await readIn(getMonth(-2), theirs, 'one')
  await maintain()
  const rows = await inspect<{ name: string; mayRead: boolean; isClosed: boolean; policies: number }>(
    `select c.relname as name, c.relrowsecurity as "isClosed",
            has_table_privilege('matricula_service', c.oid, 'select, insert, update, delete') as "mayRead",
            (select count(*)::integer from pg_policy where polrelid = c.oid) as policies
       from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'disclosures'::regclass`,
  )
  assert.ok(rows.some(({ name }) => name === getPartition(getMonth(-2))))
  for (const { name, ...facts } of rows) assert.deepEqual(facts, { mayRead: false, isClosed: true, policies: 1 }, name)
  const { body } = await ours.api.get('/disclosures?limit=100')
  assert.equal(body.data.filter(({ recordIds }: { recordIds: string[] }) => recordIds.includes('one')).length, 1)
})

test('disclosures: a month is dropped once no institution keeps it, and until then the rows of those that do not are deleted', async () => {
  const [usual, long] = [await service.tenant(), await service.tenant()]
  await service.data.transaction(long.id, (tx) => changeDisclosureSettings(tx, getOperator(long), { keepYears: 5 }))
  for (const months of [-36, -37, -60, -61]) {
    for (const tenant of [usual, long]) await readIn(getMonth(months), tenant, 'one', String(months))
  }
  await maintain()
  const run = async (tenant: TestTenant) =>
    forgetDisclosuresJob.run(service.data, { id: tenant.id } as Parameters<typeof forgetDisclosuresJob.run>[1])
  await run(usual)
  await run(long)
  const at = (months: number) => [String(months), getPartition(getMonth(months))]
  assert.deepEqual(await findPartitions(usual), [at(-36)])
  assert.deepEqual(await findPartitions(long), [at(-60), at(-37), at(-36)])
  const partitions = await listPartitions()
  assert.ok(!partitions.includes(getPartition(getMonth(-61))) && partitions.includes(getPartition(getMonth(-60))))
  await service.data.transaction(long.id, (tx) => changeDisclosureSettings(tx, getOperator(long), { keepYears: 1 }))
  await maintain()
  assert.ok(!(await listPartitions()).some((name) => name < getPartition(getMonth(-36))))
  assert.deepEqual(await findPartitions(usual), [at(-36)])
})

test('disclosures: a time that is asked for reads the partitions of its months alone', {
  skip: notOnCluster('a plan names shards'),
}, async () => {
  const tenant = await service.tenant()
  await readIn(getMonth(0), tenant, 'one', 'now')
  await readIn(getMonth(-1), tenant, 'one', 'before')
  await maintain()
  const listed = async (query: string) =>
    (await disclosures(tenant.api, query, 0)).map(({ operation }) => operation).sort()
  assert.deepEqual(await listed(`&since=${getMonth(0)}`), ['now'])
  assert.deepEqual(await listed(`&until=${getMonth(0)}`), ['before'])
  assert.deepEqual(await listed(`&since=${getMonth(-1)}&until=${getMonth(1)}`), ['before', 'now'])
  const plan = await inspect<{ 'QUERY PLAN': string }>(
    `explain select id from disclosures where tenant_id = $1 and month >= date_trunc('month', $2::timestamptz)::date
        and month <= date_trunc('month', $2::timestamptz)::date order by id desc limit 5`.replaceAll(/\$\d/g, (each) =>
      each === '$1' ? `'${tenant.id}'` : `'${getMonth(0)}'`,
    ),
  )
  const read = plan.map((line) => line['QUERY PLAN']).join('\n')
  assert.ok(
    read.includes(getPartition(getMonth(0))) &&
      !/ on disclosures_(default|\d{4})/.test(read.replaceAll(getPartition(getMonth(0)), '')),
    read,
  )
})

test('disclosures: a restored institution has its entries of months that have no partition, and the job moves them', {
  skip: notOnCluster('it has backups of its own'),
}, async () => {
  const tenant = await service.tenant()
  await readIn(getMonth(-4), tenant, 'one')
  await maintain()
  const file = join(folder, 'of-tenant.backup')
  await matricula(['backup', file, '--tenant', tenant.slug])
  const { deleted } = await matricula(['tenant', 'delete', tenant.slug, '--yes', '--no-backup'])
  assert.equal(deleted.kinds?.disclosures ?? 1, 1)
  assert.deepEqual(await findPartitions(tenant), [])
  await inspect(`drop table ${getPartition(getMonth(-4))}`)
  await matricula(['restore', file])
  assert.deepEqual(await findPartitions(tenant), [['getStudent', 'disclosures_default']])
  await maintain()
  assert.deepEqual(await findPartitions(tenant), [['getStudent', getPartition(getMonth(-4))]])
})

test('disclosures: an export of a person has the entries of every month, and erasing the person leaves them as they are', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api)
  await readIn(getMonth(-3), tenant, student.id, 'long ago')
  await readIn(getMonth(0), tenant, student.id, 'now')
  await maintain()
  // More than are read at a time, at the same positions of both partitions.
  for (const month of [getMonth(-3), getMonth(0)]) {
    await inspect(
      `insert into disclosures select tenant_id, month, gen_random_uuid(), occurred_at, actor_type, actor_id, actor_name, surface, 'many',
                                      record_type, field_group, record_ids, count, filter, request_id, address
         from disclosures, generate_series(1, 700) where tenant_id = $1 and month = $2 and operation <> 'many'`,
      [tenant.id, month],
    )
  }
  const { exported } = await matricula([
    'person',
    'export',
    student.id,
    join(folder, 'person.zip'),
    '--tenant',
    tenant.slug,
  ])
  assert.equal(exported.records.disclosures, 2 * 701)
  await matricula(['person', 'erase', student.id, '--tenant', tenant.slug, '--yes'])
  const operations = (await findPartitions(tenant)).map(([operation]) => operation)
  assert.deepEqual(
    ['long ago', 'now', 'many'].map((name) => operations.filter((each) => each === name).length),
    [1, 1, 1400],
  )
})
