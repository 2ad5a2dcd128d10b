import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { schemaFacts } from '../../testing/fixtures/database/schema-facts.ts'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { clientOptions, MigrationError, migrate, planMigrations, ServiceRegistry } from '../index.ts'
import { migrationsFolder } from './migration-files.ts'

const inBatches = {
  skip: notOnCluster('a batch is inserted from what is selected: no UPDATE there takes a limited subquery'),
}

const service = await startTestService()
const { connection, inspect } = service.database
const tenant = await service.tenant()

const folders: string[] = []
afterFile(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** The migrations of a later version: those that there are, and some more. */
async function aVersion(more: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-version-'))
  folders.push(folder)
  await cp(migrationsFolder, folder, { recursive: true })
  for (const [name, text] of Object.entries(more)) await writeFile(join(folder, `${name}.sql`), text)
  return pathToFileURL(`${folder}/`)
}

/** Takes back what a test's version has done. */
async function undo(text: string): Promise<void> {
  await inspect(text)
  await inspect(`delete from schema_migrations where name >= '9000'`)
}

async function aSession(name = 'somebody'): Promise<pg.Client> {
  const client = new pg.Client(clientOptions(connection, 'owner', name))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Hears what migrations say. */
function aLog() {
  const said: string[] = []
  const hear = (facts: object, message: string) => void said.push(`${message} ${JSON.stringify(facts)}`)
  return { said, log: { info: hear, warn: hear } }
}

/** Reads and writes all the time, until it is told to stop; returns what was not answered as it should, and how much was. */
function keepAsking() {
  let isOver = false
  const wrong: string[] = []
  let answered = 0
  const clients = Array.from({ length: 2 }, async (_, client) => {
    for (let count = 0; !isOver; count += 1) {
      const read = await tenant.api.get('/students?limit=5')
      const written = await tenant.api.put(`/students/external/asked-${client}`, { fullName: `Asked ${count}` })
      for (const { status, text } of [read, written]) {
        if (status > 201) wrong.push(text)
        answered += 1
      }
    }
  })
  return {
    answered: () => answered,
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      return wrong
    },
  }
}

test('a migration that needs a lock which somebody holds lets reads and writes pass, says so, and is applied once it is free', async () => {
  const folder = await aVersion({ '9001_column': 'alter table students add column of_a_test text' })
  const somebody = await aSession()
  await somebody.query('begin; select from students limit 1')
  const { said, log } = aLog()
  const asking = keepAsking()
  const migrating = migrate(connection, { folder, log })
  await until(() => said.filter((line) => line.includes('tries again')).length >= 2, 'two attempts')
  const before = asking.answered()
  await until(() => asking.answered() >= before + 20, 'answers while it waits')
  await somebody.query('commit')
  await somebody.end()
  assert.deepEqual((await migrating).applied, ['9001_column'])
  assert.deepEqual(await asking.stop(), [])
  assert.match(said.join('\n'), /"oldest":"the oldest transaction is that of process \d+ \(somebody\), \d+ s old"/)
  await undo('alter table students drop column of_a_test')
})

test('an index is built while rows are written; what was begun and not ended is built anew; others who migrate are not in its way', async () => {
  const folder = await aVersion({
    '9001_index':
      '-- migration: concurrently\ncreate index concurrently if not exists of_a_test_idx on students (tenant_id, email);\n',
  })
  const somebody = await aSession()
  await somebody.query('begin; update students set full_name = full_name where false')
  const building = await aSession()
  const broken = building.query('create index concurrently of_a_test_idx on students (tenant_id, email)')
  broken.catch(() => {})
  const isThere = async () => (await inspect(`select from pg_class where relname = 'of_a_test_idx'`)).length === 1
  await until(isThere, 'a half-built index')
  await inspect(
    `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create index concurrently of_a_test_idx%'`,
  )
  await assert.rejects(broken)
  await building.end()
  const asking = keepAsking()
  const reports = Promise.all(Array.from({ length: 3 }, () => migrate(connection, { folder })))
  const before = asking.answered()
  await until(() => asking.answered() >= before + 20, 'answers meanwhile')
  await somebody.query('rollback')
  await somebody.end()
  assert.equal((await reports).flatMap(({ applied }) => applied).length, 1)
  assert.deepEqual(await asking.stop(), [])
  assert.deepEqual(await inspect(`select indisvalid from pg_index where indexrelid = 'of_a_test_idx'::regclass`), [
    { indisvalid: true },
  ])
  await undo('drop index of_a_test_idx')
})

test(
  'rows are changed in batches, which go on where they were when the migration is ended in the middle',
  inBatches,
  async () => {
    const other = await service.tenant()
    for (let count = 0; count < 40; count += 1) await aStudent(other.api)
    await inspect('alter table students add column of_a_test text')
    const folder = await aVersion({
      '9001_rows': `-- migration: in batches
      update students set of_a_test = 'x' where (tenant_id, id) in
        (select tenant_id, id from students where of_a_test is null order by id limit 1 for update skip locked)`,
    })
    const done = async () => (await inspect('select from students where of_a_test is not null')).length
    const first = migrate(connection, { folder })
    first.catch(() => {})
    await until(async () => (await done()) >= 5, 'some batches')
    await inspect(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'matricula migrate'`,
    )
    await assert.rejects(first)
    const before = await done()
    assert.ok(before >= 5 && before < 40, String(before))
    assert.deepEqual((await planMigrations(connection, folder)).missing, [
      { name: '9001_rows', kind: 'expand', way: 'in batches', waitsFor: null },
    ])
    assert.deepEqual((await migrate(connection, { folder })).applied, ['9001_rows'])
    assert.deepEqual(await inspect('select from students where of_a_test is null'), [])
    await undo('alter table students drop column of_a_test')
  },
)

test('what takes something away waits until services that do not know it have ended, and holds up nothing behind it', async () => {
  await inspect('alter table students add column of_a_test text')
  const folder = await aVersion({
    '9001_away': '-- migration: contract\nalter table students drop column of_a_test',
    '9002_more': 'create table of_a_test (tenant_id uuid, id uuid, primary key (tenant_id, id))',
  })
  const older = await ServiceRegistry.begin(connection, { knows: '9000', wanted: 12, suits: () => 12, least: 12 })
  const { missing } = await planMigrations(connection, folder)
  assert.deepEqual(
    missing.map(({ name, waitsFor }) => [name, waitsFor]),
    [
      ['9001_away', '1 services still run that know no more than 9000'],
      ['9002_more', null],
    ],
  )
  const first = await migrate(connection, { folder })
  assert.deepEqual([first.applied, first.postponed], [['9002_more'], ['9001_away']])
  await older.close()
  const early = await aSession('matricula')
  assert.deepEqual((await migrate(connection, { folder })).postponed, ['9001_away'])
  await early.end()
  const newer = await ServiceRegistry.begin(connection, { knows: '9002', wanted: 12, suits: () => 12, least: 12 })
  const last = await migrate(connection, { folder })
  assert.deepEqual([last.applied, last.postponed], [['9001_away'], []])
  await newer.close()
  await undo('drop table of_a_test')
})

test('a version that is older than the database changes nothing and may answer as long as newer ones have only added', async () => {
  const added = await aVersion({
    '9001_more': 'create table of_a_test (tenant_id uuid, id uuid, primary key (tenant_id, id))',
  })
  await migrate(connection, { folder: added })
  // As a later version may want it, and this one would not.
  await inspect('revoke update, delete on of_a_test from matricula_service')
  const facts = await schemaFacts(connection)
  const { applied, current } = await migrate(connection)
  assert.deepEqual(applied, [])
  assert.ok(current < '9001')
  assert.deepEqual(await schemaFacts(connection), facts)
  assert.equal((await fetch(`${service.address}/readyz`)).status, 200)
  await inspect(`update schema_migrations set kind = 'contract' where name = '9001_more'`)
  await assert.rejects(migrate(connection), (error) => {
    return error instanceof MigrationError && /9001_more, which this version does not know/.test(error.message)
  })
  await undo('drop table of_a_test')
})
