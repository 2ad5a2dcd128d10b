import { call } from './http.ts'

/** Somebody who logs in. */
export interface StaffUser {
  readonly id: string
  readonly email: string
  readonly fullName: string
  readonly enabled: boolean
  readonly isStaff: boolean
  readonly roles: readonly string[]
  readonly hasPassword: boolean
  readonly lastLogIn: string | null
  readonly sessions: number
  readonly isLocked: boolean
}

const keyed = (key: string) => ({ 'idempotency-key': key })
const addressOfUser = (id: string) => `/console/v1/users/${id}`

/** Staff, or whoever has what is typed in the name or the address. Throws `CallError`, as all of these do. */
export async function staffUsers(q: string): Promise<StaffUser[]> {
  return (await call('GET', '/console/v1/users', { query: { q } })).body.data
}

/** The names of the roles that somebody can have. */
export async function roleNames(): Promise<string[]> {
  const { body } = await call('GET', '/console/v1/access-rules')
  return body.data.map(({ role }: { readonly role: string }) => role)
}

/** Invites somebody; a repeated key does so once. */
export async function inviteUser(
  key: string,
  user: { readonly email: string; readonly name: string; readonly roles: readonly string[] },
): Promise<StaffUser> {
  return (await call('POST', '/console/v1/users', { body: user, headers: keyed(key) })).body.data
}

/** Opens or closes a log-in. */
export async function setLogIn(id: string, enabled: boolean): Promise<void> {
  await call('PATCH', addressOfUser(id), { body: { enabled } })
}

/** Mails a link to set a password. */
export async function mailPasswordLink(id: string): Promise<void> {
  await call('POST', `${addressOfUser(id)}/password-link`, { body: {} })
}

/** Lets somebody log in again at once. */
export async function unlockUser(id: string): Promise<void> {
  await call('POST', `${addressOfUser(id)}/unlock`, { body: {} })
}

/** Ends all sessions of somebody. */
export async function endSessionsOf(id: string): Promise<void> {
  await call('POST', `${addressOfUser(id)}/end-sessions`, { body: {} })
}

/** A token of the Client API. */
export interface ApiToken {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly masterDomains: readonly string[]
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly secrets: readonly {
    readonly lastFour: string
    readonly expiresAt: string | null
    readonly lastUsedAt: string | null
  }[]
}

/** A token with its secret, which is in no other answer. */
export interface NewApiToken extends ApiToken {
  readonly secret: string
}

/** The tokens, with those that were revoked. */
export async function apiTokens(): Promise<ApiToken[]> {
  return (await call('GET', '/console/v1/tokens')).body.data
}

/** Makes a token. Whoever does not get the answer finds it in the list, and revokes it. */
export async function createToken(token: {
  readonly name: string
  readonly scopes: readonly string[]
  readonly masterDomains: readonly string[]
  readonly expiresInDays: number | null
}): Promise<NewApiToken> {
  return (await call('POST', '/console/v1/tokens', { body: token })).body.data
}

/** Gives a token a new secret; the former one stays valid for a day. */
export async function rotateToken(id: string): Promise<NewApiToken> {
  return (await call('POST', `/console/v1/tokens/${id}/rotate`, { body: { overlapHours: 24 } })).body.data
}

/** Revokes a token. */
export async function revokeToken(id: string): Promise<void> {
  await call('POST', `/console/v1/tokens/${id}/revoke`, { body: {} })
}

/** An address that events are delivered to. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  readonly status: 'enabled' | 'disabled'
  readonly lastSuccessAt: string | null
  readonly lastFailureAt: string | null
}

/** A delivery of an event. */
export interface Delivery {
  readonly id: string
  readonly type: string
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly attempts: readonly {
    readonly at: string
    readonly httpStatus: number | null
    readonly error: string | null
  }[]
  readonly createdAt: string
}

const hooks = '/console/v1/webhooks'

/** The webhooks. */
export async function webhooks(): Promise<Webhook[]> {
  return (await call('GET', hooks)).body.data
}

/** Makes a webhook, and gives its secret; a repeated key makes one. */
export async function createWebhook(
  key: string,
  hook: { readonly url: string; readonly types: readonly string[] },
): Promise<string> {
  return (await call('POST', hooks, { body: hook, headers: keyed(key) })).body.data.secret
}

/** Enables or disables a webhook. */
export async function enableWebhook(id: string, enabled: boolean): Promise<void> {
  await call('PATCH', `${hooks}/${id}`, { body: { enabled } })
}

/** Removes a webhook. */
export async function removeWebhook(id: string): Promise<void> {
  await call('DELETE', `${hooks}/${id}`)
}

/** Delivers a test; a repeated key does so once. */
export async function testWebhook(key: string, id: string): Promise<void> {
  await call('POST', `${hooks}/${id}/test`, { body: {}, headers: keyed(key) })
}

/** The last deliveries of a webhook. */
export async function deliveriesOf(id: string): Promise<Delivery[]> {
  return (await call('GET', `${hooks}/${id}/deliveries`, { query: { limit: 20 } })).body.data
}

/** Delivers again; a repeated key does so once. */
export async function redeliver(key: string, id: string, deliveryId: string): Promise<void> {
  await call('POST', `${hooks}/${id}/redeliveries`, { body: { deliveryId }, headers: keyed(key) })
}

/** Something that was done, or a record that was read. */
export interface AuditEntry {
  readonly id: string
  readonly occurredAt: string
  readonly actor: { readonly type: string; readonly name: string }
  /** What was done; of a read the operation. */
  readonly action?: string
  readonly operation?: string
  readonly entityType?: string
  readonly recordType?: string
  readonly entityId?: string | null
  readonly changed?: readonly string[]
  readonly surface?: string
  readonly fieldGroup?: string
  readonly ids?: readonly string[]
  readonly address: string | null
}

/** What is looked for in the audit. */
export interface AuditQuery {
  readonly of: 'audit' | 'disclosures'
  readonly action: string
  readonly entityType: string
  /** Id of one record; empty for all. */
  readonly entityId: string
  readonly since: string
  readonly until: string
}

/** A part of the audit, the newest first, and where it goes on; null at its end. */
export async function auditPart(
  { of, action, ...query }: AuditQuery,
  cursor: string | null,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }> {
  const asked = { ...query, ...(of === 'audit' && { action }), limit: 100, cursor: cursor ?? '' }
  const { body, headers } = await call('GET', `/console/v1/${of}`, { query: asked })
  return { entries: body.data, next: headers.get('next-cursor') }
}

/** How the service fares, as far as it is about this institution. */
export interface ServiceState {
  readonly mails: {
    readonly areSent: boolean
    readonly waiting: number
    readonly oldestDueAt: string | null
    readonly givenUp: number
  }
  readonly jobs: {
    readonly lastRunAt: string | null
    readonly failing: readonly { readonly job: string; readonly since: string; readonly code: string | null }[]
  }
  readonly backups: { readonly madeAt: string | null; readonly failingSince: string | null }
  readonly webhooks: { readonly enabled: number; readonly disabledByFailures: number }
  readonly readAt: string
}

/** How the service fares. */
export async function serviceState(): Promise<ServiceState> {
  return (await call('GET', '/console/v1/service-state')).body.data
}
