import pg from 'pg'
import { DatabaseUnavailable } from '../database-errors.ts'
import { serviceRole } from '../pool/connection.ts'
import { leadingTable } from './location.ts'
import { splitStatements } from './split-statements.ts'
import { getKind, type TableKind } from './table-kinds.ts'

/** Whether the database has Citus. Throws where it is a worker: tables are made at the coordinator. */
export async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return false
  const { rows: coordinators } = await client.query(`select citus_is_coordinator() as here`)
  if (!coordinators[0].here)
    throw new Error('DATABASE_URL names a worker of a Citus cluster. Let it name the coordinator.')
  return true
}

/**
 * Prepares the session of a migration for distributed tables: what it changes in several of them it changes one after the other,
 * because foreign keys connect them. Our triggers touch rows of their own tenant and reference tables only, which Citus cannot know.
 */
export async function prepareForCluster(client: pg.ClientBase): Promise<void> {
  await client.query(`set citus.multi_shard_modify_mode = 'sequential'; set citus.enable_unsafe_triggers = on`)
}

/**
 * Runs a statement at each node by itself, for what a database shares with the others of its server: a role may be there because of another
 * database, and so not be made at the nodes where it is not. Throws `Error` with what a node says.
 *
 * @throws DatabaseUnavailable where one does not answer
 */
export async function makeAtNodes(client: pg.ClientBase, statement: string): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    `select success, result from run_command_on_all_nodes($1)`,
    [
      `do $at_node$ begin
        perform set_config('citus.enable_ddl_propagation', 'off', true);
        execute ${pg.escapeLiteral(statement)};
      end $at_node$`,
    ],
  )
  const rejected = rows.find(({ success }) => !success)
  if (rejected === undefined) return
  if (!rejected.result.startsWith('failed to connect'))
    throw new Error(`a node of the cluster refused: ${rejected.result}`)
  const detail =
    'A node of the cluster does not answer: matricula doctor names it. Start it, or add another in its place.'
  throw new DatabaseUnavailable(detail, 5)
}

/** Whether tables are distributed already, so that a migration meets such tables. */
export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.${leadingTable}')`,
  )
  return rows.length > 0
}

/**
 * Runs a migration in a transaction on tables that are distributed. A table that it makes is distributed at once: until then
 * Citus lets it have no foreign keys to others, so it gets them afterwards. A partition is distributed with its table.
 */
export async function migrateCluster(client: pg.ClientBase, text: string): Promise<void> {
  for (const statement of splitStatements(text)) {
    if (!/^create (unlogged )?table\b(?!\s+\w+\s+partition of)/.test(statement)) {
      await client.query(statement)
      continue
    }
    await client.query('set local citus.enable_ddl_propagation = off')
    await client.query(statement)
    const [table] = await tablesToDistribute(client)
    const keys = table === undefined ? [] : (await loadKeys(client)).filter((key) => key.table === table.name)
    for (const key of keys) await client.query(dropping(key))
    await client.query('set local citus.enable_ddl_propagation = on')
    if (table !== undefined) await place(client, table)
    for (const key of keys) await client.query(adding(key))
  }
}

/**
 * Distributes every tenant table that is not distributed yet, together with its rows, and copies reference tables to every node.
 * Foreign keys are dropped meanwhile and kept in a table, so that whatever ends this, the next migration goes on with it.
 */
export async function distribute(client: pg.ClientBase): Promise<void> {
  const tables = await tablesToDistribute(client)
  await client.query(`create table if not exists keys_to_restore (
    "table" text not null, name text not null, definition text not null,
    constraint keys_to_restore_pkey primary key ("table", name))`)
  if (tables.length > 0) await setKeysAside(client)
  // Tables of one kind of rows are placed as the first one is.
  const leading = tables.filter(({ name }) => name === leadingTable || getKind(name) === 'reference')
  // What triggers make of rows stands in the other tables already: where rows are copied to their nodes, none may run.
  await client.query(`set citus.propagate_set_commands = 'local'`)
  for (const table of [...leading, ...tables.filter((each) => !leading.includes(each))]) {
    await client.query('begin')
    await client.query(`set local session_replication_role = 'replica'`)
    await place(client, table)
    await client.query('commit')
  }
  await client.query('reset citus.propagate_set_commands')
  const { rows: keys } = await client.query<ForeignKey>(`select "table", name, definition from keys_to_restore`)
  for (const key of keys) {
    await client.query('begin')
    await client.query(adding(key))
    await client.query(`delete from keys_to_restore where "table" = $1 and name = $2`, [key.table, key.name])
    await client.query('commit')
  }
  await client.query('drop table keys_to_restore')
}

