import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../testing/test-database.ts'
import { type Connection, clientOptions, MigrationError, migrate } from './index.ts'

/** Everything that the catalogue says of the schema, as one text. */
async function schemaOf(connection: Connection): Promise<string> {
  const client = new pg.Client(clientOptions(connection, 'owner'))
  await client.connect()
  const { rows } = await client.query(`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as fact
      from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select tablename || ' ' || policyname || ' ' || coalesce(qual, '') from pg_policies where schemaname = 'public'
    union all select table_name || ' ' || grantee || ' ' || privilege_type from information_schema.role_table_grants
      where table_schema = 'public' and grantee = 'matricula_service'
    order by 1`)
  await client.end()
  return rows.map((row) => row.fact).join('\n')
}

test('migrating twice, or from many processes at once on an empty database, gives the same schema', async () => {
  const database = await createTestDatabase()
  try {
    const migrated = await schemaOf(database.connection)
    assert.deepEqual((await migrate(database.connection)).applied, [])
    assert.equal(await schemaOf(database.connection), migrated)
    await database.inspect('drop schema public cascade')
    await database.inspect('create schema public')
    const reports = await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection)))
    const applied = reports.map((report) => report.applied.length).filter((count) => count > 0)
    assert.equal(applied.length, 1)
    assert.equal(await schemaOf(database.connection), migrated)
  } finally {
    await database.drop()
  }
})

test('a migration that was changed after it was applied, or one of a newer version, stops the start', async () => {
  const database = await createTestDatabase()
  try {
    await database.inspect(`update schema_migrations set checksum = 'other' where name = '0001_platform'`)
    await assert.rejects(migrate(database.connection), (error) => {
      return error instanceof MigrationError && /0001_platform was changed/.test(error.message)
    })
    await database.inspect(`insert into schema_migrations (name, checksum) values ('9999_future', 'x')`)
    await assert.rejects(migrate(database.connection), /9999_future.*newer version/)
  } finally {
    await database.drop()
  }
})
