import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenant } from '../../tenancy/tenants.ts'
import { schemaFacts } from '../../testing/fixtures/database/schema-facts.ts'
import { asUser, createTestDatabase, getUrl, notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { runCommand } from '../../testing/fixtures/service-process.ts'
import { newId } from '../../values/ids.ts'
import { asOwner, Database, MigrationError, migrate, sql } from '../index.ts'

const onOnePostgres = { skip: notOnCluster('the schema that it drops has Citus in it') }

test(
  'migrating twice, or from many processes at once on an empty database, gives the same schema',
  onOnePostgres,
  async () => {
    const database = await createTestDatabase()
    try {
      const migrated = await schemaFacts(database.connection)
      assert.deepEqual((await migrate(database.connection)).applied, [])
      assert.deepEqual(await schemaFacts(database.connection), migrated)
      await database.inspect('drop schema public cascade')
      await database.inspect('create schema public')
      const reports = await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection)))
      const applied = reports.map((report) => report.applied.length).filter((count) => count > 0)
      assert.equal(applied.length, 1)
      assert.deepEqual(await schemaFacts(database.connection), migrated)
    } finally {
      await database.drop()
    }
  },
)

test('a migration that was changed after it was applied, or one of a newer version, stops the start', async () => {
  const database = await createTestDatabase()
  try {
    await database.inspect(`update schema_migrations set checksum = 'other' where name = '0001_platform'`)
    await assert.rejects(migrate(database.connection), (error) => {
      return error instanceof MigrationError && /0001_platform was changed/.test(error.message)
    })
    await database.inspect(`insert into schema_migrations (name, checksum) values ('9999_future', 'x')`)
    await assert.rejects(migrate(database.connection), /0001_platform was changed/)
    await database.inspect('delete from schema_migrations where name < $1', ['0003'])
    await assert.rejects(migrate(database.connection), /9999_future.*newer version/)
  } finally {
    await database.drop()
  }
})

test('an owner who is no superuser can migrate and serve, as on a managed database', onOnePostgres, async () => {
  const database = await createTestDatabase()
  try {
    await database.inspect(`do $$ begin
      if not exists (select from pg_roles where rolname = 'managed_owner') then create role managed_owner login createrole password 'managed'; end if;
      execute format('grant managed_owner to %I', current_user);
      if exists (select from pg_roles where rolname = 'matricula_service') then
        grant matricula_service to managed_owner with admin option;
      end if;
      execute format('alter database %I owner to managed_owner', current_database());
    end $$`)
    await database.inspect('drop schema public cascade')
    await database.inspect('create schema public authorization managed_owner')
    const connection = asUser(database.connection, 'managed_owner', 'managed')
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

test(
  'what the owner lacks is told before anything is changed, with the statement that gives it',
  onOnePostgres,
  async () => {
    const database = await createTestDatabase({ isEmpty: true })
    const [{ name = '' } = {}] = await database.inspect<{ name: string }>('select current_database() as name')
    const [first, second] = ['first_owner', 'second_owner'].map((user) => `${user}_${name.slice(-6)}`)
    const as = (user: string | undefined) => asUser(database.connection, user as string, 'secret')
    const refused = (user: string | undefined, said: RegExp) =>
      assert.rejects(migrate(as(user)), (error) => error instanceof MigrationError && said.test(error.message))
    try {
      for (const user of [first, second]) await database.inspect(`create role ${user} login password 'secret'`)
      const [there] = await database.inspect(`select from pg_roles where rolname = 'matricula_service'`)
      assert.ok(there !== undefined)
      await refused(first, /may not make tables.*alter database \S+ owner to first_owner/)
      await database.inspect(`alter database ${name} owner to ${first}`)
      await refused(first, /is no member of it.*grant matricula_service to first_owner/)
      const tables = `select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
      assert.equal((await database.inspect(tables)).length, 0)
      // A second installation on one server works by just the statement that it is told.
      await database.inspect(`grant matricula_service to ${first}`)
      assert.ok((await migrate(as(first))).applied.length > 0)
      await database.inspect(`grant create on database ${name} to ${second}`)
      await database.inspect(`grant create on schema public to ${second}`)
      await database.inspect(`grant select, insert, update, delete on schema_migrations to ${second}`)
      await database.inspect(`delete from schema_migrations where name = '0107_currencies_of_today'`)
      await refused(
        second,
        /belong to first_owner\S*, and the user of DATABASE_URL is second_owner\S*\. Connect as first_owner/,
      )
    } finally {
      await database.inspect(`reassign owned by ${first} to current_user; drop owned by ${first}, ${second}`)
      for (const user of [first, second]) await database.inspect(`drop role ${user}`)
      await database.drop()
    }
  },
)

test('a database that does not keep every name is refused before anything is changed', onOnePostgres, async () => {
  const database = await createTestDatabase({ isEmpty: true })
  const [{ own = '' } = {}] = await database.inspect<{ own: string }>('select current_database() as own')
  const name = `${own}_ascii`
  try {
    await database.inspect(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
    const elsewhere = { ...database.connection, database: name } as typeof database.connection
    await assert.rejects(migrate(elsewhere), /encoded in SQL_ASCII.*encoding 'UTF8' template template0/)
  } finally {
    await database.inspect(`drop database ${name} with (force)`)
    await database.drop()
  }
})

test(
  'migrate --check tells what is missing and ends with 1, changes nothing, and ends with 0 where all is there',
  onOnePostgres,
  async () => {
    const database = await createTestDatabase()
    try {
      const settings = {
        DATABASE_URL: getUrl(database.connection),
        SECRET_KEY: 'of a test that runs a command beside it',
      }
      const { missing, current } = await runCommand(settings, 'migrate', '--check')
      assert.deepEqual(missing, [])
      await database.inspect('drop schema public cascade')
      await database.inspect('create schema public')
      const failed = await runCommand(settings, 'migrate', '--check').then(
        () => assert.fail('it ends with 0'),
        (error: { code: number; stdout: string }) => error,
      )
      assert.equal(failed.code, 1)
      const plan = JSON.parse(failed.stdout)
      assert.deepEqual(plan.missing[0], { name: '0001_platform', kind: 'expand', way: 'at once', waitsFor: null })
      assert.deepEqual([plan.current, plan.missing.at(-1).name], [current, current])
      assert.deepEqual(await database.inspect(`select from pg_class where relnamespace = 'public'::regnamespace`), [])
      const report = await runCommand(settings, 'migrate')
      assert.equal(report.applied.length, plan.missing.length)
    } finally {
      await database.drop()
    }
  },
)

test(
  'a command believes the mark that a database was made sure of, and closes a table that was opened since',
  onOnePostgres,
  async () => {
    const database = await createTestDatabase()
    try {
      let supplemented = 0
      const asCommand = () =>
        migrate(database.connection, {
          isCommand: true,
          supplement: async () => {
            supplemented += 1
          },
        })
      await migrate(database.connection)
      await asCommand()
      assert.equal(supplemented, 0)
      await database.inspect('drop policy of_current_tenant on students')
      await asCommand()
      const policies = await database.inspect(`select 1 from pg_policy where polrelid = 'students'::regclass`)
      assert.deepEqual([supplemented, policies.length], [1, 1])
      await asCommand()
      assert.equal(supplemented, 1)
    } finally {
      await database.drop()
    }
  },
)
