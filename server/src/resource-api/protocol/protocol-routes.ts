import cookie from '@fastify/cookie'
import type { Domain } from '@matricula/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/index.ts'
import {
  comesFromOtherSite,
  disclosing,
  errorFacts,
  isForOperator,
  isSafe,
  RequestUse,
  recordRejection,
  sendText,
  sendWithBackpressure,
  setQuotaHeaders,
} from '../../http/index.ts'
import { sendPage, sessionPageHeaders } from '../../http/pages/public/index.ts'
import type { NewSession } from '../../identity/users/index.ts'
import type { Caller, RecordEngine, WorkMessage } from '../../record-engine/index.ts'
import {
  hasOnlyPersonalRoles,
  ownedElsewhereCode,
  RecordError,
  RowStream,
  recordReader,
  recordsOfTenant,
} from '../../record-engine/index.ts'
import { asksForPage, sendInstitutionPage, sendUnknownPage } from '../../reference/index.ts'
import { allowedDisposition, discardBody, servedFileHeaders } from '../../storage/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { findCredentials, identify, identifySession } from '../sessions/identity-lookup.ts'
import {
  type CookieLocation,
  clearSessionCookies,
  setSessionCookies,
  setStepCookie,
  stepCookie,
} from '../sessions/session-cookies.ts'
import { sessionMethods } from '../sessions/session-methods.ts'
import {
  type Arguments,
  type CallResponse,
  type Identification,
  type Page,
  type PageCall,
  type ProtocolPlatform,
  RecordFile,
  type SessionCall,
  StreamedFile,
} from './call.ts'
import { requireCsrfToken, requireQuota } from './call-checks.ts'
import { type CallDisclosures, findDisclosures } from './call-disclosures.ts'
import { keyedCreation, madeBefore } from './create-once.ts'
import { allowOrigins } from './cross-origin.ts'
import { crossSiteError, isLedByOtherSite } from './cross-site-calls.ts'
import { asRecordError, errorBody } from './error-responses.ts'
import { guestError, perform, type RecordCall, type Records, requireVerb } from './record-calls.ts'
import { inTransaction, removeFiles } from './record-transaction.ts'
import { readArguments, type Sender, type Sent } from './request-arguments.ts'
import { responseBody, responseText } from './response-text.ts'
import { getTarget, type Target } from './target.ts'
import { servePage, type TenantPages } from './tenant-pages.ts'

/** Options of the routes. */
export interface ProtocolOptions {
  readonly publicUrl: string
  /** The base path of the styles of pages. */
  readonly assets: string
  /** The path of the service's own home page. */
  readonly home: string
  /** The HTML pages that are served beside the records. */
  readonly pages: readonly TenantPages[]
  /** The allowed origins (CORS). */
  readonly allowedOrigins: readonly string[]
}

/** The state of a request. */
interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Null without a tenant in the address. */
  readonly slug: string | null
  /** The decoded path without the tenant's prefix. */
  readonly segments: readonly string[]
  readonly cookies: CookieLocation
  isExpired: boolean
  /** The caller by its cookies; null with an API key, or without a tenant. */
  renewedSession: NewSession | 'guest' | null
  /** The caller, where it may write. */
  writer: Caller | null
  /**
   * Whether the session came as an argument: then no cookie is set, or a link could log its reader in as somebody else.
   */
  hasSessionArgument: boolean
  /** The collected disclosures, once the target is known; null where nothing is logged. */
  disclosures: CallDisclosures | null
}

/**
 * Mounts the Resource and Method API: `/api/…`, calls by `cmd` and the addresses of files on the service's own address,
 * on the host names of tenants, and below `/t/{slug}`. Checks run in this order, and the first that fails responds:
 * tenant of the address, API key or session, tenant active, quota, body and arguments, target of the path, then the
 * record's rights and rules. A call runs in one transaction, which is never committed for GET.
 */
