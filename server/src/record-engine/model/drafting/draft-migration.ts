import type { DeclaredIndex, DeclaredLink, DeclaredTable } from './declared-tables.ts'

/** Runs a query as the owner of the tables, and returns its rows. */
export type Query = <Row extends object>(text: string) => Promise<Row[]>

/**
 * The SQL that brings a database to the declared record types: tables, columns, keys, foreign keys of links and
 * indexes. Empty when nothing is missing. Anything else in the database, such as further indexes, stays.
 */
export async function draftMigration(tables: readonly DeclaredTable[], query: Query): Promise<string> {
  const stored = await readTables(query)
  const made = tables.flatMap((table) => {
    const found = stored.get(table.name)
    return found === undefined ? [createTable(table)] : missingParts(table, found)
  })
  const links = tables.flatMap((table) => missingLinks(table, stored.get(table.name)))
  return [...made, ...links].map((statement) => `${statement};\n`).join('')
}

interface StoredTable {
  readonly columns: ReadonlyMap<string, string>
  /** The columns of each key and index, joined, with the prefix `unique ` where it is unique. */
  readonly indexes: readonly string[]
  /** `column → table`, of each foreign key of a tenant's column. */
  readonly links: ReadonlySet<string>
}

async function readTables(query: Query): Promise<Map<string, StoredTable>> {
  const columns = await query<{ table: string; name: string; type: string }>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
  const indexes = await query<{ table: string; definition: string }>(`
    select tablename as table, indexdef as definition from pg_indexes where schemaname = 'public'`)
  const links = await query<{ table: string; column: string; target: string }>(`
    select k.conrelid::regclass::text as table, a.attname as column, k.confrelid::regclass::text as target
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace`)
  return new Map(
    [...new Set(columns.map(({ table }) => table))].map((name) => {
      const of = <Row extends { table: string }>(rows: Row[]) => rows.filter(({ table }) => table === name)
      return [
        name,
        {
          columns: new Map(of(columns).map((column) => [column.name, column.type])),
          indexes: of(indexes).map(({ definition }) => getKey(definition)),
          links: new Set(of(links).map(({ column, target }) => `${column} → ${target}`)),
        },
      ]
    }),
  )
}

/** The columns of an index as PostgreSQL writes them. */
function getKey(definition: string): string {
  const indexed = definition.split(' WHERE ', 1)[0] as string
  const columns = indexed.slice(indexed.indexOf('(') + 1, indexed.lastIndexOf(')'))
  return `${definition.includes('UNIQUE') ? 'unique ' : ''}${columns.replaceAll('"', '').toLowerCase()}`
}

function createTable({ name, columns, constraints, indexes }: DeclaredTable): string {
  const lines = [
    ...columns.map((column) => `${quoted(column.name)} ${column.type} ${column.rest}`.trim()),
    ...constraints.map((constraint) => `constraint ${constraint.name} ${constraint.text}`),
  ]
  return [
    `create table ${name} (\n  ${lines.join(',\n  ')}\n)`,
    ...indexes.map((each) => createIndex(name, each)),
  ].join(';\n')
}

function missingParts(table: DeclaredTable, found: StoredTable): string[] {
  const statements: string[] = []
  for (const { name, type, rest } of table.columns) {
    const stored = found.columns.get(name)
    if (stored === undefined)
      statements.push(`alter table ${table.name} add column ${quoted(name)} ${type} ${rest}`.trim())
    else if (stored !== type) statements.push(`alter table ${table.name} alter column ${quoted(name)} type ${type}`)
  }
  for (const { name, columns, text } of table.constraints) {
    const isThere = text.startsWith('foreign key')
      ? [...found.links].some((link) => link.startsWith(`${columns[1]} → `))
      : found.indexes.includes(`unique ${columns.join(', ')}`)
    if (!isThere) statements.push(`alter table ${table.name} add constraint ${name} ${text}`)
  }
  for (const each of table.indexes) {
    if (!isIndexed(each, found)) statements.push(createIndex(table.name, each))
  }
  return statements
}

/** Whether an index begins with these columns. */
function isIndexed({ columns, isUnique }: DeclaredIndex, { indexes }: StoredTable): boolean {
  const wanted = columns.join(', ')
  if (isUnique) return indexes.includes(`unique ${wanted}`)
  return indexes.some((stored) => `${stored.replace('unique ', '')}, `.startsWith(`${wanted}, `))
}

function missingLinks(table: DeclaredTable, found: StoredTable | undefined): string[] {
  return table.links
    .filter(({ column, target }) => found?.links.has(`${column} → ${target}`) !== true)
    .map((link) => addLink(table.name, link))
}

function addLink(table: string, { name, column, target, targetColumn }: DeclaredLink): string {
  return `alter table ${table} add constraint ${name} foreign key (tenant_id, ${quoted(column)})
  references ${target} (tenant_id, ${targetColumn}) deferrable`
}

function createIndex(table: string, { name, isUnique, columns, condition }: DeclaredIndex): string {
  const where = condition === null ? '' : ` where ${condition}`
  return `create ${isUnique ? 'unique ' : ''}index ${name} on ${table} (${columns.join(', ')})${where}`
}

/** Quotes a column name that is a reserved word. */
function quoted(name: string): string {
  return ['user', 'from', 'to', 'group', 'order'].includes(name) ? `"${name}"` : name
}
