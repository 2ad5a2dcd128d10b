import { type AccessRule, roleScopes, type Scope, type Static } from '@matricula/contract'
import { type RecordType, type Right, recordTypes } from '@matricula/contract/record-types'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { lockRow } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { systemManager } from '../../identity/users/index.ts'
import type { RoleLimit, RoleLimits } from '../../tenancy/index.ts'

/** The unconditional rights of a role by record type, in the order of their names. */
function rightsOfRole(role: string): readonly { readonly type: string; readonly rights: readonly Right[] }[] {
  const rightsOver = ({ kind, permissions }: RecordType): readonly Right[] => {
    if (role !== systemManager) return permissions[role] ?? []
    return kind === 'submittable'
      ? everyRight
      : everyRight.filter((right) => !['submit', 'cancel', 'amend'].includes(right))
  }
  return recordTypes
    .map((type) => ({ type: type.name, rights: rightsOver(type) }))
    .filter(({ rights }) => rights.length > 0)
    .sort((one, other) => (one.type < other.type ? -1 : 1))
}

const everyRight: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']

/** The roles with any right, by name. */
const rolesWithRights: readonly string[] = [
  ...new Set([...Object.keys(roleScopes), ...recordTypes.flatMap(({ permissions }) => Object.keys(permissions))]),
].sort()

/** Every role with its rights and the limits of the institution. */
export function listAccessRules(limits: RoleLimits): Static<typeof AccessRule>[] {
  return rolesWithRights.map((role) => buildAccessRule(role, limits[role]))
}

/** A role with its rights and its limits. */
export function buildAccessRule(role: string, limit: RoleLimit = nothingTaken): Static<typeof AccessRule> {
  return {
    role,
    isFixed: role === systemManager,
    scopes: [...(roleScopes[role] ?? [])],
    takenScopes: [...limit.scopes],
    records: rightsOfRole(role).map(({ type, rights }) => {
      const taken = limit.records[type] ?? []
      return { type, rights: [...rights], taken: rights.filter((right) => taken.includes(right)) }
    }),
  }
}

export const nothingTaken: RoleLimit = { scopes: [], records: {} }

/** A change of a role's limits; absent members stay. */
export interface LimitChange {
  readonly takenScopes?: readonly Scope[] | undefined
  readonly takenRights?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The limits after a change, sorted; or the error of the change. */
export function limitAfter(
  role: string,
  before: RoleLimit,
  change: LimitChange,
): RoleLimit | { readonly fault: string } {
  if (role === systemManager)
    return { fault: `nothing can be taken from ${role}: somebody must be able to give it back` }
  if (!rolesWithRights.includes(role)) {
    return { fault: `no role ${role} may do anything here; there are: ${rolesWithRights.join(', ')}` }
  }
  const opened = roleScopes[role] ?? []
  const { takenScopes = before.scopes, takenRights = before.records } = change
  const unopened = takenScopes.find((scope) => !opened.includes(scope))
  if (unopened !== undefined) return { fault: `${role} does not open ${unopened}, so it cannot be taken from it` }
  const rights = new Map(rightsOfRole(role).map((each) => [each.type, each.rights]))
  for (const [type, taken] of Object.entries(takenRights)) {
    const missing = taken.find((right) => !(rights.get(type) as readonly string[] | undefined)?.includes(right))
    if (missing !== undefined)
      return { fault: `${role} has no right to ${missing} ${type}, so it cannot be taken from it` }
  }
  const records = [...rights]
    .map(
      ([type, all]) =>
        [type, all.filter((right) => Object.hasOwn(takenRights, type) && takenRights[type]?.includes(right))] as const,
    )
    .filter(([, taken]) => taken.length > 0)
  return { scopes: opened.filter((scope) => takenScopes.includes(scope)), records: Object.fromEntries(records) }
}

/** The role limits of an institution. */
export async function readLimits(tx: Transaction): Promise<RoleLimits> {
  const rows = await tx.query<RoleLimit & { role: string }>(
    sql`select role, scopes, records from role_limits where tenant_id = ${tx.tenantId}`,
  )
  return Object.fromEntries(rows.map(({ role, scopes, records }) => [role, { scopes, records }]))
}

/** Locks a role to change its limits; returns its id, or null when it does not exist. */
export function lockRole(tx: Transaction, role: string): Promise<string | null> {
  return lockRow(tx, 'roles', 'r', sql`r.name = ${role}`)
}

/** Stores the limits of a role locked by `lockRole`, with audit and event. */
export async function saveLimit(
  tx: Transaction,
  context: ChangeContext,
  roleId: string,
  role: string,
  before: RoleLimit,
  after: RoleLimit,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await tx.query(sql`
    insert into role_limits (tenant_id, role, scopes, records) values (${tx.tenantId}, ${role}, ${after.scopes}, ${after.records})
    on conflict (tenant_id, role)
    do update set scopes = excluded.scopes, records = excluded.records, updated_at = excluded.updated_at`)
  const toAudited = (limit: RoleLimit) => ({ role, takenScopes: limit.scopes, takenRights: limit.records })
  recordChanges(tx, context, [
    { type: 'role.updated', entityType: 'role', entityId: roleId, before: toAudited(before), after: toAudited(after) },
  ])
}
