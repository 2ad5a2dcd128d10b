import type { AnyImportKind } from '@matricula/contract'
import type { Actor } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'

/** A file that was imported. */
export interface StoredRun {
  readonly id: string
  readonly kind: AnyImportKind
  readonly file: string
  readonly sha256: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly conflicts: number
  readonly actor: { readonly type: string; readonly id: string | null; readonly name: string }
  readonly startedAt: string
  readonly finishedAt: string
  readonly undoneAt: string | null
  readonly undone: number | null
  readonly kept: number | null
}

interface NewRun {
  readonly id: string
  readonly kind: AnyImportKind
  readonly fileName: string
  readonly sha256: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly conflicts: number
  readonly actor: Actor
  readonly startedAt: string
}

/** Stores a run with what it came to, in its transaction. */
export function storeRun(tx: Transaction, run: NewRun): void {
  const { id, kind, fileName, sha256, created, updated, unchanged, refused, conflicts, actor, startedAt } = run
  tx.send(sql`
    insert into import_runs (tenant_id, id, kind, file_name, file_sha256, created, updated, unchanged, refused, conflicts,
                             actor_type, actor_id, actor_name, started_at, finished_at)
    values (${tx.tenantId}, ${id}, ${kind}, ${fileName}, ${sha256}, ${created}, ${updated}, ${unchanged}, ${refused},
            ${conflicts}, ${actor.type}, ${actor.id}, ${actor.name}, ${startedAt}, current_stamp())`)
}

interface RunRow {
  readonly id: string
  readonly kind: AnyImportKind
  readonly file_name: string
  readonly file_sha256: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly conflicts: number
  readonly actor_type: string
  readonly actor_id: string | null
  readonly actor_name: string
  readonly started_at: string
  readonly finished_at: string
  readonly undone_at: string | null
  readonly undone: number | null
  readonly kept: number | null
}

const columns = sql`
  id, kind, file_name, file_sha256, created, updated, unchanged, refused, conflicts, actor_type, actor_id, actor_name,
  started_at, finished_at, undone_at, undone, kept`

const maxRuns = 100

/** The latest runs of a tenant, the newest first; at most a hundred. */
export async function listRuns(database: Database, tenantId: string): Promise<StoredRun[]> {
  const rows = await database.readSlowly<RunRow>(
    tenantId,
    sql`select ${columns} from import_runs where tenant_id = ${tenantId} order by id desc limit ${maxRuns}`,
  )
  return rows.map(toRun)
}

/** A run; null where the tenant has no such run. */
export async function findRun(database: Database, tenantId: string, id: string): Promise<StoredRun | null> {
  const [row] = await database.readSlowly<RunRow>(
    tenantId,
    sql`select ${columns} from import_runs where tenant_id = ${tenantId} and id = ${id}`,
  )
  return row === undefined ? null : toRun(row)
}

function toRun(row: RunRow): StoredRun {
  const { id, kind, created, updated, unchanged, refused, conflicts, undone, kept } = row
  return {
    id,
    kind,
    file: row.file_name,
    sha256: row.file_sha256,
    created,
    updated,
    unchanged,
    refused,
    conflicts,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    undoneAt: row.undone_at,
    undone,
    kept,
  }
}
