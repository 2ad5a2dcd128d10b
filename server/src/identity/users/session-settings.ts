import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { usualIdleMinutes } from './sessions.ts'

/** How the staff of an institution stay logged in. */
export interface SessionSettings {
  /** Minutes after which somebody who does nothing is logged out, from 5 to 10080. */
  readonly idleMinutes: number
}

/** The settings of a tenant, the usual ones where it has said nothing. */
export async function readSessionSettings(tx: Transaction): Promise<SessionSettings> {
  const [row] = await tx.query<{ idle_minutes: number }>(
    sql`select idle_minutes from session_settings where tenant_id = ${tx.tenantId}`,
  )
  return { idleMinutes: row?.idle_minutes ?? usualIdleMinutes }
}

/** Stores other settings, which hold for the sessions that there are as well, with audit and event. */
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
