import type { Actor } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { forgetAttempts } from './attempt-counts.ts'
import { beginSession, type NewSession } from './begin-session.ts'
import { type Entry, goOnWithLogIn } from './log-in-steps.ts'
import { forgiveCodes } from './one-time-codes.ts'
import { useResetKey } from './password-resets.ts'
import { requirePassword } from './passwords.ts'
import { lackingFactors } from './required-factors.ts'
import type { LoggedIn } from './sessions.ts'
import { getOrigin, type PasswordPlatform, tryPassword, type Visit } from './try-password.ts'
import { setPassword } from './users.ts'

/**
 * Sets a password by the key of a mailed link, ends all sessions of the user and continues the log-in. A key works
 * once, also under concurrency. Null for an invalid key.
 *
 * @throws CommandError `invalid_value`, or Problem `service_unavailable` where too many passwords wait; the key stays
 * valid then
 */
export async function setPasswordByKey(
  { database, passwords }: PasswordPlatform,
  visit: Visit,
  { key, password }: { readonly key: string; readonly password: string },
): Promise<Entry | null> {
  requirePassword(password)
  const passwordHash = await passwords.hash(getOrigin(visit), password)
  return database.transaction(visit.tenant.id, async (tx) => {
    const name = await useResetKey(tx, key)
    const id = name === null ? null : await renew(tx, visit, name, passwordHash)
    if (id === null) return null
    forgiveCodes(tx, id)
    return goOnWithLogIn(tx, visit, id, ['link'])
  })
}

/** The outcome of a password change. */
export type PasswordChange =
  | { readonly session: NewSession }
  | { readonly refused: 'wrong' }
  | { readonly retryAfterSeconds: number }

/**
 * Changes the password of a logged-in user who knows the old one, ends all of their sessions and opens one in place
 * of the current session with the same proofs and time. Wrong old passwords count as failed log-ins.
 *
 * @throws CommandError `invalid_value`, or Problem `service_unavailable` where too many passwords wait
 */
export async function changePassword(
  platform: PasswordPlatform,
  visit: Visit,
  { name, sessionId, proofs }: Pick<LoggedIn, 'name' | 'sessionId' | 'proofs'>,
  { oldPassword, password }: { readonly oldPassword: string; readonly password: string },
): Promise<PasswordChange> {
  requirePassword(password)
  const trial = await tryPassword(platform, visit, name, oldPassword)
  if (!('user' in trial)) return trial
  const origin = getOrigin(visit)
  const passwordHash = await platform.passwords.hash(origin, password)
  return platform.database.transaction(origin.tenantId, async (tx) => {
    // Another password, set while this one was looked at, stays; and a session that was ended meanwhile has ended.
    const [row] = await tx.query<{ begunAt: string }>(sql`
      select s.created_at as "begunAt"
        from users u join sessions s on s.tenant_id = u.tenant_id and s.user_id = u.id and s.id = ${sessionId}
       where u.tenant_id = ${tx.tenantId} and u.name = ${name} and u.enabled = 1
         and u.password_changed_at is not distinct from ${trial.user.passwordChangedAt}::timestamptz
         for update`)
    if (row === undefined || (await lackingFactors(tx, trial.user.id, proofs)) !== null) return { refused: 'wrong' }
    forgetAttempts(tx, { kind: 'password', subject: name, address: origin.address })
    const id = await renew(tx, visit, name, passwordHash)
    const session = id === null ? null : await beginSession(tx, visit, id, proofs, row.begunAt)
    return session === null ? { refused: 'wrong' } : { session }
  })
}

/** Stores a password hash and returns the id of its user; null where there is none any more. */
async function renew(tx: Transaction, visit: Visit, name: string, passwordHash: string): Promise<string | null> {
  const [user] = await tx.query<{ id: string }>(
    sql`select id from users where tenant_id = ${tx.tenantId} and name = ${name}`,
  )
  if (user === undefined) return null
  const actor: Actor = { type: 'user', id: user.id, name }
  await setPassword(tx, { ...visit, actor }, name, passwordHash)
  return user.id
}
