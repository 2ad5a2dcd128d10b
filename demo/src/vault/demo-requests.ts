import type { RowOf } from '../copy.ts'
import type { Plan } from '../plan.ts'
import { day, hour, stamp } from '../records/calendar.ts'
import type { DemoDocumentTypes, DocumentOwner, DocumentRows } from './demo-documents.ts'
import type { requestItemsTable, requestsTable } from './vault-tables.ts'

export interface RequestRows {
  readonly requests: RowOf<typeof requestsTable>[]
  readonly items: RowOf<typeof requestItemsTable>[]
}

type RequestStatus = 'open' | 'partially_completed' | 'completed' | 'expired' | 'revoked'
type ItemStatus = 'pending' | 'uploaded' | 'accepted' | 'rejected'

interface Story {
  readonly owner: number
  readonly status: RequestStatus
  readonly locale: 'en' | 'es' | 'pt' | null
  readonly items: readonly (readonly [typeKey: string, status: ItemStatus])[]
}

/** Requests in every status. The owners are those whose documents make the items what they are. */
const stories: readonly Story[] = [
  {
    owner: 7,
    status: 'open',
    locale: null,
    items: [
      ['identity_document', 'pending'],
      ['transcript', 'pending'],
      ['photo', 'pending'],
    ],
  },
  {
    owner: 1,
    status: 'partially_completed',
    locale: 'es',
    items: [
      ['identity_document', 'uploaded'],
      ['transcript', 'pending'],
    ],
  },
  {
    owner: 0,
    status: 'completed',
    locale: 'en',
    items: [
      ['identity_document', 'accepted'],
      ['photo', 'accepted'],
    ],
  },
  {
    owner: 3,
    status: 'open',
    locale: 'pt',
    items: [['identity_document', 'rejected']],
  },
  {
    owner: 5,
    status: 'expired',
    locale: 'en',
    items: [['birth_certificate', 'pending']],
  },
  {
    owner: 6,
    status: 'revoked',
    locale: 'en',
    items: [['identity_document', 'pending']],
  },
]

/** Makes the requests of the owners of one kind. */
export function makeRequests(
  plan: Plan,
  owners: readonly DocumentOwner[],
  types: DemoDocumentTypes,
  { idOf }: DocumentRows,
): RequestRows {
  const rows: RequestRows = { requests: [], items: [] }
  const [first] = owners
  const kind = first?.kind === 'application' ? 1 : 0
  for (const [place, story] of stories.entries()) {
    const owner = owners[story.owner]
    if (owner === undefined) continue
    const index = kind * stories.length + place
    const createdAt = Math.max(plan.end - (story.status === 'expired' ? 30 : 3) * day + place * hour, owner.since)
    const id = plan.ids.of('document request', index, createdAt)
    rows.requests.push(requestRow(id, story, owner, createdAt, plan))
    for (const [position, [typeKey, status]] of story.items.entries()) {
      const type = types.get(typeKey)
      if (type === undefined) continue
      const documentId = status === 'pending' ? null : (idOf.get(`${owner.id} ${typeKey}`) ?? null)
      rows.items.push({
        id: plan.ids.of('document request item', index * 8 + position, createdAt),
        request_id: id,
        document_type_id: type.id,
        label: (story.locale === null ? undefined : type.names[story.locale]) ?? type.name,
        instructions: typeKey === 'photo' ? 'In front of a light wall, without sunglasses.' : '',
        is_required: typeKey !== 'photo',
        status,
        rejection_reason: status === 'rejected' ? 'The picture is too dark to read.' : null,
        document_id: documentId,
        position: position + 1,
      })
    }
  }
  return rows
}

function requestRow(
  id: string,
  { status, locale }: Story,
  owner: DocumentOwner,
  createdAt: number,
  plan: Plan,
): RowOf<typeof requestsTable> {
  const seenAt = status === 'open' || status === 'expired' ? null : stamp(createdAt + 2 * hour)
  const changedAt = stamp(Math.min(createdAt + (status === 'open' ? 0 : 5 * hour), plan.end - 1))
  return {
    id,
    external_id: null,
    student_id: owner.kind === 'student' ? owner.id : null,
    application_id: owner.kind === 'application' ? owner.id : null,
    title: owner.kind === 'student' ? 'Documents for the student file' : 'Documents for the application',
    message: 'Please hand in what is missing, so that we can go on. A photo taken with your phone is fine.',
    recipient_contact_id: owner.contact.id,
    recipient_name: owner.contact.name,
    recipient_email: owner.contact.email,
    recipient_phone: null,
    locale,
    status,
    expires_at: stamp(status === 'expired' ? createdAt + 14 * day : plan.end + 60 * day),
    revoked_at: status === 'revoked' ? changedAt : null,
    revoked_reason: status === 'revoked' ? 'Asked by mistake.' : null,
    completed_at: status === 'completed' ? changedAt : null,
    first_viewed_at: seenAt,
    last_viewed_at: seenAt,
    submitted_at: status === 'completed' ? seenAt : null,
    created_at: stamp(createdAt),
    updated_at: changedAt,
  }
}
