import type { DocumentStatus, RequestItemStatus, RequestStatus } from '@matricula/contract'

interface ItemFacts {
  readonly isRequired: boolean
  readonly status: RequestItemStatus
}

/** The facts that determine the status of a request. */
export interface RequestFacts {
  readonly revokedAt: string | null
  readonly expiresAt: string
  readonly items: readonly ItemFacts[]
}

/**
 * The status of a request at `now`, in milliseconds since 1970. Revoked comes first, then completed, then expired; it
 * is partially completed once a document has a file, reviewed or not.
 */
export function getRequestStatus({ revokedAt, expiresAt, items }: RequestFacts, now: number): RequestStatus {
  if (revokedAt !== null) return 'revoked'
  if (isComplete(items)) return 'completed'
  if (Date.parse(expiresAt) <= now) return 'expired'
  return items.some(({ status }) => status === 'uploaded' || status === 'accepted') ? 'partially_completed' : 'open'
}

/** Whether every required document is accepted; without required ones, every document. */
function isComplete(items: readonly ItemFacts[]): boolean {
  const required = items.filter(({ isRequired }) => isRequired)
  return (required.length > 0 ? required : items).every(({ status }) => status === 'accepted')
}

const itemStatuses: Readonly<Record<DocumentStatus, RequestItemStatus>> = {
  pending_upload: 'pending',
  uploaded: 'uploaded',
  in_review: 'uploaded',
  approved: 'accepted',
  rejected: 'rejected',
  expired: 'pending',
  archived: 'pending',
}

/** The status of an item from that of its document: one that is no longer valid is pending again. */
export function getItemStatus(status: DocumentStatus): RequestItemStatus {
  return itemStatuses[status]
}
