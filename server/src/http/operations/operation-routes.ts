import { setMaxListeners } from 'node:events'
import type { FileBody, Method, Operation } from '@matricula/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DisclosureLog, SyncWatermark } from '../../changes/index.ts'
import { type Actor, matches, type OperationCaller, type RequestContext } from '../../changes/index.ts'
import type { RateLimiter } from '../../concurrency/index.ts'
import { findStored, lockTenantShared, once, type StoredResponse } from '../../concurrency/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import type { Page, WalkPage } from '../../listing/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { sendText, sendWithBackpressure } from '../lifecycle/backpressure.ts'
import type { Slot, TenantShares } from '../lifecycle/tenant-shares.ts'
import type {
  Feed,
  FileContent,
  OperationRequest,
  PlainHandler,
  PreparedWrite,
  Route,
  Settled,
  Write,
} from './implement.ts'
import { jsonOfRows } from './json-rows.ts'
import { type Envelope, getAddress, type Mounting, methodsAt } from './mounting.ts'
import { requireMayCall, stillAllowed } from './operation-checks.ts'
import { sendError } from './problem-response.ts'
import { disclosing, findDisclosed, recordDisclosure } from './record-disclosure.ts'
import { requireRecordSize } from './record-size.ts'
import { recordRejectedWrite } from './rejected-writes.ts'
import { RequestUse } from './request-use.ts'
import { Followers, sendFeed } from './send-feed.ts'
import { getValidator, type ValidParts } from './validation.ts'

/** The services that operations need. */
export interface Platform {
  readonly database: Database
  readonly rateLimiter: RateLimiter
  readonly shares: TenantShares
  readonly watermark: SyncWatermark
  /** Log of disclosures; absent where none is written. */
  readonly disclosures?: DisclosureLog
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once authenticated. */
    caller: { readonly tenant: Tenant; readonly actor: Actor } | null
    idempotencyKey: string | null
    /** The scheduler slot of a read, once it has one. */
    slot: Slot | null
  }
  interface FastifyContextConfig {
    operationId?: string
    operation?: Operation
  }
}

/**
 * Mounts operations. A request passes, in this order and rejected by the first check that it fails: authentication,
 * quota, active tenant, scope, modules, write domain, Idempotency-Key; then its body is parsed; then path, query and
 * body are validated, the handler runs (writes in one transaction with audit, event and idempotent response), and the
 * result is put into the envelope. A read waits for a slot of its tenant before validation, any other request before
 * its handler.
 */
export function mountOperations(app: FastifyInstance, mounting: Mounting, platform: Platform): void {
  const { prefix, routes, envelope } = mounting
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  app.addHook('preClose', async () => stopping.abort())
  const errorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) =>
    sendError(error, request, reply, envelope)
  for (const route of routes) {
    const { id, operation } = route
    app.route({
      method: operation.method as Method,
      url: prefix + operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operationId: id, operation },
      ...(operation.file !== undefined && { bodyLimit: operation.file.maxBytes }),
      onRequest: admit(route, mounting, platform),
      errorHandler,
      handler: buildHandler(route, mounting, platform, stopping.signal),
    })
  }
  app.route({
    method: app.supportedMethods,
    url: `${prefix}/*`,
    // Before the body is read: an unknown address precedes every error of a body.
    onRequest: (request, _reply, done) => done(unknownAddress(methodsAt(mounting, request.url))),
    errorHandler,
    handler: () => {},
  })
}

/** Throws `route_not_found` for a path with an empty id. */
function requireIds({ params, url }: FastifyRequest): void {
  if (!Object.values(params as object).includes('')) return
  const [path = ''] = url.split('?')
  const detail = `The id is missing: use ${path}{id} for one record, or ${path.slice(0, -1)} for the list.`
  throw new Problem('route_not_found', detail)
}

/** `method_not_allowed` where an address has other methods, else `route_not_found`. */
export function unknownAddress(methods: readonly string[] = []): Problem {
  if (methods.length === 0) {
    return new Problem('route_not_found', 'No operation has this path. The reference is at /docs.')
  }
  const allow = methods.join(', ')
  return new Problem('method_not_allowed', `This address takes ${allow}.`, {}, { allow })
}

/** Whether an operation is a read that ends (not a feed). */
function isRead({ method, shape }: Operation): boolean {
  return method === 'GET' && shape !== 'feed'
}

/**
 * The checks that need the headers only. A read then waits for its slot, before more is allocated for it: hundreds of
 * waiting requests would otherwise hold memory that the garbage collector scans again and again.
 */
