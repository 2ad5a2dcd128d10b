import type { RecordType, Right } from '@matricula/contract/record-types'
import { isRightTaken } from '../../tenancy/index.ts'
import { type Caller, isManager } from './caller.ts'
import { RecordError } from './record-error.ts'

/** Whether a caller has a right to records of a type. Everybody who is not a guest has the role `All`. */
export function mayDo(caller: Caller, type: RecordType, right: Right): boolean {
  if (caller.kind === 'guest') return false
  if (isManager(caller)) return type.kind === 'submittable' || !['submit', 'cancel', 'amend'].includes(right)
  return grantingRoles(caller, type, right).length > 0
}

/** The roles of a caller that grant a right to records of a type, minus what its institution has restricted. */
export function grantingRoles({ roles, tenant }: Caller, type: RecordType, right: Right): string[] {
  return Object.entries(type.permissions)
    .filter(([role, rights]) => (role === 'All' || roles.has(role)) && rights.includes(right))
    .map(([role]) => role)
    .filter((role) => !isRightTaken(tenant.roleLimits, role, type.name, right))
}

const rights: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']

/** The rights of a caller to records of a type. */
export function getRights(caller: Caller, type: RecordType): Right[] {
  return rights.filter((right) => mayDo(caller, type, right))
}

/** The roles that grant a right to records of a type. */
export function rolesWith({ permissions }: RecordType, right: Right): string[] {
  return Object.keys(permissions).filter((role) => permissions[role]?.includes(right))
}

/** Throws `PermissionError` unless the caller has a right to records of a type. */
export function requireRight(caller: Caller, type: RecordType, right: Right): void {
  if (!mayDo(caller, type, right)) throw missingRight(type, right)
}

/** The error for a caller whose roles do not grant a right. */
export function missingRight(type: RecordType, right: Right): RecordError {
  return new RecordError(
    'PermissionError',
    `Insufficient Permission for ${type.name} (${right}). Ask for a role that has it.`,
  )
}
