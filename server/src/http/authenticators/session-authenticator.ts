import { domains, requestsPerMinute } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { findSession, isCsrfToken } from '../../identity/users/index.ts'
import type { TenantAddresses } from '../../tenancy/index.ts'
import { domainOwners, scopesOfRoles } from '../../tenancy/index.ts'
import type { Door } from '../operations/mounting.ts'
import { comesFromOtherSite, isSafe } from './cross-site-requests.ts'

/**
 * The door of people: the session of the Resource API by its cookie, and its token against forged requests with every write, which
 * is refused where a browser marks it as coming from another site. The
 * institution is that of the address: by its slug, else by its host name. Throws `route_not_found` where there is none,
 * `authentication_required` and `csrf_token_invalid`.
 */
export function sessionAuthenticator(database: Database, addresses: TenantAddresses, publicUrl: string): Door {
  return async (request): Promise<OperationCaller> => {
    const { slug } = request.params as { readonly slug?: string }
    const tenant = await (slug === undefined ? addresses.byHost(request.hostname) : addresses.bySlug(slug))
    if (tenant === null) throw new Problem('route_not_found', 'There is no institution at this address.')
    const secret = sessionSecret(request)
    const session =
      secret === null ? null : await findSession(database, tenant.id, secret, { isDoing: isDoing(request) })
    if (session === null) {
      const ended = 'Your session has ended. Log in again.'
      throw new Problem('authentication_required', secret === null ? 'Log in to the institution first.' : ended)
    }
    const isRead = isSafe(request)
    if (!isRead && comesFromOtherSite(request, { publicUrl })) {
      throw new Problem('csrf_token_invalid', 'Another site cannot write in the name of its visitors.')
    }
    if (!isRead && !isCsrfToken(session, request.headers['x-frappe-csrf-token'])) {
      const detail = 'Send the token of the session in X-Frappe-CSRF-Token; frappe.sessions.get_csrf_token tells it.'
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

/** What somebody may write is decided by scopes and by who owns a domain. */
const everyDomain = new Set(domains)

/** The secret of the session's cookie, or null. Tokens and keys of programs are refused, also beside a session. */
function sessionSecret({ headers }: FastifyRequest): string | null {
  if (/^(?:bearer|token) /i.test(headers.authorization ?? '')) {
    const detail =
      'Tokens and keys are not taken here: people log in. Programs use /v1 with a token, or /api with a key.'
    throw new Problem('authentication_required', detail)
  }
  const [, secret] = /(?:^|;)\s*sid=([\w-]+)/.exec(headers.cookie ?? '') ?? []
  return secret === undefined || secret === 'Guest' ? null : secret
}

/** Whether a request is somebody's doing: a page that follows what happens, or asks again by itself, says so and keeps nobody logged in. */
export function isDoing({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation?.shape !== 'feed' && headers['x-by-itself'] === undefined
}
