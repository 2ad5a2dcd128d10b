import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, identifier, literal, type Sql, sql, type Transaction } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import { newId } from '../../values/index.ts'

/** How long a session lasts after it was last used, in seconds: 170 hours. */
export const sessionSeconds = 170 * 3600

/** How long somebody of the staff stays logged in without doing anything where the institution says nothing else, in minutes. */
export const usualIdleMinutes = 720

/** For how long after a log-in ways to log in may be changed. */
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
  /** The token of this session against forged requests; it follows from the session's secret. */
  readonly csrfToken: string
  /** Whether the token was given out, so that every write of the session must bring it. */
  readonly needsCsrfToken: boolean
  /** What was shown when it began. */
  readonly proofs: readonly Proof[]
  /** Whether it began so lately that ways to log in may be changed without logging in again. */
  readonly isFresh: boolean
  /** After how many minutes without a request the session ends; of the staff it is the institution's limit. */
  readonly idleMinutes: number
}

/** What somebody showed to log in: a password, the link of a mail, an account at an issuer, a one-time code, or a passkey. */
export type Proof = 'password' | 'link' | 'issuer' | 'code' | 'passkey'

/** How a session begins, as it is shown to whom it belongs. */
export interface SessionBeginning {
  readonly proofs?: readonly Proof[]
  /** What the browser says that it is. */
  readonly agent?: string | null
  readonly network?: string | null
  /** When it was shown; null for now. */
  readonly begunAt?: string | null
}

/** The most characters that are kept of what a browser says that it is. */
const longestAgent = 300

/** Opens a session of a user and gives its secret, which only the cookie holds. */
export function openSession(
  tx: Transaction,
  userId: string,
  { proofs = ['password'], agent = null, network = null, begunAt = null }: SessionBeginning = {},
): string {
  const secret = randomBytes(32).toString('base64url')
  tx.send(sql`
    insert into sessions (tenant_id, id, user_id, secret_hash, proofs, agent, network, created_at, expires_at)
    values (${tx.tenantId}, ${newId()}, ${userId}, ${hashOf(secret)}, ${proofs},
            ${agent?.replaceAll('\0', '').slice(0, longestAgent) ?? null}, ${network}, coalesce(${begunAt}::timestamptz, current_stamp()),
            current_stamp() + make_interval(secs => ${sessionSeconds}))`)
  return secret
}

/**
 * Who is logged in with a session's secret, or null: unknown, expired, ended, of a user who was disabled, or of one of the staff who
 * did nothing for as long as the institution allows. It is asked every time, so that an end takes effect at once, and noted at most every
 * five minutes, or twentieth of the limit, by which it may end late. A request that is not somebody's doing does not prolong it.
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
      select s.id, s.csrf_token_hash, s.proofs, s.created_at > now() - ${freshFor} as is_fresh, s.last_seen_at < now() - least(idle.noted, interval '5 minutes') as is_stale,
             idle.minutes as idle_minutes, u.id as user_id, u.name, u.full_name, u.user_image, u.user_type, ${rolesOfUser} as roles
        from sessions s
        join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
        left join session_settings i on i.tenant_id = s.tenant_id
        cross join lateral (
          select m.minutes, make_interval(mins => m.minutes) as time, make_interval(secs => m.minutes * 3) as noted
            from (select case when u.user_type = 'System User' then coalesce(i.idle_minutes, ${usualIdleMinutes}::integer)
                              else ${sessionSeconds / 60}::integer end as minutes) m) idle
       where s.tenant_id = ${tenantId} and s.secret_hash = ${hashOf(secret)}
         and s.expires_at > now() and u.enabled = 1
         and s.last_seen_at > now() - idle.time - least(idle.noted, interval '5 minutes')`,
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
 * Gives out the token of a session, which its writes must bring from now on (header `X-Frappe-CSRF-Token`). It is the same
 * each time, so that all the windows of a browser may hold it.
 */
export function giveCsrfToken(tx: Transaction, { sessionId, csrfToken }: LoggedIn): string {
  tx.send(sql`
    update sessions set csrf_token_hash = ${hashOf(csrfToken)} where tenant_id = ${tx.tenantId} and id = ${sessionId}`)
  return csrfToken
}

/** Only who has the secret of a session, or of a step to one, can tell its token, and the token does not tell the secret (RFC 2104). */
export function getCsrfToken(secret: string): string {
  return createHmac('sha256', secret).update('csrf token').digest('base64url')
}

/** Whether this is the token of a session. */
export function isCsrfToken({ csrfToken }: Pick<LoggedIn, 'csrfToken'>, sent: unknown): boolean {
  if (typeof sent !== 'string') return false
  const [bytes, expected] = [Buffer.from(sent), Buffer.from(csrfToken)]
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** Ends a session. */
export function closeSession(tx: Transaction, sessionId: string): void {
  tx.send(sql`delete from sessions where tenant_id = ${tx.tenantId} and id = ${sessionId}`)
}

/** What is kept of a session's secret or token. They have 256 random bits, so a plain SHA-256 cannot be reversed. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** The roles of the user `u` of a statement that are not disabled. */
export const rolesOfUser = sql`array(
  select h.role from users_roles h
    join roles r on r.tenant_id = h.tenant_id and r.name = h.role and r.disabled = 0
   where h.tenant_id = u.tenant_id and h.parent_id = u.id order by h.idx)`

/** Rows that one transaction forgets. */
const batchSize = 1000

/** The primary key, below the tenant, of each table whose rows hold until a time. */
const expiringTables = { sessions: 'id', log_in_steps: 'id', used_tickets: 'ticket_hash' } as const

/** Forgets some rows of a table whose time is over, those first that have been so for longest. */
function forgetExpired(tenantId: string, table: keyof typeof expiringTables): Sql {
  const [from, key] = [identifier(table), identifier(expiringTables[table])]
  return sql`
    delete from ${from}
     where tenant_id = ${tenantId}
       and ${key} in (select ${key} from ${from} where tenant_id = ${tenantId} and expires_at < now()
                       order by expires_at limit ${literal(batchSize)})
    returning 1 as gone`
}

/** Forgets sessions that have expired, attempts whose pause is over, what was used up, and new passwords that nobody set. */
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
