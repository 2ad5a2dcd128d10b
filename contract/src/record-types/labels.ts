import type { RecordType } from './record-type.ts'

/** Every text that a record type is shown with: labels, descriptions and options of its fields and of its rows. */
export function labelsOf(type: RecordType): ReadonlySet<string> {
  return new Set(listLabels(type))
}

function listLabels(type: RecordType): string[] {
  return Object.values(type.fields).flatMap((field) => [
    field.label,
    ...(field.description === undefined ? [] : [field.description]),
    ...(field.type === 'Select' ? field.options.filter(Boolean) : []),
    ...(field.type === 'Table' ? listLabels(field.rows) : []),
  ])
}
