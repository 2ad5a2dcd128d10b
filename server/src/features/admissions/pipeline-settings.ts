import type { PipelineStatusEntry, Static } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { lockRow } from '../../concurrency/index.ts'
import { sql, type Transaction, table } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import { type PipelineStatusRecord, readPipeline } from './pipeline.ts'

/** The settings of a pipeline status. */
export type PipelineStatusSettings = Omit<PipelineStatusRecord, 'id' | 'createdAt' | 'updatedAt'> & {
  readonly retentionDays: number | null
}

const statusTable = table('pipeline_statuses', {
  key: 'key',
  label: 'label',
  description: 'description',
  category: 'category',
  position: 'position',
  color: 'color',
  isInitial: 'is_initial',
  isTerminal: 'is_terminal',
  isActive: 'is_active',
  allowedNext: 'allowed_next',
  requiresComplete: 'requires_complete',
  retentionDays: 'retention_days',
})

/** The settings of every status, in order, inactive ones included. */
export async function readPipelineSettings(tx: Transaction): Promise<Map<string, PipelineStatusSettings>> {
  const statuses = await readPipeline(tx)
  const rows = await tx.query<{ key: string; days: number | null }>(
    sql`select key, retention_days as days from pipeline_statuses where tenant_id = ${tx.tenantId}`,
  )
  const days = new Map(rows.map((row) => [row.key, row.days]))
  return new Map(
    statuses.map(({ id, createdAt, updatedAt, ...settings }) => [
      settings.key,
      { ...settings, retentionDays: days.get(settings.key) ?? null },
    ]),
  )
}

/**
 * The settings of a status after an entry of a settings file: members that the entry leaves out stay. A new status is
 * placed at `position`.
 */
export function pipelineStatusSettings(
  entry: Static<typeof PipelineStatusEntry>,
  current: PipelineStatusSettings | null,
  position: number,
): PipelineStatusSettings {
  const initial: PipelineStatusSettings = {
    key: entry.key,
    label: '',
    description: '',
    category: 'open',
    position,
    color: '#7d8590',
    isInitial: false,
    isTerminal: false,
    isActive: true,
    allowedNext: null,
    requiresComplete: false,
    retentionDays: null,
  }
  return { ...(current ?? initial), ...entry }
}

/**
 * Creates or updates the status with the settings' key. When the initial status changes, the old one is saved first.
 */
export async function savePipelineStatus(
  tx: Transaction,
  context: ChangeContext,
  before: PipelineStatusSettings | null,
  after: PipelineStatusSettings,
): Promise<void> {
  const stored = await lockRow(tx, 'pipeline_statuses', 's', sql`s.key = ${after.key}`)
  const entityId = stored ?? newId()
  const statement =
    stored === null
      ? statusTable.insert(tx.tenantId, entityId, after)
      : statusTable.update(tx.tenantId, entityId, after)
  await tx.query(statement)
  const type = before === null ? 'admission_pipeline_status.created' : 'admission_pipeline_status.updated'
  recordChanges(tx, context, [{ type, entityType: 'admission_pipeline_status', entityId, before, after }])
}
