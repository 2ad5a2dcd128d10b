import type { EntityType } from '@matricula/contract'

/** What a feature says of the list of its records, to whoever changes, counts, pages or examines it. */
export interface RecordList {
  /** The kind of its records in events, in the audit and in what is kept of the list. */
  readonly entityType: EntityType
  /** What people call one of them. */
  readonly noun: string
  /** The table, with the columns tenant_id, id, status, created_at and updated_at. */
  readonly table: string
  /** Whether the totals of its records are kept by status, so that they need not be counted for a page. */
  readonly isCountedByStatus?: boolean
  /** Whether its records that are gone are listed, so that whoever keeps a copy learns of it. */
  readonly tellsDeletions?: boolean
}
