import { isDomainWrite, type Method, type Operation, type Scope } from '@matricula/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Transaction } from '../database/index.ts'
import type { Authentication, Authenticator } from '../platform/authentication.ts'
import type { Credentials } from '../platform/credentials.ts'
import { findKept, once, parseIdempotencyKey, type StoredAnswer } from '../platform/idempotency.ts'
import type { Page } from '../platform/lists.ts'
import { workShared } from '../platform/locks.ts'
import { Problem } from '../platform/problem.ts'
import type { Quota, RateLimiter } from '../platform/rate-limit.ts'
import type { Versioned } from '../platform/reading.ts'
import { matches, type RequestContext } from '../platform/request-context.ts'
import type { SyncWatermark } from '../platform/sync-watermark.ts'
import type { OperationRequest, PlainHandler, Route, Write } from './implement.ts'
import { jsonOfRows } from './json-rows.ts'
import { sendPaced, sendText } from './paced-answer.ts'
import { pageLinks } from './page-links.ts'
import { problemBody } from './problem-answer.ts'
import { RequestUse } from './request-use.ts'
import type { TenantShares } from './tenant-shares.ts'
import { type ValidParts, validatorOf } from './validation.ts'

/** What the way of a request needs of the service. */
export interface Platform {
  readonly database: Database
  readonly authenticator: Authenticator
  readonly rateLimiter: RateLimiter
  readonly shares: TenantShares
  readonly watermark: SyncWatermark
  readonly publicUrl: string
}

declare module 'fastify' {
  interface FastifyRequest {
    credentials: Credentials | null
    idempotencyKey: string | null
  }
  interface FastifyContextConfig {
    operationId?: string
    operation?: Operation
  }
}

const prefix = '/v1'

/**
 * Mounts operations. A request passes, in this order and answered by the first check that it fails: authentication,
 * quota, tenant active, scope, modules, write domain, Idempotency-Key; then its body is read and parsed; then path, query and
 * body are validated, the handler runs (for writes in one transaction with audit, event and kept answer), and the answer
 * is put into its envelope.
 */
export function mountOperations(app: FastifyInstance, routes: readonly Route[], platform: Platform): void {
  app.decorateRequest('credentials', null)
  app.decorateRequest('idempotencyKey', null)
  for (const route of routes) {
    const { id, operation } = route
    app.route({
      method: operation.method as Method,
      url: prefix + operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operationId: id, operation },
      onRequest: admit(operation, platform),
      handler: answer(route, platform),
    })
  }
}

/** The checks that need nothing but the headers. */
function admit(operation: Operation, platform: Platform) {
  const check = (request: FastifyRequest, reply: FastifyReply, credentials: Credentials, quota: Quota) => {
    request.credentials = credentials
    setQuotaHeaders(reply, quota)
    requireActiveTenant(credentials)
    requireQuota(quota)
    requireScope(credentials, operation.scope)
    requireModules(credentials, operation)
    requireDomain(credentials, operation)
    if (operation.idempotency === 'required') {
      request.idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key'])
    }
  }
  const admitSlowly = async (
    request: FastifyRequest,
    reply: FastifyReply,
    authentication: Authentication | Promise<Authentication>,
  ) => {
    const credentials = requireCredentials(await authentication)
    const { tenant, apiKeyId, requestsPerMinute } = credentials
    const quota = await platform.rateLimiter.take(tenant.id, apiKeyId, requestsPerMinute)
    check(request, reply, credentials, quota)
  }
  // A known token with a lease in hand passes without a single promise.
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    try {
      const authentication = platform.authenticator.authenticate(bearerToken(request), request.ip)
      if (!(authentication instanceof Promise)) {
        const credentials = requireCredentials(authentication)
        const { tenant, apiKeyId, requestsPerMinute } = credentials
        const quota = platform.rateLimiter.take(tenant.id, apiKeyId, requestsPerMinute)
        if (!(quota instanceof Promise)) {
          check(request, reply, credentials, quota)
          return done()
        }
        quota.then((taken) => check(request, reply, credentials, taken)).then(() => done(), done)
        return
      }
      admitSlowly(request, reply, authentication).then(() => done(), done)
    } catch (error) {
      done(error as Error)
    }
  }
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

function requireCredentials(authentication: Authentication): Credentials {
  if ('credentials' in authentication && authentication.credentials.kind === 'client') return authentication.credentials
  if ('retryAfterSeconds' in authentication) {
    const seconds = String(authentication.retryAfterSeconds)
    const detail = `Too many invalid tokens came from this address. Wait ${seconds} s.`
    throw new Problem('authentication_throttled', detail, {}, { 'retry-after': seconds })
  }
  const failure = 'failure' in authentication ? authentication.failure : 'invalid_token'
  const detail = failureDetails[failure]
  const challenge = `Bearer realm="matricula", error="invalid_token", error_description="${detail}"`
  throw new Problem(failure, detail, {}, { 'www-authenticate': challenge })
}

