import { roleScopes, type Scope } from '@matricula/contract'
import { sql, type Transaction } from '../database/index.ts'

/** What an institution has taken from a role. */
export interface RoleLimit {
  readonly scopes: readonly Scope[]
  /** Rights by the name of the record type. */
  readonly records: Readonly<Record<string, readonly string[]>>
}

/** What an institution has taken from its roles, by their names. */
export type RoleLimits = Readonly<Record<string, RoleLimit>>

/** Whether an institution has taken a right over records of a type from a role. */
export function isRightTaken(limits: RoleLimits | undefined, role: string, type: string, right: string): boolean {
  const limit = limits !== undefined && Object.hasOwn(limits, role) ? limits[role] : undefined
  return limit !== undefined && Object.hasOwn(limit.records, type) && limit.records[type]?.includes(right) === true
}

/** The scopes that a role still opens of those that it opens everywhere. */
function scopesLeft(limits: RoleLimits, role: string, scopes: readonly Scope[]): readonly Scope[] {
  const limit = Object.hasOwn(limits, role) ? limits[role] : undefined
  return limit === undefined ? scopes : scopes.filter((scope) => !limit.scopes.includes(scope))
}

/** The scopes that roles open at an institution. */
export function scopesOfRoles(limits: RoleLimits, roles: Iterable<string>): ReadonlySet<Scope> {
  return new Set([...roles].flatMap((role) => scopesLeft(limits, role, roleScopes[role] ?? [])))
}

/** What the institution of a transaction has taken from its roles, as it is now. */
export async function readRoleLimits(tx: Transaction): Promise<RoleLimits> {
  const rows = await tx.query<RoleLimit & { role: string }>(
    sql`select role, scopes, records from role_limits where tenant_id = ${tx.tenantId}`,
  )
  return Object.fromEntries(rows.map(({ role, scopes, records }) => [role, { scopes, records }]))
}
