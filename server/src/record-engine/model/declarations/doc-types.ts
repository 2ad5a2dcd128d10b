import { docField, docPerm, docType, type Field, type RecordType, type Right } from '@matricula/contract/record-types'
import { asRow, emptyDocument } from '../../lifecycle/record-store.ts'
import { shownTo } from '../hidden-fields.ts'
import { mayDo } from '../permissions.ts'
import { defineRecord, type RecordView } from '../record-definition.ts'
import type { AnyDocument } from '../record-document.ts'

const rights: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']

/** The record types that a caller may read, and those of their rows, as upstream describes types. */
function readableTypes({ registry, caller }: RecordView): AnyDocument[] {
  const standing = registry.declared().filter(({ type }) => mayDo(caller, type, 'read'))
  const rows = standing.flatMap(({ type }) => Object.values(type.fields).flatMap((field) => getRows(field)))
  const shown = standing.map(({ type }) => shownTo(caller, type))
  return [...shown, ...new Set(rows)].map(describedType)
}

function getRows(field: Field): RecordType[] {
  return field.type === 'Table' ? [field.rows] : []
}

/** A record type as upstream describes one, for clients that draw forms from it. */
export function describedType(type: RecordType): AnyDocument {
  const isOf = (kind: RecordType['kind']) => (type.kind === kind ? 1 : 0)
  return {
    ...emptyDocument(docType),
    name: type.name,
    owner: 'Administrator',
    modified_by: 'Administrator',
    module: 'Education',
    description: type.summary,
    issingle: isOf('single'),
    istable: isOf('child'),
    is_submittable: isOf('submittable'),
    allow_rename: type.renameAllowed ? 1 : 0,
    autoname: findNaming(type),
    title_field: type.titleField ?? null,
    search_fields: type.searchFields?.join(', ') ?? null,
    sort_field: type.sort?.field ?? 'modified',
    sort_order: (type.sort?.order ?? 'desc').toUpperCase(),
    fields: rowsIn(type, 'fields', Object.entries(type.fields).map(describedField)),
    permissions: rowsIn(type, 'permissions', Object.entries(type.permissions).map(describedRole)),
  }
}

/** Rows are named after what they describe, so that a name stays while the declaration does. */
function rowsIn(type: RecordType, field: string, rows: readonly (readonly [string, AnyDocument])[]): AnyDocument[] {
  return rows.map(([key, row], index) => {
    return asRow({ ...row, name: `${type.name}-${field}-${key}`, idx: index + 1 }, { type: docType }, type.name, field)
  })
}

function describedField([name, field]: [string, Field]): readonly [string, AnyDocument] {
  const described = {
    ...emptyDocument(docField),
    fieldname: name,
    fieldtype: field.type,
    label: field.label,
    options: findOptions(field),
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
    description: field.description ?? null,
    in_list_view: field.inListView ? 1 : 0,
    is_custom_field: field.customId === undefined ? 0 : 1,
  }
  return [name, described]
}

function describedRole([role, granted]: [string, readonly Right[]]): readonly [string, AnyDocument] {
  const given = Object.fromEntries(rights.map((right) => [right, granted.includes(right) ? 1 : 0]))
  return [role, { ...emptyDocument(docPerm), role, ...given }]
}

function findOptions(field: Field): string | null {
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

function findNaming({ naming }: RecordType): string | null {
  switch (naming.by) {
    case 'series':
      return 'naming_series:'
    case 'field':
      return `field:${naming.field}`
    case 'format':
      return `format:${naming.format}`
    case 'hash':
      return 'hash'
    default:
      return null
  }
}

/** The record types as computed records. */
export const docTypeRecord = defineRecord(docType, { isWrittenByService: true, computed: readableTypes })
