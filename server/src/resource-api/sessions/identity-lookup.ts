import type { FastifyRequest } from 'fastify'
import { isUserActivity } from '../../http/index.ts'
import type { Authentication } from '../../identity/index.ts'
import { automaticRoles, findSession, heldRoles, type LoggedIn, systemManager } from '../../identity/users/index.ts'
import { type Caller, callerOfUser, hasOnlyPersonalRoles, RecordError } from '../../record-engine/index.ts'
import type { Credentials, Tenant } from '../../tenancy/index.ts'
import { domainOwners } from '../../tenancy/index.ts'
import type { Identification, ProtocolPlatform } from '../protocol/call.ts'

/**
 * Authenticates the caller by the Authorization header, else by the session's secret. A key identifies its tenant; at
 * the address of another one it is rejected like an unknown key. Throws `AuthenticationError` for a bad credential,
 * `InvalidAuthorizationToken` for a malformed one, and `TooManyRequestsError` after too many bad ones.
 */
export async function identify(
  platform: ProtocolPlatform,
  request: FastifyRequest,
  tenant: Tenant | null,
  sessionSecret: string | null,
): Promise<Identification> {
  const credentials = await findCredentials(platform, request)
  if (credentials === null) return identifySession(platform, request, tenant, sessionSecret)
  const { id: requestId, ip: address } = request
  if (tenant !== null && tenant.id !== credentials.tenant.id) throw badKey()
  // The role restrictions of an institution are loaded with its address.
  const { roleLimits } = tenant ?? (await platform.addresses.bySlug(credentials.tenant.slug)) ?? {}
  const holder = getHolder(credentials, roleLimits)
  const caller = { ...holder, requestId, address }
  return { tenant: holder.tenant, caller, session: null, credentials, isExpired: false }
}

/**
 * What the key of an Authorization header opens; null without one. Throws as `identify` does. Asked again within a second it costs no
 * statement.
 */
export async function findCredentials(
  { authenticator }: Pick<ProtocolPlatform, 'authenticator'>,
  request: FastifyRequest,
): Promise<Credentials | null> {
  const key = findKey(request.headers.authorization)
  if (key === null) return null
  const credentials = requireCredentials(await authenticator.authenticate(key.secret, request.ip))
  if (key.id !== null && key.id !== credentials.apiKeyId) throw badKey()
  return credentials
}

/** Whoever holds a key, whichever request it comes with. */
type Holder = Omit<Caller, 'requestId' | 'address'>

/** Cache of callers by verified credentials. */
const holders = new WeakMap<Credentials, Holder>()

function getHolder(credentials: Credentials, roleLimits: Tenant['roleLimits']): Holder {
  const known = holders.get(credentials)
  if (known !== undefined && known.tenant.roleLimits === roleLimits) return known
  const { apiKeyId, apiKeyName, roles } = credentials
  const tenant = roleLimits === undefined ? credentials.tenant : { ...credentials.tenant, roleLimits }
  const user = roles.includes(systemManager) ? 'Administrator' : apiKeyName
  const isStaff = !hasOnlyPersonalRoles({ kind: 'key', roles: new Set(roles) })
  const holder: Holder = {
    tenant,
    kind: 'key',
    user,
    fullName: user,
    roles: heldRoles(roles, { isStaff }),
    actor: { type: 'api_key', id: apiKeyId, name: apiKeyName },
  }
  holders.set(credentials, holder)
  return holder
}

/** Authenticates by a session's secret; without one, or with an expired one, the caller is a guest. */
export async function identifySession(
  platform: Pick<ProtocolPlatform, 'database'>,
  request: FastifyRequest,
  tenant: Tenant | null,
  secret: string | null,
): Promise<Identification> {
  const isNamed = secret !== null && secret !== '' && secret !== guestName
  const session =
    isNamed && tenant !== null
      ? await findSession(platform.database, tenant.id, secret, { isUserActivity: isUserActivity(request) })
      : null
  const caller =
    tenant && (session === null ? getGuest(tenant, request) : await someone(platform, tenant, session, request))
  return { tenant, caller, session, credentials: null, isExpired: isNamed && session === null }
}

