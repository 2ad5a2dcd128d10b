import { type Database, sql, type Transaction } from '../../database/index.ts'
import { recordAccess } from '../changes.ts'
import type { ChangeContext } from '../request-context.ts'
import { isPassword } from './passwords.ts'
import { hashOf, openSession } from './sessions.ts'

/** What somebody typed to log in. */
export interface LogIn {
  readonly user: string
  readonly password: string
}

/** Somebody who has just logged in. */
export interface NewSession {
  /** What the cookie `sid` holds. */
  readonly secret: string
  readonly name: string
  readonly fullName: string
  readonly image: string | null
  readonly userType: 'System User' | 'Website User'
}

/** The outcome of a log-in: a session, a refusal, or the seconds to wait after too many failures. */
export type LogInOutcome =
  | { readonly session: NewSession }
  | { readonly refused: 'wrong' | 'disabled' }
  | { readonly retryAfterSeconds: number }

/** So many failures in a row, of one user from one address, then this pause in seconds. */
export const logInFailures = { most: 10, pauseSeconds: 60 } as const

/**
 * Logs a user in by e-mail and password. An unknown user takes as long to refuse as a wrong password. After ten failures
 * of a user from an address every log-in of theirs from there waits a minute, over all processes: each attempt is counted
 * before the password is looked at, so that many at once are counted too.
 */
export async function logIn(
  database: Database,
  context: Omit<ChangeContext, 'actor'>,
  { user, password }: LogIn,
): Promise<LogInOutcome> {
  const tenantId = context.tenant.id
  const name = user.trim().toLowerCase()
  const address = context.address ?? ''
  const retryAfterSeconds = await database.transaction(tenantId, (tx) => countAttempt(tx, name, address))
  if (retryAfterSeconds > 0) return { retryAfterSeconds }
  const [found] = await database.read<UserRow>(
    tenantId,
    sql`select id, name, full_name, user_image, user_type, enabled, password_hash
          from users where tenant_id = ${tenantId} and name = ${name}`,
  )
  const isRight = await isPassword(password, found?.password_hash ?? null)
  if (found === undefined || !isRight) return { refused: 'wrong' }
  if (found.enabled !== 1) return { refused: 'disabled' }
  const secret = await database.transaction(tenantId, async (tx) => {
    // Disabled or given another password while this one was looked at: then it opens nothing any more.
    const [row] = await tx.query(sql`
      update users set last_login = current_stamp()
       where tenant_id = ${tenantId} and id = ${found.id} and enabled = 1 and password_hash = ${found.password_hash}
      returning id`)
    if (row === undefined) return null
    forgetAttempts(tx, name, address)
    const actor = { type: 'user', id: found.id, name: found.name } as const
    const access = { action: 'user.logged_in', entityType: 'user', entityId: found.id, facts: {} } as const
    recordAccess(tx, { ...context, actor }, access)
    return openSession(tx, found.id)
  })
  if (secret === null) return { refused: 'wrong' }
  const { full_name: fullName, user_image: image, user_type: userType } = found
  return { session: { secret, name: found.name, fullName, image, userType } }
}

/**
 * Counts an attempt, by what it was about and where it came from, as failed until it succeeds. Gives the seconds to wait,
 * 0 when it may go on.
 */
export async function countAttempt(tx: Transaction, name: string, address: string): Promise<number> {
  const { most, pauseSeconds } = logInFailures
  const isOver = sql`f.counted_at <= clock_timestamp() - make_interval(secs => ${pauseSeconds})`
  const [row] = await tx.query<{ failures: number; seconds: number }>(sql`
    insert into log_in_failures as f (tenant_id, user_hash, address, failures, counted_at)
    values (${tx.tenantId}, ${hashOf(name)}, ${address}, 1, clock_timestamp())
    on conflict on constraint log_in_failures_pkey do update set
      failures = case when ${isOver} then 1 else least(f.failures, ${most}) + 1 end,
      counted_at = case when not ${isOver} and f.failures >= ${most} then f.counted_at else clock_timestamp() end
    returning failures,
      extract(epoch from counted_at + make_interval(secs => ${pauseSeconds}) - clock_timestamp())::float8 as seconds`)
  if (row === undefined || row.failures <= most) return 0
  return Math.max(1, Math.ceil(row.seconds))
}

/** Forgets the failed attempts about something from an address. */
export function forgetAttempts(tx: Transaction, name: string, address: string): void {
  tx.send(sql`
    delete from log_in_failures
     where tenant_id = ${tx.tenantId} and user_hash = ${hashOf(name)} and address = ${address}`)
}

interface UserRow {
  id: string
  name: string
  full_name: string
  user_image: string | null
  user_type: NewSession['userType']
  enabled: number
  password_hash: string | null
}
