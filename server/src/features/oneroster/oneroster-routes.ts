import type { Module, OneRosterOperation } from '@matricula/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DisclosureLog } from '../../changes/index.ts'
import type { RateLimiter } from '../../concurrency/index.ts'
import { type Database, join, sql } from '../../database/index.ts'
import {
  asProblem,
  errorFacts,
  isForOperator,
  RequestUse,
  setQuotaHeaders,
  type TenantShares,
} from '../../http/index.ts'
import type { Tenant, TenantAddresses } from '../../tenancy/index.ts'
import { areParentsThere, gradebookCollections, gradebookConditions } from './gradebook/gradebook-collections.ts'
import { writeEntries } from './gradebook/write-operations.ts'
import { findOperations, getOrigin, parseAddress, type RosterAddress } from './protocol/address.ts'
import { disclosedByCollection } from './protocol/disclosed-objects.ts'
import { findDiscoveryDocument } from './protocol/discovery.ts'
import { findAddressedTenant, type Identification, identifyCaller, type RosterCaller } from './protocol/identify.ts'
import { parseListQuery } from './protocol/list-query.ts'
import { errorBody, fromProblem, OneRosterError } from './protocol/oneroster-error.ts'
import { pageHeaders } from './protocol/page-headers.ts'
import { requireResourceFields } from './protocol/resource-fields.ts'
import { type ObjectRead, sendList, sendObject, unknownObject } from './protocol/send-objects.ts'
import type { ObjectRow, Selection } from './protocol/statements.ts'
import { sendAccessToken } from './protocol/token-endpoint.ts'
import { type Collection, nestedConditions, rosterCollections } from './roster/collections.ts'
import { getKindsOf } from './roster/given-out.ts'
import { loadContext } from './roster/load-context.ts'
import type { RosterContext } from './roster/roster-context.ts'

/** The services that OneRoster needs. */
export interface OneRosterPlatform extends Identification {
  readonly rateLimiter: RateLimiter
  readonly shares: TenantShares
  readonly disclosures: DisclosureLog
  readonly addresses: TenantAddresses
}

/** What an institution must have enabled. */
const neededModule: Module = 'platform_integrations'

/** Maximum size of a body in bytes. */
const maxBytes = 1024 * 1024

/**
 * Serves OneRoster 1.2 and 1.1 and the token endpoint, on the service's own address, on the host names of tenants, and below
 * `/t/{slug}`. Checks run in this order, and the first that fails responds: address, method, caller, tenant active, quota, scope,
 * modules, then the query or body.
 */
export function addOneRoster(app: FastifyInstance, platform: OneRosterPlatform): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, bytes, done) =>
      done(null, bytes),
    )
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    for (const prefix of ['', '/t/:slug']) {
      scope.route({
        method: scope.supportedMethods,
        url: `${prefix}/ims/oneroster/*`,
        config: { operationId: 'oneroster' },
        handler: (request, reply) => respond(platform, request, reply),
      })
      scope.post(`${prefix}/oauth2/token`, { config: { operationId: 'oneroster.token' } }, async (request, reply) => {
        const { slug } = request.params as { slug?: string }
        const addressed = await findAddressedTenant(platform.addresses, request, slug ?? null)
        return sendAccessToken(platform, request, reply, addressed)
      })
    }
  })
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof OneRosterError ? error : fromProblem(asProblem(error))
  if (known.status >= 500 && isForOperator(error)) {
    request.server.log.error({ requestId: request.id, error: errorFacts(error) }, 'request failed')
  }
  request.problemCode = known.code
  return reply
    .code(known.status)
    .headers(known.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(known))
}

async function respond(
  platform: OneRosterPlatform,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = parseAddress(request.url)
  if (address === null) throw unknownAddress()
  const addressed = await findAddressedTenant(platform.addresses, request, address.slug)
  const origin = getOrigin(request, platform.publicUrl, addressed !== null && address.slug === null)
  const document = findDiscoveryDocument(address, origin)
  if (document !== null && ['GET', 'HEAD'].includes(request.method)) return reply.send(document)
  const { operation, parameters } = requireOperation(address, request.method)
  request.operationName = `oneroster.${operation.id}`
  const caller = await identifyCaller(platform, request, addressed)
  await admit(platform, caller, operation, reply)
  const { tenant } = caller.caller
  const url = origin + request.url
  const limit = operation.shape === 'list' ? parseListQuery(request.url).limit : 1
  return platform.shares.run(
    tenant.id,
    async () => {
      const database = platform.database.for(new RequestUse(reply))
      const place = {
        version: address.version,
        rosterUrl: origin + address.rosterPath,
        gradebookUrl: origin + address.gradebookPath,
      }
      const context = await loadContext(database, tenant, place, getKindsOf(operation.collection))
      if (!['list', 'single'].includes(operation.shape)) {
        const change = { tenant, actor: caller.caller.actor, requestId: request.id, address: request.ip }
        const { body } = request
        const outcome = await writeEntries({ database, context, change, operation, parameters, body })
        return reply.code(outcome.status).send(outcome.body)
      }
      if (operation.service === 'resources') {
        const query = parseListQuery(url)
        requireResourceFields(query)
        return reply.headers(pageHeaders({ url, ...query, total: 0 })).send({ [operation.key]: [] })
      }
      if (operation.service === 'gradebook' && operation.isNested) await requireParents(database, context, parameters)
      const read: ObjectRead = {
        database,
        context,
        operation,
        selection: getSelection(context, operation, parameters),
        url,
        disclose: (rows) => disclose(platform, caller, operation, request, rows),
      }
      return operation.shape === 'list'
        ? sendList(reply, read)
        : sendObject(reply, read, parameters.sourcedId as string)
    },
    { records: limit },
  )
}

