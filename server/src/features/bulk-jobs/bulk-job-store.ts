import type { BulkJob, JsonObject, Static } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import { notFoundProblem } from '../../errors/index.ts'

export type BulkJobRecord = Static<typeof BulkJob>

/** The row of a bulk job. */
export interface BulkJobRow {
  readonly id: string
  readonly type: string
  readonly action: BulkJobRecord['action']
  readonly changes: JsonObject
  readonly status: BulkJobRecord['status']
  readonly undoes: string | null
  readonly user_id: string
  readonly user_name: string
  readonly address: string | null
  readonly total: number
  readonly done: number
  readonly refused: number
  readonly is_undone: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly finished_at: string | null
}

/** Selects bulk jobs by a condition on `j`. */
export function selectJobs(tenantId: string, condition: Sql): Sql {
  return sql`
    select j.*, exists (select from bulk_jobs u where u.tenant_id = j.tenant_id and u.undoes = j.id) as is_undone
      from bulk_jobs j where j.tenant_id = ${tenantId} and ${condition}`
}

export function toJob(row: BulkJobRow): BulkJobRecord {
  const isOver = row.status === 'done' || row.status === 'cancelled'
  return {
    id: row.id,
    type: row.type,
    action: row.action,
    changes: row.changes,
    status: row.status,
    total: row.total,
    done: row.done,
    refused: row.refused,
    undoes: row.undoes,
    canUndo: row.action === 'update' && isOver && row.done > 0 && !row.is_undone,
    by: row.user_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  }
}

/** A bulk job, read in a transaction. Throws `resource_not_found`. */
export async function requireJob(tx: Transaction, condition: Sql): Promise<BulkJobRow> {
  const [row] = await tx.query<BulkJobRow>(selectJobs(tx.tenantId, condition))
  if (row === undefined) throw notFoundProblem('bulk job')
  return row
}

/** Writes the audit row and the event of a bulk job; its changes have their own. */
export function saveJob(
  tx: Transaction,
  context: ChangeContext,
  type: 'bulk_job.created' | 'bulk_job.updated' | 'bulk_job.cancelled',
  before: BulkJobRecord | null,
  after: BulkJobRecord,
): void {
  recordChanges(tx, context, [{ type, entityType: 'bulk_job', entityId: after.id, before, after }])
}
