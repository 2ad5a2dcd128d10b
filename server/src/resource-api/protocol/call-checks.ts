import { requestsPerMinute } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { Quota, RateLimiter } from '../../concurrency/index.ts'
import { isCsrfToken, type LoggedIn } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { Identification } from './call.ts'

/**
 * Rate limit: takes one request from the quota of the key, or from the default quota of the user; guests have none.
 * Throws `TooManyRequestsError` when it is exhausted.
 */
export async function requireQuota(
  rateLimiter: RateLimiter,
  { tenant, session, credentials }: Identification,
  tell: (quota: Quota) => void,
): Promise<void> {
  const id = credentials?.apiKeyId ?? session?.userId
  if (tenant === null || id === undefined) return
  const quota = await rateLimiter.take(tenant.id, id, credentials?.requestsPerMinute ?? requestsPerMinute.default)
  tell(quota)
  if (quota.allowed) return
  const text = `The quota of ${quota.limit} requests per minute is used up. Wait ${quota.resetSeconds} s.`
  throw new RecordError('TooManyRequestsError', text, { headers: { 'retry-after': String(quota.resetSeconds) } })
}

/**
 * Throws `CSRFTokenError` for a write of a session that has a CSRF token, unless it is sent in the header
 * `X-Frappe-CSRF-Token` or the argument `csrf_token`. API keys need none, since no browser adds them by itself.
 */
export function requireCsrfToken(request: FastifyRequest, session: LoggedIn | null, argument: unknown): void {
  if (session === null || !session.needsCsrfToken) return
  if (!['POST', 'PUT', 'DELETE', 'PATCH'].includes(request.method)) return
  if (isCsrfToken(session, request.headers['x-frappe-csrf-token'] ?? argument)) return
  throw new RecordError('CSRFTokenError', 'Invalid Request')
}
