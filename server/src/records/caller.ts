import type { Tenant } from '../platform/credentials.ts'
import type { Actor, ChangeContext } from '../platform/request-context.ts'

/** Who calls the Resource and Method API, for which tenant, in which request. */
export interface Caller extends ChangeContext {
  readonly tenant: Tenant
  readonly kind: 'key' | 'user' | 'guest'
  /** The name that records keep as their owner: the user's e-mail address, or that of a key. */
  readonly user: string
  readonly fullName: string
  readonly roles: ReadonlySet<string>
  readonly actor: Actor
}

/** Whether a caller may do everything inside its tenant. */
export function isManager(caller: Pick<Caller, 'roles'>): boolean {
  return caller.roles.has('System Manager') || caller.roles.has('Administrator')
}
