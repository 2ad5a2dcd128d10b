import type { EventType, RecordVerb } from '@matricula/contract'
import type { RecordType, Right } from '@matricula/contract/record-types'
import type { RecordList } from '../../changes/index.ts'
import type { Sql } from '../../database/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import type { Caller } from './caller.ts'
import type { AnyDocument, RecordOf } from './record-document.ts'
import { getNoun, getTable } from './record-tables.ts'

/**
 * Something that a type does with a record: it may change fields that were not saved yet, refuse by throwing a `RecordError`,
 * and change other records by `work`. `before` is the record as it is stored, null for a new one.
 */
export type Rule<Type extends RecordType = RecordType> = (
  document: RecordOf<Type>,
  work: RecordWork,
  before: RecordOf<Type> | null,
) => void | Promise<void>

/** What a method of a record answers; the record is saved by the method itself where it changes it. */
export type DocumentMethod<Type extends RecordType = RecordType> = (
  document: RecordOf<Type>,
  work: RecordWork,
  args: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/**
 * A method that takes long: it runs apart from those that everybody waits for, and not before its announcement is committed, so
 * that others see that it runs. When it fails nothing of it is kept but what `failed` does in a transaction of its own.
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
  /** What a client sent, before it is taken into a record, where it says more than the fields that it is sent for can hold. */
  readonly received?: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** The name of a new record, where the type's naming is by rule. Empty: the record is refused. */
  readonly name?: (document: RecordOf<Type>, work: RecordWork) => string | Promise<string>
  /** The series that names a new record instead of the type's own, or null. */
  readonly series?: (document: RecordOf<Type>, work: RecordWork) => Promise<string | null>
  /** On every save of a draft and on submission, before what is required is looked for. */
  readonly validate?: readonly Rule<Type>[]
  readonly beforeSubmit?: readonly Rule<Type>[]
  readonly afterInsert?: readonly Rule<Type>[]
  /** After every save of a draft, and after insertion and submission too. */
  readonly afterSave?: readonly Rule<Type>[]
  readonly afterSubmit?: readonly Rule<Type>[]
  /** After a submitted record was changed in the fields that may still change. */
  readonly afterChange?: readonly Rule<Type>[]
  readonly beforeCancel?: readonly Rule<Type>[]
  /** On cancellation, before links of submitted records are looked for. */
  readonly afterCancel?: readonly Rule<Type>[]
  readonly beforeDelete?: readonly Rule<Type>[]
  /** Fields that are computed whenever the record is read, and never stored. */
  readonly afterLoad?: readonly Rule<Type>[]
}

/** The columns of a view behind a link. */
export interface LinkById {
  /** The id of the record that is linked. */
  readonly id: string
  /** The name where there is no such record. */
  readonly text: string
}

/**
 * How a type is kept whose records the Client API shares: a view to read from, and functions that write the tables
 * underneath. All of them run in the change's transaction.
 */
export interface RecordStorage<Type extends RecordType = RecordType, Shared extends object = object> {
  /** A view, or a table, with the columns of any record table. */
  readonly relation: string
  /** The table under the view, whose row of the same id is locked for a change. */
  readonly table: string
  /** The column of that table that holds the name, where it is another than `name`. */
  readonly nameColumn?: string
  /** Where the rows of a table field are read from that are not kept in a regular table; `insert` and `update` write them. */
  readonly rowRelations?: Readonly<Record<string, string>>
  /** The table fields whose rows follow from other records: nobody stores them, and they are no links. */
  readonly computedTables?: readonly string[]
  /** The columns that keep the names of other records, by field, where a renamed record has to be renamed too. */
  readonly linkColumns?: Readonly<Record<string, { readonly table: string; readonly column: string }>>
  /** Links that are kept by id, so that a filter by name can use the id's index. */
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
  /** Makes what keeps the id of a record keep that of the one that it is merged into. Without it such records stand in the way. */
  merge?(work: RecordWork, fromId: string, intoId: string): Promise<void>
  /**
   * The Client API's own record, of which audit rows and events tell: read once before a change and once after it. Null where they
   * tell of the record of this surface.
   */
  read(work: RecordWork, id: string): Promise<Shared | null>
  /** The fields that only this surface shows, which are told of beside it. */
  readonly ownFields: readonly string[]
  /** The list in which the Client API has the records; without one the events tell of the noun alone. */
  readonly list?: RecordList
  /** The event by which the Client API tells of a change, where it is another than the record's own. Given what is told. */
  eventType?(verb: RecordVerb, before: object | null, after: object | null): EventType | null
}

