import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import { automaticRoles } from './roles.ts'
import type { Proof } from './sessions.ts'

/**
 * Factors that an institution can require of a role: one-time codes, passkeys, or accounts at its identity providers.
 */
export type Factor = Extract<Proof, 'code' | 'passkey' | 'issuer'>

/** The requirement of a role: one of these; none where empty. */
export interface RequiredFactors {
  readonly role: string
  readonly anyOf: readonly Factor[]
}

/** The requirements by role. */
export async function readRequiredFactors(tx: Transaction): Promise<ReadonlyMap<string, RequiredFactors>> {
  const rows = await tx.query<RequiredFactors>(
    sql`select role, any_of as "anyOf" from required_factors where tenant_id = ${tx.tenantId}`,
  )
  return new Map(rows.map((row) => [row.role, row]))
}

/** Changes the requirement of a role, with audit and event, and ends the sessions that began without it. */
export async function saveRequiredFactors(
  tx: Transaction,
  context: ChangeContext,
  roleId: string,
  before: RequiredFactors,
  after: RequiredFactors,
): Promise<void> {
  const { role, anyOf } = after
  // Locks the role against concurrent log-ins (`lackingFactors`): a later log-in is asked for the factor, and earlier
  // sessions are ended below.
  await tx.query(sql`select from roles where tenant_id = ${tx.tenantId} and id = any (${[roleId]}) for no key update`)
  if (anyOf.length === 0) {
    await tx.query(sql`delete from required_factors where tenant_id = ${tx.tenantId} and role = ${role}`)
  } else {
    await tx.query(sql`
      insert into required_factors (tenant_id, role, any_of) values (${tx.tenantId}, ${role}, ${anyOf})
      on conflict (tenant_id, role)
      do update set any_of = excluded.any_of, updated_at = excluded.updated_at`)
  }
  endLackingSessions(tx)
  recordChanges(tx, context, [
    { type: 'required_factors.updated', entityType: 'role', entityId: roleId, before, after },
  ])
}

/**
 * The effective requirements (`f`): without an identity provider an account cannot be required, and a code or a
 * passkey is required instead.
 */
function requirements(tx: Transaction): Sql {
  return sql`(
    select role, case when exists (select from issuers where tenant_id = ${tx.tenantId} and is_active) then any_of
                      else coalesce(nullif(array_remove(any_of, 'issuer'), '{}'), '{code,passkey}') end as any_of
      from required_factors where tenant_id = ${tx.tenantId})`
}

/** Whether the user `u` has the role of a requirement `f`, granted or automatic. */
const isHeld = sql`(
  f.role = ${automaticRoles.known} or (f.role = ${automaticRoles.staff} and u.user_type = 'System User')
  or exists (select from users_roles h join roles r on r.tenant_id = h.tenant_id and r.name = h.role and r.disabled = 0
              where h.tenant_id = u.tenant_id and h.parent_id = u.id and h.role = f.role))`

/** Whether proofs satisfy a requirement `f`. A passkey equals a password with a code. */
function isEnough(proofs: Sql): Sql {
  return sql`(${proofs} && f.any_of or ('passkey' = any (${proofs}) and 'code' = any (f.any_of)))`
}

/** Ends the sessions, of all users or of one, that began without a required factor. */
export function endLackingSessions(tx: Transaction, userId: string | null = null): void {
  const ofWhom = userId === null ? sql`true` : sql`s.user_id = ${userId}`
  tx.send(sql`
    delete from sessions s
     using users u, ${requirements(tx)} f
     where s.tenant_id = ${tx.tenantId} and u.tenant_id = ${tx.tenantId} and u.id = s.user_id
       and ${ofWhom} and ${isHeld} and not ${isEnough(sql`s.proofs`)}`)
}

/**
 * The missing factors of a log-in with these proofs, one of which is required; null where none is missing. Until the
 * transaction ends, requirements of the user, whom the caller has locked, cannot change, so that no session begins
 * without them.
 */
export async function lackingFactors(
  tx: Transaction,
  userId: string,
  proofs: readonly Proof[],
): Promise<readonly Factor[] | null> {
  const { known, staff } = automaticRoles
  tx.send(sql`
    select from roles r
     where r.tenant_id = ${tx.tenantId}
       and (r.name in (${known}, ${staff})
            or r.name in (select role from users_roles where tenant_id = ${tx.tenantId} and parent_id = ${userId}))
     order by r.id for share`)
  const [lacking] = await tx.query<{ anyOf: Factor[] }>(sql`
    select f.any_of as "anyOf" from users u, ${requirements(tx)} f
     where u.tenant_id = ${tx.tenantId} and u.id = ${userId} and ${isHeld} and not ${isEnough(sql`${proofs}::text[]`)}
     order by f.any_of limit 1`)
  return lacking?.anyOf ?? null
}

/** Whether a factor satisfies a requirement. */
export function doesHelp(factor: Factor, anyOf: readonly Factor[]): boolean {
  return anyOf.includes(factor) || (factor === 'passkey' && anyOf.includes('code'))
}