function requireActiveTenant({ tenant }: Credentials): void {
  if (tenant.status === 'active') return
  throw new Problem('tenant_suspended', `The tenant ${tenant.slug} is suspended.`)
}

/** Tells what is left of a quota (RateLimit headers, IETF draft), and the same under today's names. */
export function setQuotaHeaders(reply: FastifyReply, quota: Quota): void {
  reply.header('ratelimit-policy', `"default";q=${quota.limit};w=60`)
  reply.header('ratelimit', `"default";r=${quota.remaining};t=${quota.resetSeconds}`)
  reply.header('x-ratelimit-limit', quota.limit)
  reply.header('x-ratelimit-remaining', quota.remaining)
  reply.header('x-ratelimit-reset', quota.resetSeconds)
}

function requireQuota(quota: Quota): void {
  if (quota.allowed) return
  const detail = `The quota of ${quota.limit} requests per minute is used up. Wait ${quota.resetSeconds} s.`
  throw new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': String(quota.resetSeconds) })
}

function requireScope({ scopes }: Credentials, scope: Scope | null): void {
  if (scope === null || scopes.has(scope)) return
  throw new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
    requiredScope: scope,
    grantedScopes: [...scopes],
  })
}

function requireModules({ tenant }: Credentials, operation: Operation): void {
  const missingModules = operation.modules.filter((module) => !tenant.enabledModules.includes(module))
  if (missingModules.length === 0) return
  const detail = `The tenant has not enabled ${missingModules.join(', ')}.`
  throw new Problem('module_not_enabled', detail, { missingModules })
}

function requireDomain({ tenant, masterDomains }: Credentials, operation: Operation): void {
  const { domain } = operation
  if (domain === null || !isDomainWrite(operation)) return
  if (!masterDomains.has(domain)) {
    const detail = `This token may not write the domain ${domain}.`
    throw new Problem('domain_not_granted', detail, { domain, masterDomains: [...masterDomains] })
  }
  const systemOfRecord = tenant.systemOfRecord[domain]
  if (systemOfRecord === 'platform') {
    const detail = `The domain ${domain} is owned by the institution’s own console.`
    throw new Problem('system_of_record_elsewhere', detail, { domain, systemOfRecord })
  }
}

/** Validates what came and answers it. */
function answer(route: Route, platform: Platform) {
  const { operation } = route
  const validate = validatorOf(operation)
  const send = operation.method !== 'GET' ? write : operation.shape === 'record' ? readRecord : readList
  return (request: FastifyRequest, reply: FastifyReply) => {
    if (operation.body !== undefined && request.body === undefined && operation.bodyRequired !== false) {
      throw new Problem('malformed_json', 'This operation needs a body: one JSON object.')
    }
    const valid = validate({
      params: request.params as Record<string, string>,
      query: request.query as Record<string, unknown>,
      body: request.body,
    })
    const operationRequest = {
      context: contextOf(request, valid),
      params: valid.params,
      query: valid.query,
      body: valid.body,
    } as unknown as OperationRequest
    const database = platform.database.for(new RequestUse(reply))
    const { tenant } = operationRequest.context
    return platform.shares.run(tenant.id, () =>
      send(route, { ...platform, database }, operationRequest, request, reply),
    )
  }
}

