import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { LoggedIn, Proof } from './sessions.ts'

/** A session as shown to its owner. */
export interface OwnSession {
  readonly id: string
  readonly proofs: readonly Proof[]
  /** What the browser said that it is. */
  readonly agent: string | null
  readonly network: string | null
  readonly createdAt: string
  readonly lastSeenAt: string
}

/** Maximum number of listed sessions. */
const maxShown = 100

/** The open sessions of a user, most recently used first. */
export function listSessions(database: Database, tenantId: string, userId: string): Promise<OwnSession[]> {
  return database.read<OwnSession>(
    tenantId,
    sql`
      select id, proofs, agent, network, created_at as "createdAt", last_seen_at as "lastSeenAt"
        from sessions
       where tenant_id = ${tenantId} and user_id = ${userId} and expires_at > now()
       order by last_seen_at desc, id limit ${maxShown}`,
  )
}

/** Ends a session of the user, or all but the current one where `which` is `others`. Idempotent. */
export async function endOwnSessions(
  tx: Transaction,
  context: ChangeContext,
  { userId, sessionId }: Pick<LoggedIn, 'userId' | 'sessionId'>,
  which: { readonly id: string } | 'others',
): Promise<void> {
  if (which === 'others')
    tx.send(sql`delete from log_in_steps where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  const chosen = which === 'others' ? sql`id <> ${sessionId}` : sql`id = ${which.id}`
  const ended = await tx.query(sql`
    delete from sessions where tenant_id = ${tx.tenantId} and user_id = ${userId} and ${chosen} returning id`)
  if (ended.length === 0) return
  const facts = { ended: ended.length }
  recordAccess(tx, context, { action: 'user.sessions_ended', entityType: 'user', entityId: userId, facts })
}

/** Ends the sessions and incomplete log-ins of a user that began with one factor, except the current session. */
export function endSessionsBy(tx: Transaction, userId: string, proof: Proof, keeps: string | null): void {
  const begunSo = sql`tenant_id = ${tx.tenantId} and user_id = ${userId} and ${proof} = any (proofs)`
  tx.send(sql`delete from log_in_steps where ${begunSo}`)
  tx.send(sql`delete from sessions where ${begunSo} and id is distinct from ${keeps}::uuid`)
}
