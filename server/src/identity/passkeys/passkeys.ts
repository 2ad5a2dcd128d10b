import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import {
  countNobody,
  type Entry,
  endSessions,
  endSessionsBy,
  goOnWithLogIn,
  lockOpenUser,
  putOutSignInMail,
  requireUser,
  takeTicket,
  type Visit,
} from '../users/index.ts'
import { checkUse, type MadePasskey, type RelyingParty, readUse } from './ceremonies.ts'

/** A passkey as shown to its owner. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly credentialId: Buffer
  /** The host name it was registered for. */
  readonly rpId: string
  readonly transports: readonly string[]
}

/** Maximum number of passkeys per user. */
const maxPasskeys = 20

/** The passkeys of a user, oldest first. */
export function listPasskeys(database: Database, tenantId: string, userId: string): Promise<Passkey[]> {
  return database.read<Passkey>(
    tenantId,
    sql`
      select id, name, created_at as "createdAt", last_used_at as "lastUsedAt", credential_id as "credentialId",
             rp_id as "rpId", transports
        from passkeys where tenant_id = ${tenantId} and user_id = ${userId} order by created_at, id`,
  )
}

/** Why a passkey was rejected. */
export type PasskeyRejection =
  /** Its challenge was used before. */
  | 'over'
  | 'disabled'
  /** No user has it. */
  | 'unknown'
  /** Its response failed verification. */
  | 'refused'

/**
 * The outcome of a passkey log-in: a session, a further step, a rejection, or the seconds to wait after too many
 * failures.
 */
export type PasskeyOutcome = Entry | { readonly refused: PasskeyRejection } | { readonly retryAfterSeconds: number }

/**
 * Logs a person in by a passkey. It counts as two factors, the device and its unlocking, so no code is required. A
 * challenge is used once; a signature counter that did not increase indicates a cloned authenticator (Web
 * Authentication Level 2 §6.1.1) and is rejected.
 */
export async function logInByPasskey(
  database: Database,
  visit: Visit,
  party: RelyingParty,
  { challenge, answer: response }: { readonly challenge: string; readonly answer: unknown },
): Promise<PasskeyOutcome> {
  const tenantId = visit.tenant.id
  const taken = await takeTicket(database, visit, challenge)
  if (taken === 'over') return { refused: 'over' }
  if (taken !== 'taken') return taken
  const refuse = async (rejected: PasskeyRejection, userId: string | null, reason: string = rejected) => {
    await database.transaction(tenantId, async (tx) => {
      const actor = { type: 'link', id: null, name: 'log-in' } as const
      const facts = { reason: `passkey_${reason}` }
      const access = { action: 'user.log_in_failed', entityType: 'user', entityId: userId, facts } as const
      recordAccess(tx, { ...visit, actor }, access)
    })
    await countNobody(database, visit)
    return { refused: rejected }
  }
  const use = readUse(response)
  if (use === null) return refuse('refused', null)
  const [passkey] = await database.read<{ id: string; userId: string; credentialId: Buffer; publicKey: Buffer }>(
    tenantId,
    sql`
      select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey" from passkeys
       where tenant_id = ${tenantId} and credential_id = ${use.credentialId} and rp_id = ${party.id}`,
  )
  if (passkey === undefined) return refuse('unknown', null)
  const { id, userId } = passkey
  const counter = await checkUse(party, challenge, use.response, passkey)
  if (counter === null) return refuse('refused', userId)
  const outcome = await database.transaction(tenantId, async (tx) => {
    if (!(await lockOpenUser(tx, userId))) return 'disabled'
    const [used] = await tx.query(sql`
      update passkeys set counter = ${counter}, last_used_at = current_stamp()
       where tenant_id = ${tenantId} and id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
      returning id`)
    if (used === undefined) return 'counter'
    return (await goOnWithLogIn(tx, visit, userId, ['passkey'], { isCodeAsked: false })) ?? 'disabled'
  })
  if (outcome === 'disabled') return refuse('disabled', userId)
  if (outcome === 'counter') return refuse('refused', userId, 'counter')
  return outcome
}

