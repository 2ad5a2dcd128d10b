import type { Domain, JsonObject, Scope } from '@matricula/contract'
import { Problem } from '../errors/index.ts'
import type { Tenant } from '../tenancy/index.ts'

/** Who makes a change, as the audit and the events name it. A `link` is whoever opened the public page of a record. */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'operator' | 'system' | 'link'
  readonly id: string | null
  readonly name: string
}

/** What a change is made with: who, for which tenant, in which request. */
export interface ChangeContext {
  readonly tenant: Pick<Tenant, 'id' | 'timeZone' | 'currency'>
  readonly actor: Actor
  readonly requestId: string | null
  readonly address: string | null
}

/** Somebody who is logged in, as the door of people found out. */
export interface Person {
  readonly userId: string
  /** The user's e-mail address in lower case, by which records name their owner. */
  readonly name: string
  readonly fullName: string
  readonly image: string | null
  /** The roles that were given. */
  readonly roles: readonly string[]
  readonly userType: 'System User' | 'Website User'
  /** After how many minutes without a request the session ends. */
  readonly idleMinutes: number
}

/** Who calls an operation, found out at the door that the call came to. */
export interface OperationCaller {
  readonly tenant: Tenant
  /** In whose name it is done. The quota and the kept answers are this one's too. */
  readonly actor: Actor & { readonly id: string }
  /** What it writes for: a domain whose system of record is the other one is closed to it. */
  readonly side: 'integration' | 'platform'
  readonly scopes: ReadonlySet<Scope>
  /** The domains that it may write at all. */
  readonly masterDomains: ReadonlySet<Domain>
  readonly requestsPerMinute: number
  /** Who it is, at a door for people. */
  readonly person?: Person
  /** Who owns the domains whose system of record is another system, by name; null where nobody is known by one. */
  readonly domainOwners?: Readonly<Record<Domain, string | null>>
}

/** What the verbs of a feature know of the request that called them. */
export interface RequestContext extends ChangeContext {
  readonly tenant: Tenant
  readonly caller: OperationCaller
  /** The value of If-Match (RFC 9110 §13.1.1), or null. */
  readonly ifMatch: string | null
  /** Fields of the body that cannot be written: taken when they equal the stored record's. */
  readonly readOnlyFields: Readonly<JsonObject>
}

/**
 * Refuses with `precondition_failed` when the request's If-Match names another version than the stored one. Without
 * If-Match it does nothing.
 */
export function requireMatch(context: Pick<RequestContext, 'ifMatch'>, entityTag: string | null): void {
  if (context.ifMatch === null) return
  if (entityTag !== null && matches(context.ifMatch, entityTag)) return
  if (entityTag !== null) throw changedProblem(entityTag)
  throw new Problem('precondition_failed', 'There is no such record yet. Leave If-Match out to make it.')
}

/** The problem `precondition_failed` of a record that is at another version than If-Match names. */
export function changedProblem(entityTag: string): Problem {
  const detail = `The record is at ${entityTag}. Read it again, apply your change to that, and send its ETag.`
  return new Problem('precondition_failed', detail, {}, { etag: entityTag })
}

/** Whether a list of entity tags (or `*`) names this one, by strong comparison (RFC 9110 §8.8.3.2). */
export function matches(condition: string, entityTag: string): boolean {
  return condition.trim() === '*' || condition.split(',').some((tag) => tag.trim() === entityTag)
}
