import {
  DocumentRequest,
  type documentRequestOperations,
  type PublicLocale,
  type RequestStatus,
  type Static,
} from '@matricula/contract'
import { moment, type Sql, sql, table } from '../../database/index.ts'
import { type StoredRow, storedFields } from '../../entities/index.ts'
import type { Expiry, FiltersOf, ListDefinition } from '../../listing/index.ts'
import type { Translations } from '../../tenancy/index.ts'
import type { Owner } from '../requirements/index.ts'

export type RequestRecord = Static<typeof DocumentRequest>
export type RequestItem = RequestRecord['items'][number]

/** The fields of a request that change after its creation, by column. */
const changingColumns = {
  status: 'status',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  revokedReason: 'revoked_reason',
  completedAt: 'completed_at',
  firstViewedAt: 'first_viewed_at',
  lastViewedAt: 'last_viewed_at',
  submittedAt: 'submitted_at',
} as const

export const requestTable = table('document_requests', changingColumns)

/** The stored fields of a request, by column. */
const requestColumns = { externalId: 'external_id', title: 'title', message: 'message', ...changingColumns } as const

const requestFields = storedFields(DocumentRequest, 'r', requestColumns)

interface RequestRow extends StoredRow<RequestRecord, typeof requestColumns> {
  readonly entity_type: Owner['entityType']
  readonly entity_id: string
  readonly entity_label: string
  readonly entity_version: number
  readonly recipient_contact_id: string | null
  readonly recipient_name: string
  readonly recipient_email: string | null
  readonly recipient_phone: string | null
  readonly is_over: boolean
  readonly items: RequestItem[] | null
}

/** An open request reads as expired from the exact time; `expireRequestsJob` stores it later. */
const expiry: Expiry = {
  from: ['open', 'partially_completed'],
  into: 'expired',
  isOver: sql`r.status in ('open', 'partially_completed') and r.expires_at <= now()`,
}

/** Selects requests by a condition on `r`, with their items and record. */
function selectRequests(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${requestFields.selected}, case when r.student_id is null then 'application' else 'student' end as entity_type,
           coalesce(r.student_id, r.application_id) as entity_id,
           coalesce(s.full_name, a.full_name) as entity_label, coalesce(s.version, a.version) as entity_version,
           r.recipient_contact_id, r.recipient_name, r.recipient_email, r.recipient_phone,
           ${expiry.isOver} as is_over,
           (select json_agg(json_build_object(
                     'id', i.id, 'documentTypeId', i.document_type_id, 'label', i.label, 'instructions', i.instructions,
                     'isRequired', i.is_required, 'status', i.status, 'rejectionReason', i.rejection_reason,
                     'documentId', i.document_id) order by i.position)
              from document_request_items i
             where i.tenant_id = ${tenantId} and i.request_id = r.id) as items,
           greatest(r.updated_at, s.shown_at, a.shown_at) as updated_at
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
  toRecord: requestFields.reader<RequestRow>({
    entityType: (row) => row.entity_type,
    entityId: (row) => row.entity_id,
    entityLabel: (row) => row.entity_label,
    recipient: (row) => ({
      contactId: row.recipient_contact_id,
      name: row.recipient_name,
      email: row.recipient_email,
      phone: row.recipient_phone,
    }),
    status: (row) => (row.is_over ? 'expired' : row.status),
    items: (row) => row.items ?? [],
    publicUrl: () => null,
  }),
  versions: (row) => [row.version, row.entity_version, row.is_over ? 1 : 0],
  expiry,
  shows: [
    sql`join students shown on shown.tenant_id = r.tenant_id and shown.id = r.student_id`,
    sql`join admission_applications shown on shown.tenant_id = r.tenant_id and shown.id = r.application_id`,
  ],
  filters: {
    studentId: (studentId) => sql`r.student_id = ${studentId}`,
    applicationId: (applicationId) => sql`r.application_id = ${applicationId}`,
  } satisfies FiltersOf<(typeof documentRequestOperations)['listDocumentRequests']>,
}

/** A request to insert; its items are inserted separately. */
export interface NewRequest {
  readonly id: string
  readonly externalId: string | null
  readonly owner: Owner
  readonly title: string
  /** The title in other languages. */
  readonly translations: Translations
  readonly message: string
  readonly recipient: RequestRecord['recipient']
  readonly locale: PublicLocale | null
  readonly status: RequestStatus
  readonly expiresAt: string
}

/** The insert of a request. Returns no row when its externalId is taken. */
export function insertRequest(tenantId: string, request: NewRequest): Sql {
  const { owner, recipient } = request
  return sql`
    insert into document_requests (tenant_id, id, external_id, student_id, application_id, title, translations, message,
                                   recipient_contact_id, recipient_name, recipient_email, recipient_phone, locale,
                                   status, expires_at, created_at, updated_at)
    select ${tenantId}, ${request.id}, ${request.externalId}, ${owner.entityType === 'student' ? owner.entityId : null},
            ${owner.entityType === 'application' ? owner.entityId : null}, ${request.title},
            ${JSON.stringify(request.translations)}::jsonb, ${request.message},
            ${recipient.contactId}, ${recipient.name}, ${recipient.email}, ${recipient.phone}, ${request.locale},
            ${request.status}, ${request.expiresAt}, stamp, stamp
      from ${moment}
    on conflict do nothing returning 1 as inserted`
}
