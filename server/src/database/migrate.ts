import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import {
  distribute,
  hasCitus,
  isDistributed,
  levelNodes,
  migrateCluster,
  plannedTenant,
  policyOnCluster,
  prepareForCluster,
} from './cluster/distribute.ts'
import { type Connection, clientOptions, serviceRole } from './connection.ts'

const migrationsFolder = new URL('../../migrations/', import.meta.url)

/** Tables whose rows the service may add and read, never change. */
const appendOnlyTables = new Set(['audit_entries'])

/** A migration: its number and name, and its SQL. */
interface Migration {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** What `migrate` did. */
export interface MigrationReport {
  readonly applied: string[]
  readonly current: string
}

/** The database cannot be brought to this version. The message says what to do. */
export class MigrationError extends Error {}

/**
 * Brings the database to this version: applies each migration that it does not have, in order, each in a transaction
 * of its own, while no other process does so (advisory lock). Then makes sure of the service's role and that every
 * tenant table is closed by row-level security. Safe to run at any time and from many processes at once.
 *
 * Throws `MigrationError` when an applied migration differs from the file, or when the database is newer.
 */
export async function migrate(connection: Connection): Promise<MigrationReport> {
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula migrate'))
  client.on('error', () => {}) // the statement that is under way fails with it
  await client.connect()
  try {
    await requireVersion(client)
    await client.query(`select pg_advisory_lock(hashtextextended('matricula.migrate', 0))`)
    await client.query(`create table if not exists schema_migrations (
      name text not null constraint schema_migrations_pkey primary key,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`)
    const migrations = await readMigrations()
    const isCluster = await hasCitus(client)
    if (isCluster) await prepareForCluster(client)
    const run = isCluster && (await isDistributed(client)) ? migrateCluster : runAtOnce
    const applied = await applyMissing(client, migrations, run)
    await ensureServiceRole(client)
    if (isCluster) await client.query(plannedTenant)
    await protectTenantTables(client, isCluster ? policyOnCluster : policy)
    await keepCustomFieldValues(client)
    if (isCluster) {
      await distribute(client)
      await levelNodes(client)
    }
    return { applied, current: migrations.at(-1)?.name ?? '' }
  } finally {
    await client.end()
  }
}

/** The migrations that the database does not have yet, by name. Empty when it is current. */
export async function missingMigrations(query: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const known = new Set((await query('select name from schema_migrations')).map((row) => row.name))
  return (await readMigrations()).map((migration) => migration.name).filter((name) => !known.has(name))
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`)
  if (rows[0].version < 150_000) {
    throw new MigrationError(
      'The database is older than PostgreSQL 15. Upgrade it, or point DATABASE_URL at a newer one.',
    )
  }
}

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, migrationsFolder), 'utf8')
      return { name: file.replace('.sql', ''), text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function runAtOnce(client: pg.Client, text: string): Promise<void> {
  await client.query(text)
}

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  run: (client: pg.Client, text: string) => Promise<void>,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const known = new Map(rows.map((row) => [row.name, row.checksum]))
  const names = new Set(migrations.map((migration) => migration.name))
  const unknown = rows.find((row) => !names.has(row.name))
  if (unknown !== undefined) {
    throw new MigrationError(
      `The database has the migration ${unknown.name}, which this version does not know. Run a newer version of Matricula.`,
    )
  }
  const applied: string[] = []
  for (const { name, text, checksum } of migrations) {
    const before = known.get(name)
    if (before === checksum) continue
    if (before !== undefined) {
      throw new MigrationError(`The migration ${name} was changed after it was applied. Restore its file.`)
    }
    await client.query('begin')
    try {
      await run(client, text)
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
    applied.push(name)
  }
  return applied
}

async function ensureServiceRole(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${serviceRole}') then
      create role ${serviceRole} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`)
  await client.query(`do $$ begin
    if not pg_has_role(current_user, '${serviceRole}', 'member') then grant ${serviceRole} to current_user; end if;
  end $$`)
  await client.query(`grant usage on schema public to ${serviceRole}`)
  await client.query(`grant select on tenants, schema_migrations, stamp_floor to ${serviceRole}`)
  await client.query(`grant select, insert, update on job_states to ${serviceRole}`)
  await client.query(`grant select, insert, update, delete on request_counts to ${serviceRole}`)
}

/** What row-level security asks of a row. */
const policy = 'tenant_id = (select current_tenant_id())'

/**
 * Closes every table that has a `tenant_id`: row-level security with one policy, and the rights of the service's role.
 * Machinery rather than memory, so that a new table cannot be forgotten. Views show what the role may see itself, and refuse
 * to be views that show more.
 */
async function protectTenantTables(client: pg.Client, rule: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (not c.relrowsecurity
            or not exists (select from pg_policy p where p.polrelid = c.oid)
            or not has_table_privilege('${serviceRole}', c.oid, 'select, insert, update, delete'))`)
  for (const { name } of rows) {
    const table = pg.escapeIdentifier(name)
    const rights = appendOnlyTables.has(name) ? 'select, insert' : 'select, insert, update, delete'
    await client.query(`alter table ${table} enable row level security`)
    await client.query(`drop policy if exists of_current_tenant on ${table}`)
    await client.query(
      `create policy of_current_tenant on ${table} to ${serviceRole} using (${rule}) with check (${rule})`,
    )
    await client.query(`grant ${rights} on ${table} to ${serviceRole}`)
  }
  const views = await client.query<{ name: string; is_invoker: boolean }>(`
    select c.relname as name, coalesce(c.reloptions @> array['security_invoker=true'], false) as is_invoker
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
       and not has_table_privilege('${serviceRole}', c.oid, 'select')`)
  for (const { name, is_invoker: isInvoker } of views.rows) {
    if (!isInvoker) throw new MigrationError(`The view ${name} must be made with (security_invoker = true).`)
    await client.query(`grant select on ${pg.escapeIdentifier(name)} to ${serviceRole}`)
  }
}

/** Lets the values of custom fields be found in every table that keeps some: machinery again, so that no table is forgotten. */
async function keepCustomFieldValues(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'custom_fields' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'custom_fields_deleted')`)
  const run = 'for each row'
  const keep = 'execute function keep_custom_field_values()'
  for (const { name } of rows) {
    const table = pg.escapeIdentifier(name)
    await client.query(`create trigger custom_fields_inserted after insert on ${table} ${run}
      when (new.custom_fields <> '{}') ${keep}`)
    await client.query(`create trigger custom_fields_updated after update of custom_fields on ${table} ${run}
      when (old.custom_fields is distinct from new.custom_fields) ${keep}`)
    await client.query(`create trigger custom_fields_deleted after delete on ${table} ${run}
      when (old.custom_fields <> '{}') ${keep}`)
  }
}
