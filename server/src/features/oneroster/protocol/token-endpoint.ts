import {
  findOneRosterGrant,
  oneRosterRights,
  oneRosterScopePrefix,
  oneRosterScopes,
  type Scope,
} from '@matricula/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../../changes/index.ts'
import { Problem } from '../../../errors/index.ts'
import { authenticateToken } from '../../../http/index.ts'
import type { Tenant } from '../../../tenancy/index.ts'
import { issueAccessToken, tokenSeconds } from './access-tokens.ts'
import type { Identification } from './identify.ts'

/** An error of the token endpoint (RFC 6749 §5.2). */
class TokenError extends Error {
  readonly code:
    | 'invalid_request'
    | 'invalid_client'
    | 'unsupported_grant_type'
    | 'invalid_scope'
    | 'unauthorized_client'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: TokenError['code'], description: string, status = 400, headers: Record<string, string> = {}) {
    super(description)
    this.code = code
    this.status = status
    this.headers = headers
  }
}

/**
 * Responds to a request for an access token by client credentials (RFC 6749 §4.4): the client id is the id of an API key, the
 * secret its token. They come in Basic, url-encoded or raw, or in the form; the rest in the form or in the query.
 */
export async function sendAccessToken(
  identification: Identification,
  request: FastifyRequest,
  reply: FastifyReply,
  addressed: Tenant | null,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
  try {
    return reply.send(await grantToken(identification, request, addressed))
  } catch (error) {
    const refusedBy = error instanceof Problem ? asTokenError(error) : error
    if (!(refusedBy instanceof TokenError)) throw error
    request.problemCode = refusedBy.code
    return reply
      .code(refusedBy.status)
      .headers(refusedBy.headers)
      .send({ error: refusedBy.code, error_description: refusedBy.message })
  }
}

async function grantToken({ authenticator, seal }: Identification, request: FastifyRequest, addressed: Tenant | null) {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
  if (query.has('client_secret')) {
    throw new TokenError('invalid_request', 'Send the secret in the header or in the form, never in the address.')
  }
  const { id, secret } = findClient(request, form)
  const grantType = form.get('grant_type') ?? query.get('grant_type')
  if (grantType !== null && grantType !== 'client_credentials') {
    throw new TokenError('unsupported_grant_type', 'The grant type is client_credentials.')
  }
  if (grantType === null && form.size > 0)
    throw new TokenError('invalid_request', 'Send grant_type=client_credentials.')
  const caller = await authenticateToken(authenticator, secret, request.ip)
  if (caller.actor.id !== id || (addressed !== null && addressed.id !== caller.tenant.id)) throw unknownClient()
  if (caller.tenant.status !== 'active') {
    throw new TokenError('unauthorized_client', 'The institution is suspended. Ask the operator to activate it.')
  }
  const { scope, rights, opensNested } = chooseScopes(caller, form.get('scope') ?? query.get('scope'))
  const accessToken = issueAccessToken(seal, { secret, rights, opensNested }, Date.now())
  return { access_token: accessToken, token_type: 'bearer', expires_in: tokenSeconds, scope }
}

function unknownClient(): TokenError {
  const detail = 'The client id and secret are not those of an API key of this institution.'
  return new TokenError('invalid_client', detail, 401, { 'www-authenticate': 'Basic realm="matricula"' })
}

function asTokenError(problem: Problem): TokenError | Problem {
  if (problem.code !== 'authentication_throttled') return problem.status === 401 ? unknownClient() : problem
  return new TokenError('invalid_client', problem.message, 429, { ...problem.headers })
}

function findClient(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const basic = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon > 0) return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) }
  }
  const [id, secret] = [form.get('client_id'), form.get('client_secret')]
  if (id !== null && secret !== null) return { id, secret }
  throw unknownClient()
}

/** A value of Basic as RFC 6749 §2.3.1 encodes it; a raw one is as it is, since ids and tokens have no signs of an encoding. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).trim()
  } catch {
    return text
  }
}

/** The scopes that are granted of those asked for, as they were written; without any, all that the key has. */
function chooseScopes({ scopes }: OperationCaller, asked: string | null) {
  const isGranted = (right: Scope | null) =>
    right === null ? oneRosterRights.some((each) => scopes.has(each)) : scopes.has(right)
  const wanted = (asked ?? '').split(/\s+/).filter((scope) => scope !== '')
  const named =
    wanted.length > 0 ? wanted : Object.keys(oneRosterScopes).map((name) => `${oneRosterScopePrefix}${name}`)
  const granted = [...new Set(named)].filter((scope) => {
    const grant = findOneRosterGrant(scope)
    return grant !== null && isGranted(grant.right)
  })
  if (granted.length === 0) {
    const detail = 'The key has none of these scopes. Create one with roster:read, gradebook:read and the like.'
    throw new TokenError('invalid_scope', detail)
  }
  const grants = granted.map(findOneRosterGrant)
  return {
    scope: granted.join(' '),
    rights: [...new Set(grants.flatMap((grant) => grant?.right ?? []))],
    opensNested: grants.some((grant) => grant?.right === 'roster:read' && grant.opensNested),
  }
}
