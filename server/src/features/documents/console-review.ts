import { pageBounds, type Query, type ReviewItem, reviewOperations, type Static } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { type Database, empty, literal, type Sql, sql } from '../../database/index.ts'
import { versioned } from '../../entities/index.ts'
import { implement, type Route } from '../../http/index.ts'
import type { WalkPage } from '../../listing/index.ts'
import { getCursor, parseCursor } from '../../listing/index.ts'
import { profileConcerns } from '../requirements/index.ts'
import { documents } from './document-store.ts'
import { type ClaimRow, claimReview, releaseReview, toClaim } from './review-claims.ts'

type Item = Static<typeof ReviewItem>

/** The review queue of the console. */
export const reviewRoutes: Route[] = implement(reviewOperations, {
  listReviewQueue: (database, { context, query }) => readQueue(database, context, query),
  claimReview: async (tx, { context, body }) => ({
    record: await claimReview(tx, context, body.documentId, body.versionId),
    entityTag: null,
  }),
  releaseReview: async (tx, { context, params }) => {
    await releaseReview(tx, context.actor, params.documentId)
    // The response has no body.
    return { record: {} as never, entityTag: null }
  },
})

interface WaitingRow {
  readonly id: string
  readonly created_at: string
  readonly claim: ClaimRow | null
  readonly requirement: Item['requirement']
  readonly request: Item['request']
}

async function readQueue(
  database: Database,
  { tenant, actor }: RequestContext,
  query: Query<(typeof reviewOperations)['listReviewQueue']>,
): Promise<WalkPage<Item>> {
  const { limit = pageBounds.limit.default, cursor = '*', documentTypeId } = query
  const { page, after } = parseCursor(cursor)
  const afterCursor =
    after === null ? empty : sql`and (d.created_at, d.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  const ofType = documentTypeId === undefined ? empty : sql`and d.document_type_id = ${documentTypeId}`
  const inStatus = (status: string) => sql`(
    select d.id, d.created_at, d.document_type_id from documents d
     where d.tenant_id = ${tenant.id} and d.status = ${status} ${ofType} ${afterCursor}
     order by d.created_at, d.id limit ${literal(limit + 1)})`
  const waiting = await database.readSlowly<WaitingRow>(
    tenant.id,
    sql`
    select w.id, w.created_at,
           (select to_jsonb(c) || jsonb_build_object('expires_at', stamp_text(c.expires_at)) from review_claims c
             where c.tenant_id = ${tenant.id} and c.document_id = w.id and c.expires_at > now()) as claim,
           coalesce(requested.requirement, ${requirementOfOwner(tenant.id)}) as requirement, requested.request
      from (select * from (${inStatus('uploaded')} union all ${inStatus('in_review')}) in_queue
             order by created_at, id limit ${literal(limit + 1)}) w
      left join lateral (
        select jsonb_build_object('id', i.requirement_id, 'label', i.label, 'instructions', i.instructions) as requirement,
               jsonb_build_object('id', q.id, 'title', q.title, 'locale', q.locale, 'expiresAt', stamp_text(q.expires_at)) as request
          from document_request_items i
          join document_requests q on q.tenant_id = ${tenant.id} and q.id = i.request_id
         where i.tenant_id = ${tenant.id} and i.document_id = w.id) requested on true
     order by w.created_at, w.id`,
  )
  const shown = waiting.slice(0, limit)
  const found = await findDocuments(
    database,
    tenant.id,
    shown.map(({ id }) => id),
  )
  const last = shown.at(-1)
  return {
    records: shown.flatMap(({ id, claim, requirement, request }) => {
      const known = found.get(id)
      if (known === undefined) return []
      return [{ ...known, requirement, request, claim: claim === null ? null : toClaim(claim, actor) }]
    }),
    page,
    limit,
    nextCursor:
      waiting.length > limit && last !== undefined ? getCursor(page + 1, Date.parse(last.created_at), last.id) : null,
  }
}

/** The requirement, as JSON, of the profiles that apply to the owner of a document `w`, for its type; null for none. */
function requirementOfOwner(tenantId: string): Sql {
  const ofOwner = (entityType: 'student' | 'application', table: Sql, link: Sql) => sql`
    select r.position, r.id, jsonb_build_object('id', r.id, 'label', r.label, 'instructions', r.instructions) as requirement
      from document_links l
      join ${table} e on e.tenant_id = ${tenantId} and e.id = ${link}
      left join programs g on g.tenant_id = ${tenantId} and g.id = e.program_id
      join requirement_profiles p on ${profileConcerns(tenantId, entityType, sql`e`, sql`g`)}
      join requirements r on r.tenant_id = ${tenantId} and r.profile_id = p.id and r.document_type_id = w.document_type_id
     where l.tenant_id = ${tenantId} and l.document_id = w.id`
  return sql`(
    select any_of.requirement from (
      ${ofOwner('application', sql`admission_applications`, sql`l.application_id`)}
      union all ${ofOwner('student', sql`students`, sql`l.student_id`)}) any_of
     order by any_of.position, any_of.id limit 1)`
}

async function findDocuments(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Item, 'document' | 'entityTag'>>> {
  if (ids.length === 0) return new Map()
  const statement = documents.select(tenantId, sql`d.id = any (${[...ids]}::uuid[])`)
  const rows = await database.readSlowly<Parameters<typeof documents.toRecord>[0]>(tenantId, statement)
  return new Map(
    rows.map((row) => {
      const { record: document, entityTag } = versioned(documents, row)
      return [document.id, { document, entityTag: entityTag as string }]
    }),
  )
}
