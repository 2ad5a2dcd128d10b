import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { defaultIdleMinutes } from './sessions.ts'

/** Session settings for the staff of an institution. */
export interface SessionSettings {
  /** Idle timeout in minutes, from 5 to 10080. */
  readonly idleMinutes: number
}

/** The settings of a tenant, by default the usual ones. */
export async function readSessionSettings(tx: Transaction): Promise<SessionSettings> {
  const [row] = await tx.query<{ idle_minutes: number }>(
    sql`select idle_minutes from session_settings where tenant_id = ${tx.tenantId}`,
  )
  return { idleMinutes: row?.idle_minutes ?? defaultIdleMinutes }
}

/** Stores the settings, which apply to existing sessions too, with audit and event. */
export async function saveSessionSettings(
  tx: Transaction,
  context: ChangeContext,
  before: SessionSettings,
  after: SessionSettings,
): Promise<void> {
  await tx.query(sql`
    insert into session_settings (tenant_id, idle_minutes) values (${tx.tenantId}, ${after.idleMinutes})
    on conflict (tenant_id)
    do update set idle_minutes = excluded.idle_minutes, updated_at = excluded.updated_at`)
  recordChanges(tx, context, [
    { type: 'session_settings.updated', entityType: 'session_settings', entityId: tx.tenantId, before, after },
  ])
}
