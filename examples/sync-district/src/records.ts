import type { Json } from './difference.ts'

/** A record of the Client API, as far as every list needs it. */
export interface StoredRecord {
  readonly id: string
  readonly externalId: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A record that is gone from the tenant. */
export interface DeletedRecord {
  readonly externalId: string | null
  readonly deletedAt: string
  /** The id of the record that it was merged into; null where it was deleted. */
  readonly mergedInto: string | null
}

export interface Student extends StoredRecord {
  /** The name of its record on the Resource and Method API. */
  readonly studentCode: string
  readonly status: string
}

export interface Application extends StoredRecord {
  readonly contacts: readonly ContactLink[]
}

export interface Payment extends StoredRecord {
  readonly dueDate: string
}

export interface ContactLink {
  readonly id: string
  /** The person; the files' own id of it stands in the metadata. */
  readonly contactId: string
  readonly metadata: { readonly [name: string]: Json }
}