export function addProtocolRoutes(
  app: FastifyInstance,
  platform: ProtocolPlatform,
  records: Records,
  options: ProtocolOptions,
): void {
  app.register(async (scope) => {
    await scope.register(cookie)
    allowOrigins(scope, options.allowedOrigins)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const isSecure = options.publicUrl.startsWith('https:')
    const getVisit = (request: FastifyRequest, reply: FastifyReply): Visit => {
      const path = (request.url.split('?')[0] as string).split('/').slice(1).map(decoded)
      const slug = path[0] === 't' ? (path[1] ?? '') : null
      const segments = slug === null ? path : path.slice(2)
      while (segments.at(-1) === '') segments.pop()
      const cookies = { path: slug === null ? '/' : `/t/${slug}`, secure: isSecure || request.protocol === 'https' }
      return {
        request,
        reply,
        slug,
        segments,
        cookies,
        isExpired: false,
        renewedSession: null,
        writer: null,
        hasSessionArgument: false,
        disclosures: null,
      }
    }
    scope.setErrorHandler((error, request, reply) => refuse(getVisit(request, reply), error))
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = getVisit(request, reply)
      const database = platform.database.for(new RequestUse(reply))
      try {
        return await answer(visit, { ...platform, database }, records, options)
      } catch (error) {
        await recordRejectedChange(platform.database, visit, error)
        return refuse(visit, error)
      }
    }
    const files = ['/files/*', '/private/files/*']
    const pages = options.pages.flatMap(({ paths }) => paths)
    for (const url of ['/', ...pages, '/api', '/api/*', ...files, '/t/:slug', '/t/:slug/*']) {
      scope.route({ method: scope.supportedMethods, url, config: { operationId: 'recordApi' }, handler })
    }
  })
}

/** Percent-decodes a segment of a path; unchanged where malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function answer(
  visit: Visit,
  platform: ProtocolPlatform,
  records: Records,
  options: ProtocolOptions,
): Promise<FastifyReply> {
  const { request, reply } = visit
  if (request.method === 'OPTIONS') return reply.code(200).send()
  const tenant = await findTenant(visit, platform)
  const sent = await identifyAndRead(visit, platform, tenant)
  const { identification } = sent
  const file = fileAddress(visit)
  const args = file === null ? sent.args : { cmd: 'download_file', file_url: file }
  const { cmd } = args
  const isCalled = typeof cmd === 'string' && cmd !== ''
  const page = isCalled ? null : pageAt(visit, options)
  if (page !== null) {
    const { assets, publicUrl } = options
    return showPage(visit, page, { ...sessionCall(visit, platform, options, sent), request, assets, publicUrl })
  }
  if (!isCalled && visit.segments[0] !== 'api') return respondOutside(visit, tenant, options.home)
  const target: Target = isCalled
    ? { version: 1, action: 'method', method: cmd }
    : getTarget(visit.segments, request.method)
  request.operationName = `recordApi.${target.action}`
  if (target.action !== 'method') requireKnown(identification)
  if (identification.session !== null && !isSafe(request) && comesFromOtherSite(request, options)) {
    throw rejectedVisit(visit)
  }
  requireCsrfToken(request, identification.session, args.csrf_token)
  const own = withoutCredentials(args)
  const result = await run({ visit, platform, options, records, target, identification, sent: { ...sent, args: own } })
  const waiting = visit.disclosures?.record(result.result)
  if (waiting !== undefined) await waiting
  if (result.session !== undefined) sendSessionCookies(visit, result.session)
  else if (file === null) renewCookies(visit)
  if (result.step !== undefined) setStepCookie(visit.reply, visit.cookies, stepCookie, result.step.secret)
  if (result.result instanceof RecordFile) return sendFile(request, reply, result.result)
  if (result.result instanceof StreamedFile) return sendStreamed(visit, result.result)
  if (result.result instanceof RowStream) return sendRows(visit, target, result, result.result)
  const status = result.status ?? 200
  return sendJson(reply, status, responseBody(target, result, visit.isExpired))
}

/** The arguments without those of authentication and routing. */
function withoutCredentials(args: Arguments): Arguments {
  if (!('cmd' in args || 'sid' in args || 'csrf_token' in args)) return args
  const { cmd, sid, csrf_token, ...own } = args
  return own
}

