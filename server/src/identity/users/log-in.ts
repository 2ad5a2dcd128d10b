import { recordAccess } from '../../changes/index.ts'
import { sql } from '../../database/index.ts'
import { forgetAttempts } from './attempt-counts.ts'
import { type Entry, goOnWithLogIn } from './log-in-steps.ts'
import { isOutdated } from './passwords.ts'
import { getOrigin, type PasswordPlatform, tryPassword, type Visit } from './try-password.ts'

/** The submitted credentials. */
export interface LogIn {
  readonly user: string
  readonly password: string
}

/** The outcome of a log-in: a session, a further step, a rejection, or the seconds to wait after too many failures. */
export type LogInOutcome = Entry | { readonly refused: 'wrong' | 'disabled' } | { readonly retryAfterSeconds: number }

/**
 * Logs a user in by e-mail address and password, see `tryPassword`. The hash of a correct password is renewed where
 * the cost of new hashes has changed.
 *
 * @throws Problem `service_unavailable` where too many log-ins wait
 */
export async function logIn(
  platform: PasswordPlatform,
  visit: Visit,
  { user, password }: LogIn,
): Promise<LogInOutcome> {
  const trial = await tryPassword(platform, visit, user.trim().toLowerCase(), password)
  if ('refused' in trial) await recordFailure(platform, visit, user, 'wrong_password')
  if (!('user' in trial)) return trial
  const { id, name, enabled, passwordHash, passwordChangedAt } = trial.user
  if (enabled !== 1) {
    await recordFailure(platform, visit, user, 'disabled')
    return { refused: 'disabled' }
  }
  const origin = getOrigin(visit)
  const renewed = isOutdated(passwordHash) ? await platform.passwords.hash(origin, password) : null
  const outcome = await platform.database.transaction(origin.tenantId, async (tx) => {
    // Disabled, or the password was changed, during the verification: the log-in fails.
    const [row] = await tx.query(sql`
      update users set password_hash = coalesce(${renewed}, password_hash)
       where tenant_id = ${tx.tenantId} and id = ${id} and enabled = 1 and password_changed_at is not distinct from ${passwordChangedAt}::timestamptz
      returning id`)
    if (row === undefined) return null
    forgetAttempts(tx, { kind: 'password', subject: name, address: origin.address })
    return goOnWithLogIn(tx, visit, id, ['password'])
  })
  return outcome ?? { refused: 'wrong' }
}

/**
 * Writes an audit row of a failed log-in, with the user where there is one; other input, which may be a password in
 * the wrong field, is not stored. Both cases take the same time.
 */
async function recordFailure(
  { database }: PasswordPlatform,
  visit: Visit,
  typed: string,
  reason: 'wrong_password' | 'disabled',
): Promise<void> {
  const name = typed.trim().toLowerCase()
  await database.transaction(visit.tenant.id, async (tx) => {
    const [found] = name.includes('\0')
      ? []
      : await tx.query<{ id: string }>(sql`select id from users where tenant_id = ${tx.tenantId} and name = ${name}`)
    const actor = { type: 'link', id: null, name: 'log-in' } as const
    const facts = { reason: found === undefined ? 'unknown_user' : reason }
    recordAccess(
      tx,
      { ...visit, actor },
      { action: 'user.log_in_failed', entityType: 'user', entityId: found?.id ?? null, facts },
    )
  })
}
