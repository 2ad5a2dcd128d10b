import type { ChangeContext } from '../../changes/index.ts'
import { type Database, sql } from '../../database/index.ts'
import { getNetwork } from '../../values/index.ts'
import { type Attempt, countAddressFailure, countAttempt, pauseOfAddress, takeBackAttempt } from './attempt-counts.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { isTooLong } from './passwords.ts'
import { rolesOfUser } from './sessions.ts'

/** What checks passwords, and where they are. */
export interface PasswordPlatform {
  readonly database: Database
  readonly passwords: PasswordHasher
}

/** Where somebody comes from who is not known yet. */
export interface Visit extends Omit<ChangeContext, 'actor'> {
  /** What the browser says that it is; null where nothing does. */
  readonly agent: string | null
}

/** A user as stored, whose password was right. */
export interface ProvenUser {
  readonly id: string
  readonly name: string
  readonly fullName: string
  readonly image: string | null
  readonly userType: 'System User' | 'Website User'
  /** The granted roles that are not disabled. */
  readonly roles: readonly string[]
  readonly enabled: number
  readonly passwordHash: string
  /** Another password, set while this one was looked at, has another. */
  readonly passwordChangedAt: string | null
}

/** What became of a password that somebody typed: the user, a refusal, or the seconds to wait after too many failures. */
export type PasswordTrial =
  | { readonly user: ProvenUser }
  | { readonly refused: 'wrong' }
  | { readonly retryAfterSeconds: number }

/** The most characters of a user's name. */
const longestName = 140

/** Whom the attempts of a visit are counted for, and by whom its work waits in turn. */
export function getOrigin({ tenant, address }: Visit): { tenantId: string; address: string } {
  return { tenantId: tenant.id, address: getNetwork(address ?? '') }
}

/**
 * Looks whether a password is that of the user with this name, in lower case. After ten failures about a user from an address
 * every attempt on them from there waits a minute, and after a hundred about anybody every attempt from there, over all
 * processes. An unknown user costs as much time as a known one: as the next one by name.
 *
 * @throws Problem `service_unavailable` where too many passwords wait; that is no failure.
 */
export async function tryPassword(
  { database, passwords }: PasswordPlatform,
  visit: Visit,
  name: string,
  password: string,
): Promise<PasswordTrial> {
  const origin = getOrigin(visit)
  const { tenantId, address } = origin
  const attempt: Attempt = { kind: 'password', subject: name, address }
  passwords.requireRoom(origin)
  const retryAfterSeconds = await database.transaction(
    tenantId,
    async (tx) => (await pauseOfAddress(tx, 'log_in', address)) || countAttempt(tx, attempt),
  )
  if (retryAfterSeconds > 0) return { retryAfterSeconds }
  if (isTooLong(password) || name.length > longestName) {
    await database.transaction(tenantId, async (tx) => countAddressFailure(tx, 'log_in', address))
    return { refused: 'wrong' }
  }
  const [next] = await database.read<ProvenUser>(
    tenantId,
    sql`
    select id, name, full_name as "fullName", user_image as image, user_type as "userType", ${rolesOfUser} as roles, enabled,
           password_hash as "passwordHash", password_changed_at as "passwordChangedAt"
      from users u where tenant_id = ${tenantId} and name >= ${name} and password_hash is not null
     order by name limit 1`,
  )
  let isRight = false
  try {
    isRight = await passwords.isPassword(origin, password, next?.passwordHash ?? null)
  } catch (error) {
    await database.transaction(tenantId, async (tx) => takeBackAttempt(tx, attempt))
    throw error
  }
  if (isRight && next?.name === name) return { user: next }
  await database.transaction(tenantId, async (tx) => countAddressFailure(tx, 'log_in', address))
  return { refused: 'wrong' }
}
