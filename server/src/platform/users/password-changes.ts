import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { Actor, ChangeContext } from '../request-context.ts'
import { countAttempt, forgetAttempts, type NewSession } from './log-in.ts'
import { useResetKey } from './password-resets.ts'
import { hashOfPassword, isPassword, requirePassword } from './passwords.ts'
import { openSession } from './sessions.ts'
import { setPassword } from './users.ts'

type Visit = Omit<ChangeContext, 'actor'>

/**
 * Sets the password that somebody chose on the page of a mailed link, ends all sessions of theirs and opens one. A key works
 * once, also when it is sent twice at once. Null for a key that opens nothing. Throws `PasswordError`, and leaves the key
 * as it is then.
 */
export async function setPasswordByKey(
  database: Database,
  visit: Visit,
  { key, password }: { readonly key: string; readonly password: string },
): Promise<NewSession | null> {
  requirePassword(password)
  const passwordHash = await hashOfPassword(password)
  return database.transaction(visit.tenant.id, async (tx) => {
    const name = await useResetKey(tx, key)
    return name === null ? null : renew(tx, visit, name, passwordHash)
  })
}

/** What became of a change of the own password. */
export type PasswordChange =
  | { readonly session: NewSession }
  | { readonly refused: 'wrong' }
  | { readonly retryAfterSeconds: number }

/**
 * Gives somebody who is logged in and knows the old password another one, ends all sessions of theirs and opens one. Wrong
 * old passwords count like failed log-ins. Throws `PasswordError`.
 */
export async function changePassword(
  database: Database,
  visit: Visit,
  name: string,
  { oldPassword, password }: { readonly oldPassword: string; readonly password: string },
): Promise<PasswordChange> {
  requirePassword(password)
  const tenantId = visit.tenant.id
  const address = visit.address ?? ''
  const retryAfterSeconds = await database.transaction(tenantId, (tx) => countAttempt(tx, name, address))
  if (retryAfterSeconds > 0) return { retryAfterSeconds }
  const [found] = await database.read<{ passwordHash: string | null }>(
    tenantId,
    sql`select password_hash as "passwordHash" from users where tenant_id = ${tenantId} and name = ${name}`,
  )
  const oldHash = found?.passwordHash ?? null
  if (!(await isPassword(oldPassword, oldHash))) return { refused: 'wrong' }
  const passwordHash = await hashOfPassword(password)
  return database.transaction(tenantId, async (tx) => {
    // Another password, set while this one was looked at, stays.
    const [row] = await tx.query(sql`
      select from users
       where tenant_id = ${tenantId} and name = ${name} and enabled = 1 and password_hash = ${oldHash}
         for update`)
    if (row === undefined) return { refused: 'wrong' }
    forgetAttempts(tx, name, address)
    return { session: await renew(tx, visit, name, passwordHash) }
  })
}

async function renew(tx: Transaction, visit: Visit, name: string, passwordHash: string): Promise<NewSession> {
  const [user] = await tx.query<Omit<NewSession, 'secret'> & { id: string }>(sql`
    select id, name, full_name as "fullName", user_image as image, user_type as "userType"
      from users where tenant_id = ${tx.tenantId} and name = ${name}`)
  if (user === undefined) throw new Error('the user of a password is gone')
  const { id, ...who } = user
  const actor: Actor = { type: 'user', id, name }
  await setPassword(tx, { ...visit, actor }, name, passwordHash)
  return { ...who, secret: openSession(tx, id) }
}
