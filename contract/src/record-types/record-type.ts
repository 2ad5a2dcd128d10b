import type { Domain } from '../access.ts'

/** What a field of a record holds; the names are those of Frappe v15. */
export type FieldType =
  | 'Data'
  | 'Read Only'
  | 'Small Text'
  | 'Text'
  | 'Text Editor'
  | 'Color'
  | 'Attach'
  | 'Attach Image'
  | 'Password'
  | 'Select'
  | 'Link'
  | 'Dynamic Link'
  | 'Date'
  | 'Datetime'
  | 'Time'
  | 'Check'
  | 'Int'
  | 'Float'
  | 'Currency'
  | 'Percent'
  | 'Duration'
  | 'Table'

interface FieldOfAnyType {
  /** What people call it. */
  readonly label: string
  /** A record without it is rejected, on every save of a draft and on submission. */
  readonly required?: boolean
  /** No other record of the type has the same value; an empty one does not count. */
  readonly unique?: boolean
  /** The value of a new record that is silent: a text or a number, or `Today` or `Now` for dates and times. */
  readonly default?: string | number
  /** Shown but not to be typed: clients may still send it, as upstream allows. */
  readonly readOnly?: boolean
  readonly hidden?: boolean
  /** `link field.field`: copied from the linked record on every save of a draft. */
  readonly fetchFrom?: string
  /** Copied only when nothing was sent. */
  readonly fetchIfEmpty?: boolean
  /** May still change after the record was submitted. */
  readonly allowOnSubmit?: boolean
  /** Never changes once it has a value. */
  readonly setOnlyOnce?: boolean
  /** Left out when a person copies the record. */
  readonly noCopy?: boolean
  /** The maximum characters; 140 by default, 1 000 000 for texts. */
  readonly maxLength?: number
  /** Help text where people fill it in. */
  readonly description?: string
  /** Shown in lists on a screen. */
  readonly inListView?: boolean
  /** Roles to whom it is not shown unless another role of the staff lets them read the record, too. */
  readonly hiddenFrom?: readonly string[]
  /** A custom field, by the id of its definition; stored in the custom fields of a record and not in a column. */
  readonly customId?: string
}

/** A field that holds one value. */
export interface ValueField extends FieldOfAnyType {
  readonly type: Exclude<FieldType, 'Select' | 'Link' | 'Dynamic Link' | 'Table'>
  /** What a `Data` must look like. */
  readonly format?: 'Email' | 'Phone' | 'URL' | 'Name'
  /** How many digits behind the point of a number clients show. */
  readonly precision?: number
}

/** A field that holds one of some texts. A new record takes the first one unless it has a default. */
export interface SelectField extends FieldOfAnyType {
  readonly type: 'Select'
  readonly options: readonly string[]
}

/** A field that holds the name of a record of another type. */
export interface LinkField extends FieldOfAnyType {
  readonly type: 'Link'
  /** The name of the type. Types that are not record types here are stored as text and not checked. */
  readonly target: string
  /** A name that no record has yet makes that record, unless the tenant wants its links strict. */
  readonly createMissing?: true
  /** The rules of the type look after it: what it names need not be there, and no link prevents that it goes. */
  readonly isUnchecked?: true
}

/** A field that holds the name of a record of the type that another field names. */
export interface DynamicLinkField extends FieldOfAnyType {
  readonly type: 'Dynamic Link'
  readonly typeField: string
}

/** A field that holds rows. */
export interface TableField extends FieldOfAnyType {
  readonly type: 'Table'
  readonly rows: RecordType
}

export type Field = ValueField | SelectField | LinkField | DynamicLinkField | TableField

/**
 * How a record gets its name, which tells it apart from all others of its type and tenant: by a numbered series, whose
 * `#` are digits and whose `.YYYY.` is the year; by the value of one field; by a format whose counter all formats
 * share; by ten random characters; or by a rule of its type. A single record is named after its type. The field that is
 * named here always holds the name.
 */
export type Naming =
  | { readonly by: 'series'; readonly series: string }
  | { readonly by: 'field'; readonly field: string }
  | { readonly by: 'format'; readonly format: string }
  | { readonly by: 'hash' }
  | { readonly by: 'rule'; readonly field?: string }
  | { readonly by: 'type' }

/** What a role may do with the records of a type. */
export type Right = 'read' | 'write' | 'create' | 'delete' | 'submit' | 'cancel' | 'amend'

/**
 * A kind of record of the Resource and Method API: `plain` records are saved, `submittable` ones are drafts until they
 * are submitted and final until they are cancelled, of a `single` there is one, and `child` records are rows of others.
 */
