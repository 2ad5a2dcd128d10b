import type { FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import { Problem } from '../../errors/index.ts'
import type { Authentication, Authenticator } from '../../identity/index.ts'
import type { CallerAuthenticator } from '../operations/mounting.ts'

/**
 * Authenticates integrations: `Authorization: Bearer` with a token of the Client API (RFC 6750). Throws
 * `authentication_required`, `invalid_token`, `token_expired`, `token_revoked` and `authentication_throttled`.
 */
export function tokenAuthenticator(authenticator: Authenticator): CallerAuthenticator {
  return (request) => authenticateToken(authenticator, bearerToken(request), request.ip)
}

/**
 * The integration that a token of the Client API belongs to, at once where the token is cached. Throws `invalid_token`,
 * `token_expired`, `token_revoked` and `authentication_throttled`.
 */
export function authenticateToken(
  authenticator: Authenticator,
  token: string,
  address: string,
): OperationCaller | Promise<OperationCaller> {
  const authentication = authenticator.authenticate(token, address)
  return authentication instanceof Promise ? authentication.then(requireCaller) : requireCaller(authentication)
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  const token = header === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1]
  if (token !== undefined) return token
  const detail = 'Send the header Authorization: Bearer <token>.'
  throw new Problem('authentication_required', detail, {}, { 'www-authenticate': 'Bearer realm="matricula"' })
}

const failureDetails = {
  invalid_token: 'This token is not valid here. Check that it was copied whole and begins with mtc_.',
  token_expired: 'This token has expired. Ask the institution for a new one.',
  token_revoked: 'This token was revoked. Ask the institution for a new one.',
} as const

const resourceApiKeyDetail =
  'This is a key of the Resource and Method API: use it under /api. Here send a token, which begins with mtc_.'

function requireCaller(authentication: Authentication): OperationCaller {
  if ('credentials' in authentication && authentication.credentials.kind === 'client') {
    const { tenant, apiKeyId, apiKeyName, scopes, masterDomains, requestsPerMinute } = authentication.credentials
    const actor = { type: 'api_key', id: apiKeyId, name: apiKeyName } as const
    return { tenant, actor, side: 'integration', scopes, masterDomains, requestsPerMinute }
  }
  if ('retryAfterSeconds' in authentication) {
    const seconds = String(authentication.retryAfterSeconds)
    const detail = `Too many invalid tokens came from this address. Wait ${seconds} s.`
    throw new Problem('authentication_throttled', detail, {}, { 'retry-after': seconds })
  }
  const failure = 'failure' in authentication ? authentication.failure : 'invalid_token'
  // A valid API key of the other surface: its owner may be told so.
  const detail = 'credentials' in authentication ? resourceApiKeyDetail : failureDetails[failure]
  const challenge = `Bearer realm="matricula", error="invalid_token", error_description="${detail}"`
  throw new Problem(failure, detail, {}, { 'www-authenticate': challenge })
}
