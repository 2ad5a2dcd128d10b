import type { AnyImportKind, Domain, Json } from '@matricula/contract'
import type { RequestContext } from '../../../changes/index.ts'
import type { Transaction } from '../../../database/index.ts'
import type { RecordEngine } from '../../../record-engine/index.ts'
import type { ImportField } from '../import-fields.ts'
import type { FieldError } from '../row-errors.ts'
import type { Reference } from './references.ts'

/** A record of a file whose cells are read. */
export interface ImportRow {
  readonly line: number
  /** What each column says, by field; a field without a column is absent. */
  readonly values: Readonly<Record<string, Json>>
  /** Fields whose text looks like another encoding, with the text that was meant. */
  readonly suspects: ReadonlyMap<string, string>
}

/** A value of a file that stays out, because a person has corrected the record. */
export interface FieldConflict {
  readonly field: string
  readonly detail: string
}

/** What became of a row. */
export type RowOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly conflicts: readonly FieldConflict[] }
  | { readonly errors: readonly FieldError[] }

/** One attempt to import a file: a transaction, and what all of its batches share. */
export interface ImportSession {
  readonly tx: Transaction
  readonly context: RequestContext
  readonly runId: string
  /** Names of new records, the next of a series. */
  takeNames(series: string, count: number): Promise<string[]>
  /** A record engine of the transaction that may do everything in the tenant. */
  makeEngine(): RecordEngine
  /** Whether the file leads in a field, whatever people corrected. */
  overwrites(field: string): boolean
}

/** Writes the rows of one kind. */
export interface KindWriter {
  /** Looks up what a batch needs while the one before it is written; what cannot be looked up yet is left to `write`. */
  lookAhead?(rows: readonly ImportRow[]): Promise<void>
  /** Writes a batch of rows, each with another key, and says what became of each, in order. */
  write(rows: readonly ImportRow[]): Promise<readonly RowOutcome[]>
}

/** A kind of records that files bring in. */
export interface ImportKind {
  readonly name: AnyImportKind
  readonly fields: readonly ImportField[]
  /** The columns that name other records, each for a field. */
  readonly references: readonly Pick<Reference, 'column' | 'field'>[]
  /** The table of the records. */
  readonly table: string
  readonly domain: Domain | null
  open(session: ImportSession): KindWriter
  /** Removes a record that a run has made. Throws what forbids it. */
  remove(session: ImportSession, id: string): Promise<void>
  /** Gives the fields of a record the values that they had. Throws what forbids it. */
  restore(session: ImportSession, id: string, before: Readonly<Record<string, Json>>): Promise<void>
}