function admit({ id, operation }: Route, { authenticator }: Mounting, { rateLimiter, database, shares }: Platform) {
  const pass = (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: OperationCaller,
  ): Promise<undefined> | undefined => {
    request.caller = caller
    const { tenant, actor, requestsPerMinute } = caller
    const quota = rateLimiter.take(tenant.id, actor.id, requestsPerMinute)
    if (quota instanceof Promise) {
      return quota.then((taken) => void requireMayCall(operation, caller, taken, request, reply))
    }
    requireMayCall(operation, caller, quota, request, reply)
    return undefined
  }
  const awaitSlot = (request: FastifyRequest, done: () => void) => {
    const { limit } = request.query as { readonly limit?: string }
    const { tenant } = request.caller as OperationCaller
    const take = (slot: Slot) => {
      request.slot = slot
      done()
    }
    const entering = shares.enter(tenant.id, { records: limit === undefined ? 1 : Number(limit) })
    if (entering instanceof Promise) void entering.then(take)
    else take(entering)
  }
  const waitForSlot = isRead(operation) ? awaitSlot : (_request: FastifyRequest, done: () => void) => done()
  // A cached caller with quota left passes without a promise.
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    request.operationName = id
    const reject = (error: unknown) =>
      void recordRejectedWrite(database, request, error).then(() => done(error as Error))
    let passing: Promise<undefined> | undefined
    try {
      const caller = authenticator(request)
      passing =
        caller instanceof Promise ? caller.then((known) => pass(request, reply, known)) : pass(request, reply, caller)
    } catch (error) {
      return reject(error)
    }
    if (passing === undefined) return waitForSlot(request, done)
    passing.then(() => waitForSlot(request, done), reject)
  }
}

/** Builds the handler of a route: validates the request, runs the operation and sends the response. */
function buildHandler(route: Route, mounting: Mounting, platform: Platform, stopping: AbortSignal) {
  const { operation } = route
  const { shares, database, watermark } = platform
  const { prefix, envelope } = mounting
  const recording = platform.disclosures === undefined ? {} : { disclosures: platform.disclosures }
  const validate = getValidator(operation)
  const parse = (request: FastifyRequest): OperationRequest => {
    requireIds(request)
    if (operation.body !== undefined && request.body === undefined && operation.bodyRequired !== false) {
      throw new Problem('malformed_json', 'This operation needs a body: one JSON object.')
    }
    const isFile = operation.file !== undefined
    const valid = validate({
      params: request.params as Record<string, string>,
      query: request.query as Record<string, unknown>,
      body: isFile ? undefined : request.body,
    })
    const { params, query } = valid
    const body = isFile ? fileIn(request) : valid.body
    const mediaType = chooseMediaType(operation, request.headers.accept)
    return { context: getContext(request, valid), params, query, body, mediaType } as unknown as OperationRequest
  }
  if (operation.shape === 'feed') {
    const followers = new Followers()
    return (request: FastifyRequest, reply: FastifyReply) => {
      const parsed = parse(request)
      const share = <Result>(work: () => Promise<Result>) => shares.run(parsed.context.tenant.id, work)
      const callerNow = async () => stillAllowed(operation, await mounting.authenticator(request))
      const feedContext = { ...platform, ...mounting, share, stopping, followers, callerNow }
      return sendFeed(route.handler as Feed<Operation>, feedContext, parsed, request, reply)
    }
  }
  const send = operation.method !== 'GET' ? write : operation.shape === 'record' ? readRecord : readList
  const work = (parsed: OperationRequest, request: FastifyRequest, reply: FastifyReply) =>
    send(
      route,
      { database: database.for(new RequestUse(reply)), watermark, shares, prefix, envelope, ...recording },
      parsed,
      request,
      reply,
    )
  if (isRead(operation)) {
    return (request: FastifyRequest, reply: FastifyReply) =>
      shares.during(request.slot as Slot, () => work(parse(request), request, reply))
  }
  return (request: FastifyRequest, reply: FastifyReply) => {
    const parsed = parse(request)
    return shares.run(parsed.context.tenant.id, () => work(parsed, request, reply), {
      usesGroupCommit: route.usesGroupCommit,
    })
  }
}

/** The file that is the body. Throws `validation_failed` where none was sent. */
function fileIn({ body }: FastifyRequest): FileBody {
  if (body !== undefined && body !== null) return body as FileBody
  throw validationProblem([{ in: 'body', pointer: '#', code: 'required', detail: 'must be a file' }])
}

/** The services and the envelope of one call. */
type CallContext = Pick<Platform, 'database' | 'watermark' | 'shares' | 'disclosures'> &
  Pick<Mounting, 'prefix' | 'envelope'>

