import type { CustomField } from '../../tenancy/custom-fields/index.ts'
import type { Column } from './columns.ts'
import type { FieldType, ImportField } from './import-fields.ts'

export type { CustomField }

const types: Readonly<Record<string, FieldType>> = {
  Int: 'integer',
  Float: 'number',
  Currency: 'number',
  Percent: 'number',
  Check: 'boolean',
  Date: 'date',
}

/** The field of a column: of a member of an object, what the institution has defined it as. */
export function definedField({ field, member }: Column, customFields: ReadonlyMap<string, CustomField>): ImportField {
  if (member === null) return field
  const type = field.name === 'scores' ? 'number' : (types[customFields.get(member)?.fieldType ?? ''] ?? 'text')
  return { ...field, name: `${field.name}.${member}`, type, isNullable: true, takesEmpty: false }
}
