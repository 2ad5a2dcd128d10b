import type { RecordType, Right } from '@matricula/contract/record-types'
import { isRightTaken } from '../../tenancy/index.ts'
import { type Caller, isManager } from './caller.ts'
import { RecordError } from './record-error.ts'

/** Whether a caller may do something with the records of a type. Everybody who is not a guest has the role `All`. */
export function mayDo(caller: Caller, type: RecordType, right: Right): boolean {
  if (caller.kind === 'guest') return false
  if (isManager(caller)) return type.kind === 'submittable' || !['submit', 'cancel', 'amend'].includes(right)
  return grantingRoles(caller, type, right).length > 0
}

/** The roles of a caller that let it do something with records of a type, as far as its institution has left them that. */
export function grantingRoles({ roles, tenant }: Caller, type: RecordType, right: Right): string[] {
  return Object.entries(type.permissions)
    .filter(([role, rights]) => (role === 'All' || roles.has(role)) && rights.includes(right))
    .map(([role]) => role)
    .filter((role) => !isRightTaken(tenant.roleLimits, role, type.name, right))
}

const rights: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']

/** Everything that a caller may do with the records of a type. */
export function getRights(caller: Caller, type: RecordType): Right[] {
  return rights.filter((right) => mayDo(caller, type, right))
}

/** The roles of which each lets its holders do something with the records of a type. */
export function rolesWith({ permissions }: RecordType, right: Right): string[] {
  return Object.keys(permissions).filter((role) => permissions[role]?.includes(right))
}

/** Throws `PermissionError` unless the caller may do something with the records of a type. */
export function requireRight(caller: Caller, type: RecordType, right: Right): void {
  if (!mayDo(caller, type, right)) throw missingRight(type, right)
}

/** The refusal of somebody whose roles do not have a right. */
export function missingRight(type: RecordType, right: Right): RecordError {
  return new RecordError(
    'PermissionError',
    `Insufficient Permission for ${type.name} (${right}). Ask for a role that has it.`,
  )
}
