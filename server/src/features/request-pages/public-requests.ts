import type { PublicLocale, RequestItemStatus, RequestStatus } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { type Database, DatabaseUnavailable, type Sql, sql, type Transaction } from '../../database/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { putOut } from '../../mail/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { inLanguage, type Translations } from '../../tenancy/index.ts'
import { lockRequest, openRequestToken, type RequestRecord, storeRequest } from '../requests/index.ts'

/** A document request as its link shows it: of the student or applicant only the first name. */
export interface PublicRequest {
  readonly id: string
  readonly tenantId: string
  readonly institution: string
  /** The contact person of the institution; null for none. */
  readonly contact: { readonly name: string; readonly email: string | null; readonly phone: string | null } | null
  /** The language of the page; null for that of the browser. */
  readonly locale: PublicLocale | null
  /** The language of the institution's original texts. */
  readonly language: PublicLocale
  readonly firstName: string
  readonly title: string
  readonly translations: Translations
  readonly message: string
  readonly status: RequestStatus
  /** Whether it accepts files: it is neither revoked nor expired. A complete one accepts files until it expires. */
  readonly isOpen: boolean
  readonly expiresAt: string
  readonly submittedAt: string | null
  readonly lastViewedAt: string | null
  readonly items: readonly PublicItem[]
  /** Whether every required document has a file, one of them newer than the last submission. */
  readonly canSubmit: boolean
  /** The name of the recipient, in whose name the page acts. */
  readonly recipientName: string
  readonly tenant: ChangeContext['tenant']
}

export interface PublicItem {
  readonly id: string
  readonly label: string
  readonly instructions: string
  readonly translations: Translations
  readonly isRequired: boolean
  readonly status: RequestItemStatus
  readonly rejectionReason: string | null
  /** The name of the newest file; null for none. */
  readonly fileName: string | null
  readonly allowedMimeTypes: readonly string[]
  readonly maxSizeBytes: number
}

/** The client of a page, for the audit. */
export interface PublicVisit {
  readonly address: string | null
  /** The id of the HTTP request. */
  readonly requestId: string | null
}

interface PublicRow {
  id: string
  tenant_id: string
  tenant_name: string
  time_zone: string
  currency: string
  language: PublicLocale
  locale: PublicLocale | null
  names: string
  title: string
  translations: Translations
  message: string
  status: RequestStatus
  is_over: boolean
  is_open: boolean
  expires_at: string
  submitted_at: string | null
  last_viewed_at: string | null
  has_news: boolean
  recipient_name: string
  items: PublicItem[] | null
}

/** Stands for a tenant or request that does not exist: the maximum UUID, which names nothing (RFC 9562 §5.10). */
const noId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const nobody = { tenantId: noId, requestId: noId }

/**
 * The request of a token. Null for every other token, after the same database work, so that timing does not distinguish
 * a damaged token from a guessed one; also while the tenant is suspended or has no vault.
 */
export async function findPublicRequest(
  database: Database,
  secretKey: string,
  token: string,
): Promise<PublicRequest | null> {
  const { tenantId, requestId } = openRequestToken(secretKey, token) ?? nobody
  const [row] = await database.read<PublicRow>(tenantId, selectPublicRequest(tenantId, requestId))
  return row === undefined ? null : toPublicRequest(row)
}

/** Reads the current request. Throws `resource_not_found` when its tenant has just been suspended. */
export async function readCurrent(database: Database, { tenantId, id }: PublicRequest): Promise<PublicRequest> {
  const [row] = await database.read<PublicRow>(tenantId, selectPublicRequest(tenantId, id))
  if (row === undefined) throw notFoundProblem('document request')
  return toPublicRequest(row)
}

function selectPublicRequest(tenantId: string, requestId: string): Sql {
  return sql`
    select r.id, r.tenant_id, t.name as tenant_name, t.time_zone, t.currency, t.language, r.locale, r.title,
           r.translations, r.message,
           coalesce(s.given_names, s.full_name, a.given_names, a.full_name) as names,
           r.status, r.status in ('open', 'partially_completed') and r.expires_at <= now() as is_over,
           r.status <> 'revoked' and r.expires_at > now() as is_open,
           r.expires_at, r.submitted_at, r.last_viewed_at, ${hasNewerFiles} as has_news, r.recipient_name,
           (select json_agg(json_build_object(
                     'id', i.id, 'label', i.label, 'instructions', i.instructions,
                     'translations', i.translations, 'isRequired', i.is_required, 'status', i.status, 'rejectionReason', i.rejection_reason,
                     'fileName', case when i.status <> 'pending' then (
                       select v.file_name from document_versions v
                        where v.tenant_id = ${tenantId} and v.document_id = i.document_id and v.status = 'ready'
                        order by v.version_number desc limit 1) end,
                     'allowedMimeTypes', y.allowed_mime_types, 'maxSizeBytes', y.max_size_bytes) order by i.position)
              from document_request_items i
              join document_types y on y.tenant_id = ${tenantId} and y.id = i.document_type_id
             where i.tenant_id = ${tenantId} and i.request_id = r.id) as items
      from document_requests r
      join tenants t on t.id = r.tenant_id and t.status = 'active' and 'staff_vault' = any (t.enabled_modules)
      left join students s on s.tenant_id = ${tenantId} and s.id = r.student_id
      left join admission_applications a on a.tenant_id = ${tenantId} and a.id = r.application_id
     where r.tenant_id = ${tenantId} and r.id = ${requestId}`
}

