import { randomBytes } from 'node:crypto'
import type { ChangeContext } from '../../changes/index.ts'
import { changedFields, recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { newId } from '../../values/index.ts'
import { removeCodes } from './one-time-codes.ts'
import { endLackingSessions } from './required-factors.ts'
import { heldRoles, requireGrantable } from './roles.ts'
import { rolesOfUser } from './sessions.ts'

/** A user as operators see it, without the password. */
export interface UserRecord {
  readonly id: string
  /** In lower case; the name of the user. */
  readonly email: string
  readonly fullName: string
  readonly enabled: boolean
  /** `System User` for staff: users with a role with desk access. */
  readonly userType: 'System User' | 'Website User'
  readonly roles: readonly string[]
  readonly lastLogin: string | null
  readonly passwordChangedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The properties of a new user. */
export interface NewUser {
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  /** The password hash, computed before the transaction because it is slow; null for no password. */
  readonly passwordHash: string | null
}

/** Creates an enabled user. Throws `CommandError`. */
export async function createUser(tx: Transaction, context: ChangeContext, user: NewUser): Promise<UserRecord> {
  const email = user.email.trim().toLowerCase()
  // The pattern of the HTML e-mail input, with a dot in the domain.
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(\.[a-z\d-]+)+$/.test(email) || email.length > 140) {
    throw new CommandError('invalid_value', `${user.email} is no e-mail address of at most 140 characters.`)
  }
  const fullName = user.name.trim().replace(/\s+/g, ' ')
  if (fullName === '' || [...fullName].length > 140)
    throw new CommandError('invalid_value', 'The name takes 1 to 140 characters.')
  if ((await findUser(tx, email)) !== null)
    throw new CommandError(
      'already_exists',
      `There is a user ${email} already. Change that one, or choose another address.`,
    )
  const [firstName, ...rest] = fullName.split(' ')
  const id = newId()
  await tx.query(sql`
    insert into users (tenant_id, id, name, email, first_name, last_name, full_name, password_hash, password_changed_at)
    values (${tx.tenantId}, ${id}, ${email}, ${email}, ${firstName}, ${rest.join(' ') || null}, ${fullName},
            ${user.passwordHash}, case when ${user.passwordHash}::text is not null then current_stamp() end)`)
  await addRoles(tx, id, user.roles)
  const created = await requireUser(tx, email)
  recordChanges(tx, context, [{ type: 'user.created', entityType: 'user', entityId: id, before: null, after: created }])
  return created
}

/** The roles and the full name of an enabled user; null where there is none. */
export async function findEnabledUser(
  tx: Transaction,
  name: string,
): Promise<{ readonly fullName: string; readonly roles: ReadonlySet<string> } | null> {
  const [row] = await tx.query<{ full_name: string; user_type: string; roles: string[] }>(sql`
    select u.full_name, u.user_type, ${rolesOfUser} as roles from users u
     where u.tenant_id = ${tx.tenantId} and u.name = ${name} and u.enabled = 1`)
  if (row === undefined) return null
  return { fullName: row.full_name, roles: heldRoles(row.roles, { isStaff: row.user_type === 'System User' }) }
}

/** Every user of the tenant, by e-mail address, including disabled ones. */
export async function listUsers(tx: Transaction): Promise<UserRecord[]> {
  return (await tx.query<UserRow>(sql`${selectUsers(tx)} order by u.name`)).map(toUser)
}

/**
 * Enables or disables a user; disabling ends their sessions and links at once, in every process. Idempotent. Throws
 * `CommandError`.
 */
export function setEnabled(
  tx: Transaction,
  context: ChangeContext,
  email: string,
  enabled: boolean,
): Promise<UserRecord> {
  return change(tx, context, email, async ({ id }) => {
    tx.send(sql`
      update users set enabled = ${enabled ? 1 : 0} where tenant_id = ${tx.tenantId} and id = ${id}`)
    if (!enabled) endAccess(tx, id)
  })
}

/**
 * Deletes a user, with their sessions and roles. Throws `CommandError` for a user whom records refer to, who can be
 * disabled instead.
 */
export async function deleteUser(tx: Transaction, context: ChangeContext, email: string): Promise<UserRecord> {
  const user = await requireUser(tx, email)
  const [{ places: locations } = { places: [] }] = await tx.query<{ places: string[] }>(sql`
    select array_remove(array[
      case when exists (select from students where tenant_id = ${tx.tenantId} and user_name = ${user.email}) then 'a student' end,
      case when exists (select from contacts where tenant_id = ${tx.tenantId} and user_name = ${user.email}) then 'a guardian' end,
      case when exists (select from employees where tenant_id = ${tx.tenantId} and user_id = ${user.email}) then 'an employee' end,
      case when exists (select from todos where tenant_id = ${tx.tenantId}
                         and ${user.email} in (allocated_to, assigned_by)) then 'a task' end], null) as places`)
  if (locations.length > 0) {
    const advice = 'Disable the user instead: matricula user disable.'
    throw new CommandError('state_conflict', `${user.email} is named by ${locations.join(', ')}. ${advice}`)
  }
  await tx.query(sql`delete from users where tenant_id = ${tx.tenantId} and id = ${user.id}`)
  recordChanges(tx, context, [
    { type: 'user.deleted', entityType: 'user', entityId: user.id, before: user, after: null },
  ])
  return user
}

/** Sets the password of a user, and ends their sessions and links for a new one. Throws `CommandError`. */
export function setPassword(
  tx: Transaction,
  context: ChangeContext,
  email: string,
  passwordHash: string,
): Promise<UserRecord> {
  return change(tx, context, email, async ({ id }) => {
    tx.send(sql`
      update users set password_hash = ${passwordHash}, password_changed_at = current_stamp()
       where tenant_id = ${tx.tenantId} and id = ${id}`)
    endAccess(tx, id)
  })
}

/**
 * Turns off the one-time codes of a user and ends their sessions; false where none were set up. Throws
 * `CommandError`.
 */
export async function forgetCodes(tx: Transaction, context: ChangeContext, email: string): Promise<boolean> {
  const { id } = await requireUser(tx, email)
  if (!(await removeCodes(tx, context, id))) return false
  endSessions(tx, id)
  return true
}

/** Grants roles to a user in addition to their present ones. Throws `CommandError`. */
export function grantRoles(
  tx: Transaction,
  context: ChangeContext,
  email: string,
  roles: readonly string[],
): Promise<UserRecord> {
  return change(tx, context, email, (user) =>
    addRoles(
      tx,
      user.id,
      roles.filter((role) => !user.roles.includes(role)),
    ),
  )
}

/** Revokes roles of a user; those not granted are ignored. Throws `CommandError`. */
export function revokeRoles(
  tx: Transaction,
  context: ChangeContext,
  email: string,
  roles: readonly string[],
): Promise<UserRecord> {
  return change(tx, context, email, async ({ id }) => {
    await requireGrantable(tx, roles)
    await tx.query(sql`
      delete from users_roles where tenant_id = ${tx.tenantId} and parent_id = ${id} and role = any (${roles})`)
    setUserType(tx, id)
  })
}

/** Runs a change of a user with its audit row and event, neither for no change. */
async function change(
  tx: Transaction,
  context: ChangeContext,
  email: string,
  work: (user: UserRecord) => Promise<void>,
): Promise<UserRecord> {
  const before = await requireUser(tx, email, { forUpdate: true })
  await work(before)
  const changed = await requireUser(tx, email)
  if (changedFields(before, changed).length === 0) return before
  tx.send(sql`
    update users set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  const after = await requireUser(tx, email)
  recordChanges(tx, context, [{ type: 'user.updated', entityType: 'user', entityId: after.id, before, after }])
  return after
}

async function addRoles(tx: Transaction, userId: string, roles: readonly string[]): Promise<void> {
  await requireGrantable(tx, roles)
  const distinct = [...new Set(roles)]
  tx.send(sql`
    insert into users_roles (tenant_id, id, name, parent_id, idx, role)
    select ${tx.tenantId}, id, name, ${userId},
           (select coalesce(max(idx), 0) from users_roles where tenant_id = ${tx.tenantId} and parent_id = ${userId})
             + position,
           role
      from unnest(${distinct.map(newId)}::uuid[], ${distinct.map(rowName)}::text[], ${distinct}::text[])
           with ordinality as granted (id, name, role, position)`)
  setUserType(tx, userId)
  endLackingSessions(tx, userId)
}

/** A unique row name of ten characters. */
function rowName(): string {
  return Array.from(randomBytes(10), (byte) => (byte % 32).toString(32)).join('')
}

function setUserType(tx: Transaction, userId: string): void {
  tx.send(sql`
    update users u
       set user_type = case when exists (
             select from users_roles h
               join roles r on r.tenant_id = h.tenant_id and r.name = h.role
              where h.tenant_id = u.tenant_id and h.parent_id = u.id and r.desk_access = 1 and r.disabled = 0)
           then 'System User' else 'Website User' end
     where u.tenant_id = ${tx.tenantId} and u.id = ${userId}`)
}

/**
 * Ends what a changed user may no longer use: all sessions and links of a disabled one, else the sessions without a
 * factor that a role requires now. An unknown user is ignored.
 */
export async function endLostAccess(tx: Transaction, name: string): Promise<void> {
  const [found] = await tx.query<{ id: string; enabled: number }>(
    sql`select id, enabled from users where tenant_id = ${tx.tenantId} and name = ${name}`,
  )
  if (found === undefined) return
  if (found.enabled === 1) endLackingSessions(tx, found.id)
  else endAccess(tx, found.id)
}

/** Ends all sessions and incomplete log-ins of a user, and the mailed links to set a password. */
function endAccess(tx: Transaction, userId: string): void {
  tx.send(sql`delete from password_resets where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  endSessions(tx, userId)
}

/** Ends all sessions and incomplete log-ins of a user. */
export function endSessions(tx: Transaction, userId: string): void {
  tx.send(sql`delete from log_in_steps where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  tx.send(sql`delete from sessions where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
}

interface UserRow {
  id: string
  name: string
  full_name: string
  enabled: number
  user_type: UserRecord['userType']
  roles: string[]
  last_login: string | null
  password_changed_at: string | null
  created_at: string
  updated_at: string
}

function selectUsers(tx: Transaction) {
  return sql`
    select u.id, u.name, u.full_name, u.enabled, u.user_type, u.last_login, u.password_changed_at,
           u.created_at, u.updated_at,
           array(select h.role from users_roles h
                  where h.tenant_id = u.tenant_id and h.parent_id = u.id and h.role is not null
                  order by h.idx) as roles
      from users u
     where u.tenant_id = ${tx.tenantId}`
}

/** Whether the user is locked until the transaction ends. */
interface Use {
  readonly forUpdate?: boolean
}

async function findUser(tx: Transaction, email: string, { forUpdate = false }: Use = {}): Promise<UserRecord | null> {
  const name = email.trim().toLowerCase()
  const lock = forUpdate ? sql`for update of u` : sql``
  const [row] = await tx.query<UserRow>(sql`${selectUsers(tx)} and u.name = ${name} ${lock}`)
  return row === undefined ? null : toUser(row)
}

/** The user with an address, locked where requested. Throws `CommandError` where there is none. */
export async function requireUser(tx: Transaction, email: string, use: Use = {}): Promise<UserRecord> {
  const user = await findUser(tx, email, use)
  if (user === null) throw new CommandError('not_found', `There is no user ${email}. matricula user list shows them.`)
  return user
}

function toUser(row: UserRow): UserRecord {
  return {
    id: row.id,
    email: row.name,
    fullName: row.full_name,
    enabled: row.enabled === 1,
    userType: row.user_type,
    roles: row.roles,
    lastLogin: row.last_login,
    passwordChangedAt: row.password_changed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
