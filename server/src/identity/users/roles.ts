import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { newId } from '../../values/index.ts'

/** A role as operators see it. */
export interface RoleRecord {
  readonly id: string
  readonly name: string
  /** Whether its users are staff, and not only students, guardians or the like. */
  readonly deskAccess: boolean
  readonly disabled: boolean
  /** Whether the institution created it; the others are built in. */
  readonly isCustom: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** The role that may do everything inside its tenant. */
export const systemManager = 'System Manager'

/** Automatic roles, which are never granted: all callers, logged-in users, and staff. */
export const automaticRoles = { everybody: 'Guest', known: 'All', staff: 'Desk User' } as const

/** The roles of a logged-in user: granted and automatic ones. */
export function heldRoles(granted: readonly string[], { isStaff }: { readonly isStaff: boolean }): ReadonlySet<string> {
  const { everybody, known, staff } = automaticRoles
  return new Set([...granted, known, everybody, ...(isStaff ? [staff] : [])])
}

const ungranted = new Set<string>([...Object.values(automaticRoles), 'Administrator'])

/** Creates the built-in roles of a new tenant. */
export function seedRoles(tx: Transaction): void {
  tx.send(sql`select seed_roles(${tx.tenantId})`)
}

/** Every role of the tenant, by name. */
export async function listRoles(tx: Transaction): Promise<RoleRecord[]> {
  return (await tx.query<RoleRow>(sql`${selectRoles(tx)} order by name`)).map(toRole)
}

/** Creates a role. Throws `CommandError`. */
export async function createRole(
  tx: Transaction,
  context: ChangeContext,
  role: { readonly name: string; readonly deskAccess: boolean },
): Promise<RoleRecord> {
  const name = role.name.trim()
  if (name === '' || [...name].length > 140 || /[<>]/.test(name)) {
    throw new CommandError('invalid_value', 'The name of a role takes 1 to 140 characters, without < and >.')
  }
  if ((await findRole(tx, name)) !== null)
    throw new CommandError('already_exists', `There is a role ${name} already. Choose another name.`)
  await tx.query(sql`
    insert into roles (tenant_id, id, name, role_name, desk_access, is_custom)
    values (${tx.tenantId}, ${newId()}, ${name}, ${name}, ${role.deskAccess ? 1 : 0}, 1)`)
  const created = await requireRole(tx, name)
  recordChanges(tx, context, [
    { type: 'role.created', entityType: 'role', entityId: created.id, before: null, after: created },
  ])
  return created
}

/** Deletes a custom role without users. Throws `CommandError`. */
export async function deleteRole(tx: Transaction, context: ChangeContext, name: string): Promise<RoleRecord> {
  const role = await requireRole(tx, name)
  if (!role.isCustom) throw new CommandError('state_conflict', `The role ${name} comes with the service and stays.`)
  const [holders] = await tx.query<{ count: number }>(sql`
    select count(*) as count from users_roles where tenant_id = ${tx.tenantId} and role = ${name}`)
  if (holders?.count)
    throw new CommandError('state_conflict', `${holders.count} users have the role ${name}. Revoke it first.`)
  await tx.query(sql`delete from roles where tenant_id = ${tx.tenantId} and id = ${role.id}`)
  recordChanges(tx, context, [
    { type: 'role.deleted', entityType: 'role', entityId: role.id, before: role, after: null },
  ])
  return role
}

/** Throws `CommandError` for roles that are unknown or automatic. */
export async function requireGrantable(tx: Transaction, names: readonly string[]): Promise<void> {
  const known = new Set((await listRoles(tx)).map((role) => role.name))
  for (const name of names) {
    if (ungranted.has(name))
      throw new CommandError('invalid_value', `The role ${name} is not given to anybody: leave it out.`)
    if (known.has(name)) continue
    const grantable = [...known].filter((role) => !ungranted.has(role))
    throw new CommandError('not_found', `There is no role ${name}. The roles: ${grantable.join(', ')}.`)
  }
}

interface RoleRow {
  id: string
  name: string
  desk_access: number
  disabled: number
  is_custom: number
  created_at: string
  updated_at: string
}

function selectRoles(tx: Transaction) {
  return sql`
    select id, name, desk_access, disabled, is_custom, created_at, updated_at
      from roles where tenant_id = ${tx.tenantId}`
}

async function findRole(tx: Transaction, name: string): Promise<RoleRecord | null> {
  const [row] = await tx.query<RoleRow>(sql`${selectRoles(tx)} and name = ${name}`)
  return row === undefined ? null : toRole(row)
}

async function requireRole(tx: Transaction, name: string): Promise<RoleRecord> {
  const role = await findRole(tx, name)
  if (role === null) throw new CommandError('not_found', `There is no role ${name}. matricula role list shows them.`)
  return role
}

function toRole(row: RoleRow): RoleRecord {
  return {
    id: row.id,
    name: row.name,
    deskAccess: row.desk_access === 1,
    disabled: row.disabled === 1,
    isCustom: row.is_custom === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
