import type { ChangeContext } from '../../changes/index.ts'
import { type Database, sql } from '../../database/index.ts'
import { getNetwork } from '../../values/index.ts'
import { type Attempt, countAddressFailure, countAttempt, pauseOfAddress, takeBackAttempt } from './attempt-counts.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { isTooLong } from './passwords.ts'
import { rolesOfUser } from './sessions.ts'

/** The services for passwords. */
export interface PasswordPlatform {
  readonly database: Database
  readonly passwords: PasswordHasher
}

/** The origin of an unauthenticated request. */
export interface Visit extends Omit<ChangeContext, 'actor'> {
  /** The user agent; null where none is given. */
  readonly agent: string | null
}

/** The stored user with a correct password. */
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

/** The outcome of a password: the user, a rejection, or the seconds to wait after too many failures. */
export type PasswordTrial =
  | { readonly user: ProvenUser }
  | { readonly refused: 'wrong' }
  | { readonly retryAfterSeconds: number }

/** Maximum length of a user name, in characters. */
const maxNameLength = 140

/** The key of the attempt counters and of the fair queue. */
export function getOrigin({ tenant, address }: Visit): { tenantId: string; address: string } {
  return { tenantId: tenant.id, address: getNetwork(address ?? '') }
}

/**
 * Verifies the password of a user, by name in lower case. After ten failures for a user from an address, attempts on
 * that user from there wait a minute; after a hundred failures from an address, every attempt from there waits, over
 * all processes. An unknown user takes the time of a known one, against enumeration.
 *
 * @throws Problem `service_unavailable` where too many passwords wait, which is not counted as a failure
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
  if (isTooLong(password) || name.length > maxNameLength) {
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
