import { hash } from 'node:crypto'
import { type Database, sql } from '../../database/index.ts'
import { countAddressFailure, pauseOfAddress } from './attempt-counts.ts'
import { getOrigin, type Visit } from './try-password.ts'

/**
 * Consumes a `ticket` of a log-in, at an identity provider or by a passkey, once; an address with a hundred failed
 * returns must wait, as with passwords.
 */
export function takeTicket(
  database: Database,
  visit: Visit,
  ticket: string,
): Promise<'taken' | 'over' | { readonly retryAfterSeconds: number }> {
  const { tenantId, address } = getOrigin(visit)
  return database.transaction(tenantId, async (tx) => {
    const retryAfterSeconds = await pauseOfAddress(tx, 'log_in', address)
    if (retryAfterSeconds > 0) return { retryAfterSeconds }
    const [used] = await tx.query(sql`
      insert into used_tickets (tenant_id, ticket_hash, expires_at)
      values (${tx.tenantId}, ${hash('sha256', ticket, 'buffer')}, current_stamp() + interval '1 hour')
      on conflict do nothing returning 1 as used`)
    return used === undefined ? 'over' : 'taken'
  })
}

/** Counts a failed return. */
export async function countNobody(database: Database, visit: Visit): Promise<void> {
  const { tenantId, address } = getOrigin(visit)
  await database.transaction(tenantId, async (tx) => countAddressFailure(tx, 'log_in', address))
}
