import type { PageContext } from '../frame.ts'

/** Where a document of a request stands. */
export type ItemStatus = 'pending' | 'uploaded' | 'accepted' | 'rejected'

/** One document that a request asks for. */
export interface RequestItemView {
  readonly id: string
  readonly label: string
  readonly instructions: string
  readonly isRequired: boolean
  readonly status: ItemStatus
  readonly rejectionReason: string | null
  readonly fileName: string | null
  /** Media types that are taken. */
  readonly allowedMimeTypes: readonly string[]
  readonly maxSizeBytes: number
  /** Whether a file may be sent now. */
  readonly isOpen: boolean
}

/** What a family sees of a document request. */
export interface RequestView {
  readonly place: PageContext
  readonly institution: string
  /** IANA name of the institution's time zone. */
  readonly timeZone: string
  /** Nothing but the first name, since a link may be passed on. */
  readonly firstName: string
  readonly title: string
  readonly message: string
  /** Whom to ask, such as an address or a telephone number. */
  readonly contact: string | null
  /** RFC 3339, as all moments. */
  readonly expiresAt: string
  readonly submittedAt: string | null
  readonly items: readonly RequestItemView[]
  /** Whether everything that is required is there and waits to be sent. */
  readonly canSubmit: boolean
  /** What the visitor just tried in vain, and at which item; null as the item means the whole request. */
  readonly fault: { readonly itemId: string | null; readonly text: string } | null
}

type Standing = Pick<RequestItemView, 'isRequired' | 'status'>

/** What has to be there and is not: every required document; where none is required, any one. */
export function missingItems<Item extends Standing>(items: readonly Item[]): Item[] {
  const without = items.filter(({ status }) => !isHandedIn(status))
  if (items.some(({ isRequired }) => isRequired)) return without.filter(({ isRequired }) => isRequired)
  return without.length < items.length ? [] : without
}

export function isHandedIn(status: ItemStatus): boolean {
  return status === 'uploaded' || status === 'accepted'
}
