import { writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { column, type Database, identifier, join, sql } from '../../../database/index.ts'
import { declaredTables, type RecordRegistry } from '../../../record-engine/index.ts'

/** A table of an analytics export. */
interface TableFile {
  readonly name: string
  readonly file: string
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly type: ParquetType }[]
}

/** What an analytics export holds. */
export interface ParquetManifest {
  /** The position of the event feed before the first table was read: follow the feed from there. */
  readonly eventPosition: string
  readonly tables: readonly TableFile[]
}

type ParquetType = 'STRING' | 'INT32' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP' | 'DATE' | 'JSON'

/** Tables of the Client API, beside those of the record types; the last says what was deleted. */
const clientTables: readonly string[] = [
  'students',
  'student_contacts',
  'contacts',
  'admission_applications',
  'application_contacts',
  'pipeline_statuses',
  'payments',
  'programs',
  'program_courses',
  'courses',
  'documents',
  'document_links',
  'document_types',
  'document_requests',
  'form_templates',
  'form_submissions',
  'deleted_records',
]

/** Columns that no export shows. */
const secret = /password|secret|token|hash|_key$/

const types: Readonly<Record<string, ParquetType>> = {
  smallint: 'INT32',
  integer: 'INT32',
  bigint: 'INT64',
  numeric: 'DOUBLE',
  'double precision': 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  'timestamp with time zone': 'TIMESTAMP',
  jsonb: 'JSON',
}

/** How many rows are written at once. */
const rowGroup = 10_000

/**
 * Writes the tables of an institution to a folder as Parquet files, one a table, with `manifest.json`. Accounts and secrets stay out.
 * `counted` is told of each table.
 */
export async function exportParquet(
  database: Database,
  registry: RecordRegistry,
  tenantId: string,
  folder: string,
  counted: (table: string, rows: number) => void = () => {},
): Promise<ParquetManifest> {
  const [last] = await database.readSlowly<{ position: string | number | null }>(
    tenantId,
    sql`select max(position) as position from events where tenant_id = ${tenantId}`,
  )
  const tables: TableFile[] = []
  for (const { name, columns } of await findTables(database, registry, tenantId)) {
    const file = `${name}.parquet`
    const rows = await writeTable(database, tenantId, { name, columns }, joinPath(folder, file))
    tables.push({ name, file, rows, columns })
    counted(name, rows)
  }
  const manifest: ParquetManifest = { eventPosition: String(last?.position ?? 0), tables }
  await writeFile(joinPath(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

type Table = Pick<TableFile, 'name' | 'columns'>

async function findTables(database: Database, registry: RecordRegistry, tenantId: string): Promise<Table[]> {
  const declared = declaredTables(registry).map(({ name }) => name)
  const wanted = [...new Set([...declared, ...clientTables])].filter((name) => !name.startsWith('users'))
  const rows = await database.readSlowly<{ table: string; column: string; type: string }>(
    tenantId,
    sql`
      select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any (${wanted}::text[])
       order by c.relname collate "C", a.attnum`,
  )
  const tables = new Map<string, { name: string; type: ParquetType }[]>()
  for (const { table, column: name, type } of rows) {
    const columns = tables.get(table) ?? []
    tables.set(table, columns)
    if (name !== 'tenant_id' && !secret.test(name)) columns.push({ name, type: types[type] ?? 'STRING' })
  }
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

async function writeTable(
  database: Database,
  tenantId: string,
  { name, columns }: Table,
  path: string,
): Promise<number> {
  const { ParquetWriter, fileWriter } = await import('hyparquet-writer')
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(schemaElement)]
  const writer = new ParquetWriter({ writer: fileWriter(path), schema: schema as never })
  let pending: Readonly<Record<string, unknown>>[] = []
  let count = 0
  const flush = async () => {
    if (pending.length === 0) return
    const columnData = columns.map((each) => ({
      name: each.name,
      data: pending.map((row) => toParquet(row[each.name], each.type)) as never,
    }))
    await writer.write({ columnData, rowGroupSize: pending.length })
    pending = []
  }
  const selected = join(columns.map((each) => column(each.name)))
  const statement = sql`select ${selected} from ${identifier(name)} where tenant_id = ${tenantId}`
  for await (const batch of database.readRows<Record<string, unknown>>(tenantId, statement)) {
    pending.push(...batch)
    count += batch.length
    if (pending.length >= rowGroup) await flush()
  }
  await flush()
  await writer.finish()
  return count
}

function schemaElement({ name, type }: { readonly name: string; readonly type: ParquetType }): object {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (type) {
    case 'STRING':
      return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    case 'JSON':
      return { ...optional, type: 'BYTE_ARRAY', converted_type: 'JSON' }
    case 'TIMESTAMP':
      return { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }
    case 'DATE':
      return { ...optional, type: 'INT32', converted_type: 'DATE' }
    default:
      return { ...optional, type }
  }
}

function toParquet(value: unknown, type: ParquetType): unknown {
  if (value === null || value === undefined) return undefined
  switch (type) {
    case 'INT32':
    case 'DOUBLE':
      return Number(value)
    case 'INT64':
      return BigInt(value as number)
    case 'TIMESTAMP':
      return new Date(value as string)
    case 'DATE':
      return new Date(`${String(value).slice(0, 10)}T00:00:00Z`)
    case 'BOOLEAN':
    case 'JSON':
      return value
    default:
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