/** Whether the request `r` has a file newer than its last submission. */
const hasNewerFiles = sql`(r.submitted_at is null or exists (
  select from document_request_items n
    join document_versions w on w.tenant_id = r.tenant_id and w.document_id = n.document_id
   where n.tenant_id = r.tenant_id and n.request_id = r.id and w.uploaded_at > r.submitted_at))`

function toPublicRequest(row: PublicRow): PublicRequest {
  const items = row.items ?? []
  return {
    id: row.id,
    tenantId: row.tenant_id,
    institution: row.tenant_name,
    contact: null,
    locale: row.locale,
    language: row.language,
    firstName: row.names.trim().split(/\s+/)[0] as string,
    title: row.title,
    translations: row.translations,
    message: row.message,
    status: row.is_over ? 'expired' : row.status,
    isOpen: row.is_open,
    expiresAt: row.expires_at,
    submittedAt: row.submitted_at,
    lastViewedAt: row.last_viewed_at,
    items,
    canSubmit: row.is_open && row.has_news && findMissing(items).length === 0,
    recipientName: row.recipient_name,
    tenant: { id: row.tenant_id, timeZone: row.time_zone, currency: row.currency } satisfies Partial<Tenant>,
  }
}

/** A request with its texts in a language. */
export function requestIn(request: PublicRequest, locale: PublicLocale): PublicRequest {
  const items = request.items.map((item) => inLanguage(item, item.translations, locale))
  return { ...inLanguage(request, request.translations, locale), items }
}

/**
 * The items without a file that block a submission: required ones; without required ones, all unless one has a file.
 */
function findMissing<Item extends Pick<PublicItem, 'isRequired' | 'status'>>(items: readonly Item[]): readonly Item[] {
  const open = items.filter(({ status }) => status === 'pending' || status === 'rejected')
  const hasAnyFile = open.length < items.length
  return hasAnyFile ? open.filter(({ isRequired }) => isRequired) : open
}

/** The change context of a page: the actor is the link, in the recipient's name. */
export function linkContext(request: PublicRequest, { address, requestId }: PublicVisit): ChangeContext {
  const actor = { type: 'link', id: request.id, name: request.recipientName || 'recipient' } as const
  return { tenant: request.tenant, actor, requestId, address }
}

/** Throws `link_revoked` or `link_expired` for a closed request. */
export function requireOpen({ revokedAt, expiresAt }: Pick<RequestRecord, 'revokedAt' | 'expiresAt'>): void {
  if (revokedAt !== null) throw new Problem('link_revoked', 'The institution has withdrawn this request.')
  if (Date.parse(expiresAt) > Date.now()) return
  throw new Problem('link_expired', 'The time of this request has passed. Ask the institution for a new one.')
}

const viewMilliseconds = 60_000

/** Records a view of an open request, at most once a minute; errors of the database are ignored. */
export async function recordView(database: Database, request: PublicRequest, visit: PublicVisit): Promise<void> {
  if (!request.isOpen || isRecent(request.lastViewedAt)) return
  const context = linkContext(request, visit)
  await database
    .transaction(request.tenantId, async (tx) => {
      const { record } = await lockRequest(tx, context, request.id)
      if (isRecent(record.lastViewedAt)) return
      const lastViewedAt = new Date().toISOString()
      const firstViewedAt = record.firstViewedAt ?? lastViewedAt
      await storeRequest(tx, context, record, { ...record, firstViewedAt, lastViewedAt })
    })
    .catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
    })
}

function isRecent(stamp: string | null): boolean {
  return stamp !== null && Date.parse(stamp) > Date.now() - viewMilliseconds
}

/**
 * Submits a request. Submitting again without a newer file changes nothing. A recipient with an address gets a receipt
 * in the language `mailIn`; null for none. Returns the current request.
 *
 * @throws Problem `link_revoked`; `link_expired`; `rule_violated` while a required document has no file.
 */
export async function submitRequest(
  database: Database,
  request: PublicRequest,
  visit: PublicVisit,
  mailIn: PublicLocale | null = null,
): Promise<PublicRequest> {
  const context = linkContext(request, visit)
  await database.transaction(request.tenantId, async (tx) => {
    const { record } = await lockRequest(tx, context, request.id)
    requireOpen(record)
    const missing = findMissing(record.items)
    if (missing.length > 0) {
      const detail = `These documents have no file yet: ${missing.map(({ label }) => label).join(', ')}.`
      throw new Problem('rule_violated', detail, { rule: 'required_documents_are_there' })
    }
    const { hasNewFiles, submittedAt } = await readSubmissionState(tx, request.id)
    if (!hasNewFiles) return
    await storeRequest(tx, context, record, { ...record, submittedAt })
    const { email } = record.recipient
    if (mailIn === null || email === null) return
    putOut(tx, { kind: 'request_receipt', entityId: request.id, recipient: email, locale: mailIn })
  })
  return readCurrent(database, request)
}

/** Whether there is something to submit, and the time by the database's clock. */
async function readSubmissionState(
  tx: Transaction,
  requestId: string,
): Promise<{ hasNewFiles: boolean; submittedAt: string }> {
  const [row] = await tx.query<{ hasNewFiles: boolean; submittedAt: string }>(sql`
    select ${hasNewerFiles} as "hasNewFiles", current_stamp() as "submittedAt"
      from document_requests r where r.tenant_id = ${tx.tenantId} and r.id = ${requestId}`)
  if (row === undefined) throw notFoundProblem('document request')
  return row
}
