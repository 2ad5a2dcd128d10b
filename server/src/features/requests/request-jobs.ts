import {
  type Body,
  bulkBounds,
  type Fault,
  mostAsked,
  type RequestJobPreview,
  type requestOperations,
  type Static,
} from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { type Database, identifier, literal, type Sql, sql } from '../../database/index.ts'
import { notFoundProblem, Problem, referenceProblem, validationProblem } from '../../errors/index.ts'
import type { Write } from '../../http/index.ts'
import { requireUse } from '../../http/index.ts'
import { getCaller, getReading, type RecordRegistry } from '../../record-engine/index.ts'
import { scopesOfRoles } from '../../tenancy/index.ts'
import { type AskOne, type BulkRunner, createJob, getSelection, requireBounded } from '../bulk-jobs/index.ts'
import { idsOfCodes, ownerCodes, ownerTables } from '../requirements/index.ts'
import { createRequest, languageOfTenant } from './document-requests.ts'
import { itemErrors } from './request-items.ts'
import { type Asking, whoIsAsked } from './who-is-asked.ts'

type PreviewBody = Body<(typeof requestOperations)['previewRequestJob']>
type Create = (typeof requestOperations)['createRequestJob']

/** What lets somebody know who those are whose papers are asked for. */
export const scopeOf = { student: 'students:read', application: 'admissions:read' } as const

/** The record types of those who can be asked. */
const typeOf = { student: 'Student', application: 'Student Applicant' } as const

/** How many are weighed in one transaction. */
const batchSize = 500

/** One more than a job may be about, so that more are seen. */
const maxChosen = bulkBounds.records + 1

/** How many of those who would be asked a preview shows. */
const shown = 10

/** Tells how many families would be asked by mail. Throws `validation_failed`, `reference_not_found` and `rule_violated`. */
export async function previewRequestJob(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  body: PreviewBody,
): Promise<Static<typeof RequestJobPreview>> {
  const weighed = await weigh(database, registry, context, body)
  const unreachedIds = weighed.unreached.slice(0, mostAsked)
  const { matched, complete, alreadyAsked, first, byMail, unreached } = weighed
  const locale = body.locale ?? (await database.transaction(context.tenant.id, (tx) => languageOfTenant(tx)))
  const counts = { matched, total: byMail.length, complete, alreadyAsked, unreached: unreached.length }
  return { locale, ...counts, unreachedIds, first }
}

/** Makes a job that asks each family by mail. Throws as the preview does, and `state_conflict` where there are others by now. */
export async function createRequestJob(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  body: Body<Create>,
  runner: BulkRunner,
): Promise<Write<Create>> {
  const { byMail } = await weigh(database, registry, context, body)
  const { entityType, documentTypeIds, fromRequirements, locale, message, expectedTotal } = body
  const changes = {
    ...(documentTypeIds !== undefined && { documentTypeIds }),
    ...(fromRequirements !== undefined && { fromRequirements }),
    ...(locale !== undefined && { locale }),
    ...(message !== undefined && { message }),
  }
  const work = {
    type: typeOf[entityType],
    action: 'ask' as const,
    changes,
    ...(expectedTotal !== undefined && { expectedTotal }),
  }
  return (tx) => createJob(tx, context, work, sql`select unnest(${byMail}::text[]) as f0`, runner)
}

/**
 * Asks the family of one record by mail: as a job does it, which notes it in the same transaction, so that it is done once. Two jobs
 * about the same record wait for each other. Throws `insufficient_scope` where whoever asked for it may not any more, `resource_not_found`, and
 * `rule_violated` where nothing is missing, nobody has an address or all of it is asked for already.
 */
export const askOne: AskOne = async (tx, caller, { type, changes }, name) => {
  const entityType = type === typeOf.student ? 'student' : 'application'
  const scopes = scopesOfRoles(caller.tenant.roleLimits ?? {}, caller.roles)
  for (const scope of ['vault:write', scopeOf[entityType]] as const) {
    if (!scopes.has(scope)) {
      throw new Problem('insufficient_scope', `${caller.user} may not ask families any more.`, { requiredScope: scope })
    }
  }
  const [entityId = null] = await idsOfCodes(tx, entityType, [name])
  if (entityId === null) throw notFoundProblem(entityType)
  await takeAdvisoryLock(tx, `asking for ${entityId}`)
  const asking = changes as Asking & { message?: string }
  const [one] = await whoIsAsked(tx, entityType, [entityId], asking)
  if (one?.isAsked === true) {
    const detail = 'The family is asked for all of it already.'
    throw new Problem('rule_violated', detail, { rule: 'request_is_new' })
  }
  await createRequest(tx, caller, { ...asking, entityType, entityId, notify: true })
}

