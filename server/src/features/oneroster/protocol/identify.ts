import type { Scope } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../../changes/index.ts'
import type { Database } from '../../../database/index.ts'
import { authenticateToken } from '../../../http/index.ts'
import type { Authenticator, SecretSeal } from '../../../identity/index.ts'
import type { Tenant, TenantAddresses } from '../../../tenancy/index.ts'
import { isAccessToken, readAccessToken } from './access-tokens.ts'
import { parseOAuthHeader } from './oauth-signature.ts'
import { OneRosterError } from './oneroster-error.ts'
import { findSigningToken } from './signed-caller.ts'

/** Who calls, with what this call may do. */
export interface RosterCaller {
  readonly caller: OperationCaller
  readonly rights: ReadonlySet<Scope>
  readonly opensNested: boolean
}

/** The services that identify a caller. */
export interface Identification {
  readonly authenticator: Authenticator
  readonly seal: SecretSeal
  readonly database: Database
  readonly publicUrl: string
}

/** The tenant of an address: by its slug, by the host, or null where only the key says. Throws `unknownobject`. */
export async function findAddressedTenant(
  addresses: TenantAddresses,
  request: FastifyRequest,
  slug: string | null,
): Promise<Tenant | null> {
  if (slug === null) return addresses.byHost(request.hostname)
  const tenant = await addresses.bySlug(slug)
  if (tenant !== null) return tenant
  throw new OneRosterError('unknownobject', `There is no institution ${slug} at this service.`)
}

const challenge = { 'www-authenticate': 'Bearer realm="matricula"' } as const

/**
 * The caller by the header Authorization: an access token, the token of a key itself, or a signature by OAuth 1.0a, which only
 * reads. Throws `unauthorisedrequest`, also for a
 * key of another institution than the address names.
 */
export async function identifyCaller(
  identification: Identification,
  request: FastifyRequest,
  addressed: Tenant | null,
): Promise<RosterCaller> {
  const { authenticator, seal, publicUrl } = identification
  const header = request.headers.authorization
  const signed = parseOAuthHeader(header)
  if (signed !== null) {
    const secret = await findSigningToken(identification, request, signed, publicUrl)
    const caller = await authenticateToken(authenticator, secret, request.ip)
    requireAddressed(caller, addressed)
    return {
      caller,
      rights: new Set([...caller.scopes].filter((right) => !right.endsWith(':write'))),
      opensNested: true,
    }
  }
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) {
    throw new OneRosterError('unauthorisedrequest', 'Send the header Authorization: Bearer <access token>.', challenge)
  }
  const grant = isAccessToken(token) ? readAccessToken(seal, token, Date.now()) : undefined
  if (grant === null) {
    const detail = 'The access token is not valid or has expired. Request another at /oauth2/token.'
    throw new OneRosterError('unauthorisedrequest', detail, challenge)
  }
  const caller = await authenticateToken(authenticator, grant?.secret ?? token, request.ip)
  requireAddressed(caller, addressed)
  if (grant === undefined) return { caller, rights: caller.scopes, opensNested: true }
  const rights = new Set(grant.rights.filter((right) => caller.scopes.has(right)))
  return { caller, rights, opensNested: grant.opensNested }
}

/** Throws `unauthorisedrequest` for a key of another institution than the address names. */
function requireAddressed({ tenant }: OperationCaller, addressed: Tenant | null): void {
  if (addressed === null || addressed.id === tenant.id) return
  throw new OneRosterError('unauthorisedrequest', 'This token is of another institution than the address.', challenge)
}
