import type { RecordType } from '../record-types/record-type.ts'

type FieldName<Type extends RecordType> = Extract<keyof Type['fields'], string>
type ListedName<Type extends RecordType> =
  | FieldName<Type>
  | (Type extends { readonly listedBy: infer Listed } ? Extract<keyof Listed, string> : never)

/**
 * How records of a type are shown to staff, beyond what its declaration says. A type without one is shown by rules: its
 * title, what it requires, its links, then the rest.
 */
export interface RecordView {
  readonly type: string
  /** The fields that a list shows beside the record's title. */
  readonly columns: readonly string[]
  /** The fields that a list offers to filter by at once. */
  readonly quickFilters: readonly string[]
  /** The form in parts; a field that no part names comes at the end. */
  readonly sections: readonly { readonly title: string; readonly fields: readonly string[] }[]
  /** The records of other types that name a record of this one, by the field that does. */
  readonly related: readonly { readonly type: string; readonly field: string }[]
}

interface Seen<Type extends RecordType> {
  readonly columns: readonly ListedName<Type>[]
  readonly quickFilters?: readonly ListedName<Type>[]
  readonly sections?: readonly { readonly title: SectionTitle; readonly fields: readonly FieldName<Type>[] }[]
  readonly related?: readonly (readonly [type: RecordType, field: string])[]
}

/** What parts of forms are called; each language of the console has them. */
export const sectionTitles = [
  'Person',
  'Contact',
  'Address',
  'Family',
  'Course of study',
  'Leaving',
  'Dates',
  'Amounts',
  'Accounting',
  'Time and place',
  'People',
  'Result',
] as const

export type SectionTitle = (typeof sectionTitles)[number]

/** Says how records of a type are shown; the compiler knows the type's fields. */
export function recordView<const Type extends RecordType>(type: Type, seen: Seen<Type>): RecordView {
  const { columns, quickFilters = [], sections = [], related = [] } = seen
  return {
    type: type.name,
    columns,
    quickFilters,
    sections,
    related: related.map(([other, field]) => ({ type: other.name, field })),
  }
}