interface Weighed {
  readonly matched: number
  readonly complete: number
  readonly alreadyAsked: number
  /** The codes of those who would be asked by mail. */
  readonly byMail: string[]
  /** The ids of those of whom no address is known. */
  readonly unreached: string[]
  readonly first: Awaited<ReturnType<typeof whoIsAsked>>
}

async function weigh(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  body: PreviewBody,
): Promise<Weighed> {
  const { entityType } = body
  requireUse(context.caller, scopeOf[entityType])
  const validationErrors = [...itemErrors({ ...body, entityId: '' }), ...selectionErrors(body)]
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  const tenantId = context.tenant.id
  const slow = database.for({ partition: 'long' })
  const rows = await slow.readSlowly<{ code: string }>(
    tenantId,
    sql`select chosen.f0 as code from (${selection(database, registry, context, body)}) chosen`,
  )
  const codes = [...new Set(rows.map(({ code }) => code))]
  requireBounded(codes.length)
  if (codes.length < new Set(body.entityIds?.map((id) => id.toLowerCase())).size)
    throw referenceProblem('entityIds', entityType)
  const weighed = { matched: codes.length, complete: 0, alreadyAsked: 0, byMail: [], unreached: [], first: [] } as {
    -readonly [Field in keyof Weighed]: Weighed[Field]
  }
  for (let from = 0; from < codes.length; from += batchSize) {
    const batch = codes.slice(from, from + batchSize)
    await slow.transaction(tenantId, async (tx) => {
      const ids = await idsOfCodes(tx, entityType, batch)
      const codeOf = new Map(ids.map((id, index) => [id, batch[index] as string]))
      if (codeOf.has(null)) throw referenceProblem('names', entityType)
      for (const one of await whoIsAsked(tx, entityType, ids as string[], body))
        add(weighed, one, codeOf.get(one.entityId))
    })
  }
  return weighed
}

function add(
  weighed: { -readonly [Field in keyof Weighed]: Weighed[Field] },
  one: Weighed['first'][number],
  code = '',
): void {
  if (one.asks.length === 0) weighed.complete += 1
  else if (one.isAsked) weighed.alreadyAsked += 1
  else if (one.recipientEmail === null) weighed.unreached.push(one.entityId)
  else {
    weighed.byMail.push(code)
    if (weighed.first.length < shown) weighed.first.push(one)
  }
}

/** The statement that reads the codes of those who are meant. */
function selection(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  { entityType, entityIds, names, filters, orFilters, status }: PreviewBody,
): Sql {
  const tenantId = context.tenant.id
  if (entityIds !== undefined || status !== undefined) {
    const met = entityIds === undefined ? sql`e.status = ${status ?? ''}` : sql`e.id = any (${entityIds}::uuid[])`
    return sql`
      select e.${identifier(ownerCodes[entityType])} as f0 from ${identifier(ownerTables[entityType])} e
       where e.tenant_id = ${tenantId} and ${met} order by e.created_at, e.id limit ${literal(maxChosen)}`
  }
  const reading = getReading(database, registry, getCaller(context))
  const type = registry.find(typeOf[entityType])?.type
  if (type === undefined) throw notFoundProblem('record type')
  return getSelection(reading, type, {
    ...(names !== undefined && { names }),
    ...(filters !== undefined && { filters }),
    ...(orFilters !== undefined && { orFilters }),
  })
}

function selectionErrors({ entityType, entityIds, names, filters, orFilters, status }: PreviewBody): Fault[] {
  const fault = (field: string, code: Fault['code'], detail: string): Fault => ({
    in: 'body',
    pointer: `#/${field}`,
    code,
    detail,
  })
  const ways = [entityIds, names, filters, status].filter((way) => way !== undefined).length
  const validationErrors: Fault[] = []
  if (ways === 0) validationErrors.push(fault('filters', 'required', 'is required, or entityIds, names or status'))
  if (ways > 1)
    validationErrors.push(fault('filters', 'inconsistent', 'is one of entityIds, names, filters and status'))
  if (orFilters !== undefined && filters === undefined)
    validationErrors.push(fault('orFilters', 'inconsistent', 'stands beside filters'))
  if (status !== undefined && entityType !== 'application') {
    validationErrors.push(fault('status', 'inconsistent', 'belongs to applications'))
  }
  return validationErrors
}