export interface RecordType {
  readonly name: string
  /** What it is, in one sentence. */
  readonly summary: string
  /** The plural of its name, in snake case, where it is not made by `s` or `ies`: the name of its table. */
  readonly plural?: string
  /** The domain whose system of record its records belong to: where another system owns it, people only read them. */
  readonly domain?: Domain
  readonly kind: 'plain' | 'submittable' | 'single' | 'child'
  /**
   * There are few of them, and many records name the same one: an index on links to them would find too much to be of
   * use.
   */
  readonly isCatalogue?: true
  readonly naming: Naming
  readonly renameAllowed?: boolean
  /** Nothing of it is stored: its records follow from what the service declares. */
  readonly isComputed?: true
  /** The field that tells people which record it is. */
  readonly titleField?: string
  /**
   * For records that are people: the link to the user who such a person is. Whoever has personal roles alone sees its
   * own.
   */
  readonly personField?: string
  /**
   * The way by links to the user whose account decides who a person is here, where it is another than `personField`: a
   * field, or a link and a field of what it names. Whoever changes it may write users.
   */
  readonly accountField?: string
  /**
   * For records of people: the field with the e-mail address at which an account is made for such a person. Where it is
   * replaced or cleared while the person has no account, the former address is informed by mail.
   */
  readonly addressField?: string
  /**
   * For records that are people: the rows that name those who answer for them, by a link to people of another type.
   * Such a guardian reads what the person reads.
   */
  readonly guardianField?: string
  /**
   * For groups of people who are taught: the way from their rows by links to the user of whoever teaches them, and the
   * rows that name their students, with the field of those that says whether they still are.
   */
  readonly taught?: {
    readonly teachers: readonly string[]
    readonly members: { readonly rows: string; readonly link: string; readonly isWhile: string }
  }
  /**
   * The fields by which teachers reach records: those that name the group and the student that they are of. A teacher
   * who may do something by that role alone may do it with what is of the groups that such a one teaches.
   */
  readonly reachedBy?: { readonly group?: string; readonly student?: string }
  readonly searchFields?: readonly string[]
  /**
   * What records of other types say about a record, by a name that begins with `_`, as no field of a type does: lists
   * are filtered, grouped and sorted by it and show it. A record may have several values; a list shows them with commas.
   * It takes the right to read the type that says it.
   */
  readonly listedBy?: Readonly<Record<string, LinkField & { readonly saidBy: string }>>
  /** The order of lists on a screen; the API has none unless one is asked for. */
  readonly sort?: { readonly field: string; readonly order: 'asc' | 'desc' }
  /** What each role may do. `System Manager` may do everything with every type. */
  readonly permissions: Readonly<Record<string, readonly Right[]>>
  readonly fields: Readonly<Record<string, Field>>
}

/** Declares a record type, keeping its fields' names and types for the compiler. */
export function recordType<const Type extends RecordType>(type: Type): Type {
  return type
}

/** The fields that every record has, whatever its type. */
export const standardFields = {
  name: { type: 'Data', label: 'Name' },
  owner: { type: 'Data', label: 'Created By' },
  creation: { type: 'Datetime', label: 'Created On' },
  modified: { type: 'Datetime', label: 'Last Updated On' },
  modified_by: { type: 'Data', label: 'Last Updated By' },
  docstatus: { type: 'Int', label: 'Document Status' },
  idx: { type: 'Int', label: 'Index' },
} as const satisfies Record<string, Field>

/** The fields that rows have beside them. */
export const rowFields = {
  parent: { type: 'Data', label: 'Parent' },
  parentfield: { type: 'Data', label: 'Parent Field' },
  parenttype: { type: 'Data', label: 'Parent Type' },
} as const satisfies Record<string, Field>

type NumberType = 'Check' | 'Int' | 'Float' | 'Currency' | 'Percent'

type ValueOf<Of extends Field> = Of extends { type: 'Table'; rows: infer Rows extends RecordType }
  ? DocumentOf<Rows>[]
  : Of extends { type: NumberType }
    ? number
    : Of extends { type: 'Duration' }
      ? number | null
      : string | null

/**
 * A record in memory. Dates are `YYYY-MM-DD`, times `HH:MM:SS`, dates with times `YYYY-MM-DD HH:MM:SS.ffffff` in the
 * tenant's time zone, durations seconds; numbers are never null, everything else that is not set is; tables are arrays
 * of rows.
 */
export type DocumentOf<Type extends RecordType> = {
  name: string
  owner: string
  creation: string
  modified: string
  modified_by: string
  docstatus: number
  idx: number
} & { -readonly [Name in keyof Type['fields']]: ValueOf<Type['fields'][Name]> }