/** Streams rows as they are read. */
async function sendRows(visit: Visit, target: Target, response: CallResponse, rows: RowStream): Promise<FastifyReply> {
  const { request, reply } = visit
  reply.code(response.status ?? 200).header('content-type', jsonMediaType)
  if (request.method !== 'HEAD')
    return sendWithBackpressure(
      reply,
      disclosing(responseText(target, response, rows, visit.isExpired), () => visit.disclosures?.record()),
    )
  await rows.close()
  return reply.send()
}

/** Renews the cookies of a session, so that they last as long as it does, or sets those of a guest. */
function renewCookies({ reply, cookies, renewedSession, hasSessionArgument }: Visit): void {
  if (renewedSession !== null && !hasSessionArgument) setSessionCookies(reply, cookies, renewedSession)
}

/** Sets the cookies of a new session, or clears those of one that has ended. */
function sendSessionCookies({ reply, cookies, hasSessionArgument }: Visit, session: NewSession | 'guest'): void {
  if (session !== 'guest' || !hasSessionArgument) setSessionCookies(reply, cookies, session)
}

/** The context of session methods and pages. */
function sessionCall(
  { request, slug }: Visit,
  { database, passwords, sendsMail, seal }: ProtocolPlatform,
  { pages }: ProtocolOptions,
  { identification, args }: { readonly identification: Identification; readonly args: Arguments },
): SessionCall {
  const root = slug === null ? '' : `/t/${slug}`
  const homes = pages.map(({ personalHome }) => personalHome?.(slug === null ? 'host' : 'path') ?? null)
  const personalHome = homes.find((home) => home !== null) ?? null
  const caller = { requestId: request.id, address: request.ip, agent: request.headers['user-agent'] ?? null }
  return { database, passwords, sendsMail, seal, identification, args, ...caller, root, personalHome }
}

/** The page at the path of a request, or null. */
function pageAt({ segments }: Visit, { pages }: ProtocolOptions): Page | null {
  for (const { at } of pages) {
    const page = at(segments)
    if (page !== null) return page
  }
  return null
}

async function showPage(visit: Visit, page: Page, call: PageCall): Promise<FastifyReply> {
  const { reply } = visit
  const response = await servePage(page, call)
  reply.headers({ ...sessionPageHeaders, ...response.headers })
  if (response.session !== undefined) sendSessionCookies(visit, response.session)
  for (const [name, value] of Object.entries(response.cookies ?? {})) setStepCookie(reply, visit.cookies, name, value)
  if ('goTo' in response) return reply.code(303).header('location', response.goTo).send()
  if ('bytes' in response) return reply.code(response.status ?? 200).send(response.bytes)
  return sendPage(reply, response.status ?? 200, response.html)
}

/** The stored URL of a requested file, as an argument of `download_file`; else null. */
function fileAddress({ request, segments }: Visit): string | null {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isFile = segments[0] === 'files' || (segments[0] === 'private' && segments[1] === 'files')
  return isRead && isFile ? `/${segments.join('/')}` : null
}

/** Whose address it is: by the path, else by the host name, else nobody's. */
async function findTenant({ slug, request }: Visit, platform: ProtocolPlatform): Promise<Tenant | null> {
  const { addresses } = platform
  if (slug === null) {
    // At a host that is nobody's the key says whose the request is, which is then looked up by its slug.
    const credentials = await findCredentials(platform, request)
    return addresses.byHost(request.hostname, credentials?.tenant.slug)
  }
  const tenant = await addresses.bySlug(slug)
  if (tenant !== null) return tenant
  throw new RecordError('DoesNotExistError', `There is no institution at /t/${slug.slice(0, 140)}.`)
}

