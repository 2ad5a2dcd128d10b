import { randomBytes } from 'node:crypto'
import type { PublicLocale } from '@matricula/contract'
import { findLocale } from '@matricula/pages'
import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { putOut } from '../../mail/index.ts'
import { getNetwork, newId } from '../../values/index.ts'
import { countAddressFailure, countAttempt, pauseOfAddress } from './attempt-counts.ts'
import { hashOf } from './sessions.ts'

/** Validity of the link of a mail, in minutes, as upstream has it, from when the mail is composed. */
export const resetMinutes = 20

/** Validity of the link of a welcome mail, in hours from when the mail is composed: nobody waits for that mail. */
export const welcomeHours = 24

/** Maximum number of links mailed to one user per hour. */
const resetsPerHour = 3

/** The requester of a new password. */
export interface ResetAsked {
  readonly user: string
  readonly sendsMail: boolean
  /** The language of the requesting page; without one that of the user. */
  readonly locale?: PublicLocale
}

/**
 * Queues a mail with a link to set a new password, if mail is configured. Earlier links stay valid until one is used
 * or they expire, so that nobody can invalidate the link of another person. Each request counts against its address
 * before any look-up. Returns the seconds to wait, 0 when accepted; whether there is an enabled user who was not
 * mailed too often is recorded in the audit and not disclosed: every case takes one transaction with an audit row.
 */
export async function askForReset(
  database: Database,
  context: Omit<ChangeContext, 'actor'>,
  { user, sendsMail, locale }: ResetAsked,
): Promise<number> {
  const tenantId = context.tenant.id
  const attempt = { kind: 'password_reset_mail', subject: '', address: getNetwork(context.address ?? '') } as const
  const retryAfterSeconds = await database.transaction(tenantId, (tx) => countAttempt(tx, attempt))
  if (retryAfterSeconds > 0 || !sendsMail) return retryAfterSeconds
  const name = user.trim().toLowerCase()
  await database.transaction(tenantId, async (tx) => {
    const [found] = await tx.query<UserRow>(sql`
      select ${userColumns}
        from users where tenant_id = ${tenantId} and name = ${name} for update`)
    const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
      select count(*)::int as count
        from password_resets
       where tenant_id = ${tenantId} and user_id = ${found?.id ?? null} and created_at > now() - interval '1 hour'`)
    const rejected = toErrorResponse(found, count)
    if (found !== undefined && rejected === null) putOutLink(tx, 'password_reset', found, locale)
    const actor = { type: 'system', id: null, name: 'Guest' } as const
    const facts = rejected === null ? {} : { refused: rejected }
    const access = {
      action: 'user.password_reset_asked',
      entityType: 'user',
      entityId: found?.id ?? null,
      facts,
    } as const
    recordAccess(tx, { ...context, actor }, access)
  })
  return 0
}

function toErrorResponse(found: UserRow | undefined, count: number): 'unknown_user' | 'disabled' | 'too_often' | null {
  if (found === undefined) return 'unknown_user'
  if (found.enabled !== 1) return 'disabled'
  return count >= resetsPerHour ? 'too_often' : null
}

/**
 * Queues a welcome mail for a new user, with a link to set their first password, with an audit row. An unknown user
 * is ignored.
 */
export async function putOutWelcome(
  tx: Transaction,
  context: Omit<ChangeContext, 'tenant'>,
  name: string,
): Promise<void> {
  const [found] = await tx.query<UserRow>(sql`
    select ${userColumns}
      from users where tenant_id = ${tx.tenantId} and name = ${name}`)
  if (found === undefined) return
  putOutLink(tx, 'welcome', found)
  recordAccess(tx, context, { action: 'user.welcomed', entityType: 'user', entityId: found.id, facts: {} })
}

function putOutLink(
  tx: Transaction,
  kind: 'password_reset' | 'welcome',
  user: UserRow,
  locale = findLocale(user.language) ?? user.ofTheInstitution,
): void {
  const id = newId()
  tx.send(sql`insert into password_resets (tenant_id, id, user_id) values (${tx.tenantId}, ${id}, ${user.id})`)
  putOut(tx, { kind, entityId: id, recipient: user.email, locale })
}

/**
 * Creates the key of a link: 256 random bits that only the mail has. Null when there is nothing to set: the password
 * was changed meanwhile, or the user was disabled.
 */
export async function makeResetKey(
  database: Database,
  tenantId: string,
  resetId: string,
  minutes: number,
): Promise<{ key: string; fullName: string } | null> {
  const key = randomBytes(32).toString('base64url')
  const [row] = await database.transaction(tenantId, (tx) =>
    tx.query<{ fullName: string }>(sql`
      update password_resets p
         set key_hash = ${hashOf(key)}, expires_at = current_stamp() + make_interval(mins => ${minutes})
        from users u
       where p.tenant_id = ${tenantId} and p.id = ${resetId}
         and u.tenant_id = p.tenant_id and u.id = p.user_id and u.enabled = 1
      returning u.full_name as "fullName"`),
  )
  return row === undefined ? null : { key, fullName: row.fullName }
}

/**
 * Whether a key is valid: mailed, unused and not expired; or the seconds to wait. After a hundred invalid keys within
 * a minute from an address, every key from there must wait.
 */
export async function checkResetKey(
  database: Database,
  { tenant, address }: Pick<ChangeContext, 'tenant' | 'address'>,
  key: string,
): Promise<'open' | 'spent' | { readonly retryAfterSeconds: number }> {
  const network = getNetwork(address ?? '')
  return database.transaction(tenant.id, async (tx) => {
    const retryAfterSeconds = await pauseOfAddress(tx, 'reset_key', network)
    if (retryAfterSeconds > 0) return { retryAfterSeconds }
    const [open] = await tx.query(sql`
      select 1 as open from password_resets p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
       where p.tenant_id = ${tx.tenantId} and p.key_hash = ${hashOf(key)} and p.expires_at > now() and u.enabled = 1`)
    if (open !== undefined) return 'open'
    countAddressFailure(tx, 'reset_key', network)
    return 'spent'
  })
}

/** Consumes a key. Returns the name of its user, or null for an invalid key. */
export async function useResetKey(tx: Transaction, key: string): Promise<string | null> {
  const [used] = await tx.query<{ name: string }>(sql`
    delete from password_resets p using users u
     where p.tenant_id = ${tx.tenantId} and p.key_hash = ${hashOf(key)} and p.expires_at > now()
       and u.tenant_id = p.tenant_id and u.id = p.user_id and u.enabled = 1
    returning u.name`)
  return used?.name ?? null
}

interface UserRow {
  id: string
  fullName: string
  enabled: number
  email: string
  language: string | null
  /** The language of the institution. */
  ofTheInstitution: PublicLocale
}

const userColumns = sql`
  id, full_name as "fullName", enabled, email, language,
  (select t.language from tenants t where t.id = tenant_id) as "ofTheInstitution"`
