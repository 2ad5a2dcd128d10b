import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { newId } from '../platform/ids.ts'
import { createTenant } from '../platform/tenants.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { asOwner, type Connection, clientOptions, Database, MigrationError, migrate, sql } from './index.ts'

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

test('an owner who is no superuser can migrate and serve, as on a managed database', async () => {
  const database = await createTestDatabase()
  try {
    await database.inspect(`do $$ begin
      if not exists (select from pg_roles where rolname = 'managed_owner') then create role managed_owner login createrole; end if;
      if exists (select from pg_roles where rolname = 'matricula_service') then
        grant matricula_service to managed_owner with admin option;
      end if;
    end $$`)
    await database.inspect('drop schema public cascade')
    await database.inspect('create schema public authorization managed_owner')
    const connection = { ...database.connection, user: 'managed_owner' } as Connection
    assert.equal((await migrate(connection)).applied.length > 0, true)
    const tenantId = newId()
    await asOwner(connection, tenantId, (tx) => createTenant(tx, 'managed', { name: 'Managed' }))
    const data = new Database(connection)
    const [seen] = await data.read<{ role: string; stamp: string }>(
      tenantId,
      sql`select current_user as role, sync_watermark() as stamp`,
    )
    assert.equal(seen?.role, 'matricula_service')
    assert.ok(Date.now() - Date.parse(seen?.stamp ?? '') < 10_000)
    await data.close()
  } finally {
    await database.drop()
  }
})
