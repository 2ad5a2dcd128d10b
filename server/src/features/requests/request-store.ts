import type {
  DocumentRequest,
  documentRequestOperations,
  PublicLocale,
  RequestStatus,
  Static,
} from '@matricula/contract'
import { type Sql, sql, table } from '../../database/index.ts'
import type { FiltersOf, Lapse, ListDefinition } from '../../platform/lists.ts'
import type { Owner } from '../requirements/index.ts'

export type RequestRecord = Static<typeof DocumentRequest>
export type RequestItem = RequestRecord['items'][number]

/** The fields of a request that change after its creation, by column. */
export const requestTable = table('document_requests', {
  status: 'status',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  revokedReason: 'revoked_reason',
  completedAt: 'completed_at',
  firstViewedAt: 'first_viewed_at',
  lastViewedAt: 'last_viewed_at',
  submittedAt: 'submitted_at',
})

interface RequestRow {
  id: string
  total: number
  external_id: string | null
  entity_type: Owner['entityType']
  entity_id: string
  entity_label: string
  entity_version: number
  title: string
  message: string
  recipient_contact_id: string | null
  recipient_name: string
  recipient_email: string | null
  recipient_phone: string | null
  status: RequestStatus
  is_over: boolean
  items: RequestItem[] | null
  expires_at: string
  revoked_at: string | null
  revoked_reason: string | null
  completed_at: string | null
  first_viewed_at: string | null
  last_viewed_at: string | null
  submitted_at: string | null
  version: number
  created_at: string
  updated_at: string
}

/** A request that waits for documents reads as expired from its very moment; a job then stores it (`expireRequestsJob`). */
const lapse: Lapse = {
  from: ['open', 'partially_completed'],
  into: 'expired',
  isOver: sql`r.status in ('open', 'partially_completed') and r.expires_at <= now()`,
}

/** The requests of a tenant that meet a condition on `r`, with their items and whom they are about. */
function selectRequests(tenantId: string, condition: Sql): Sql {
  return sql`
    select r.id, r.external_id, case when r.student_id is null then 'application' else 'student' end as entity_type,
           coalesce(r.student_id, r.application_id) as entity_id,
           coalesce(s.full_name, a.full_name) as entity_label, coalesce(s.version, a.version) as entity_version,
           r.title, r.message, r.recipient_contact_id, r.recipient_name, r.recipient_email, r.recipient_phone,
           r.status, ${lapse.isOver} as is_over,
           (select json_agg(json_build_object(
                     'id', i.id, 'documentTypeId', i.document_type_id, 'label', i.label, 'instructions', i.instructions,
                     'isRequired', i.is_required, 'status', i.status, 'rejectionReason', i.rejection_reason,
                     'documentId', i.document_id) order by i.position)
              from document_request_items i
             where i.tenant_id = ${tenantId} and i.request_id = r.id) as items,
           r.expires_at, r.revoked_at, r.revoked_reason, r.completed_at, r.first_viewed_at, r.last_viewed_at,
           r.submitted_at, r.version, r.created_at, greatest(r.updated_at, s.shown_at, a.shown_at) as updated_at
      from document_requests r
      left join students s on s.tenant_id = ${tenantId} and s.id = r.student_id
      left join admission_applications a on a.tenant_id = ${tenantId} and a.id = r.application_id
     where r.tenant_id = ${tenantId} and ${condition}`
}

export const documentRequests: ListDefinition<RequestRow, RequestRecord> = {
  entityType: 'vault_request',
  noun: 'document request',
  table: 'document_requests',
  isCountedByStatus: true,
  alias: 'r',
  select: selectRequests,
  toRecord: toRequest,
  versions: (row) => [row.version, row.entity_version, row.is_over ? 1 : 0],
  lapse,
  shows: [
    sql`join students shown on shown.tenant_id = r.tenant_id and shown.id = r.student_id`,
    sql`join admission_applications shown on shown.tenant_id = r.tenant_id and shown.id = r.application_id`,
  ],
  filters: {
    studentId: (studentId) => sql`r.student_id = ${studentId}`,
    applicationId: (applicationId) => sql`r.application_id = ${applicationId}`,
  } satisfies FiltersOf<(typeof documentRequestOperations)['listDocumentRequests']>,
}

/** What is kept of a request that is made; its items are kept apart. */
export interface NewRequest {
  readonly id: string
  readonly externalId: string | null
  readonly owner: Owner
  readonly title: string
  readonly message: string
  readonly recipient: RequestRecord['recipient']
  readonly locale: PublicLocale | null
  readonly status: RequestStatus
  readonly expiresAt: string
}

/** Adds a request. No row when its externalId is taken. */
export function insertRequest(tenantId: string, request: NewRequest): Sql {
  const { owner, recipient } = request
  return sql`
    insert into document_requests (tenant_id, id, external_id, student_id, application_id, title, message,
                                   recipient_contact_id, recipient_name, recipient_email, recipient_phone, locale,
                                   status, expires_at)
    values (${tenantId}, ${request.id}, ${request.externalId}, ${owner.entityType === 'student' ? owner.entityId : null},
            ${owner.entityType === 'application' ? owner.entityId : null}, ${request.title}, ${request.message},
            ${recipient.contactId}, ${recipient.name}, ${recipient.email}, ${recipient.phone}, ${request.locale},
            ${request.status}, ${request.expiresAt})
    on conflict do nothing returning 1 as inserted`
}

function toRequest(row: RequestRow): RequestRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    entityType: row.entity_type,
    entityId: row.entity_id,
    entityLabel: row.entity_label,
    title: row.title,
    message: row.message,
    recipient: {
      contactId: row.recipient_contact_id,
      name: row.recipient_name,
      email: row.recipient_email,
      phone: row.recipient_phone,
    },
    status: row.is_over ? 'expired' : row.status,
    items: row.items ?? [],
    publicUrl: null,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
    completedAt: row.completed_at,
    firstViewedAt: row.first_viewed_at,
    lastViewedAt: row.last_viewed_at,
    submittedAt: row.submitted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