type Send = (
  route: Route,
  context: CallContext,
  operationRequest: OperationRequest,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** Clients may cache a record and must revalidate it each time (RFC 9111 §5.2.2.4). */
const conditionalCaching = 'private, no-cache'

function read({ handler }: Route, { database }: CallContext, request: OperationRequest): Promise<unknown> {
  return (handler as PlainHandler)(database, request)
}

/** Records in the disclosure log whose data a response has, where its operation declares that. */
function disclose(
  { id }: Route,
  { disclosures }: CallContext,
  operationRequest: OperationRequest,
  request: FastifyRequest,
  records: readonly unknown[],
  isList: boolean,
): Promise<void> | undefined {
  const disclosed = disclosures === undefined ? null : findDisclosed(id)
  if (disclosures === undefined || disclosed === null || request.method === 'HEAD') return undefined
  if (disclosures.isOff(operationRequest.context.tenant.id)) return undefined
  return recordDisclosure(disclosures, id, disclosed, operationRequest, request, records, isList)
}

const readRecord: Send = async (route, context, operationRequest, request, reply) => {
  const { record, entityTag, file } = (await read(route, context, operationRequest)) as Versioned<unknown> & {
    readonly file?: FileContent
  }
  if (entityTag !== null) {
    reply.headers({ etag: entityTag, 'cache-control': conditionalCaching })
    const condition = request.headers['if-none-match']
    if (condition !== undefined && matches(condition.replace(/W\//g, ''), entityTag)) return reply.code(304).send()
  }
  const waiting = disclose(route, context, operationRequest, request, [record], false)
  if (waiting !== undefined) await waiting
  if (file !== undefined) {
    const { mediaType } = operationRequest
    reply.header('content-type', mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType)
    reply.header('content-disposition', `attachment; filename="${file.fileName}"`).code(200)
    if (Buffer.isBuffer(file.bytes)) return reply.send(file.bytes)
    return request.method === 'HEAD' ? reply.send() : sendWithBackpressure(reply, file.bytes)
  }
  return sendJson(reply, 200, JSON.stringify(context.envelope.ofRecord(record)))
}

/** The first media type of an `Accept` header (RFC 9110 §12.5.1) that an operation has; its default without one. */
function chooseMediaType({ media }: Operation, accept: string | undefined): string {
  const json = 'application/json'
  if (media === undefined) return json
  const wanted = (accept ?? '*/*').split(',').map((each) => (each.split(';')[0] as string).trim().toLowerCase())
  const found = wanted.find((each) => each === json || media.types.includes(each))
  return found ?? (media.isDefault === true ? (media.types[0] as string) : json)
}

const readList: Send = async (route, context, operationRequest, request, reply) => {
  const { envelope } = context
  if (route.operation.shape === 'list') {
    const records = (await read(route, context, operationRequest)) as unknown[]
    await disclose(route, context, operationRequest, request, records, true)
    const total = records.length
    const pagination = { page: 1, limit: Math.max(1, total), total, totalPages: total === 0 ? 0 : 1 }
    return sendJson(reply, 200, JSON.stringify(envelope.ofRows(records, pagination)))
  }
  if (route.operation.shape === 'walk') {
    const { records, page, limit, nextCursor } = (await read(route, context, operationRequest)) as WalkPage<unknown>
    await disclose(route, context, operationRequest, request, records, true)
    reply.headers(envelope.cursorPageHeaders(request.url, nextCursor))
    return sendJson(reply, 200, JSON.stringify(envelope.ofRows(records, { page, limit })))
  }
  const watermark = await context.watermark.current(operationRequest.context.tenant.id)
  const { records, page, limit, total, nextCursor } = (await read(route, context, operationRequest)) as Page<unknown>
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) }
  reply.headers(envelope.pageHeaders({ url: request.url, pagination, nextCursor, watermark }))
  const buildBody = (rows: unknown) => envelope.ofRows(rows, pagination)
  const recordRows = (rows: readonly unknown[]) => disclose(route, context, operationRequest, request, rows, true)
  if (Array.isArray(records)) {
    const waiting = recordRows(records)
    if (waiting !== undefined) await waiting
    return sendJson(reply, 200, JSON.stringify(buildBody(records)))
  }
  return sendWithBackpressure(
    reply.header('content-type', jsonMediaType),
    jsonOfRows(buildBody, disclosing(records as AsyncIterable<readonly unknown[]>, recordRows)),
  )
}

/**
 * The work of a write in its transaction, prepared where it has outside I/O. An error of the preparation is thrown in
 * the transaction too, so that it is stored for the Idempotency-Key as any other.
 */
async function prepareWrite(
  { handler }: Route,
  { database }: CallContext,
  request: OperationRequest,
): Promise<Write | Settled> {
  if (typeof handler === 'function') return (tx) => handler(tx, request) as ReturnType<Write>
  try {
    return await (handler as PreparedWrite).prepare(database, request)
  } catch (error) {
    return () => Promise.reject(error)
  }
}

/** A response as it is sent: with the values that are never stored. */
function reviveResponse(
  { handler }: Route,
  { envelope }: CallContext,
  request: OperationRequest,
  response: StoredResponse,
): StoredResponse {
  const { revive } = handler as Partial<PreparedWrite>
  if (revive === undefined || response.status >= 400) return response
  const record = revive(envelope.recordIn(JSON.parse(response.body)) as never, request)
  return { ...response, body: JSON.stringify(envelope.ofRecord(record)) }
}

const write: Send = async (route, callContext, operationRequest, request, reply) => {
  const { operation } = route
  const { context } = operationRequest
  const { envelope, database } = callContext
  const problemResponse = (problem: Problem): StoredResponse => ({
    status: problem.status,
    body: envelope.ofProblem(problem, request.id),
    location: null,
    entityTag: problem.headers.etag ?? null,
  })
  const toResponse = (outcome: unknown): StoredResponse => {
    if (outcome instanceof Problem) return problemResponse(outcome)
    const { record, entityTag, isNew, locationId } = outcome as Versioned<{ id: string }>
    if (operation.status === 204) return { status: 204, body: '', location: null, entityTag }
    const body = JSON.stringify(envelope.ofRecord(record))
    // The size of a record is checked on each write but a deletion; the records of a list were checked one by one.
    if (operation.method !== 'DELETE' && !Array.isArray(record)) requireRecordSize(body)
    const isCreated = operation.status === 201 || isNew === true
    const id = locationId ?? record.id
    const path = isCreated && operation.location !== undefined ? operation.location.replace('{id}', id) : null
    const location = path === null ? null : getAddress(callContext, request) + path
    return { status: isCreated ? 201 : 200, body, location, entityTag }
  }
  const buildWork = (write: Write | Settled) => async (tx: Transaction) => {
    if (typeof write !== 'function') return toResponse(write.response)
    lockTenantShared(tx)
    return toResponse(await write(tx))
  }
  // Whoever has nobody to share a transaction with does not wait for anybody.
  const transact = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    route.usesGroupCommit && !callContext.shares.isAlone(context.tenant.id)
      ? database.transactionAmongOthers(context.tenant.id, route.id, work)
      : database.transaction(context.tenant.id, work)
  const send = (response: StoredResponse) =>
    sendResponse(reply, envelope, reviveResponse(route, callContext, operationRequest, response))
  if (request.idempotencyKey === null) {
    const write = await prepareWrite(route, callContext, operationRequest)
    if (typeof write !== 'function') return send(toResponse(write.response))
    return send(await transact(buildWork(write)))
  }
  const keyed = {
    tenantId: context.tenant.id,
    callerId: context.caller.actor.id,
    key: request.idempotencyKey,
    operation: route.id,
    path: request.url.split('?')[0] as string,
    body: request.body,
  }
  // A write without preparation is looked up in its own transaction only.
  const stored = typeof route.handler === 'function' ? null : await findStored(database, keyed)
  const { response, replayed } =
    stored ??
    (await once(
      database,
      keyed,
      buildWork(await prepareWrite(route, callContext, operationRequest)),
      problemResponse,
      transact,
    ))
  if (replayed) reply.header('idempotent-replayed', 'true')
  return send(response)
}

function sendResponse(
  reply: FastifyReply,
  { problemMediaType }: Envelope,
  { status, body, location, entityTag }: StoredResponse,
): FastifyReply {
  if (location !== null) reply.header('location', location)
  if (entityTag !== null) reply.header('etag', entityTag)
  if (status === 204) return reply.code(204).send()
  if (status >= 400) reply.request.problemCode = (JSON.parse(body) as { code?: string }).code ?? 'unknown'
  return sendJson(reply, status, body, status < 400 ? jsonMediaType : problemMediaType)
}

const jsonMediaType = 'application/json; charset=utf-8'

function sendJson(reply: FastifyReply, status: number, body: string, mediaType = jsonMediaType): FastifyReply {
  return sendText(reply.code(status).header('content-type', mediaType), body)
}

function getContext(request: FastifyRequest, valid: ValidParts): RequestContext {
  const caller = request.caller as OperationCaller
  return {
    tenant: caller.tenant,
    actor: caller.actor,
    requestId: request.id,
    address: request.ip,
    ifMatch: request.headers['if-match'] ?? null,
    readOnlyFields: valid.readOnlyFields,
    caller,
  }
}
