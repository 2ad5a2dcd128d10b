import type { Field, RecordType } from '@matricula/contract/record-types'

/** A record type as upstream describes one, for clients that draw forms from it. */
export function metaOf(type: RecordType): object {
  const isOf = (kind: RecordType['kind']) => (type.kind === kind ? 1 : 0)
  return {
    doctype: 'DocType',
    name: type.name,
    description: type.summary,
    is_submittable: isOf('submittable'),
    issingle: isOf('single'),
    istable: isOf('child'),
    allow_rename: type.renameAllowed ? 1 : 0,
    title_field: type.titleField ?? null,
    search_fields: type.searchFields?.join(', ') ?? null,
    sort_field: type.sort?.field ?? 'modified',
    sort_order: (type.sort?.order ?? 'desc').toUpperCase(),
    fields: Object.entries(type.fields).map(([name, field], position) => fieldMeta(type, name, field, position + 1)),
    permissions: Object.entries(type.permissions).map(([role, rights]) => ({
      role,
      ...Object.fromEntries(rights.map((right) => [right, 1])),
    })),
  }
}

function fieldMeta(type: RecordType, name: string, field: Field, idx: number): object {
  return {
    doctype: 'DocField',
    parent: type.name,
    idx,
    fieldname: name,
    fieldtype: field.type,
    label: field.label,
    options: optionsOf(field),
    reqd: field.required ? 1 : 0,
    unique: field.unique ? 1 : 0,
    default: field.default === undefined ? null : String(field.default),
    read_only: field.readOnly ? 1 : 0,
    hidden: field.hidden ? 1 : 0,
    fetch_from: field.fetchFrom ?? null,
    fetch_if_empty: field.fetchIfEmpty ? 1 : 0,
    allow_on_submit: field.allowOnSubmit ? 1 : 0,
    set_only_once: field.setOnlyOnce ? 1 : 0,
    no_copy: field.noCopy ? 1 : 0,
    length: field.maxLength ?? 0,
    precision: 'precision' in field ? String(field.precision) : '',
  }
}

function optionsOf(field: Field): string | null {
  switch (field.type) {
    case 'Select':
      return field.options.join('\n')
    case 'Link':
      return field.target
    case 'Dynamic Link':
      return field.typeField
    case 'Table':
      return field.rows.name
    default:
      return field.format ?? null
  }
}