/**
 * Gives every node what Citus does not hand on by itself: functions and views, the rights to them, and the sequence that stamps
 * follow. Also a node that was added since.
 */
export async function levelNodes(client: pg.ClientBase): Promise<void> {
  const { rows: functions } = await client.query<{ definition: string }>(`
    select pg_get_functiondef(p.oid) as definition
      from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
     order by p.oid`)
  for (const { definition } of functions) await client.query(definition)
  const { rows: views } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`)
  for (const { name } of views) await client.query(`grant select on ${pg.escapeIdentifier(name)} to ${serviceRole}`)
  // A stamp that a node gives is never before a watermark that the one told which had the rows before.
  await client.query(`select run_command_on_all_nodes('create sequence if not exists public.stamp_floor minvalue 0')`)
  await client.query(`
    select run_command_on_all_nodes(format(
      'select setval(%L, greatest(%s, coalesce(pg_sequence_last_value(%L), 0)))', 'public.stamp_floor',
      pg_sequence_last_value('public.stamp_floor'), 'public.stamp_floor'))`)
  await client.query(`select run_command_on_all_nodes('grant select on public.stamp_floor to ${serviceRole}')`)
  // What an update sets must not be volatile on a cluster. It is computed once for a statement, so that it is not.
  await client.query('alter function current_stamp() stable')
  await client.query(`alter function authenticate_api_key(bytea) set plan_cache_mode = 'force_custom_plan'`)
  // These triggers run where the tenant is, in the session of the change: what they read and write is there, or commits with it.
  for (const trigger of [
    'note_api_key_hash()',
    'note_custom_fields()',
    'keep_custom_field_values()',
    'note_role_limits()',
    'record_roster_deletion()',
    'record_membership_deletion()',
    'retain_sourced_id()',
  ]) {
    await client.query(`alter function ${trigger} set citus.allow_nested_distributed_execution = on`)
  }
}

/**
 * What row-level security asks of a row on a cluster. The first half is a constant to the planner, by which Citus finds the one
 * node of the tenant for every table of a statement, also where the statement joins it by other columns. A plan that was made for
 * another tenant must show nothing, so the second half is asked when the statement runs.
 */
export const policyOnCluster = 'tenant_id = planned_tenant_id() and tenant_id = current_tenant_id()'

interface TableToDistribute {
  readonly name: string
  readonly kind: TableKind
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

async function tablesToDistribute(client: pg.ClientBase): Promise<TableToDistribute[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)
     order by 1`)
  return rows.map(({ name }) => ({ name, kind: getKind(name) })).filter(({ kind }) => kind !== 'local')
}

async function place(client: pg.ClientBase, { name, kind }: TableToDistribute): Promise<void> {
  if (kind === 'reference') {
    await client.query('select create_reference_table($1)', [name])
    return
  }
  const together = name === leadingTable ? 'none' : leadingTable
  await client.query(`select create_distributed_table($1, 'tenant_id', colocate_with => $2)`, [name, together])
  await client.query(`select truncate_local_data_after_distributing_table($1)`, [name])
}

async function loadKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0`)
  return rows
}

async function setKeysAside(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  for (const key of await loadKeys(client)) {
    await client.query(`insert into keys_to_restore ("table", name, definition) values ($1, $2, $3)`, [
      key.table,
      key.name,
      key.definition,
    ])
    await client.query(dropping(key))
  }
  await client.query('commit')
}

function dropping({ table, name }: ForeignKey): string {
  return `alter table ${pg.escapeIdentifier(table)} drop constraint ${pg.escapeIdentifier(name)}`
}

function adding({ table, name, definition }: ForeignKey): string {
  return `alter table ${pg.escapeIdentifier(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`
}
