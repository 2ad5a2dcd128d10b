import type { EventType, RecordVerb } from '@matricula/contract'
import type { RecordType, Right } from '@matricula/contract/record-types'
import type { RecordList } from '../../changes/index.ts'
import type { Sql } from '../../database/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import type { Caller } from './caller.ts'
import type { AnyDocument, RecordOf } from './record-document.ts'
import { getNoun, getTable } from './record-tables.ts'

/**
 * A rule of a type: it may change unsaved fields, reject by throwing a `RecordError`, and change other records by
 * `work`. `before` is the stored record, null for a new one.
 */
export type Rule<Type extends RecordType = RecordType> = (
  document: RecordOf<Type>,
  work: RecordWork,
  before: RecordOf<Type> | null,
) => void | Promise<void>

/** A method of a record, with its result; it saves the record itself where it changes it. */
export type DocumentMethod<Type extends RecordType = RecordType> = (
  document: RecordOf<Type>,
  work: RecordWork,
  args: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/**
 * A long method: `announce` is committed first, so that others see that it runs; then `run` runs in the partition for
 * long work. When it fails it is rolled back, and `failed` runs in a transaction of its own.
 */
export interface LongMethod<Type extends RecordType = RecordType> {
  readonly announce?: DocumentMethod<Type>
  readonly run: DocumentMethod<Type>
  readonly failed?: (document: RecordOf<Type>, work: RecordWork, error: unknown) => Promise<void>
}

/** The methods of a type by their names. */
type Methods<Type extends RecordType> = Readonly<Record<string, DocumentMethod<Type> | LongMethod<Type>>>

/** The rules of a type, in the order in which they run. */
export interface Rules<Type extends RecordType = RecordType> {
  /** Transforms what a client sent before it is assigned to a record. */
  readonly received?: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** The name of a new record, where the type's naming is by rule. Empty: `ValidationError`. */
  readonly name?: (document: RecordOf<Type>, work: RecordWork) => string | Promise<string>
  /** The series that names a new record instead of the type's own, or null. */
  readonly series?: (document: RecordOf<Type>, work: RecordWork) => Promise<string | null>
  /** On every save of a draft and on submission, before validation. */
  readonly validate?: readonly Rule<Type>[]
  readonly beforeSubmit?: readonly Rule<Type>[]
  readonly afterInsert?: readonly Rule<Type>[]
  /** After every save of a draft, and after insertion and submission too. */
  readonly afterSave?: readonly Rule<Type>[]
  readonly afterSubmit?: readonly Rule<Type>[]
  /** After a submitted record was changed in the fields that may still change. */
  readonly afterChange?: readonly Rule<Type>[]
  readonly beforeCancel?: readonly Rule<Type>[]
  /** On cancellation, before links of submitted records are checked. */
  readonly afterCancel?: readonly Rule<Type>[]
  readonly beforeDelete?: readonly Rule<Type>[]
  /** Fields that are computed whenever the record is read, and never stored. */
  readonly afterLoad?: readonly Rule<Type>[]
}

/** The columns of a view behind a link that is stored by id. */
export interface LinkById {
  /** The id of the record that is linked. */
  readonly id: string
  /** The name where there is no such record. */
  readonly text: string
}

/**
 * The storage of a type that the Client API shares: a view to read from, and functions that write the underlying
 * tables. All run in the transaction of the change.
 */
export interface RecordStorage<Type extends RecordType = RecordType, Shared extends object = object> {
  /** A view, or a table, with the columns of any record table. */
  readonly relation: string
  /** The table under the view, whose row of the same id is locked for a change. */
  readonly table: string
  /** The table of drafts, which have no row in that one yet. */
  readonly draftTable?: string
  /** False where an institution can add no fields. */
  readonly hasCustomFields?: false
  /** The column of that table that holds the name, where it is another than `name`. */
  readonly nameColumn?: string
  /** The relations of table fields whose rows are not in a regular table; `insert` and `update` write them. */
  readonly rowRelations?: Readonly<Record<string, string>>
  /** The table fields whose rows are computed from other records: not stored, and no links. */
  readonly computedTables?: readonly string[]
  /** The columns that store names of other records, by field, and are updated when one is renamed. */
  readonly linkColumns?: Readonly<Record<string, { readonly table: string; readonly column: string }>>
  /** Links that are stored by id, so that a filter by name can use the index of the id. */
  readonly linksById?: Readonly<Record<string, LinkById>>
  /** False when the name or another unique value is taken; then nothing is stored. */
  insert(work: RecordWork, id: string, document: RecordOf<Type>): Promise<boolean>
  /** `shared` is what `read` gave before. */
  update(
    work: RecordWork,
    id: string,
    document: RecordOf<Type>,
    before: RecordOf<Type>,
    shared: Shared | null,
  ): Promise<void>
  remove(work: RecordWork, id: string, document: RecordOf<Type>): Promise<void>
  rename(work: RecordWork, id: string, name: string, shared: Shared | null): Promise<void>
  /** Moves references by id to the record that this one is merged into. Without it such references prevent a merge. */
  merge?(work: RecordWork, fromId: string, intoId: string): Promise<void>
  /**
   * The record of the Client API for audit rows and events, read once before a change and once after it. Null where
   * they report the record of this surface.
   */
  read(work: RecordWork, id: string): Promise<Shared | null>
  /** The fields that only this surface shows, which audit and events report beside it. */
  readonly ownFields: readonly string[]
  /** The list of these records in the Client API; without one the events have the noun only. */
  readonly list?: RecordList
  /**
   * The event type of a change, where it is another than the default; `before` and `after` are the reported records.
   */
  eventType?(verb: RecordVerb, before: object | null, after: object | null): EventType | null
}

/**
 * The columns of an index after `tenant_id`: all but the last are for equality, the last is the order, followed by the
 * id unless it is the name. Every regular table has one by `name`; those of types with many records, unless they are
 * the platform's, also by `creation` and `modified`.
 */
export type RecordIndex = readonly [string, ...string[]]

function regularIndexes<Type extends RecordType>({ kind }: Type, parts: DefinitionParts<Type>): RecordIndex[] {
  if (parts.storage !== undefined || parts.computed !== undefined) return []
  const byName: RecordIndex = ['name']
  return kind === 'single' || parts.isPlatformTable === true ? [byName] : [byName, ['creation'], ['modified']]
}

/**
 * A query of (`name`, `value`) for a name of `listedBy`: the record, and a value of it, as the records `s` of the type
 * that says it have it. `met` holds for those of them that the caller sees.
 */
type ListedValues = (tenantId: string, met: Sql) => Sql

/** A record type with its rules, methods and storage. */
export interface RecordDefinition<Type extends RecordType = RecordType> {
  readonly type: Type
  /** Where records are read from. */
  readonly relation: string
  /** The noun of its audit rows and events. */
  readonly noun: string
  readonly rules: Rules<Type>
  readonly methods: Methods<Type>
  /** Null for types with regular tables. */
  readonly storage: RecordStorage<Type> | null
  readonly indexes: readonly RecordIndex[]
  /** The fields of a record that is created because a link names it. */
  readonly fromName: ((name: string, work: RecordWork) => Promise<Record<string, unknown>>) | null
  /** Types whose submitted records do not prevent the cancellation of a record of this type. */
  readonly ignoredOnCancel: readonly string[]
  /** The Dynamic Link to the record that this one depends on and is deleted with; null for independent records. */
  readonly goesWith: string | null
  /**
   * The right to the `goesWith` record that every change and deletion requires; null where only creating it, or moving
   * it to another record, requires the right to read that one.
   */
  readonly rightToNamed: Right | null
  /** The field that is unique per `goesWith` record: a merge drops the duplicates. */
  readonly onceEach: string | null
  /**
   * The condition on an alias for the records that a caller sees, where the type's permissions do not decide it; null
   * for all.
   */
  readonly seenBy: ((view: RecordView, alias: string) => Sql | null) | null
  /** A further condition on an alias for what guardians see of the records about their wards; null for all of them. */
  readonly seenByGuardians: ((view: RecordView, alias: string) => Sql) | null
  /** A further check of whether a caller may change or delete a record. */
  readonly mayChange: ((caller: Caller, document: AnyDocument) => boolean) | null
  /** A form that stores the last input: the records that it links to may be deleted all the same. */
  readonly isForm: boolean
  /** Only the service itself creates and changes such records. */
  readonly isWrittenByService: boolean
  /** Its tables belong to the platform, which uses them for more than records. */
  readonly isPlatformTable: boolean
  /** The values of what the type declares as `listedBy`, by its names. */
  readonly listedBy: Readonly<Record<string, ListedValues>>
  /** The records, with their rows, of a computed type that a caller may see; null for stored types. */
  readonly computed: ((view: RecordView) => readonly AnyDocument[]) | null
}

/** The record types of a tenant. */
export interface RecordTypes {
  /** Every type except those of rows. */
  declared(): readonly RecordDefinition[]
  /** Those whose records are stored. */
  all(): readonly RecordDefinition[]
  find(name: string): RecordDefinition | null
  /** Throws `DoesNotExistError` for a name that no type has. */
  require(name: string): RecordDefinition
}

/** Work that knows the record types of its tenant. */
export interface TypedWork extends RecordWork {
  readonly registry: RecordTypes
}

/** A caller and the record types of its tenant. */
export interface RecordView {
  readonly registry: RecordTypes
  readonly caller: Caller
}

interface DefinitionParts<Type extends RecordType> {
  readonly noun?: string
  readonly rules?: Rules<Type>
  readonly methods?: Methods<Type>
  readonly storage?: RecordStorage<Type>
  /** Further indexes for lists, beside those of every regular table. */
  readonly indexes?: readonly RecordIndex[]
  readonly fromName?: (name: string, work: RecordWork) => Promise<Record<string, unknown>>
  readonly ignoredOnCancel?: readonly string[]
  readonly goesWith?: string
  readonly rightToNamed?: Right
  readonly onceEach?: string
  readonly seenBy?: (view: RecordView, alias: string) => Sql | null
  readonly seenByGuardians?: (view: RecordView, alias: string) => Sql
  readonly mayChange?: (caller: Caller, document: RecordOf<Type>) => boolean
  readonly isForm?: boolean
  readonly isWrittenByService?: boolean
  readonly isPlatformTable?: boolean
  readonly listedBy?: Readonly<Record<string, ListedValues>>
  readonly computed?: (view: RecordView) => readonly AnyDocument[]
}

/** Binds a declared type to its rules, which are typed by its fields. */
export function defineRecord<Type extends RecordType>(type: Type, parts: DefinitionParts<Type> = {}): RecordDefinition {
  const definition: RecordDefinition<Type> = {
    type,
    relation: parts.storage?.relation ?? getTable(type),
    noun: parts.noun ?? getNoun(type),
    rules: parts.rules ?? {},
    methods: parts.methods ?? {},
    storage: parts.storage ?? null,
    indexes: [...regularIndexes(type, parts), ...(parts.indexes ?? [])],
    fromName: parts.fromName ?? null,
    ignoredOnCancel: parts.ignoredOnCancel ?? [],
    goesWith: parts.goesWith ?? null,
    rightToNamed: parts.rightToNamed ?? null,
    onceEach: parts.onceEach ?? null,
    seenBy: parts.seenBy ?? null,
    seenByGuardians: parts.seenByGuardians ?? null,
    mayChange: (parts.mayChange as RecordDefinition['mayChange']) ?? null,
    isForm: parts.isForm ?? false,
    isWrittenByService: parts.isWrittenByService ?? false,
    isPlatformTable: parts.isPlatformTable ?? false,
    listedBy: parts.listedBy ?? {},
    computed: parts.computed ?? null,
  }
  return definition as unknown as RecordDefinition
}
