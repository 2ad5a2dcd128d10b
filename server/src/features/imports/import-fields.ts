import { columnTitles, type TObject, type TSchema } from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'

/** What the values of a field are. */
export type FieldType = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'dateTime' | 'object' | 'list'

/** A field of a kind of records that files can name. */
export interface ImportField {
  readonly name: string
  readonly type: FieldType
  /** Whether an empty cell clears it. */
  readonly isNullable: boolean
  /** Whether the empty text is one of its values. */
  readonly takesEmpty: boolean
  /** Not written, but accepted where it equals what is stored. */
  readonly isReadOnly: boolean
  /** Whether it names a record, so that zeros before a number belong to it. */
  readonly isKey: boolean
}

interface SchemaFacts {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly minLength?: number
  readonly readOnly?: boolean
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaFacts[]
}

const keyFields: ReadonlySet<string> = new Set([
  'id',
  'externalId',
  'studentCode',
  'applicationCode',
  'studentExternalId',
  'studentId',
  'programExternalId',
  'programId',
  'applicationExternalId',
  'applicationId',
  'contactId',
  'student',
])

/** The fields of a body of the Client API, without those that no cell can hold. */
export function getBodyFields({ properties }: TObject): ImportField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = toField(name, schema)
    return field === null ? [] : [field]
  })
}

function toField(name: string, schema: TSchema): ImportField | null {
  const facts = schema as SchemaFacts
  const types = [facts.type ?? []].flat()
  const isNullable = types.includes('null') || (facts.anyOf ?? []).some(({ type }) => type === 'null')
  const [first] = types.filter((type) => type !== 'null')
  // An object other than custom fields is a view of other records.
  if (name !== 'customFields' && name !== 'metadata' && (first === undefined || first === 'object')) return null
  if (first === 'array' && facts.readOnly !== true && name !== 'programs') return null
  const type = getType(first, facts.format)
  const takesEmpty =
    type === 'text' && (facts.minLength ?? 0) === 0 && facts.enum === undefined && facts.format === undefined
  const isReadOnly = facts.readOnly === true
  return { name, type, isNullable, takesEmpty: takesEmpty || isReadOnly, isReadOnly, isKey: keyFields.has(name) }
}

function getType(type: string | undefined, format: string | undefined): FieldType {
  if (type === 'object' || type === undefined) return 'object'
  if (type === 'array') return 'list'
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  if (format === 'date') return 'date'
  return format?.startsWith('date-time') ? 'dateTime' : 'text'
}

/** A field that is no field of the record itself, such as a reference by another key. */
export function textField(name: string): ImportField {
  return { name, type: 'text', isNullable: true, takesEmpty: false, isReadOnly: false, isKey: keyFields.has(name) }
}

/** The fields of these names of a record type of the Resource API. */
export function getFields({ fields }: RecordType, names: readonly string[]): ImportField[] {
  return names.map((name) => {
    const declared = fields[name]
    const type: FieldType =
      declared?.type === 'Date'
        ? 'date'
        : declared?.type === 'Check' || declared?.type === 'Int'
          ? 'integer'
          : declared?.type === 'Float' || declared?.type === 'Currency'
            ? 'number'
            : 'text'
    const isNullable = !(declared !== undefined && 'required' in declared && declared.required === true)
    return { name, type, isNullable, takesEmpty: false, isReadOnly: false, isKey: keyFields.has(name) }
  })
}

/** A heading as it is compared: small letters and digits alone. */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The fields of a kind by everything that a heading may call them. */
export function headingTable(fields: readonly ImportField[]): ReadonlyMap<string, ImportField> {
  const table = new Map<string, ImportField>()
  for (const field of fields) table.set(foldHeading(field.name), field)
  for (const field of fields) {
    for (const title of columnTitles[field.name] ?? []) {
      if (!table.has(foldHeading(title))) table.set(foldHeading(title), field)
    }
  }
  return table
}
