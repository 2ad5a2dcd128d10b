import { sql, type Transaction } from '../database/index.ts'

/**
 * Waits until no other transaction of the tenant holds the subject, and holds it until this one ends: for rules that look
 * whether something is there before they make it.
 */
export async function takeTurn(tx: Transaction, subject: string): Promise<void> {
  const lock = `${tx.tenantId} ${subject}`
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0)) is null as held`)
}
