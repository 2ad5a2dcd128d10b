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

/** What a tenant has set for all its records. */
export interface SiteDefaults {
  /** The values that links of these names take in new records, when nothing was sent. */
  readonly links: Readonly<Record<string, string | null>>
  /** A default is taken only where the field that it belongs to has its default too, such as a term and its year. */
  readonly belongsTo: Readonly<Record<string, string>>
  /** Whether a link to a record that does not exist is always refused. */
  readonly isStrict: boolean
  /** The month with which fiscal years begin, from 1 to 12. */
  readonly fiscalYearFirstMonth: number
}

/** Where the records of a type are kept, and where they are read from. */
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
 * Work on a tenant's records in one transaction, on behalf of somebody: what rules and methods may do. Nothing here asks what
 * the caller may do except `require`; whoever acts for a caller asks first.
 */
export interface RecordWork {
  readonly tx: Transaction
  readonly caller: Caller
  /** What the client is told beside the result. */
  readonly messages: WorkMessage[]
  /** The tenant's day (`YYYY-MM-DD`) and moment (`YYYY-MM-DD HH:MM:SS.ffffff`), in its time zone. */
  readonly today: string
  readonly now: string
  /** Whether mails that are put out are sent. */
  readonly sendsMail: boolean

  /**
   * Writes with one statement, beside this transaction and whatever becomes of it, what nobody waits for, such as how far it is.
   * It may be left out, and must not need what this transaction has locked.
   */
  note(statement: Sql): void

  /** The secret in a field of a stored record; null where there is none. Throws `SealError` where it cannot be opened. */
  reveal(type: RecordType, field: string, stored: string | null): string | null

  /** Lets a stored file be removed, by its id, once this work is committed; the row that names it is the caller's concern. */
  discardFile(id: string): void

  /** Throws `PermissionError` unless the caller may do this with the records of the type. */
  require(type: RecordType, right: Right): void
  /** Whether the caller may read a record, so that a text may name it. */
  mayRead(type: RecordType, name: string): Promise<boolean>
  siteDefaults(): Promise<SiteDefaults>
  /** Where the records of a type are kept; null for a name that no type has whose records are stored. */
  keptIn(typeName: string): RecordLocation | null

  /** A record with its rows. Throws `DoesNotExistError`. */
  get<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type>>
  /** The same, or null when there is none. */
  find<Type extends RecordType>(type: Type, name: string): Promise<RecordOf<Type> | null>
  /**
   * The fields of a record without its rows, from what this work read before when it can; null when there is none. For links:
   * many records name the same few.
   */
  linked<Type extends RecordType>(type: Type, name: string | null): Promise<RecordOf<Type> | null>
  /** Reads at once, for `linked`, records that are going to be linked one after the other. */
  prefetch(type: RecordType, names: readonly string[]): Promise<void>
  /** Locks records at once, in their order, that are going to be changed one after the other. Unknown names, and what is computed, are passed over. */
  lockAll(named: readonly { readonly type: RecordType; readonly name: string }[]): Promise<void>
  /** The fields, without rows, of the records that meet a condition on the alias `r`, in an order. */
  select<Type extends RecordType>(type: Type, condition: Sql, order?: Sql): Promise<RecordOf<Type>[]>

  /** Makes a record, as a draft or, with docstatus 1, submitted at once. */
  insert<Type extends RecordType>(type: Type, fields: FieldsOf<Type>): Promise<RecordOf<Type>>
  /**
   * Saves, submits or cancels a record, as `change` leaves it: it is locked, read, given to `change`, and stored, once each. Gives
   * it as it is stored afterwards. A `modified` that `change` sets to another than the stored one refuses it. Throws
   * `DoesNotExistError`, and what the type's rules throw.
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
   * Writes fields of a stored record as they are: no rule, no check and no new row runs. For the effects that one record has on
   * another. Changes that change nothing write nothing.
   */
  put<Type extends RecordType>(type: Type, name: string, fields: Partial<RecordOf<Type>>): Promise<void>
  /**
   * Runs a change after which records read differently although no field of their own changed, and gives each of them its next
   * version with its audit row and its event. Throws `DoesNotExistError` for a name that no record has.
   */
  touch(type: RecordType, names: readonly string[], change: () => Promise<void>): Promise<void>
}
