import type { Operation, Query } from '@matricula/contract'
import type { Sql } from '../database/index.ts'
import type { ReadDefinition } from '../entities/index.ts'

/** The parameters that every paged list takes. */
export interface PageQuery {
  readonly page?: number
  readonly limit?: number
  readonly updatedSince?: string
  readonly cursor?: string
}

/** A page of records. `nextCursor` is null in page mode and at the end of cursor pagination. */
export interface Page<Item> {
  /** Too large for memory: a stream, to be read to its end or until `return`. */
  readonly records: Item[] | AsyncGenerator<Item[], void, void>
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly nextCursor: string | null
}

/** A page of a list with cursor pagination only and no total. `nextCursor` is null at the end. */
export interface WalkPage<Item> {
  readonly records: Item[]
  readonly page: number
  readonly limit: number
  readonly nextCursor: string | null
}

type PageParameter = keyof PageQuery | 'status'

/** The filters of a list operation beside the status, each with its condition; one that is missing does not compile. */
export type FiltersOf<O extends Operation> = {
  readonly [Name in Exclude<keyof Query<O>, PageParameter>]-?: (value: string) => Sql
}

/** A list of records with its filters. */
export interface ListDefinition<Row, Item> extends ReadDefinition<Row, Item> {
  readonly filters: Readonly<Record<string, (value: string) => Sql>>
  /**
   * The filters, and the status, whose large totals are cached, each with the field of the record that it reads:
   * every change of it emits an event.
   */
  readonly watched?: Readonly<Record<string, string>>
  /** Those of them by each of which an index has the records in the order of the list. */
  readonly inOrder?: readonly string[]
  /** Present where a status ends with the clock. */
  readonly expiry?: Expiry
  /**
   * Joins from the alias of the table, each to a row `shown` of which the record shows something: its `shown_at`
   * counts as a change of the record, and `select` gives the latest of all as `updated_at`.
   */
  readonly shows?: readonly Sql[]
  /** What holds for all records of the list, where its table has those of other lists too. */
  readonly within?: Sql
  /**
   * The one column by which records are ordered and have changed, where that is not their creation and their last
   * change.
   */
  readonly stampedBy?: string
}

/** Statuses that read as another one from a certain moment on, whether or not a job has stored it yet. */
export interface Expiry {
  readonly from: readonly string[]
  readonly into: string
  /** Whether a stored status has ended. Never null; an index must find the few rows that the job has not come to. */
  readonly isOver: Sql
}
