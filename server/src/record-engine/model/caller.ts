import type { Domain } from '@matricula/contract'
import type { Actor, ChangeContext, Person, RequestContext } from '../../changes/index.ts'
import { heldRoles } from '../../identity/users/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import type { ShownRecords } from '../lifecycle/rights/shown-records.ts'

/** Who calls the Resource and Method API, for which tenant, in which request. */
export interface Caller extends ChangeContext {
  readonly tenant: Tenant
  readonly kind: 'key' | 'user' | 'guest'
  /** The name that records get as their owner: the user's e-mail address, or that of a key. */
  readonly user: string
  readonly fullName: string
  readonly roles: ReadonlySet<string>
  readonly actor: Actor
  /** The systems that own domains of records, by domain; null for an owner without a name. */
  readonly domainOwners?: Readonly<Record<Domain, string | null>>
  /** Collects the records that the caller is shown, where disclosures are logged. */
  readonly shown?: ShownRecords
}

/** Whether a caller has every right in its tenant. */
export function isManager(caller: Pick<Caller, 'roles'>): boolean {
  return caller.roles.has('System Manager') || caller.roles.has('Administrator')
}

/** The caller of a logged-in user. */
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

/** The caller of an operation that authenticates people. */
export function getCaller(context: RequestContext): Caller {
  const { person } = context.caller
  if (person === undefined) throw new Error('nobody is logged in at this door')
  const { domainOwners } = context.caller
  return { ...callerOfUser(context.tenant, person, context), ...(domainOwners !== undefined && { domainOwners }) }
}