type Send = (
  route: Route,
  platform: Platform,
  operationRequest: OperationRequest,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

function read({ handler }: Route, { database }: Platform, request: OperationRequest): Promise<unknown> {
  return (handler as PlainHandler)(database, request)
}

const readRecord: Send = async (route, platform, operationRequest, request, reply) => {
  const { record, entityTag } = (await read(route, platform, operationRequest)) as Versioned<unknown>
  if (entityTag !== null) {
    reply.header('etag', entityTag)
    const condition = request.headers['if-none-match']
    if (condition !== undefined && matches(condition.replace(/W\//g, ''), entityTag)) return reply.code(304).send()
  }
  return sendJson(reply, 200, JSON.stringify({ data: record }))
}

const readList: Send = async (route, platform, operationRequest, request, reply) => {
  if (route.operation.shape === 'list') {
    const records = (await read(route, platform, operationRequest)) as unknown[]
    const total = records.length
    const pagination = { page: 1, limit: Math.max(1, total), total, totalPages: total === 0 ? 0 : 1 }
    return sendJson(reply, 200, JSON.stringify({ data: records, pagination }))
  }
  reply.header('sync-watermark', await platform.watermark.current())
  const { records, page, limit, total, nextCursor } = (await read(route, platform, operationRequest)) as Page<unknown>
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) }
  const link = pageLinks(platform.publicUrl, request.url, pagination, nextCursor)
  if (link !== '') reply.header('link', link)
  if (nextCursor !== null) reply.header('next-cursor', nextCursor)
  const bodyOf = (data: unknown) => ({ data, pagination })
  if (Array.isArray(records)) return sendJson(reply, 200, JSON.stringify(bodyOf(records)))
  return sendPaced(reply.header('content-type', jsonMediaType), jsonOfRows(bodyOf, records))
}

/**
 * What the write does in its transaction, with everything foreign done before it. What the preparation refuses is thrown in
 * the transaction too, so that it is kept for the key as any other refusal.
 */
async function writeOf({ handler }: Route, { database }: Platform, request: OperationRequest): Promise<Write> {
  if (typeof handler === 'function') return (tx) => handler(tx, request) as ReturnType<Write>
  try {
    return await handler.prepare(database, request)
  } catch (error) {
    return () => Promise.reject(error)
  }
}

/** An answer as it is sent: with what its operation keeps of it nowhere. */
function revived({ handler }: Route, request: OperationRequest, answer: StoredAnswer): StoredAnswer {
  if (typeof handler === 'function' || handler.revive === undefined || answer.status >= 400) return answer
  const data = handler.revive(JSON.parse(answer.body).data, request)
  return { ...answer, body: JSON.stringify({ data }) }
}

/** The most bytes that a record may have, as it is answered. */
const mostBytesOfRecord = 4 * 1024 * 1024

function requireRecordSize(body: string): void {
  if (body.length < mostBytesOfRecord / 4) return // no character has more than four bytes
  const bytes = Buffer.byteLength(body)
  if (bytes <= mostBytesOfRecord) return
  const detail = `The record would have ${bytes} bytes. Shorten its free fields, or take contacts or links away.`
  throw new Problem('record_too_large', detail, { maxBytes: mostBytesOfRecord })
}

const write: Send = async (route, platform, operationRequest, request, reply) => {
  const { operation } = route
  const { context } = operationRequest
  const asAnswer = (problem: Problem): StoredAnswer => ({
    status: problem.status,
    body: problemBody(problem, request.id, platform.publicUrl),
    location: null,
    entityTag: problem.headers.etag ?? null,
  })
  const workOf =
    (write: Write) =>
    async (tx: Transaction): Promise<StoredAnswer> => {
      workShared(tx)
      const outcome = await write(tx)
      if (outcome instanceof Problem) return asAnswer(outcome)
      const { record, entityTag, isNew, locationId } = outcome as Versioned<{ id: string }>
      const body = JSON.stringify({ data: record })
      // A record never outgrows what is read of it at once; what takes something away may always.
      if (operation.method !== 'DELETE') requireRecordSize(body)
      const isCreated = operation.status === 201 || isNew === true
      const id = locationId ?? record.id
      const location = isCreated && operation.location ? prefix + operation.location.replace('{id}', id) : null
      return { status: isCreated ? 201 : 200, body, location, entityTag }
    }
  const send = (answer: StoredAnswer) => sendAnswer(reply, revived(route, operationRequest, answer))
  if (request.idempotencyKey === null) {
    const write = await writeOf(route, platform, operationRequest)
    return send(await platform.database.transaction(context.tenant.id, workOf(write)))
  }
  const keyed = {
    tenantId: context.tenant.id,
    apiKeyId: request.credentials?.apiKeyId as string,
    key: request.idempotencyKey,
    operation: route.id,
    path: request.url.split('?')[0] as string,
    body: request.body,
  }
  // A write that prepares nothing is looked up in its own transaction only.
  const kept = typeof route.handler === 'function' ? null : await findKept(platform.database, keyed)
  const { answer, replayed } =
    kept ?? (await once(platform.database, keyed, workOf(await writeOf(route, platform, operationRequest)), asAnswer))
  if (replayed) reply.header('idempotent-replayed', 'true')
  return send(answer)
}

function sendAnswer(reply: FastifyReply, { status, body, location, entityTag }: StoredAnswer): FastifyReply {
  if (location !== null) reply.header('location', location)
  if (entityTag !== null) reply.header('etag', entityTag)
  return sendJson(reply, status, body)
}

const jsonMediaType = 'application/json; charset=utf-8'

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  const mediaType = status < 400 ? jsonMediaType : 'application/problem+json; charset=utf-8'
  return sendText(reply.code(status).header('content-type', mediaType), body)
}

function contextOf(request: FastifyRequest, valid: ValidParts): RequestContext {
  const credentials = request.credentials as Credentials
  return {
    tenant: credentials.tenant,
    actor: { type: 'api_key', id: credentials.apiKeyId, name: credentials.apiKeyName },
    requestId: request.id,
    address: request.ip,
    ifMatch: request.headers['if-match'] ?? null,
    readOnlyFields: valid.readOnlyFields,
    credentials,
  }
}