/** Authenticates the caller, runs the checks that depend on it, and reads the body. */
async function identifyAndRead(
  visit: Visit,
  platform: ProtocolPlatform,
  tenant: Tenant | null,
): Promise<Sent & { identification: Identification }> {
  const { request } = visit
  const cookie = request.cookies.sid ?? null
  const early = await identify(platform, request, tenant, cookie)
  await pass(visit, platform, early, cookie)
  const isKnown = early.session !== null || early.credentials !== null
  const sent = await readArguments(request, () => (isKnown ? getSender(early) : 'unknown'))
  if (isKnown || typeof sent.args.sid !== 'string') return { ...sent, identification: early }
  visit.hasSessionArgument = true
  const late = await identifySession(platform, request, tenant, sent.args.sid)
  await pass(visit, platform, late, sent.args.sid)
  return { ...sent, identification: late }
}

function getSender({ caller }: Identification): Sender {
  return caller !== null && hasOnlyPersonalRoles(caller) ? 'known' : 'staff'
}

/** Checks that the tenant is active and the quota of the key or user is not exhausted. */
async function pass(
  visit: Visit,
  platform: ProtocolPlatform,
  identification: Identification,
  secret: string | null,
): Promise<void> {
  const { tenant, credentials, session } = identification
  visit.isExpired = identification.isExpired
  const isGuest = tenant !== null && credentials === null && session === null
  visit.renewedSession = session !== null && secret !== null ? { ...session, secret } : isGuest ? 'guest' : null
  visit.writer = session === null ? null : identification.caller
  visit.request.caller = credentials === null ? null : identification.caller
  await requireQuota(platform.rateLimiter, identification, (quota) => setQuotaHeaders(visit.reply, quota))
  if (tenant !== null && tenant.status !== 'active') {
    throw new RecordError('PermissionError', `The tenant ${tenant.slug} is suspended. Ask the operator to activate it.`)
  }
}

/** The error for a cross-site request; leaves the cookies as they are. */
function rejectedVisit(visit: Visit): RecordError {
  visit.renewedSession = null
  return crossSiteError()
}

function requireKnown({ caller }: Identification): void {
  if (caller === null || caller.kind === 'guest') throw guestError()
}

interface Run {
  readonly visit: Visit
  readonly platform: ProtocolPlatform
  readonly options: ProtocolOptions
  readonly records: Records
  readonly target: Target
  readonly identification: Identification
  readonly sent: Sent
}

async function run({ visit, platform, options, records, target, identification, sent }: Run): Promise<CallResponse> {
  const { request } = visit
  const { sendsMail, seal } = platform
  if (target.action === 'method') {
    const method = sessionMethods.get(target.method)
    if (method !== undefined) {
      if (method.allowGuest !== true) requireKnown(identification)
      if (method.isForOwnSite === true && isLedByOtherSite(request, options)) throw rejectedVisit(visit)
      requireVerb(target.method, method, request.method)
      return method.run(sessionCall(visit, platform, options, { identification, args: sent.args }))
    }
  }
  const known = identification.caller
  if (known === null) throw guestError()
  const registry = recordsOfTenant(records.registry, known.tenant.customFields)
  const verb = request.method === 'QUERY' ? 'GET' : request.method
  const disclosures = findDisclosures(platform.disclosures, registry, known, { target, verb, args: sent.args })
  const caller = disclosures?.caller ?? known
  visit.disclosures = disclosures
  const isRead = verb === 'GET' || verb === 'HEAD'
  const messages: WorkMessage[] = []
  const isLong = target.action === 'method' && records.methods.get(target.method)?.takesLong === true
  const database = isLong ? platform.database.for({ partition: 'long' }) : platform.database
  const transaction = async <Result>(work: (engine: RecordEngine) => Promise<Result>): Promise<Result> => {
    const { engine, result } = await inTransaction({ database, caller, registry, isRead, sendsMail, seal }, work)
    messages.push(...engine.messages)
    if (!isRead) await removeFiles(platform, request, caller.tenant.id, engine.discardedFiles)
    return result
  }
  const { storage } = platform
  const { args, files, fields } = sent
  const reading = { caller, registry, reader: recordReader(database, caller.tenant.id) }
  const work = { records: { ...records, registry }, caller, reading, storage, files, transaction }
  const inShare = (call: RecordCall) => platform.shares.run(caller.tenant.id, () => perform(work, call))
  const call = { target, verb, args, fields }
  const key = request.headers['idempotency-key']
  const keyed = target.action === 'create' ? keyedCreation(key, caller, target.type, key && fields()) : null
  if (target.action !== 'create' || keyed === null) return { ...(await inShare(call)), messages }
  try {
    return { ...(await inShare({ ...call, keyed })), messages }
  } catch (error) {
    const { name, answered } = await madeBefore(platform.database, keyed, error)
    if (answered !== undefined) return { result: answered, messages }
    const read = { ...call, target: { ...target, action: 'read', name }, verb: 'GET', args: {} } as const
    return { ...(await inShare(read)), messages }
  }
}

