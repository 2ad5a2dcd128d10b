import { writeFile } from 'node:fs/promises'
import { type Database, identifier, join, type Sql, sql } from '../../../../database/index.ts'
import { CommandError } from '../../../../errors/index.ts'
import { loadFeedBounds } from '../../../events/index.ts'
import type { ExportFolder } from '../export-folder.ts'
import { addRows, headLength } from './binary-rows.ts'
import { columnValues } from './column-values.ts'
import { ParquetFile } from './parquet-file.ts'
import { findTables, type ParquetTable } from './parquet-tables.ts'

/** A table of an analytics export. */
interface TableFile {
  readonly name: string
  readonly file: string
  readonly rows: number
  readonly columns: ParquetTable['columns']
  /** Of an increment, whether the file has the whole table. */
  readonly isWhole?: boolean
}

/** What an analytics export holds. */
export interface ParquetManifest {
  /** The position of the event feed before the first table was read: follow the feed from there. */
  readonly eventPosition: string
  /** Of an increment, the position that it was asked for. */
  readonly since?: string
  readonly tables: readonly TableFile[]
}

/** A row group is written when it has so many rows or bytes: it waits in memory until then. */
const groupRows = 100_000
const groupBytes = 16 * 1024 * 1024

/** The event after which changes are wanted, and when it was. */
interface Since {
  readonly position: number
  readonly at: string
}

/**
 * Writes the tables of an institution as Parquet files, one a table, with `manifest.json` last. Accounts and secrets stay out.
 *
 * @param since The `eventPosition` of an earlier export: only rows that changed after it are written, and whole tables where
 * rows do not say when they changed; null for everything
 * @param counted Told of each table
 * @throws CommandError `state_conflict` where events after `since` are not kept any more.
 */
export async function exportParquet(
  database: Database,
  tenantId: string,
  target: ExportFolder,
  since: string | null = null,
  counted: (table: string, rows: number) => void = () => {},
): Promise<ParquetManifest> {
  // Before the first table is read, so that the feed from there on has whatever the files lack.
  const { last, earliest } = await loadFeedBounds(database, tenantId)
  const start = since === null ? null : await findStart(database, tenantId, Number(since), { last, earliest })
  const tables: TableFile[] = []
  for (const table of await findTables(database, tenantId)) {
    const { name, columns } = table
    const file = `${name}.parquet`
    const { condition, isWhole } = changedSince(table, tenantId, start)
    const rows = await target.make(file, (path) => writeTable(database, tenantId, table, condition, path))
    tables.push({ name, file, rows, columns, ...(start !== null && { isWhole }) })
    counted(name, rows)
  }
  const manifest: ParquetManifest = {
    eventPosition: String(last),
    ...(since !== null && { since }),
    tables,
  }
  await target.make('manifest.json', (path) =>
    writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 }),
  )
  return manifest
}

/** Rows get their stamps before their events get positions. */
const slackMinutes = 10

/** Throws `state_conflict` for a position whose events are not kept any more, or that is none. */
async function findStart(
  database: Database,
  tenantId: string,
  position: number,
  { last, earliest }: { readonly last: number; readonly earliest: number },
): Promise<Since> {
  if (position < earliest || position > last) {
    const reason =
      position > last ? `The last event has the position ${last}` : `Events up to the position ${earliest} are not kept`
    throw new CommandError('state_conflict', `${reason}. Export everything, without --since.`)
  }
  const [found] = await database.readSlowly<{ at: string | null }>(
    tenantId,
    sql`
      select e.occurred_at - make_interval(mins => ${slackMinutes}) as at
        from event_positions p
        join events e on e.tenant_id = ${tenantId} and e.position = p.written
       where p.tenant_id = ${tenantId} and p.position >= ${position}
       order by p.position limit 1`,
  )
  return { position, at: found?.at ?? '1970-01-01T00:00:00.000Z' }
}

/** The rows of a table that changed after an event; of tables that do not say when, all. */
function changedSince(
  { columns }: ParquetTable,
  tenantId: string,
  since: Since | null,
): { condition: Sql; isWhole: boolean } {
  const has = (name: string) => columns.some((each) => each.name === name)
  if (since === null) return { condition: sql`true`, isWhole: true }
  const changed = sql`
    select e.entity_id from event_positions p
      join events e on e.tenant_id = ${tenantId} and e.position = p.written
     where p.tenant_id = ${tenantId} and p.position > ${String(since.position)}::bigint`
  const conditions = [
    ...(has('parent_id') ? [sql`parent_id in (${changed})`] : []),
    ...(has('id') && (has('updated_at') || has('deleted_at')) ? [sql`id in (${changed})`] : []),
    ...(has('updated_at') ? [sql`updated_at >= ${since.at}`] : []),
    ...(has('deleted_at') && !has('updated_at') ? [sql`deleted_at >= ${since.at}`] : []),
  ]
  if (conditions.length === 0) return { condition: sql`true`, isWhole: true }
  return { condition: sql`(${join(conditions, ' or ')})`, isWhole: false }
}

async function writeTable(
  database: Database,
  tenantId: string,
  { name, columns, selected }: ParquetTable,
  condition: Sql,
  path: string,
): Promise<number> {
  const file = await ParquetFile.open(path, columns)
  try {
    const group = columns.map(({ type }) => columnValues(type))
    let [count, waiting, isFirst, isOver] = [0, 0, true, false]
    const flush = async () => {
      count += waiting
      waiting = 0
      await file.writeGroup(group.map((values) => values.take()))
    }
    const statement = sql`
      select ${join(selected)} from ${identifier(name)} where tenant_id = ${tenantId} and ${condition}`
    for await (const piece of database.copyRows(tenantId, statement, 'binary')) {
      const added = addRows(isFirst ? piece.subarray(headLength(piece)) : piece, group)
      isFirst = false
      isOver = added.isOver
      waiting += added.rows
      const size = group.reduce((sum, values) => sum + values.size, 0)
      if (waiting >= groupRows || size >= groupBytes) await flush()
    }
    if (!isOver) throw new Error('the copied rows end before their end')
    if (waiting > 0) await flush()
    await file.finish()
    return count
  } finally {
    await file.close()
  }
}
