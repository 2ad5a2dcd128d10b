import pg from 'pg'

/** A table of which a backup takes rows, and the columns that it takes. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** What stands in the header of a backup, and what is of an installation and not of its data. */
const notCopied = [
  'schema_migrations',
  'keys_to_restore',
  'backup_state',
  'files_keys',
  'installations',
  'secret_key_marks',
]

/** Where a table without `tenant_id` says whose a row is. Others without it belong to no tenant. */
const tenantColumns: Readonly<Record<string, string>> = {
  tenants: 'id',
  api_key_hashes: 'of_tenant',
  oauth_consumer_keys: 'of_tenant',
}

/**
 * The tables of a backup by name, of one tenant or of all. Left out are rows that a crash may lose as well (unlogged
 * tables), columns that PostgreSQL computes, and those that mean something in one database cluster only, such as
 * numbers of transactions: they begin anew.
 */
export async function readCopiedTables(client: pg.ClientBase, ofTenant: boolean): Promise<CopiedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, json_agg(a.attname order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
        and a.attgenerated = '' and a.atttypid <> all ('{xid,xid8,txid_snapshot,pg_snapshot,pg_lsn}'::regtype[])
        and c.relname <> all ($1)
      group by c.relname order by c.relname collate "C"`,
    [notCopied],
  )
  return ofTenant ? rows.filter((table) => findTenantColumn(table) !== null) : rows
}

function findTenantColumn({ name, columns }: CopiedTable): string | null {
  return columns.includes('tenant_id') ? 'tenant_id' : (tenantColumns[name] ?? null)
}

/** The statement that answers the rows of a table: of a tenant, or of all. */
export function copyOut(table: CopiedTable, tenantId: string | null): string {
  // Of a partitioned table only what is selected can be copied.
  const rows = `select ${getNames(table.columns)} from ${pg.escapeIdentifier(table.name)}`
  if (tenantId === null) return `copy (${rows}) to stdout`
  const owner = pg.escapeIdentifier(findTenantColumn(table) as string)
  return `copy (${rows} where ${owner} = ${pg.escapeLiteral(tenantId)}) to stdout`
}

/** The statement that takes rows into a table. */
export function copyIn({ name, columns }: CopiedTable, into = name): string {
  return `copy ${pg.escapeIdentifier(into)} (${getNames(columns)}) from stdin`
}

export function getNames(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}

/** How values are written as text in a backup, whatever the settings of a database. */
export const textForm = `
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8';
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`