/**
 * Any path that is neither `/api/…` nor a call by `cmd`: redirects to the home page of the institution or of the
 * service, or throws `DoesNotExistError`.
 */
function respondOutside({ slug, segments, request, reply }: Visit, tenant: Tenant | null, home: string): FastifyReply {
  const isFirst = segments.length === 0
  if (tenant !== null && isFirst && asksForPage(request)) return sendInstitutionPage(request, reply, tenant.name)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (slug === null && isFirst && isRead) return reply.redirect(home, 302)
  if (slug === null) {
    reply.callNotFound()
    return reply
  }
  throw new RecordError('DoesNotExistError', 'There is no such address. The records are below /api/resource.')
}

/** Audits a change that was rejected because another system owns its domain, as the other surfaces do. */
async function recordRejectedChange(database: Database, { request, writer }: Visit, error: unknown): Promise<void> {
  if (writer === null || !(error instanceof RecordError) || error.facts.code !== ownedElsewhereCode) return
  const operation = `recordApi ${request.method}`
  await recordRejection(database, request, writer, {
    domain: error.facts.domain as Domain,
    facts: { operation, ...error.facts },
  })
}

function refuse(visit: Visit, thrown: unknown): FastifyReply {
  const { request, reply, cookies, segments, isExpired, hasSessionArgument } = visit
  const error = asRecordError(thrown)
  request.problemCode = error.type
  const isError = error.status >= 500 || (error !== thrown && 'severity' in (thrown as object))
  if (isError && isForOperator(thrown)) {
    request.log.error({ requestId: request.id, error: errorFacts(thrown) }, 'request failed')
  }
  if (error.type !== 'AuthenticationError') renewCookies(visit)
  else if (!hasSessionArgument) clearSessionCookies(reply, cookies)
  if (error.type === 'RequestEntityTooLarge') discardBody(request.raw)
  const version = segments[0] === 'api' && segments[1] === 'v2' ? 2 : 1
  reply.headers(error.headers)
  if (error.status === 404 && segments[0] !== 'api' && asksForPage(request)) return sendUnknownPage(request, reply)
  return sendJson(reply, error.status, errorBody(error, version, isExpired))
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return sendText(reply.code(status).header('content-type', jsonMediaType), JSON.stringify(body))
}

const jsonMediaType = 'application/json; charset=utf-8'

function sendStreamed({ reply, disclosures }: Visit, file: StreamedFile): FastifyReply {
  const { fileName, mediaType, chunks } = file
  reply.headers(servedFileHeaders({ fileName, mimeType: mediaType, disposition: 'attachment' }))
  return sendWithBackpressure(
    reply.code(200),
    disclosing(chunks, () => disclosures?.record(file)),
  )
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: RecordFile): FastifyReply {
  const { fileName, mediaType, content, sizeBytes } = file
  const disposition = allowedDisposition('inline', mediaType)
  reply.headers(servedFileHeaders({ fileName, mimeType: mediaType, disposition }))
  reply.code(200).header('content-length', sizeBytes)
  if (request.method !== 'HEAD') return reply.send(content)
  if (!Buffer.isBuffer(content)) content.destroy()
  return reply.send()
}
