import type { RecordType, Right } from '@matricula/contract/record-types'
import type { Sql, Transaction } from '../../database/index.ts'
import type { Caller } from '../model/caller.ts'
import type { RecordOf } from '../model/record-document.ts'

/** A message that a client shows beside the result. */
export interface WorkMessage {
  readonly message: string
  readonly title?: string
  readonly indicator?: string
  readonly alert?: boolean
}

/** The defaults that a tenant has set for all its records. */
export interface SiteDefaults {
  /** The defaults of link fields in new records, by field name. */
  readonly links: Readonly<Record<string, string | null>>
  /** A default applies only where the field that it depends on has its default too, such as a term and its year. */
  readonly belongsTo: Readonly<Record<string, string>>
  /** Whether a link to a record that does not exist is always an error. */
  readonly isStrict: boolean
  /** The month with which fiscal years begin, from 1 to 12. */
  readonly fiscalYearFirstMonth: number
}

/** Where the records of a type are stored, and where they are read from. */
export interface RecordLocation {
  readonly type: RecordType
  readonly table: string
  readonly relation: string
  /** Whether an institution may add fields to them. */
  readonly takesCustomFields: boolean
}

/** The fields of a new record, or those that change. */
export type FieldsOf<Type extends RecordType> = Partial<Omit<RecordOf<Type>, TableFieldOf<Type>>> & {
  readonly [Name in TableFieldOf<Type>]?: readonly object[]
}

type TableFieldOf<Type extends RecordType> = {
  [Name in keyof Type['fields']]: Type['fields'][Name] extends { type: 'Table' } ? Name : never
}[keyof Type['fields']]

/**
 * Work on a tenant's records in one transaction on behalf of a caller: what rules and methods may do. Nothing here
 * checks rights except `require`; code that acts for a caller checks first.
 */
export interface RecordWork {
  readonly tx: Transaction
  readonly caller: Caller
  /** Messages for the client beside the result. */
  readonly messages: WorkMessage[]
  /** The tenant's day (`YYYY-MM-DD`) and moment (`YYYY-MM-DD HH:MM:SS.ffffff`), in its time zone. */
  readonly today: string
  readonly now: string
  /** Whether queued mails are sent. */
  readonly sendsMail: boolean

  /**
   * Runs one statement outside of this transaction, best effort and without waiting, such as a progress update. It must
   * not need a lock that this transaction holds.
   */
  note(statement: Sql): void

  /**
   * The secret in a field of a stored record; null where there is none. Throws `SealError` where it cannot be opened.
   */
  reveal(type: RecordType, field: string, stored: string | null): string | null

  /** Queues a stored file, by its id, for deletion after commit; the caller removes the row that names it. */
  discardFile(id: string): void

  /** Throws `PermissionError` unless the caller may do this with the records of the type. */
  require(type: RecordType, right: Right): void
  /** Whether the caller may read a record, so that a text may name it. */
  mayRead(type: RecordType, name: string): Promise<boolean>
  siteDefaults(): Promise<SiteDefaults>
  /** Where the records of a type are stored; null for an unknown type and for one whose records are computed. */
  findRecordLocation(typeName: string): RecordLocation | null

  /** A record with its rows. Throws `DoesNotExistError`. */
  get<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type>>
  /** The same, or null when there is none. */
  find<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type> | null>
  /**
   * The fields of a record without its rows, cached for the transaction; null when there is none. For links: many
   * records name the same few.
   */
  linked<Type extends RecordType>(type: Type, name: string | null): Promise<RecordOf<Type> | null>
  /** Fills the cache of `linked` with one statement. */
  prefetch(type: RecordType, names: readonly string[]): Promise<void>
  /**
   * Locks several records in lock order (which prevents deadlocks) before they are changed one by one. Unknown names
   * and computed records are ignored.
   */
  lockAll(named: readonly { readonly type: RecordType; readonly name: string }[]): Promise<void>
  /** The fields, without rows, of the records that meet a condition on the alias `r`, in an order. */
  select<Type extends RecordType>(type: Type, condition: Sql, order?: Sql): Promise<RecordOf<Type>[]>

  /** Creates a record, as a draft or, with docstatus 1, submitted at once. */
  insert<Type extends RecordType>(type: Type, fields: FieldsOf<Type>): Promise<RecordOf<Type>>
  /**
   * Locks and reads a record, passes it to `change`, and stores it: saved, submitted or cancelled by its docstatus.
   * Returns it as stored. Throws `DoesNotExistError`, `TimestampMismatchError` where `change` sets another `modified`
   * than the stored one, and what the type's rules throw.
   */
  change<Type extends RecordType>(
    type: Type,
    name: string,
    change: (document: RecordOf<Type>) => void | Promise<void>,
  ): Promise<RecordOf<Type>>
  cancel<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type>>
  remove(type: RecordType, name: string): Promise<void>
  rename(type: RecordType, from: string, to: string, options?: { readonly merge?: boolean }): Promise<string>
  /**
   * Writes fields of a stored record without rules, validation or new rows, for the effects of one record on another. A
   * change without effect writes nothing.
   */
  put<Type extends RecordType>(type: Type, name: string, fields: Partial<RecordOf<Type>>): Promise<void>
  /**
   * Runs a change outside of the records' own rows that alters how they read, and gives each its next version with an
   * audit row and an event. Throws `DoesNotExistError` for a name that no record has.
   */
  touch(type: RecordType, names: readonly string[], change: () => Promise<void>): Promise<void>
}
