import { type Database, literal, type Sql, sql } from '../../../database/index.ts'
import type { FileStore } from '../../../storage/index.ts'
import { inspectFile, openFile } from '../files/open-file.ts'
import { cellText, type ObjectRow, type TableRow } from '../files/table-file.ts'
import { UnreadableFile } from '../row-errors.ts'
import { fetchFile, inFolder, removeFile } from './import-files.ts'

/** An import whose file is kept and at which nobody works. */
export interface StoredImport {
  readonly id: string
  readonly file_name: string
  readonly refused_file_id: string | null
  readonly is_done: boolean
}

/** The imports of a tenant whose files are kept and at which nobody works, the oldest first. */
export function listStoredImports(
  database: Database,
  tenantId: string,
  condition: Sql,
  max: number,
): Promise<StoredImport[]> {
  return database.readSlowly<StoredImport>(
    tenantId,
    sql`
      select id, file_name, refused_file_id, status in ('imported', 'undone') as is_done from import_jobs
       where tenant_id = ${tenantId} and columns <> '[]' and status not in ('checking', 'importing', 'undoing') and ${condition}
       order by created_at, id limit ${literal(max)}`,
  )
}

/** Removes files of imports. Of what was imported stays that it was, without a word of the file, so that it can be undone. */
export async function forgetImports(
  database: Database,
  store: FileStore,
  tenantId: string,
  imports: readonly StoredImport[],
): Promise<void> {
  for (const { id, refused_file_id: refusedId } of imports) {
    await removeFile(store, tenantId, id)
    if (refusedId !== null) await removeFile(store, tenantId, refusedId)
  }
  const done = imports.filter((each) => each.is_done).map(({ id }) => id)
  const others = imports.filter((each) => !each.is_done).map(({ id }) => id)
  await database.transaction(tenantId, async (tx) => {
    tx.send(sql`delete from import_jobs where tenant_id = ${tenantId} and id = any (${others}::uuid[])`)
    tx.send(sql`
      update import_jobs
         set columns = '[]', mapping = '{}', kept = '[]', refused_file_id = null,
             report = report || '{"faults": [], "conflicts": [], "hasRefusedRows": false}'
       where tenant_id = ${tenantId} and id = any (${done}::uuid[])`)
  })
}

/** More files than an institution keeps in a week. */
const maxFiles = 1_000

/** The imports whose files have a row that names somebody; also those whose files cannot be read. */
export async function findImportsNaming(
  database: Database,
  store: FileStore,
  tenantId: string,
  isNamed: (text: string) => boolean,
): Promise<StoredImport[]> {
  const found: StoredImport[] = []
  for (const each of await listStoredImports(database, tenantId, sql`true`, maxFiles)) {
    const isFound = await inFolder(async (folder) => {
      const path = await fetchFile(store, tenantId, each.id, folder)
      const opened = await openFile(await inspectFile(path, each.file_name))
      for await (const rows of opened.rows) if (rows.some((row) => isNamed(getText(row)))) return true
      return false
    }).catch((error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error
      // Of what cannot be read it is not known whom it names; what is gone names nobody.
      return error.code !== 'missing_file'
    })
    if (isFound) found.push(each)
  }
  return found
}

const getText = (row: TableRow | ObjectRow): string => ('cells' in row ? row.cells.map(cellText).join('\n') : row.text)
