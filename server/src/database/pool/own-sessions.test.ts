import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase, getUrl } from '../../testing/fixtures/database/test-database.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { MigrationError, migrate, PooledSessions } from '../index.ts'
import { missingPgBouncer, startPgBouncer } from './pgbouncer.fixture.ts'

const database = await createTestDatabase()
afterFile(() => database.drop())

test('a database at an address of its own gives sessions that stay, and a command that looked ends as soon as it is done', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  assert.deepEqual((await migrate({ connectionString: getUrl(database.connection) })).applied, [])
  assert.equal(timers(), before, 'nothing keeps the process from its end')
})

const poolers: Readonly<Record<string, { readonly settings: Record<string, string>; readonly says: RegExp }>> = {
  'as it comes': { settings: { pool_mode: 'transaction' }, says: /unsupported startup parameter/ },
  'by transactions': {
    settings: { pool_mode: 'transaction', ignore_startup_parameters: 'options' },
    says: /sessions change between transactions/,
  },
  'by transactions over one connection': {
    settings: { pool_mode: 'transaction', ignore_startup_parameters: 'options', default_pool_size: '1' },
    says: /sessions change between transactions/,
  },
  'by statements': {
    settings: { pool_mode: 'statement', ignore_startup_parameters: 'options' },
    says: /transaction blocks not allowed in statement pooling mode/,
  },
  'by sessions, without the settings of a session': {
    settings: { pool_mode: 'session', ignore_startup_parameters: 'options' },
    says: /leaves out the settings that a session begins with/,
  },
}

for (const [title, { settings, says }] of Object.entries(poolers)) {
  test(`a pooler, PgBouncer ${title}, is refused with what to do`, { skip: missingPgBouncer ?? false }, async (t) => {
    if (!('host' in database.connection)) return t.skip('the tests run on a server of their own')
    const pooler = await startPgBouncer(database.connection, settings)
    try {
      await assert.rejects(migrate({ connectionString: pooler.url }), (error) => {
        assert.ok(error instanceof PooledSessions, String(error))
        assert.match(error.message, says)
        assert.match(error.message, /Point DATABASE_URL at PostgreSQL itself\.$/)
        return !(error instanceof MigrationError)
      })
    } finally {
      await pooler.stop()
    }
  })
}

if (missingPgBouncer !== null) process.stderr.write(`poolers are not tested: ${missingPgBouncer}\n`)
