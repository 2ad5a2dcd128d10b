import { recordAccess } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { getNetwork } from '../../values/index.ts'
import { openSession, type Proof, rolesOfUser } from './sessions.ts'
import type { ProvenUser, Visit } from './try-password.ts'

/** A new session. */
export interface NewSession extends Pick<ProvenUser, 'name' | 'fullName' | 'image' | 'userType' | 'roles'> {
  /** The value of the cookie `sid`. */
  readonly secret: string
}

/**
 * Opens a session for an authenticated user, as of `begunAt` where that is not now, with its audit row; null for a
 * disabled user.
 */
export async function beginSession(
  tx: Transaction,
  visit: Visit,
  userId: string,
  proofs: readonly Proof[],
  begunAt: string | null = null,
): Promise<NewSession | null> {
  const [open] = await tx.query(sql`
    update users set last_login = current_stamp()
     where tenant_id = ${tx.tenantId} and id = ${userId} and enabled = 1 returning id`)
  if (open === undefined) return null
  const [user] = await tx.query<Omit<NewSession, 'secret'>>(sql`
    select name, full_name as "fullName", user_image as image, user_type as "userType", ${rolesOfUser} as roles
      from users u where tenant_id = ${tx.tenantId} and id = ${userId}`)
  if (user === undefined) throw new Error('a user that is locked is gone')
  const actor = { type: 'user', id: userId, name: user.name } as const
  const access = { action: 'user.logged_in', entityType: 'user', entityId: userId, facts: { proofs } } as const
  recordAccess(tx, { ...visit, actor }, access)
  const secret = openSession(tx, userId, {
    ...{ proofs, agent: visit.agent, network: getNetwork(visit.address ?? ''), begunAt },
  })
  return { ...user, secret }
}
