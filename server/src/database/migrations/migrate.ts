import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  distribute,
  hasCitus,
  isDistributed,
  levelNodes,
  makeAtNodes,
  migrateCluster,
  policyOnCluster,
  prepareForCluster,
} from '../citus/distribute.ts'
import { allowShards, hideShards, letShardsBeShown } from '../citus/shard-views.ts'
import { type Connection, clientOptions, serviceRole } from '../pool/connection.ts'
import { requireOwnSessions, requireServiceRole } from '../pool/own-sessions.ts'
import { presentServices } from '../pool/service-registry.ts'
import {
  applyMigration,
  inTransaction,
  LockNotFree,
  type MigrationContext,
  type MigrationLog,
  patiently,
} from './apply-migration.ts'
import { isLevelled, markLevelled, unmarkLevelled } from './level-mark.ts'
import {
  getNumber,
  type Migration,
  type MigrationKind,
  migrationsFolder,
  neededMigrations,
  readMigrations,
} from './migration-files.ts'
import { findOwnerError } from './owner-rights.ts'

/** Tables whose rows the service may add and read, never change. */
const appendOnlyTables = new Set(['audit_entries'])

/** What `migrate` did. */
export interface MigrationReport {
  readonly applied: string[]
  readonly current: string
  /** Migrations that take away what processes of an older version may still use, and wait until those are gone. */
  readonly postponed: string[]
}

interface MigrateOptions {
  readonly log?: MigrationLog
  readonly folder?: URL
  /** Only these, by name, and nothing after them: the schema that a backup was made with. */
  readonly only?: readonly string[]
  /** Makes sure of everything also where the database has the mark that this was done: what somebody asks for by hand. */
  readonly isByHand?: boolean
  /** Believes the mark also on one database, where services do not: a command, for which it would take most of its time. */
  readonly isCommand?: boolean
  /** What tenants of an older version lack beside tables: done when these are there, and before the mark is set. */
  readonly supplement?: () => Promise<void>
}

/** The database cannot be brought to this version. The message says what to do. */
export class MigrationError extends Error {}

const silent: MigrationLog = { info: () => {}, warn: () => {} }

/**
 * Brings the database to this version: applies each migration that it does not have, in order, while no other process does so
 * and while processes of an older version go on answering. What takes away something that they may use is postponed until
 * they are gone. Then makes sure of the service's role and that every tenant table is closed by row-level security. Safe to run
 * at any time and from many processes at once. A version that is older than the database changes nothing, and may answer beside newer
 * ones as long as those have only added.
 *
 * Throws `MigrationError` when an applied migration differs from the file, when the database is too new, or when others do not let go
 * of what a migration needs, and `PooledSessions` where the connection does not lead to sessions of its own.
 */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<MigrationReport> {
  const { log = silent, folder = migrationsFolder, only, isByHand = false, isCommand = false, supplement } = options
  const migrations = await readMigrations(folder)
  const isElsewhere = 'connectionString' in connection
  if (isElsewhere) await requireOwnSessions(connection)
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula migrate'))
  client.on('error', () => {}) // the statement that is under way fails with it
  await client.connect()
  try {
    await requireVersion(client)
    await takeTurn(client, log)
    const state = await compare(client, migrations)
    if (state.missing.length > 0 && !state.isNewer) await requireRights(client)
    await ensureMigrationsTable(client, log)
    const current = migrations.at(-1)?.name ?? ''
    if (only !== undefined) {
      const wanted = state.missing.filter(({ name }) => only.includes(name))
      return { ...(await applyMissing({ client, connection, log, run: runAtOnce }, wanted)), current }
    }
    const asItIs = { applied: [], current, postponed: [] }
    if (state.isNewer) return asItIs
    if (await takesNoWrites(client)) {
      if (state.missing.length === 0) return asItIs
      throw new MigrationError(
        `The database takes no writes and lacks ${state.missing.length} migrations of this version. Let it take writes again, then run: matricula migrate`,
      )
    }
    const isCluster = await hasCitus(client)
    if (isCluster) await prepareForCluster(client)
    const run = isCluster && (await isDistributed(client)) ? migrateCluster : runAtOnce
    if (isCluster && state.missing.length > 0) await hideShards(client)
    const report = await applyMissing({ client, connection, log, run }, state.missing)
    const believesMark = !isByHand && (isCluster || isCommand)
    const isAsItWas = report.applied.length === 0 && believesMark && (await isLevelled(client, isCluster))
    if (!isAsItWas) {
      await makeSure({ client, log }, isCluster)
      await supplement?.()
      await markLevelled(client, isCluster)
    }
    if (isElsewhere) await requireServiceRole(connection)
    return { ...report, current }
  } catch (error) {
    throw error instanceof LockNotFree ? new MigrationError(error.message) : error
  } finally {
    await client.end()
  }
}

