import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, identifier, literal, type Sql, sql, type Transaction } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import { newId } from '../../values/index.ts'

/** Expiry of a session after its last use, in seconds: 170 hours. */
export const sessionSeconds = 170 * 3600

/** Default idle timeout of staff, in minutes. */
export const defaultIdleMinutes = 720

/** How long after a log-in factors may be changed without a new one. */
const freshFor = sql`interval '30 minutes'`

/** Somebody who is logged in. */
export interface LoggedIn {
  readonly sessionId: string
  readonly userId: string
  /** The user's e-mail address in lower case. */
  readonly name: string
  readonly fullName: string
  readonly image: string | null
  readonly userType: 'System User' | 'Website User'
  /** The granted roles that are not disabled. */
  readonly roles: readonly string[]
  /** The CSRF token of the session, derived from its secret. */
  readonly csrfToken: string
  /** Whether the token was requested, so that every write of the session must send it. */
  readonly needsCsrfToken: boolean
  /** The proofs of its log-in. */
  readonly proofs: readonly Proof[]
  /** Whether it is recent enough to change factors without a new log-in. */
  readonly isFresh: boolean
  /** Idle timeout in minutes; for staff, that of the institution. */
  readonly idleMinutes: number
}

/** Proofs of a log-in: a password, a mailed link, an account at an identity provider, a one-time code, or a passkey. */
export type Proof = 'password' | 'link' | 'issuer' | 'code' | 'passkey'

/** How a session began, as shown to its owner. */
export interface SessionBeginning {
  readonly proofs?: readonly Proof[]
  /** What the browser says that it is. */
  readonly agent?: string | null
  readonly network?: string | null
  /** The time of the proof; null for now. */
  readonly begunAt?: string | null
}

/** Maximum length of the stored user agent, in characters. */
const maxAgentLength = 300

/** Opens a session and returns its secret, which only the cookie holds. */
export function openSession(
  tx: Transaction,
  userId: string,
  { proofs = ['password'], agent = null, network = null, begunAt = null }: SessionBeginning = {},
): string {
  const secret = randomBytes(32).toString('base64url')
  tx.send(sql`
    insert into sessions (tenant_id, id, user_id, secret_hash, proofs, agent, network, created_at, expires_at)
    values (${tx.tenantId}, ${newId()}, ${userId}, ${hashOf(secret)}, ${proofs},
            ${agent?.replaceAll('\0', '').slice(0, maxAgentLength) ?? null}, ${network}, coalesce(${begunAt}::timestamptz, current_stamp()),
            current_stamp() + make_interval(secs => ${sessionSeconds}))`)
  return secret
}

/**
 * The session of a secret, or null: unknown, expired, ended, of a disabled user, or idle for too long. It is read
 * from the database each time, so that an end takes effect at once, and its last use is written at most every five
 * minutes, or a twentieth of the idle timeout, by which it may end late. A request that is not user activity does not
 * extend it.
 */
export async function findSession(
  database: Database,
  tenantId: string,
  secret: string,
  { isUserActivity = true }: { readonly isUserActivity?: boolean } = {},
): Promise<LoggedIn | null> {
  const [row] = await database.read<SessionRow>(
    tenantId,
    sql`
      select s.id, s.csrf_token_hash, s.proofs, s.created_at > now() - ${freshFor} as is_fresh, s.last_seen_at < now() - least(idle.recordedAddresses, interval '5 minutes') as is_stale,
             idle.minutes as idle_minutes, u.id as user_id, u.name, u.full_name, u.user_image, u.user_type, ${rolesOfUser} as roles
        from sessions s
        join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
        left join session_settings i on i.tenant_id = s.tenant_id
        cross join lateral (
          select m.minutes, make_interval(mins => m.minutes) as time, make_interval(secs => m.minutes * 3) as recordedAddresses
            from (select case when u.user_type = 'System User' then coalesce(i.idle_minutes, ${defaultIdleMinutes}::integer)
                              else ${sessionSeconds / 60}::integer end as minutes) m) idle
       where s.tenant_id = ${tenantId} and s.secret_hash = ${hashOf(secret)}
         and s.expires_at > now() and u.enabled = 1
         and s.last_seen_at > now() - idle.time - least(idle.recordedAddresses, interval '5 minutes')`,
  )
  if (row === undefined) return null
  if (row.is_stale && isUserActivity) {
    const prolong = sql`
      update sessions
         set last_seen_at = current_stamp(), expires_at = current_stamp() + make_interval(secs => ${sessionSeconds})
       where tenant_id = ${tenantId} and id = ${row.id}`
    database.note(tenantId, prolong) // else the next request does
  }
  return {
    sessionId: row.id,
    userId: row.user_id,
    name: row.name,
    fullName: row.full_name,
    image: row.user_image,
    userType: row.user_type,
    roles: row.roles,
    csrfToken: getCsrfToken(secret),
    needsCsrfToken: row.csrf_token_hash !== null,
    proofs: row.proofs,
    isFresh: row.is_fresh,
    idleMinutes: row.idle_minutes,
  }
}

