import type { Query, Requirements, requirementOperations, Static } from '@matricula/contract'
import { type Database, identifier, type Sql, sql, type Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import { notFoundProblem, Problem, validationProblem } from '../../errors/index.ts'
import type { Translations } from '../../tenancy/index.ts'
import { type Owner, ownerColumns, ownerTables } from './owners.ts'

type RequirementsRecord = Static<typeof Requirements>
type RequirementItem = RequirementsRecord['requirements'][number]
type RequirementsQuery = Query<(typeof requirementOperations)['getRequirements']>

/** A profile that concerns the record, or nulls; a requirement of it, or nulls. */
interface RequirementRow {
  entity_id: string
  profile_id: string | null
  profile_name: string
  requirement_id: string | null
  document_type_id: string
  label: string
  instructions: string
  translations: Translations
  is_required: boolean
  min_files: number
  due_at: string | null
  is_waived: boolean
  request_id: string | null
  documents: (RequirementItem['documents'][number] & { rejectionReason: string | null })[] | null
}

/** The requirements of the one record that a query names. Throws `validation_failed` and `resource_not_found`. */
export async function readRequirements(
  database: Database,
  tenantId: string,
  query: RequirementsQuery,
): Promise<Versioned<RequirementsRecord>> {
  const owner = getOwner(query)
  const rows = await database.readSlowly<RequirementRow>(
    tenantId,
    selectRequirements(tenantId, owner.entityType, [owner.entityId]),
  )
  if (rows.length === 0) throw notFoundProblem(owner.entityType)
  return { record: toRequirements(owner, rows), entityTag: null }
}

/** Refuses with `requirements_incomplete`, listing all, while required documents of an application are not satisfied. */
export async function requireCompleteDocuments(tx: Transaction, applicationId: string): Promise<void> {
  const owner: Owner = { entityType: 'application', entityId: applicationId }
  const rows = await tx.query<RequirementRow>(selectRequirements(tx.tenantId, owner.entityType, [owner.entityId]))
  const missing = toRequirements(owner, rows)
    .requirements.filter(isUnmet)
    .map(({ requirementId, label }) => ({ requirementId, label }))
  if (missing.length === 0) return
  const detail = `Required documents are not there or not approved: ${missing.map(({ label }) => label).join(', ')}.`
  throw new Problem('requirements_incomplete', detail, { missing })
}

/** A requirement for which files are neither there nor on their way. */
export interface UnansweredRequirement
  extends Pick<RequirementItem, 'requirementId' | 'documentTypeId' | 'label' | 'instructions' | 'isRequired'> {
  readonly missingFiles: number
  readonly translations: Translations
}

/**
 * What is missing of the requirements of records, by their ids, in one statement: files that are approved or wait for a review are
 * there. Records of which nothing is missing are left out.
 */
export async function unansweredRequirements(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly UnansweredRequirement[]>> {
  const found = new Map<string, UnansweredRequirement[]>()
  for (const row of await tx.query<RequirementRow>(selectRequirements(tx.tenantId, entityType, ids))) {
    if (row.requirement_id === null || row.is_waived) continue
    const { requirementId, documentTypeId, label, instructions, isRequired, documents } = toItem(row)
    const there = documents.filter(({ status }) => ['approved', 'uploaded', 'in_review'].includes(status)).length
    const missingFiles = row.min_files - there
    if (missingFiles <= 0) continue
    const { translations } = row
    const one = { requirementId, documentTypeId, label, instructions, translations, isRequired, missingFiles }
    found.set(row.entity_id, [...(found.get(row.entity_id) ?? []), one])
  }
  return found
}

function isUnmet({ isRequired, status }: RequirementItem): boolean {
  return isRequired && status !== 'satisfied' && status !== 'waived'
}

function getOwner({ entityType, entityId, studentId, applicationId }: RequirementsQuery): Owner {
  const owners: Owner[] = []
  if (entityType !== undefined && entityId !== undefined) owners.push({ entityType, entityId: entityId.toLowerCase() })
  if (studentId !== undefined) owners.push({ entityType: 'student', entityId: studentId.toLowerCase() })
  if (applicationId !== undefined) owners.push({ entityType: 'application', entityId: applicationId.toLowerCase() })
  const isHalf = (entityType === undefined) !== (entityId === undefined)
  const [owner, ...others] = owners
  if (owner !== undefined && others.length === 0 && !isHalf) return owner
  const name = entityType === undefined ? 'entityType' : 'entityId'
  const detail = 'name exactly one record: by entityType and entityId, by studentId, or by applicationId'
  throw validationProblem([{ in: 'query', name, code: owner === undefined ? 'required' : 'inconsistent', detail }])
}

/**
 * That a profile `p` concerns an owner of a kind, given the aliases of its row, with the program's id, status and country, and of what
 * has the program's education level.
 */
export function profileConcerns(tenantId: string, entityType: Owner['entityType'], owner: Sql, program: Sql): Sql {
  return sql`
    p.tenant_id = ${tenantId} and p.is_active and p.applies_to = ${entityType}
    and (p.program_ids = '{}' or ${owner}.program_id = any (p.program_ids))
    and (p.education_levels = '{}' or ${program}.education_level = any (p.education_levels))
    and (p.statuses = '{}' or ${owner}.status = any (p.statuses))
    and (p.countries = '{}' or ${owner}.country = any (p.countries))`
}

/** How many of its required documents an application has, approved or waived, and how many there are required. */
export interface Completeness {
  readonly complete: number
  readonly required: number
}

/** How complete the documents of applications are, by their ids; those of which nothing is required are left out. */
export async function loadCompleteness(
  database: Database,
  tenantId: string,
  applicationIds: readonly string[],
): Promise<ReadonlyMap<string, Completeness>> {
  if (applicationIds.length === 0) return new Map()
  const rows = await database.readSlowly<Completeness & { id: string }>(
    tenantId,
    sql`
    select e.id, count(*) as required,
           count(*) filter (where there.approved >= r.min_files or exists (
             select from requirement_waivers w
              where w.tenant_id = ${tenantId} and w.requirement_id = r.id and w.application_id = e.id)) as complete
      from admission_applications e
      left join programs g on g.tenant_id = ${tenantId} and g.id = e.program_id
      join requirement_profiles p on ${profileConcerns(tenantId, 'application', sql`e`, sql`g`)}
      join requirements r on r.tenant_id = ${tenantId} and r.profile_id = p.id and r.is_required
      cross join lateral (
        select count(*) as approved
          from document_links l
          join documents d on d.tenant_id = ${tenantId} and d.id = l.document_id
         where l.tenant_id = ${tenantId} and l.application_id = e.id and d.document_type_id = r.document_type_id
           and d.status = 'approved' and (d.expires_at is null or d.expires_at > now())) there
     where e.tenant_id = ${tenantId} and e.id = any (${[...applicationIds]}::uuid[])
     group by e.id`,
  )
  return new Map(rows.map(({ id, complete, required }) => [id, { complete, required }]))
}

/** One row for each requirement of each profile that concerns a record, record by record; none of a record that is not there. */
function selectRequirements(tenantId: string, entityType: Owner['entityType'], ids: readonly string[]): Sql {
  const ownerColumn = identifier(ownerColumns[entityType])
  return sql`
    with entity as materialized (
      select e.id, e.created_at, e.status, e.country, e.program_id, g.education_level
        from ${identifier(ownerTables[entityType])} e
        left join programs g on g.tenant_id = ${tenantId} and g.id = e.program_id
       where e.tenant_id = ${tenantId} and e.id = any (${[...ids]}::uuid[])
    )
    select entity.id as entity_id, p.id as profile_id, p.name as profile_name, r.id as requirement_id, r.document_type_id, r.label, r.instructions,
           r.translations, r.is_required, r.min_files, asked.id as request_id,
           coalesce((entity.created_at + make_interval(days => r.due_days))::timestamptz(3), asked.expires_at) as due_at,
           exists (select from requirement_waivers w
                    where w.tenant_id = ${tenantId} and w.requirement_id = r.id and w.${ownerColumn} = entity.id)
             as is_waived,
           (select json_agg(json_build_object(
                     'id', d.id,
                     'status', case when d.status = 'approved' and d.expires_at <= now() then 'expired' else d.status end,
                     'versionNumber', (select max(v.version_number) from document_versions v
                                        where v.tenant_id = ${tenantId} and v.document_id = d.id and v.status = 'ready'),
                     'expiresAt', stamp_text(d.expires_at), 'rejectionReason', d.rejection_reason)
                     order by d.created_at, d.id)
              from document_links l
              join documents d on d.tenant_id = ${tenantId} and d.id = l.document_id
             where l.tenant_id = ${tenantId} and l.${ownerColumn} = entity.id
               and d.document_type_id = r.document_type_id and d.status <> 'archived') as documents
      from entity
      left join requirement_profiles p on ${profileConcerns(tenantId, entityType, sql`entity`, sql`entity`)}
      left join requirements r on r.tenant_id = ${tenantId} and r.profile_id = p.id
      left join lateral (
        select q.id, q.expires_at
          from document_requests q
          join document_request_items i on i.tenant_id = ${tenantId} and i.request_id = q.id
         where q.tenant_id = ${tenantId} and q.${ownerColumn} = entity.id
           and q.status in ('open', 'partially_completed') and q.expires_at > now()
           and (i.requirement_id = r.id or i.document_type_id = r.document_type_id) and i.status <> 'accepted'
         order by q.created_at desc, q.id desc limit 1) asked on true
     order by entity.id, p.name, p.id, r.position, r.id`
}

function toRequirements({ entityType, entityId }: Owner, rows: readonly RequirementRow[]): RequirementsRecord {
  const profiles = new Map<string, { id: string; name: string }>()
  for (const { profile_id: id, profile_name: name } of rows) if (id !== null) profiles.set(id, { id, name })
  const requirements = rows.filter((row) => row.requirement_id !== null).map(toItem)
  const getCount = (...statuses: RequirementItem['status'][]) =>
    requirements.filter(({ status }) => statuses.includes(status)).length
  const summary = {
    total: requirements.length,
    required: requirements.filter(({ isRequired }) => isRequired).length,
    satisfied: getCount('satisfied'),
    missing: getCount('missing', 'requested'),
    inReview: getCount('uploaded', 'in_review'),
    rejected: getCount('rejected'),
    expired: getCount('expired'),
    waived: getCount('waived'),
    isComplete: !requirements.some(isUnmet),
  }
  return { entityType, entityId, profiles: [...profiles.values()], summary, requirements }
}

function toItem(row: RequirementRow): RequirementItem {
  const documents = row.documents ?? []
  const status = getStatus(row, documents)
  const rejected = documents.findLast((document) => document.status === 'rejected')
  return {
    requirementId: row.requirement_id as string,
    profileId: row.profile_id as string,
    documentTypeId: row.document_type_id,
    label: row.label,
    instructions: row.instructions,
    isRequired: row.is_required,
    status,
    rejectionReason: status === 'rejected' ? (rejected?.rejectionReason ?? null) : null,
    dueAt: row.due_at,
    documents: documents.map(({ rejectionReason, ...document }) => document),
    requestId: row.request_id,
  }
}

/** What a requirement that is not yet satisfied shows: the document that is furthest on its way. */
const furthest = ['in_review', 'uploaded', 'rejected', 'expired'] as const

function getStatus(
  { is_waived, min_files, request_id }: RequirementRow,
  documents: RequirementItem['documents'],
): RequirementItem['status'] {
  if (is_waived) return 'waived'
  if (documents.filter(({ status }) => status === 'approved').length >= min_files) return 'satisfied'
  const reached = furthest.find((status) => documents.some((document) => document.status === status))
  return reached ?? (request_id === null ? 'missing' : 'requested')
}