function unknownAddress(): OneRosterError {
  return new OneRosterError(
    'unknownobject',
    'OneRoster has no such address. The operations are in the discovery document.',
  )
}

function requireOperation(address: RosterAddress, method: string) {
  const matches = findOperations(address)
  if (matches.length === 0) throw unknownAddress()
  const asked = method === 'HEAD' ? 'GET' : method
  const match = matches.find(({ operation }) => operation.method === asked)
  if (match !== undefined) return match
  const methods = matches.flatMap(({ operation }) =>
    operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method],
  )
  const allow = methods.sort().join(', ')
  throw new OneRosterError('invaliddata', `This address takes ${allow}.`, { allow }, 405)
}

/** Throws `forbidden` and `server_busy` unless the caller may use an operation now. */
async function admit(
  { rateLimiter }: OneRosterPlatform,
  { caller, rights, opensNested }: RosterCaller,
  operation: OneRosterOperation,
  reply: FastifyReply,
): Promise<void> {
  const { tenant, actor, requestsPerMinute } = caller
  const quota = await rateLimiter.take(tenant.id, actor.id as string, requestsPerMinute)
  setQuotaHeaders(reply, quota)
  requireActive(tenant)
  if (!quota.allowed) {
    const detail = `The quota of ${quota.limit} requests per minute is used up. Wait ${quota.resetSeconds} s.`
    throw new OneRosterError('server_busy', detail, { 'retry-after': String(quota.resetSeconds) })
  }
  const { scope } = operation
  if (!rights.has(scope)) throw new OneRosterError('forbidden', `This needs the right ${scope}.`)
  if (operation.isNested && operation.service === 'rostering' && !opensNested) {
    throw new OneRosterError('forbidden', 'Lists below another object need the scope roster.readonly.')
  }
  if (!tenant.enabledModules.includes(neededModule)) {
    throw new OneRosterError('forbidden', `The institution has not enabled ${neededModule}.`)
  }
}

function requireActive(tenant: Tenant): void {
  if (tenant.status === 'active') return
  throw new OneRosterError('forbidden', `The institution ${tenant.slug} is suspended.`)
}

function getSelection(
  context: RosterContext,
  { collection, id }: OneRosterOperation,
  parameters: Readonly<Record<string, string>>,
): Selection {
  if (Object.hasOwn(gradebookCollections, collection)) {
    const of = gradebookCollections[collection as keyof typeof gradebookCollections]
    return { of, where: gradebookConditions[id]?.(context, parameters) ?? null }
  }
  const { of, where }: Collection = rosterCollections[collection as keyof typeof rosterCollections]
  const conditions = [where?.(context), nestedConditions[id]?.(context, parameters)].filter(
    (each) => each !== undefined,
  )
  return { of, where: conditions.length === 0 ? null : join(conditions, ' and ') }
}

/** Throws `unknownobject` unless what a nested address of the gradebook names is there. */
async function requireParents(
  database: Database,
  context: RosterContext,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const [parents] = await database.readBriefly<{ are_there: boolean }>(
    context.tenantId,
    sql`select ${areParentsThere(context, parameters)} as are_there`,
  )
  if (parents?.are_there !== true) throw unknownObject('class, school, student, session or line item')
}

/** Records the people whom a response is about, as reads of the Client API are recorded. */
function disclose(
  { disclosures }: OneRosterPlatform,
  { caller }: RosterCaller,
  operation: OneRosterOperation,
  request: FastifyRequest,
  rows: readonly ObjectRow[],
): Promise<void> | undefined {
  const disclosed = disclosedByCollection[operation.collection]
  if (disclosed === undefined || request.method === 'HEAD') return undefined
  const { tenant, actor } = caller
  return disclosures.add({
    context: { tenant, actor, requestId: request.id, address: request.ip },
    surface: 'client_api',
    operation: `oneroster.${operation.id}`,
    disclosed,
    ids: [...new Set(rows.flatMap(({ people }) => people ?? []))],
    count: rows.length,
    filter: operation.shape === 'list' ? getFilter(request.url) : null,
  })
}

/** How a list was asked for, without the values that say who somebody is. */
function getFilter(url: string): object {
  const { limit, offset, filter } = parseListQuery(url)
  const conditions = filter?.conditions.map(({ field, operator }) => `${field} ${operator}`) ?? []
  return { limit, offset, ...(conditions.length > 0 && { filter: conditions }) }
}
