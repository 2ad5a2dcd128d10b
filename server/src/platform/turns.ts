import { sql, type Transaction } from '../database/index.ts'

/** Waits until nobody else of the tenant who asked for the same is at it any more, and keeps others waiting until the end. */
export async function takeTurns(tx: Transaction, what: string): Promise<void> {
  const lock = `${tx.tenantId} ${what}`
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0)) is null as held`)
}