/**
 * Returns the CSRF token of a session, which its writes must send from now on (header `X-Frappe-CSRF-Token`). It is
 * stable, so that all windows of a browser share it.
 */
export function giveCsrfToken(tx: Transaction, { sessionId, csrfToken }: LoggedIn): string {
  tx.send(sql`
    update sessions set csrf_token_hash = ${hashOf(csrfToken)} where tenant_id = ${tx.tenantId} and id = ${sessionId}`)
  return csrfToken
}

/** Derived from the secret by HMAC (RFC 2104), which it does not reveal. */
export function getCsrfToken(secret: string): string {
  return createHmac('sha256', secret).update('csrf token').digest('base64url')
}

/** Whether a token is that of a session, in constant time. */
export function isCsrfToken({ csrfToken }: Pick<LoggedIn, 'csrfToken'>, sent: unknown): boolean {
  if (typeof sent !== 'string') return false
  const [bytes, expected] = [Buffer.from(sent), Buffer.from(csrfToken)]
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** Ends a session. */
export function closeSession(tx: Transaction, sessionId: string): void {
  tx.send(sql`delete from sessions where tenant_id = ${tx.tenantId} and id = ${sessionId}`)
}

/** The stored hash of a session secret or token. With 256 random bits, a plain SHA-256 cannot be reversed. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** The enabled roles of the user `u` of a statement. */
export const rolesOfUser = sql`array(
  select h.role from users_roles h
    join roles r on r.tenant_id = h.tenant_id and r.name = h.role and r.disabled = 0
   where h.tenant_id = u.tenant_id and h.parent_id = u.id order by h.idx)`

/** Batch size of a deletion, in rows. */
const batchSize = 1000

/** The primary key, after the tenant, of each table with expiring rows. */
const expiringTables = { sessions: 'id', log_in_steps: 'id', used_tickets: 'ticket_hash' } as const

/** Deletes a batch of expired rows of a table, oldest first. */
function forgetExpired(tenantId: string, table: keyof typeof expiringTables): Sql {
  const [from, key] = [identifier(table), identifier(expiringTables[table])]
  return sql`
    delete from ${from}
     where tenant_id = ${tenantId}
       and ${key} in (select ${key} from ${from} where tenant_id = ${tenantId} and expires_at < now()
                       order by expires_at limit ${literal(batchSize)})
    returning 1 as gone`
}

/** Job: deletes expired sessions, attempt counters, used tickets, and unset new passwords. */
export const forgetSessionsJob: Job = {
  name: 'forget-sessions',
  everySeconds: 600,
  run: async (database, tenant, hasTime = () => true) => {
    const forget = (statement: Sql) =>
      inBatches(
        batchSize,
        hasTime,
        async () => (await database.transaction(tenant.id, (tx) => tx.query(statement))).length,
      )
    for (const table of ['sessions', 'log_in_steps', 'used_tickets'] as const) {
      await forget(forgetExpired(tenant.id, table))
    }
    await forget(sql`
      delete from attempt_counts
       where tenant_id = ${tenant.id}
         and (kind, subject_hash, address) in (select kind, subject_hash, address from attempt_counts
                                       where tenant_id = ${tenant.id} and counted_at < now() - interval '5 minutes'
                                       limit ${literal(batchSize)})
         and counted_at < now() - interval '5 minutes'
      returning 1 as gone`)
    await forget(sql`
      delete from password_resets
       where tenant_id = ${tenant.id}
         and id in (select id from password_resets
                     where tenant_id = ${tenant.id} and created_at < now() - interval '2 days'
                     limit ${literal(batchSize)})
      returning 1 as gone`)
  },
}

interface SessionRow {
  id: string
  csrf_token_hash: Buffer | null
  proofs: Proof[]
  is_fresh: boolean
  is_stale: boolean
  idle_minutes: number
  user_id: string
  name: string
  full_name: string
  user_image: string | null
  user_type: LoggedIn['userType']
  roles: string[]
}
