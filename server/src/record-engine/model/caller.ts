import type { Domain } from '@matricula/contract'
import type { Actor, ChangeContext, Person, RequestContext } from '../../changes/index.ts'
import { heldRoles } from '../../identity/users/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import type { ShownRecords } from '../lifecycle/shown-records.ts'

/** Who calls the Resource and Method API, for which tenant, in which request. */
export interface Caller extends ChangeContext {
  readonly tenant: Tenant
  readonly kind: 'key' | 'user' | 'guest'
  /** The name that records keep as their owner: the user's e-mail address, or that of a key. */
  readonly user: string
  readonly fullName: string
  readonly roles: ReadonlySet<string>
  readonly actor: Actor
  /** Who owns the domains that another system owns, by name; null where nobody is known by one. */
  readonly domainOwners?: Readonly<Record<Domain, string | null>>
  /** Takes the records that it is shown, where that is recorded as a disclosure. */
  readonly shown?: ShownRecords
}

/** Whether a caller may do everything inside its tenant. */
export function isManager(caller: Pick<Caller, 'roles'>): boolean {
  return caller.roles.has('System Manager') || caller.roles.has('Administrator')
}

/** Somebody who is logged in, as the engine of records knows callers. */
export function callerOfUser(
  tenant: Tenant,
  person: Person,
  { requestId, address }: Pick<ChangeContext, 'requestId' | 'address'>,
): Caller {
  return {
    tenant,
    kind: 'user',
    user: person.name,
    fullName: person.fullName,
    roles: heldRoles(person.roles, { isStaff: person.userType === 'System User' }),
    actor: { type: 'user', id: person.userId, name: person.name },
    requestId,
    address,
  }
}

/** Who calls an operation at the door of people, as the engine of records knows callers. */
export function getCaller(context: RequestContext): Caller {
  const { person } = context.caller
  if (person === undefined) throw new Error('nobody is logged in at this door')
  const { domainOwners } = context.caller
  return { ...callerOfUser(context.tenant, person, context), ...(domainOwners !== undefined && { domainOwners }) }
}