/** The user name of unauthenticated callers in Frappe. */
export const guestName = 'Guest'

interface SentKey {
  /** The id of the key, where the scheme has one. */
  readonly id: string | null
  readonly secret: string
}

/**
 * The key of an Authorization header: bare, `token <id>:<key>`, `Basic` of the same pair, or `Bearer <key>`. Null
 * without a header, or with one of more than two words, which upstream ignores too.
 */
function findKey(header: string | undefined): SentKey | null {
  const headerParts = (header ?? '').trim().split(/\s+/)
  const [first, second] = headerParts as [string, string | undefined]
  if (first === '' || headerParts.length > 2) return null
  if (second === undefined) return { id: null, secret: first }
  switch (first.toLowerCase()) {
    case 'bearer':
      return { id: null, secret: second }
    case 'token':
      return getPair(second)
    case 'basic':
      return getPair(decodeBasic(second))
    default:
      throw new RecordError(
        'AuthenticationError',
        'This form of Authorization is not known. Send the key alone, or after token, Basic or Bearer.',
      )
  }
}

function getPair(text: string): SentKey {
  const colon = text.indexOf(':')
  if (colon < 0) {
    throw new RecordError(
      'AuthenticationError',
      'After token and Basic goes <id>:<key>, with a colon. A key alone goes after Bearer, or with no word before it.',
    )
  }
  return { id: text.slice(0, colon).toLowerCase(), secret: text.slice(colon + 1) }
}

function decodeBasic(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = /^[\w+/-]+={0,2}$/.test(text) && bytes.length > 0
  if (isBase64) return bytes.toString('utf8')
  throw new RecordError('InvalidAuthorizationToken', 'What follows Basic must be base64 of <id>:<key> (RFC 7617).')
}

function badKey(): RecordError {
  return new RecordError(
    'AuthenticationError',
    'This key is not valid here. Check that it was copied whole, begins with mtr_, and belongs to this address.',
  )
}

function requireCredentials(authentication: Authentication): Credentials {
  if ('credentials' in authentication && authentication.credentials.kind === 'resource') {
    return authentication.credentials
  }
  if ('retryAfterSeconds' in authentication) {
    const seconds = String(authentication.retryAfterSeconds)
    throw new RecordError('TooManyRequestsError', `Too many bad keys came from this address. Wait ${seconds} s.`, {
      headers: { 'retry-after': seconds },
    })
  }
  if ('credentials' in authentication) {
    throw new RecordError(
      'AuthenticationError',
      'This is a token of the Client API: use it under /v1. Here a key is needed, which begins with mtr_.',
    )
  }
  if ('failure' in authentication && authentication.failure !== 'invalid_token') {
    const state = authentication.failure === 'token_expired' ? 'has expired' : 'was revoked'
    throw new RecordError('AuthenticationError', `This key ${state}. Ask the institution for a new one.`)
  }
  throw badKey()
}

/** The caller of a logged-in user; for a write with the owners of domains that other systems own. */
async function someone(
  { database }: Pick<ProtocolPlatform, 'database'>,
  tenant: Tenant,
  session: LoggedIn,
  request: FastifyRequest,
): Promise<Caller> {
  const caller = callerOfUser(tenant, session, { requestId: request.id, address: request.ip })
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead ? caller : { ...caller, domainOwners: await domainOwners(database, tenant) }
}

function getGuest(tenant: Tenant, request: FastifyRequest): Caller {
  return {
    tenant,
    kind: 'guest',
    user: guestName,
    fullName: guestName,
    roles: new Set([automaticRoles.everybody]),
    actor: { type: 'system', id: null, name: guestName },
    requestId: request.id,
    address: request.ip,
  }
}
