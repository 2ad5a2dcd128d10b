import { columnTitles, type ImportJob, type ImportKindName, type JsonObject, type Static } from '@matricula/contract'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { getImportKind } from '../kinds/index.ts'
import type { Mapping } from '../mapping.ts'

export type ImportJobRecord = Static<typeof ImportJob>

/** The row of an import of the console. */
export interface ImportJobRow {
  readonly id: string
  readonly kind: ImportKindName
  readonly file_name: string
  readonly file_sha256: string
  readonly size_bytes: number
  readonly format: ImportJobRecord['format']
  readonly sheet: string | null
  readonly columns: ImportJobRecord['columns']
  readonly mapping: Mapping
  readonly status: ImportJobRecord['status']
  readonly expected: { readonly created: number; readonly updated: number; readonly skipFaulty: boolean } | null
  readonly rows: number
  readonly report: ImportJobRecord['report']
  readonly refused_file_id: string | null
  readonly run_id: string | null
  readonly undone: number | null
  readonly kept: ImportJobRecord['kept']
  readonly kept_count: number
  readonly error: string | null
  readonly user_id: string
  readonly user_name: string
  readonly actor_id: string
  readonly actor_name: string
  readonly address: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly finished_at: string | null
}

/** Selects imports by a condition on `j`. */
export function selectJobs(tenantId: string, condition: Sql): Sql {
  return sql`select j.* from import_jobs j where j.tenant_id = ${tenantId} and ${condition}`
}

/** An import, locked. Throws `resource_not_found`. */
export async function lockJob(tx: Transaction, condition: Sql): Promise<ImportJobRow> {
  const [row] = await tx.query<ImportJobRow>(sql`${selectJobs(tx.tenantId, condition)} for update`)
  if (row === undefined) throw notFoundProblem('import')
  return row
}

export function toJob(row: ImportJobRow): ImportJobRecord {
  return {
    id: row.id,
    kind: row.kind,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    format: row.format,
    sheet: row.sheet,
    columns: row.columns,
    fields: getImportKind(row.kind).fields.map(({ name }) => ({ name, titles: [...(columnTitles[name] ?? [])] })),
    mapping: row.mapping as JsonObject,
    status: row.status,
    rows: row.rows,
    report: row.report,
    runId: isImported(row) ? row.run_id : null,
    undone: row.undone,
    kept: row.kept,
    keptCount: row.kept_count,
    error: row.error,
    by: row.user_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  }
}

/** Whether its records are there, or were. */
function isImported({ status }: ImportJobRow): boolean {
  return status === 'imported' || status === 'undoing' || status === 'undone'
}
