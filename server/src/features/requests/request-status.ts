import type { DocumentStatus, RequestItemStatus, RequestStatus } from '@matricula/contract'

interface ItemFacts {
  readonly isRequired: boolean
  readonly status: RequestItemStatus
}

/** What the status of a request follows from. */
export interface RequestFacts {
  readonly revokedAt: string | null
  readonly expiresAt: string
  readonly items: readonly ItemFacts[]
}

/**
 * Where a request stands at a moment (milliseconds since 1970). Being revoked comes before everything, being complete
 * before the clock; it is partially completed once a document is there, reviewed or not.
 */
export function requestStatus({ revokedAt, expiresAt, items }: RequestFacts, now: number): RequestStatus {
  if (revokedAt !== null) return 'revoked'
  if (isComplete(items)) return 'completed'
  if (Date.parse(expiresAt) <= now) return 'expired'
  return items.some(({ status }) => status === 'uploaded' || status === 'accepted') ? 'partially_completed' : 'open'
}

/** Whether every required document is accepted; where none is required, every one. */
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

/** Where an item stands whose document is in a status: one that is no longer valid has to be handed in again. */
export function itemStatus(status: DocumentStatus): RequestItemStatus {
  return itemStatuses[status]
}
