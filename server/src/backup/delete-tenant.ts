import pg from 'pg'
import type { FileStore } from '../storage/index.ts'
import { endDeletion } from './deleted-tenants.ts'

/** Batch size: deleted rows per transaction. */
const batchRows = 5000

interface TenantTable {
  readonly name: string
  /** Where it says whose a row is. */
  readonly column: string
  /** The tables that its rows name, itself too where they name one another. */
  readonly names: readonly string[]
}

/** How many rows each table has of a tenant, of those that have any. */
export async function rowsOfTenant(client: pg.ClientBase, tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, column } of await readTables(client)) {
    const { rows } = await client.query<{ rows: number }>(
      `select count(*)::integer as rows from ${pg.escapeIdentifier(name)} where ${pg.escapeIdentifier(column)} = $1`,
      [tenantId],
    )
    if ((rows[0]?.rows ?? 0) > 0) counts[name] = rows[0]?.rows ?? 0
  }
  return counts
}

/**
 * Deletes everything of a tenant, in batches that hold nobody else up: its rows, those that name others before these,
 * then its files, and at last itself. Nobody may write as the tenant meanwhile, and `recordDeletion` was called
 * before. What is interrupted goes on when it is called again.
 * @returns how many rows of each table this call has deleted, and how many rows and files the tenant had
 */
export async function deleteTenant(
  client: pg.ClientBase,
  store: FileStore,
  tenantId: string,
  onProgress: (rows: number) => void,
): Promise<{ kinds: Record<string, number>; rows: number; files: number }> {
  const kinds: Record<string, number> = {}
  let all = 0
  const note = (table: string, rows: number) => {
    if (rows > 0) kinds[table] = (kinds[table] ?? 0) + rows
    all += rows
    onProgress(all)
  }
  const tables = await readTables(client)
  for (const group of inOrder(tables)) {
    const [first] = group
    if (group.length === 1 && first !== undefined) await deleteInBatches(client, first, tenantId, note)
    else await deleteTogether(client, group, tenantId, note)
  }
  // What triggers have noted of rows that went.
  for (const table of tables.filter(({ names }) => names.length === 0)) {
    await deleteInBatches(client, table, tenantId, () => {})
  }
  let files = 0
  for (const state of ['upload', 'frozen'] as const) {
    for await (const key of store.list(state, { tenantId })) {
      await store.remove(state, key)
      files += 1
    }
  }
  await store.removeUnfinished({ tenantId, before: new Date() })
  return { kinds, ...(await endDeletion(client, tenantId, { rows: all + 1, files })) }
}

type Note = (table: string, rows: number) => void

async function deleteInBatches(client: pg.ClientBase, table: TenantTable, tenantId: string, note: Note): Promise<void> {
  const name = pg.escapeIdentifier(table.name)
  const column = pg.escapeIdentifier(table.column)
  // What names another row of the same table is newer than that.
  const order = table.names.includes(table.name) ? 'order by id desc' : ''
  // Rows of two partitions may have the same position.
  const batch = `delete from ${name} where ${column} = $1 and ctid = any (array(
    select ctid from ${name} where ${column} = $1 ${order} limit ${batchRows}))`
  for (;;) {
    const { rowCount } = await client.query(batch, [tenantId]).catch((error: pg.DatabaseError) => {
      if (error.code !== '23503' || order === '') throw error
      return client.query(`delete from ${name} where ${column} = $1`, [tenantId])
    })
    note(table.name, rowCount ?? 0)
    if ((rowCount ?? 0) === 0) return
  }
}

/** Tables whose rows name one another in a circle: of one statement, the keys are checked at its end. */
async function deleteTogether(
  client: pg.ClientBase,
  group: readonly TenantTable[],
  tenantId: string,
  note: Note,
): Promise<void> {
  const parts = group.map(
    ({ name, column }, at) =>
      `d${at} as (delete from ${pg.escapeIdentifier(name)} where ${pg.escapeIdentifier(column)} = $1 returning 1)`,
  )
  const counts = group.map((_, at) => `(select count(*)::integer from d${at}) as d${at}`)
  const { rows } = await client.query(`with ${parts.join(', ')} select ${counts.join(', ')}`, [tenantId])
  group.forEach(({ name }, at) => {
    note(name, rows[0][`d${at}`])
  })
}

/** Every table with rows of tenants but that of the tenants, also those that a backup leaves out. */
async function readTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(`
    select c.relname as name, a.attname as column,
           array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f') as names
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname in ('tenant_id', 'of_tenant') and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname collate "C"`)
  return rows
}

/**
 * Groups of tables so that rows go before those that they name; a group is a table, or several that name one another
 * in a circle.
 */
function inOrder(tables: readonly TenantTable[]): TenantTable[][] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const reached = new Map(tables.map((table) => [table.name, reachedFrom(table, byName)]))
  const groups: TenantTable[][] = []
  const left = new Map(byName)
  while (left.size > 0) {
    const isNamed = (table: TenantTable) =>
      [...left.keys()].some(
        (other) => reached.get(other)?.has(table.name) && !reached.get(table.name)?.has(other) && other !== table.name,
      )
    const [next] = [...left.values()].filter((table) => !isNamed(table))
    if (next === undefined) throw new Error('tables name one another without end')
    const inCircle = (other: TenantTable) =>
      other === next ||
      (reached.get(next.name)?.has(other.name) === true && reached.get(other.name)?.has(next.name) === true)
    const group = [...left.values()].filter(inCircle)
    for (const { name } of group) left.delete(name)
    groups.push(group)
  }
  return groups
}

/** The tables that rows of a table name, and those that these name, and so on. */
function reachedFrom(from: TenantTable, byName: ReadonlyMap<string, TenantTable>): Set<string> {
  const reached = new Set<string>()
  const visit = ({ names }: TenantTable) => {
    for (const name of names) {
      const next = byName.get(name)
      if (next === undefined || reached.has(name)) continue
      reached.add(name)
      visit(next)
    }
  }
  visit(from)
  return reached
}
