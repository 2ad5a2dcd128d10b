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
import { createRequest, loadTenantLanguage } from './document-requests.ts'
import { itemErrors } from './request-items.ts'
import { previewRequests, type RequestSettings } from './who-is-asked.ts'

type PreviewBody = Body<(typeof requestOperations)['previewRequestJob']>
type Create = (typeof requestOperations)['createRequestJob']

/** The scope to read the records of a request job. */
export const readScopes = { student: 'students:read', application: 'admissions:read' } as const

/** The record types of a request job. */
const recordTypes = { student: 'Student', application: 'Student Applicant' } as const

/** The maximum number of records checked in one transaction. */
const batchSize = 500

/** One more than the maximum of a job, to detect too many. */
const maxChosen = bulkBounds.records + 1

/** The number of requests that a preview shows. */
const previewSize = 10

/** Counts the families that a job would mail. Throws `validation_failed`, `reference_not_found` and `rule_violated`. */
export async function previewRequestJob(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  body: PreviewBody,
): Promise<Static<typeof RequestJobPreview>> {
  const checked = await checkRecords(database, registry, context, body)
  const unreachedIds = checked.unreached.slice(0, mostAsked)
  const { matched, complete, alreadyAsked, first, byMail, unreached } = checked
  const locale = body.locale ?? (await database.transaction(context.tenant.id, (tx) => loadTenantLanguage(tx)))
  const counts = { matched, total: byMail.length, complete, alreadyAsked, unreached: unreached.length }
  return { locale, ...counts, unreachedIds, first }
}

/**
 * Creates a job that mails a request to each family. Throws as the preview does, and `state_conflict` when the number
 * has changed.
 */
export async function createRequestJob(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  body: Body<Create>,
  runner: BulkRunner,
): Promise<Write<Create>> {
  const { byMail } = await checkRecords(database, registry, context, body)
  const { entityType, documentTypeIds, fromRequirements, locale, message, expectedTotal } = body
  const changes = {
    ...(documentTypeIds !== undefined && { documentTypeIds }),
    ...(fromRequirements !== undefined && { fromRequirements }),
    ...(locale !== undefined && { locale }),
    ...(message !== undefined && { message }),
  }
  const work = {
    type: recordTypes[entityType],
    action: 'ask' as const,
    changes,
    ...(expectedTotal !== undefined && { expectedTotal }),
  }
  return (tx) => createJob(tx, context, work, sql`select unnest(${byMail}::text[]) as f0`, runner)
}

/**
 * Mails a request to the family of one record, in the transaction in which the job records it, so that it happens once.
 * Advisory lock per record.
 *
 * @throws Problem `insufficient_scope` when the job's creator lost the right; `resource_not_found`; `rule_violated`
 * when nothing is missing, there is no address, or everything is requested already.
 */
export const requestDocumentsOf: AskOne = async (tx, caller, { type, changes }, name) => {
  const entityType = type === recordTypes.student ? 'student' : 'application'
  const scopes = scopesOfRoles(caller.tenant.roleLimits ?? {}, caller.roles)
  for (const scope of ['vault:write', readScopes[entityType]] as const) {
    if (!scopes.has(scope)) {
      throw new Problem('insufficient_scope', `${caller.user} may no longer request documents.`, {
        requiredScope: scope,
      })
    }
  }
  const [entityId = null] = await idsOfCodes(tx, entityType, [name])
  if (entityId === null) throw notFoundProblem(entityType)
  await takeAdvisoryLock(tx, `document request for ${entityId}`)
  const settings = changes as RequestSettings & { message?: string }
  const [one] = await previewRequests(tx, entityType, [entityId], settings)
  if (one?.isAsked === true) {
    const detail = 'Every missing document is requested already.'
    throw new Problem('rule_violated', detail, { rule: 'request_is_new' })
  }
  await createRequest(tx, caller, { ...settings, entityType, entityId, notify: true })
}

interface CheckedRecords {
  readonly matched: number
  readonly complete: number
  readonly alreadyAsked: number
  /** The codes of the records to mail. */
  readonly byMail: string[]
  /** The ids of records without an address. */
  readonly unreached: string[]
  readonly first: Awaited<ReturnType<typeof previewRequests>>
}

async function checkRecords(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  body: PreviewBody,
): Promise<CheckedRecords> {
  const { entityType } = body
  requireUse(context.caller, readScopes[entityType])
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
  const checked = { matched: codes.length, complete: 0, alreadyAsked: 0, byMail: [], unreached: [], first: [] } as {
    -readonly [Field in keyof CheckedRecords]: CheckedRecords[Field]
  }
  for (let from = 0; from < codes.length; from += batchSize) {
    const batch = codes.slice(from, from + batchSize)
    await slow.transaction(tenantId, async (tx) => {
      const ids = await idsOfCodes(tx, entityType, batch)
      const codeById = new Map(ids.map((id, index) => [id, batch[index] as string]))
      if (codeById.has(null)) throw referenceProblem('names', entityType)
      for (const one of await previewRequests(tx, entityType, ids as string[], body))
        add(checked, one, codeById.get(one.entityId))
    })
  }
  return checked
}

function add(
  checked: { -readonly [Field in keyof CheckedRecords]: CheckedRecords[Field] },
  one: CheckedRecords['first'][number],
  code = '',
): void {
  if (one.asks.length === 0) checked.complete += 1
  else if (one.isAsked) checked.alreadyAsked += 1
  else if (one.recipientEmail === null) checked.unreached.push(one.entityId)
  else {
    checked.byMail.push(code)
    if (checked.first.length < previewSize) checked.first.push(one)
  }
}

/** The statement that selects the codes of the chosen records. */
function selection(
  database: Database,
  registry: RecordRegistry,
  context: RequestContext,
  { entityType, entityIds, names, filters, orFilters, status }: PreviewBody,
): Sql {
  const tenantId = context.tenant.id
  if (entityIds !== undefined || status !== undefined) {
    const condition = entityIds === undefined ? sql`e.status = ${status ?? ''}` : sql`e.id = any (${entityIds}::uuid[])`
    return sql`
      select e.${identifier(ownerCodes[entityType])} as f0 from ${identifier(ownerTables[entityType])} e
       where e.tenant_id = ${tenantId} and ${condition} order by e.created_at, e.id limit ${literal(maxChosen)}`
  }
  const reading = getReading(database, registry, getCaller(context))
  const type = registry.find(recordTypes[entityType])?.type
  if (type === undefined) throw notFoundProblem('record type')
  return getSelection(reading, type, {
    ...(names !== undefined && { names }),
    ...(filters !== undefined && { filters }),
    ...(orFilters !== undefined && { orFilters }),
  })
}

function selectionErrors({ entityType, entityIds, names, filters, orFilters, status }: PreviewBody): Fault[] {
  const fieldError = (field: string, code: Fault['code'], detail: string): Fault => ({
    in: 'body',
    pointer: `#/${field}`,
    code,
    detail,
  })
  const variants = [entityIds, names, filters, status].filter((way) => way !== undefined).length
  const validationErrors: Fault[] = []
  if (variants === 0)
    validationErrors.push(fieldError('filters', 'required', 'is required, or entityIds, names or status'))
  if (variants > 1)
    validationErrors.push(fieldError('filters', 'inconsistent', 'is one of entityIds, names, filters and status'))
  if (orFilters !== undefined && filters === undefined)
    validationErrors.push(fieldError('orFilters', 'inconsistent', 'stands beside filters'))
  if (status !== undefined && entityType !== 'application') {
    validationErrors.push(fieldError('status', 'inconsistent', 'belongs to applications'))
  }
  return validationErrors
}
