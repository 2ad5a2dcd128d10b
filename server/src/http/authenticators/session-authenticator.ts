import { domains, requestsPerMinute } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { findSession, isCsrfToken } from '../../identity/users/index.ts'
import type { TenantAddresses } from '../../tenancy/index.ts'
import { domainOwners, scopesOfRoles } from '../../tenancy/index.ts'
import type { CallerAuthenticator } from '../operations/mounting.ts'
import { comesFromOtherSite, isSafe } from './cross-site-requests.ts'

/**
 * Authenticates people by the session cookie of the Resource API. Every write needs the CSRF token of the session and
 * is rejected when the browser marks it as cross-site. The tenant is found by the slug in the path, else by the host
 * name. Throws `route_not_found` for an unknown tenant, `authentication_required` and `csrf_token_invalid`.
 */
export function sessionAuthenticator(
  database: Database,
  addresses: TenantAddresses,
  publicUrl: string,
): CallerAuthenticator {
  return async (request): Promise<OperationCaller> => {
    const { slug } = request.params as { readonly slug?: string }
    const tenant = await (slug === undefined ? addresses.byHost(request.hostname) : addresses.bySlug(slug))
    if (tenant === null) throw new Problem('route_not_found', 'There is no institution at this address.')
    const secret = sessionSecret(request)
    const session =
      secret === null
        ? null
        : await findSession(database, tenant.id, secret, { isUserActivity: isUserActivity(request) })
    if (session === null) {
      const ended = 'Your session has ended. Log in again.'
      throw new Problem('authentication_required', secret === null ? 'Log in to the institution first.' : ended)
    }
    const isRead = isSafe(request)
    if (!isRead && comesFromOtherSite(request, { publicUrl })) {
      throw new Problem('csrf_token_invalid', 'A page of another site cannot write with this session.')
    }
    if (!isRead && !isCsrfToken(session, request.headers['x-frappe-csrf-token'])) {
      const detail = 'Send the token of the session in X-Frappe-CSRF-Token; frappe.sessions.get_csrf_token returns it.'
      throw new Problem('csrf_token_invalid', detail)
    }
    return {
      tenant,
      actor: { type: 'user', id: session.userId, name: session.name },
      side: 'platform',
      scopes: scopesOfRoles(tenant.roleLimits ?? {}, session.roles),
      masterDomains: everyDomain,
      requestsPerMinute: requestsPerMinute.default,
      person: session,
      ...(!isRead && { domainOwners: await domainOwners(database, tenant) }),
    }
  }
}

/** The write domains of people are limited by their scopes and by the system of record, not by the session. */
const everyDomain = new Set(domains)

/**
 * The secret of the session cookie, or null. Throws `authentication_required` for tokens and API keys, also beside a
 * session.
 */
function sessionSecret({ headers }: FastifyRequest): string | null {
  if (/^(?:bearer|token) /i.test(headers.authorization ?? '')) {
    const detail =
      'Tokens and keys are not accepted here: people log in. Programs use /v1 with a token, or /api with a key.'
    throw new Problem('authentication_required', detail)
  }
  const [, secret] = /(?:^|;)\s*sid=([\w-]+)/.exec(headers.cookie ?? '') ?? []
  return secret === undefined || secret === 'Guest' ? null : secret
}

/**
 * Whether a request is user activity, which extends the session. A feed or a page that polls marks its requests with
 * `X-By-Itself` and does not keep anybody logged in.
 */
export function isUserActivity({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation?.shape !== 'feed' && headers['x-by-itself'] === undefined
}