/** Throws `MigrationError` where the user of the connection lacks what migrations need, before anything is changed. */
async function requireRights(client: pg.Client): Promise<void> {
  const ownerError = await findOwnerError(client)
  if (ownerError !== null) throw new MigrationError(ownerError)
}

/** Whether the database is set to reading, as while it is moved: what no migration says was made sure of before. */
async function takesNoWrites(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: string }>('select current_setting($1) as is', ['transaction_read_only'])
  return rows[0]?.is === 'on'
}

/** Makes sure of what no migration says: the service's role, row-level security, and what is at which node of a cluster. */
async function makeSure({ client, log }: Pick<MigrationContext, 'client' | 'log'>, isCluster: boolean): Promise<void> {
  await unmarkLevelled(client, isCluster)
  await patiently({ client, log }, 'of roles and row-level security', async () => {
    await ensureServiceRole(client, isCluster)
    if (isCluster) await allowShards(client)
    await protectTenantTables(client, isCluster)
    await maintainCustomFieldValues(client)
  })
  if (!isCluster) return
  await distribute(client)
  await levelNodes(client)
  await letShardsBeShown(client)
}

/** The migrations without which this version cannot answer and that the database does not have yet, by name. */
export async function missingMigrations(query: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const known = new Set((await query('select name from schema_migrations')).map((row) => row.name))
  return (await neededMigrations()).filter((name) => !known.has(name))
}

/** What `migrate` would do. */
export interface MigrationPlan {
  readonly missing: readonly (Pick<Migration, 'name' | 'kind' | 'way'> & { readonly waitsFor: string | null })[]
  readonly current: string
}

/** Tells what `migrate` would do to a database, and changes nothing. Throws as `migrate` does. */
export async function planMigrations(connection: Connection, folder = migrationsFolder): Promise<MigrationPlan> {
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula migrate'))
  client.on('error', () => {}) // the statement that is under way fails with it
  await client.connect()
  try {
    await requireVersion(client)
    const migrations = await readMigrations(folder)
    const { missing } = await compare(client, migrations)
    const plan = missing.map(async ({ name, kind, way }) => {
      const waitsFor = kind === 'contract' ? await olderProcesses(client, name) : null
      return { name, kind, way, waitsFor }
    })
    return { missing: await Promise.all(plan), current: migrations.at(-1)?.name ?? '' }
  } finally {
    await client.end()
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as version`)
  if (rows[0].version < 150_000) {
    throw new MigrationError(
      'The database is older than PostgreSQL 15. Upgrade it, or point DATABASE_URL at a newer one.',
    )
  }
}

/**
 * Waits until no other process migrates. It asks again and again instead of waiting in a statement: building an index waits for every
 * statement that is older, and would wait for this one, which waits for it.
 */
async function takeTurn(client: pg.Client, log: MigrationLog): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(hashtextextended('matricula.migrate', 0)) as taken`,
    )
    if (rows[0].taken) return
    if (asked === 10) log.info({}, 'another process migrates the database: waiting for it')
    await pause(100)
  }
}

async function ensureMigrationsTable(client: pg.Client, log: MigrationLog): Promise<void> {
  const { rows } = await client.query(`
    select count(*)::integer as columns from pg_attribute
     where attrelid = to_regclass('public.schema_migrations') and attname in ('name', 'kind') and not attisdropped`)
  if (rows[0].columns === 2) return
  await inTransaction({ client, log }, 'of the list of migrations', async () => {
    await client.query(`create table if not exists schema_migrations (
      name text not null constraint schema_migrations_pkey primary key,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`)
    await client.query(`alter table schema_migrations add column if not exists kind text not null default 'expand'`)
  })
}