/** Adds a passkey to a user; reports when the maximum is reached or when it is registered already. */
export async function addPasskey(
  tx: Transaction,
  context: ChangeContext,
  userId: string,
  { party, passkey, name }: { readonly party: RelyingParty; readonly passkey: MadePasskey; readonly name: string },
): Promise<'added' | 'full' | 'known'> {
  await tx.query(sql`select from users where tenant_id = ${tx.tenantId} and id = ${userId} for no key update`)
  const known = await tx.query(sql`select from passkeys where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  if (known.length >= maxPasskeys) return 'full'
  const [added] = await tx.query<{ id: string }>(sql`
    insert into passkeys (tenant_id, id, user_id, credential_id, rp_id, public_key, counter, transports, name)
    values (${tx.tenantId}, ${newId()}, ${userId}, ${passkey.credentialId}, ${party.id}, ${passkey.publicKey},
            ${passkey.counter}, ${passkey.transports}, ${name})
    on conflict (tenant_id, credential_id) do nothing returning id`)
  if (added === undefined) return 'known'
  const facts = { passkey: added.id }
  recordAccess(tx, context, { action: 'user.passkey_added', entityType: 'user', entityId: userId, facts })
  await putOutSignInMail(tx, userId, 'sign_in_added')
  return 'added'
}

/** Removes a passkey and ends the sessions that it began, except the current one. Idempotent. */
export async function removePasskey(
  tx: Transaction,
  context: ChangeContext,
  { userId, sessionId: keeps }: { readonly userId: string; readonly sessionId: string },
  id: string,
): Promise<void> {
  const gone = await deletePasskeys(tx, context, userId, { id })
  if (gone > 0) endSessionsBy(tx, userId, 'passkey', keeps)
}

/**
 * Removes all passkeys of a user and ends their sessions. Returns their number. Throws `CommandError` where there is
 * no such user.
 */
export async function forgetPasskeys(tx: Transaction, context: ChangeContext, email: string): Promise<number> {
  const { id } = await requireUser(tx, email, { forUpdate: true })
  const gone = await deletePasskeys(tx, context, id, 'all')
  if (gone > 0) endSessions(tx, id)
  return gone
}

/** The number of users with passkeys for a host name. */
export async function countHolders(tx: Transaction, host: string): Promise<number> {
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
    select count(distinct user_id) as count from passkeys where tenant_id = ${tx.tenantId} and rp_id = ${host}`)
  return count
}

/**
 * Removes all passkeys of a host name and ends the sessions that they began: for an institution that left that host
 * name, where a user with a required passkey could add no other. Returns the number of users.
 */
export async function forgetPasskeysOf(tx: Transaction, context: ChangeContext, host: string): Promise<number> {
  const holders = await tx.query<{ userId: string }>(sql`
    select distinct user_id as "userId" from passkeys where tenant_id = ${tx.tenantId} and rp_id = ${host} order by 1`)
  for (const { userId } of holders) {
    const gone = await deletePasskeys(tx, context, userId, { rpId: host })
    if (gone > 0) endSessionsBy(tx, userId, 'passkey', null)
  }
  return holders.length
}

async function deletePasskeys(
  tx: Transaction,
  context: ChangeContext,
  userId: string,
  which: { readonly id: string } | { readonly rpId: string } | 'all',
): Promise<number> {
  const chosen = which === 'all' ? sql`true` : 'id' in which ? sql`id = ${which.id}` : sql`rp_id = ${which.rpId}`
  const gone = await tx.query<{ passkey: string }>(sql`
    delete from passkeys where tenant_id = ${tx.tenantId} and user_id = ${userId} and ${chosen}
    returning id as passkey`)
  for (const facts of gone) {
    recordAccess(tx, context, { action: 'user.passkey_removed', entityType: 'user', entityId: userId, facts })
  }
  if (gone.length > 0) await putOutSignInMail(tx, userId, 'sign_in_removed')
  return gone.length
}