/**
 * Fields that an index has behind the tenant: all but the last find records, which it has in the order of the last, and of the id behind
 * it unless that is the name. Each is a column as it stands. Every regular table has one by `name`, and those of types with
 * more than one record, which are not the platform's, by `creation` and `modified`.
 */
export type RecordIndex = readonly [string, ...string[]]

function regularIndexes<Type extends RecordType>({ kind }: Type, parts: DefinitionParts<Type>): RecordIndex[] {
  if (parts.storage !== undefined || parts.computed !== undefined) return []
  const byName: RecordIndex = ['name']
  return kind === 'single' || parts.isKeptByPlatform === true ? [byName] : [byName, ['creation'], ['modified']]
}

/** A record type with everything that the service does about it. */
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
  /** The fields of a record that comes into being because somebody named it in a link. */
  readonly fromName: ((name: string, work: RecordWork) => Promise<Record<string, unknown>>) | null
  /** Types whose submitted records do not keep a record of this type from being cancelled. */
  readonly ignoredOnCancel: readonly string[]
  /** The Dynamic Link of records that are removed with the one that they name; null for records of their own life. */
  readonly goesWith: string | null
  /**
   * The right to the record that it goes with which each change of it and its deletion take; null where only making it, and naming another
   * record, take the right to read that one.
   */
  readonly rightToNamed: Right | null
  /** The field of which a record that it goes with has each value once: what is merged into another loses what that one has. */
  readonly onceEach: string | null
  /** Which of the records under an alias somebody sees, where it is not for the type alone to say; null for all of them. */
  readonly seenBy: ((view: RecordView, alias: string) => Sql | null) | null
  /** Whether somebody may change or delete a record that the type lets such callers change. */
  readonly mayChange: ((caller: Caller, document: AnyDocument) => boolean) | null
  /** A form that keeps what was filled in last: what it names may be deleted all the same. */
  readonly isForm: boolean
  /** Only the service itself makes and changes such records. */
  readonly isWrittenByService: boolean
  /** Its tables are the platform's, which needs them for more than records. */
  readonly isKeptByPlatform: boolean
  /** The records, with their rows, of a type of which nothing is stored, as far as somebody may see them; null for all others. */
  readonly computed: ((view: RecordView) => readonly AnyDocument[]) | null
}

/** The record types of a tenant. */
export interface RecordTypes {
  /** Every type that stands by itself. */
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

/** Who looks at which types. */
export interface RecordView {
  readonly registry: RecordTypes
  readonly caller: Caller
}

interface DefinitionParts<Type extends RecordType> {
  readonly noun?: string
  readonly rules?: Rules<Type>
  readonly methods?: Methods<Type>
  readonly storage?: RecordStorage<Type>
  /** Those that lists are read off, beside those of every regular table. */
  readonly indexes?: readonly RecordIndex[]
  readonly fromName?: (name: string, work: RecordWork) => Promise<Record<string, unknown>>
  readonly ignoredOnCancel?: readonly string[]
  readonly goesWith?: string
  readonly rightToNamed?: Right
  readonly onceEach?: string
  readonly seenBy?: (view: RecordView, alias: string) => Sql | null
  readonly mayChange?: (caller: Caller, document: RecordOf<Type>) => boolean
  readonly isForm?: boolean
  readonly isWrittenByService?: boolean
  readonly isKeptByPlatform?: boolean
  readonly computed?: (view: RecordView) => readonly AnyDocument[]
}

/** Binds a declared type to its rules. The compiler knows the type's fields in them; the engine does not need to. */
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
    mayChange: (parts.mayChange as RecordDefinition['mayChange']) ?? null,
    isForm: parts.isForm ?? false,
    isWrittenByService: parts.isWrittenByService ?? false,
    isKeptByPlatform: parts.isKeptByPlatform ?? false,
    computed: parts.computed ?? null,
  }
  return definition as unknown as RecordDefinition
}