/** What the database lacks of this version, and whether it is that of a newer one beside which this one may answer. */
async function compare(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<{ missing: Migration[]; isNewer: boolean }> {
  const { rows: tables } = await client.query(`select to_regclass('public.schema_migrations') is not null as exists`)
  const { rows } = tables[0].exists
    ? await client.query<{ name: string; checksum: string; kind?: MigrationKind }>(
        'select * from schema_migrations order by name',
      )
    : { rows: [] }
  const known = new Map(rows.map((row) => [row.name, row.checksum]))
  const names = new Set(migrations.map((migration) => migration.name))
  const unknown = rows.filter((row) => !names.has(row.name))
  const missing = migrations.filter(({ name }) => !known.has(name))
  const lacksSome = missing.some(({ kind }) => kind === 'expand')
  const tooNew = unknown.find(({ kind }) => kind !== 'expand') ?? (lacksSome ? unknown[0] : undefined)
  if (tooNew !== undefined) {
    throw new MigrationError(
      `The database has the migration ${tooNew.name}, which this version does not know. Run a newer version of Matricula.`,
    )
  }
  const changed = migrations.find(({ name, checksum }) => known.has(name) && known.get(name) !== checksum)
  if (changed !== undefined) {
    throw new MigrationError(`The migration ${changed.name} was changed after it was applied. Restore its file.`)
  }
  return { missing, isNewer: unknown.length > 0 }
}

async function runAtOnce(client: pg.ClientBase, text: string): Promise<void> {
  await client.query(text)
}

async function applyMissing(
  context: MigrationContext,
  missing: readonly Migration[],
): Promise<{ applied: string[]; postponed: string[] }> {
  const applied: string[] = []
  const postponed: string[] = []
  for (const migration of missing) {
    const { name, kind } = migration
    const older = kind === 'contract' ? await olderProcesses(context.client, name) : null
    if (older !== null) {
      postponed.push(name)
      context.log.warn({ migration: name }, `migration postponed: ${older}`)
      continue
    }
    await applyMigration(context, migration)
    applied.push(name)
  }
  return { applied, postponed }
}

/** Which processes answer that do not know a migration, in words, or null. Processes of 1.0 and before say only that they are there. */
async function olderProcesses(client: pg.Client, name: string): Promise<string | null> {
  const { services, isUntold } = await presentServices(client)
  const older = services.filter(({ knows }) => knows < getNumber(name))
  if (older.length > 0) return `${older.length} services still run that know no more than ${older[0]?.knows}`
  return isUntold ? 'services of an early version still run' : null
}

const makeServiceRole = `do $$ begin
    if not exists (select from pg_roles where rolname = '${serviceRole}') then
      create role ${serviceRole} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`

async function ensureServiceRole(client: pg.Client, isCluster: boolean): Promise<void> {
  await client.query(makeServiceRole)
  if (isCluster) await makeAtNodes(client, makeServiceRole)
  await client.query(`do $$ begin
    if not pg_has_role(current_user, '${serviceRole}', 'member') then grant ${serviceRole} to current_user; end if;
  end $$`)
  await client.query(`grant usage on schema public to ${serviceRole}`)
  await client.query(`grant select on tenants, schema_migrations, stamp_floor to ${serviceRole}`)
  await client.query(`grant select, insert, update on job_states, backup_state to ${serviceRole}`)
  await client.query(`grant select, insert, update, delete on request_counts to ${serviceRole}`)
}

/** What row-level security asks of a row. */
const policy = 'tenant_id = (select current_tenant_id())'

/** Whether a policy is that of a cluster: a database that has become one has others, which Citus does not distribute. */
const asksForPlannedTenant = `pg_get_expr(p.polqual, p.polrelid) like '%planned_tenant_id%'`

/**
 * Closes every table that has a `tenant_id`: row-level security with one policy, and the rights of the service's role. A partition is
 * reached through its table alone: the role has no rights to it.
 * Machinery rather than memory, so that a new table cannot be forgotten. Views show what the role may see itself, and refuse
 * to be views that show more.
 */
async function protectTenantTables(client: pg.Client, isCluster: boolean): Promise<void> {
  const rule = isCluster ? policyOnCluster : policy
  // To read what a policy says takes a lock of its table, and waits for whoever changes that.
  const fits = isCluster ? `and ${asksForPlannedTenant}` : ''
  const { rows } = await client.query<{ name: string; isPartition: boolean }>(`
    select c.relname as name, c.relispartition as "isPartition"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (not c.relrowsecurity
            or not exists (select from pg_policy p where p.polrelid = c.oid ${fits})
            or not c.relispartition and not has_table_privilege('${serviceRole}', c.oid, 'select, insert, update, delete'))`)
  for (const { name, isPartition } of rows) {
    const table = pg.escapeIdentifier(name)
    const rights = appendOnlyTables.has(name) ? 'select, insert' : 'select, insert, update, delete'
    await client.query(`alter table ${table} enable row level security`)
    await client.query(`drop policy if exists of_current_tenant on ${table}`)
    await client.query(
      `create policy of_current_tenant on ${table} to ${serviceRole} using (${rule}) with check (${rule})`,
    )
    if (!isPartition) await client.query(`grant ${rights} on ${table} to ${serviceRole}`)
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
async function maintainCustomFieldValues(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'custom_fields' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'custom_fields_deleted')`)
  const run = 'for each row'
  for (const { name } of rows) {
    const table = pg.escapeIdentifier(name)
    const keep = `execute function keep_custom_field_values(${pg.escapeLiteral(name)})`
    await client.query(`create or replace trigger custom_fields_inserted after insert on ${table} ${run}
      when (new.custom_fields <> '{}') ${keep}`)
    await client.query(`create or replace trigger custom_fields_updated after update of custom_fields on ${table} ${run}
      when (old.custom_fields is distinct from new.custom_fields) ${keep}`)
    await client.query(`create or replace trigger custom_fields_deleted after delete on ${table} ${run}
      when (old.custom_fields <> '{}') ${keep}`)
  }
}
