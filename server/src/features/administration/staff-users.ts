import {
  administrationBounds,
  type administrationOperations,
  type Body,
  type StaffUser,
  type Static,
} from '@matricula/contract'
import { type RequestContext, recordAccess } from '../../changes/index.ts'
import { lockRows } from '../../concurrency/index.ts'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import {
  createUser,
  endSessions,
  forgetAllAttempts,
  pausedSubjects,
  putOutWelcome,
  setEnabled,
} from '../../identity/users/index.ts'
import { isUuid, searchPatterns } from '../../values/index.ts'
import { asProblem } from './tokens.ts'

type UserRecord = Static<typeof StaffUser>
type InviteBody = Body<(typeof administrationOperations)['inviteUser']>

/** Whether the service sends mails. */
export interface MailSending {
  readonly areSent: boolean
}

/** Staff by name; with `q` whoever has that in the name or the address. */
export async function listStaffUsers(tx: Transaction, q?: string): Promise<UserRecord[]> {
  const patterns = searchPatterns(q ?? '')
  const condition =
    patterns.length === 0
      ? sql`u.user_type = 'System User'`
      : sql`fold_for_search(u.full_name || ' ' || u.name) like all (${patterns}::text[])`
  return readUsers(tx, sql`${condition} and u.name <> 'guest'`)
}

async function readUsers(tx: Transaction, condition: Sql): Promise<UserRecord[]> {
  const rows = await tx.query<Omit<UserRecord, 'isLocked'>>(sql`
    select u.id, u.name as email, u.full_name as "fullName", u.enabled = 1 as enabled,
           u.user_type = 'System User' as "isStaff", u.password_hash is not null as "hasPassword",
           u.last_login as "lastLogIn",
           array(select h.role from users_roles h
                  where h.tenant_id = ${tx.tenantId} and h.parent_id = u.id and h.role is not null
                  order by h.role) as roles,
           (select count(*) from sessions s
             where s.tenant_id = ${tx.tenantId} and s.user_id = u.id and s.expires_at > now())::integer as sessions
      from users u
     where u.tenant_id = ${tx.tenantId} and ${condition}
     order by u.full_name, u.name
     limit ${administrationBounds.users}`)
  const paused = await pausedSubjects(
    tx,
    'password',
    rows.map(({ email }) => email),
  )
  return rows.map((row) => ({ ...row, isLocked: paused.has(row.email) }))
}

/** The user of an id, locked until the transaction ends. Throws `resource_not_found`. */
async function lockUser(tx: Transaction, id: string): Promise<UserRecord> {
  if (!isUuid(id)) throw notFoundProblem('user')
  await lockRows(tx, 'users', [id.toLowerCase()])
  return readUser(tx, sql`u.id = ${id.toLowerCase()}`)
}

async function readUser(tx: Transaction, condition: Sql): Promise<UserRecord> {
  const [found] = await readUsers(tx, condition)
  if (found === undefined) throw notFoundProblem('user')
  return found
}

/** Throws `state_conflict` where no mail would leave. */
function requireMails({ areSent }: MailSending): void {
  if (areSent) return
  throw new Problem('state_conflict', 'This service sends no mail. Ask its operator to set SMTP_URL and MAIL_FROM.')
}

/**
 * Makes a user without a password, to whom a link is mailed to set one.
 *
 * @throws Problem `state_conflict` where the address has a log-in or no mail is sent, `rule_violated` for a wrong address or role
 */
export async function inviteUser(
  tx: Transaction,
  context: RequestContext,
  mail: MailSending,
  { email, name, roles }: InviteBody,
): Promise<UserRecord> {
  requireMails(mail)
  const made = await asProblem(null, () => createUser(tx, context, { email, name, roles, passwordHash: null }))
  await putOutWelcome(tx, context, made.email)
  return readUser(tx, sql`u.id = ${made.id}`)
}

/** Opens or closes a log-in. Throws `state_conflict` for one's own, which nobody could open again. */
export async function updateStaffUser(
  tx: Transaction,
  context: RequestContext,
  id: string,
  enabled: boolean,
): Promise<UserRecord> {
  const user = await lockUser(tx, id)
  if (!enabled && user.id === context.caller.actor.id) {
    throw new Problem('state_conflict', 'You cannot close your own log-in. Ask another administrator to.')
  }
  await asProblem('user', () => setEnabled(tx, context, user.email, enabled))
  return readUser(tx, sql`u.id = ${user.id}`)
}

/** Mails a link to set a password. Throws `state_conflict` where the log-in is closed or no mail is sent. */
export async function mailPasswordLink(
  tx: Transaction,
  context: RequestContext,
  mail: MailSending,
  id: string,
): Promise<UserRecord> {
  requireMails(mail)
  const user = await lockUser(tx, id)
  if (!user.enabled) throw new Problem('state_conflict', 'The log-in is closed. Open it first.')
  await putOutWelcome(tx, context, user.email)
  return user
}

/** Lets somebody log in again at once. */
export async function unlockUser(tx: Transaction, context: RequestContext, id: string): Promise<UserRecord> {
  const user = await lockUser(tx, id)
  forgetAllAttempts(tx, { kind: 'password', subject: user.email })
  recordAccess(tx, context, { action: 'user.unlocked', entityType: 'user', entityId: user.id, facts: {} })
  return { ...user, isLocked: false }
}

/** Ends all sessions of a user. */
export async function endSessionsOfUser(tx: Transaction, context: RequestContext, id: string): Promise<UserRecord> {
  const user = await lockUser(tx, id)
  endSessions(tx, user.id)
  const facts = { ended: user.sessions }
  recordAccess(tx, context, { action: 'user.sessions_ended', entityType: 'user', entityId: user.id, facts })
  return { ...user, sessions: 0 }
}
