import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { clientOptions } from '../database/index.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { schemaFacts } from '../testing/fixtures/database/schema-facts.ts'
import { createTestDatabase, getUrl } from '../testing/fixtures/database/test-database.ts'
import { RecordCaller } from '../testing/fixtures/record-caller.ts'
import { aFolder, runCommand, startForFile, untilReady } from '../testing/fixtures/service-process.ts'
import { afterFile } from '../testing/runner/file-end.ts'

/**
 * A database as version 1.0.0 left it on PostgreSQL 15: `matricula demo --students 8 --payments 24 --seed 1`, then
 * `pg_dump --no-owner --inserts --rows-per-insert=200`. The token and the key are those that the demo printed.
 */
const dump = new URL('../../src/testing/fixtures/database/first-release.sql.gz', import.meta.url)
const secretKey = 'of-the-first-release-of-a-test-01234567'
const token = 'mtc_m7KhB7owi7N0yuJ6r70ymYhJ334Fwml8HvXlqgcCkAB1Fn9Wz'
const key = 'mtr_fOfPBlzfNsjalhS2Pu27jwZEdlr4GlBn97o6WfiGOVg1hACv2'

const fresh = await createTestDatabase()
const old = await createTestDatabase({ isEmpty: true })
afterFile(async () => {
  await old.drop()
  await fresh.drop()
})

/** Runs what the dump says, without the words of psql. */
async function load(): Promise<void> {
  const text = (await promisify(gunzip)(await readFile(dump))).toString()
  const client = new pg.Client(clientOptions(old.connection, 'owner'))
  await client.connect()
  try {
    await client.query(text.replace(/^\\.*$/gm, ''))
  } finally {
    await client.end()
  }
}

/** How many rows each table has. */
async function loadRows(tables: readonly string[]): Promise<Map<string, number>> {
  const counts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await old.inspect<{ rows: number }>(
        `select count(*)::int as rows from ${pg.escapeIdentifier(table)}`,
      )
      return [table, row?.rows ?? 0] as const
    }),
  )
  return new Map(counts)
}

const loadTables = async () =>
  (
    await old.inspect<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
  ).map(({ name }) => name)

const command = async (...args: string[]) =>
  runCommand({ DATABASE_URL: getUrl(old.connection), SECRET_KEY: secretKey, DATA_DIR: await aFolder() }, ...args)

let tables: string[] = []
let rowsBefore = new Map<string, number>()

before(async () => {
  await load()
  tables = await loadTables()
  rowsBefore = await loadRows(tables)
  const { applied } = await command('migrate')
  assert.ok(applied.length > 10)
})

test('a database of the first release has the same schema as a new one once it is migrated', async () => {
  const [migrated, made] = await Promise.all([schemaFacts(old.connection), schemaFacts(fresh.connection)])
  const lacking = made.filter((fact) => !migrated.includes(fact))
  const left = migrated.filter((fact) => !made.includes(fact))
  assert.deepEqual({ lacking, left }, { lacking: [], left: [] })
  assert.ok(made.length > 2000)
})

test('none of its rows is lost', async () => {
  const filled = tables.filter((table) => (rowsBefore.get(table) ?? 0) > 0)
  assert.ok(filled.length > 90)
  const rows = await loadRows(filled)
  const lost = filled.filter((table) => (rows.get(table) ?? 0) < (rowsBefore.get(table) ?? 0))
  assert.deepEqual(lost, [])
})

test('doctor finds nothing wrong with it: totals, isolation, secrets', async () => {
  const { checks } = await command('doctor').catch((error: { stdout: string }) => JSON.parse(error.stdout))
  const failures = checks.filter(
    ({ status, name }: { status: string; name: string }) => status === 'failure' && name !== 'storage',
  )
  assert.deepEqual(failures, [])
})

test('what stood in it is answered on both surfaces, with the token and the key of then, and can be changed', async () => {
  const service = await startForFile({ DATABASE_URL: getUrl(old.connection), SECRET_KEY: secretKey })
  await untilReady(service)
  const api = new Caller(service.address, token)
  for (const [path, total] of [
    ['/students', 8],
    ['/payments', 24],
    ['/admissions/applications', 3],
    ['/vault/documents', 22],
    ['/vault/requests', 8],
    ['/programs', 14],
  ] as const) {
    const { status, body, text } = await api.get(`${path}?limit=100`)
    assert.equal(status, 200, text)
    assert.equal(body.pagination.total, total, path)
    assert.equal(body.data.length, total, path)
  }
  const resourceClient = new RecordCaller(`${service.address}/t/demo`, { authorization: key })
  const students = await resourceClient.get('/api/resource/Student?fields=["*"]&limit_page_length=0')
  assert.deepEqual([students.status, students.body.data.length], [200, 8])
  for (const { id } of (await api.get('/students?limit=100')).body.data) {
    const changed = await api.patch(`/students/${id}`, { fullName: `Of an upgrade ${id}` })
    assert.equal(changed.status, 200, changed.text)
  }
  const currency = async (code: string) => (await resourceClient.get(`/api/resource/Currency/${code}`)).body.data
  assert.equal((await currency('XCG')).fraction_units, 100)
  assert.deepEqual([(await currency('CLF')).fraction_units, (await currency('RON')).fraction], [10_000, 'Ban'])
  assert.doesNotMatch(service.output(), /"level":[56]0/)
})
