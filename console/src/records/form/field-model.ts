import { standardFields } from '@matricula/contract/record-type'
import type { Field, RecordType, ValueField } from '@matricula/contract/record-types'
import type { RecordView } from '@matricula/contract/record-views'

/** The values of a form by their fields: texts, numbers, and lists of rows. */
export type Values = Readonly<Record<string, unknown>>

/** A type with how its records are shown, where that was said of it. */
export type ShownType = RecordType & { readonly view?: RecordView }

/** Fields by which the service keeps its own books; nobody fills them in. */
const internal = new Set(['naming_series', 'amended_from', 'link_nvfk', 'lft', 'rgt', 'old_parent'])

/**
 * A type as somebody with these roles sees it: without the fields that are hidden from all of the roles that let such a one read it,
 * and without what records say that such a one may not read.
 */
export function typeSeenBy(
  { listedBy = {}, ...declared }: ShownType,
  roles: readonly string[],
  mayRead: (type: string) => boolean,
): ShownType {
  const said = Object.entries(listedBy).filter(([, { saidBy }]) => mayRead(saidBy))
  const type = { ...declared, listedBy: Object.fromEntries(said) }
  if (roles.includes('System Manager')) return type
  const readers = roles.filter((role) => type.permissions[role]?.includes('read'))
  const isShown = (field: Field) => !(readers.length > 0 && readers.every((role) => field.hiddenFrom?.includes(role)))
  const fields = Object.fromEntries(Object.entries(type.fields).filter(([, field]) => isShown(field)))
  return { ...type, fields }
}

/** A type with the fields that the institution has added to it, as `DocType` describes them, each in its place. */
export function withCustomFields(type: ShownType, described: unknown): ShownType {
  const fields = rowsIn(described).flatMap((row): [string, Field][] => {
    const name = String(row.fieldname)
    const declared = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
    if (declared !== undefined) return [[name, declared]]
    return Number(row.is_custom_field) === 1 ? [[name, customField(name, row)]] : []
  })
  return { ...type, fields: { ...Object.fromEntries(fields), ...type.fields } }
}

function customField(name: string, row: Values): Field {
  const is = (flag: string) => Number(row[flag]) === 1
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
  const common = {
    customId: name,
    label: text(row.label),
    required: is('reqd'),
    unique: is('unique'),
    readOnly: is('read_only'),
    hidden: is('hidden'),
    inListView: is('in_list_view'),
    allowOnSubmit: is('allow_on_submit'),
    noCopy: is('no_copy'),
    ...(text(row.default) !== '' && { default: text(row.default) }),
    ...(text(row.description) !== '' && { description: text(row.description) }),
  }
  const kind = text(row.fieldtype)
  if (kind === 'Select') return { ...common, type: kind, options: text(row.options).split('\n') }
  if (kind === 'Link') return { ...common, type: kind, target: text(row.options) }
  return { ...common, type: kind as ValueField['type'] }
}

/** How records of a type are shown, by its view or by rules. */
export function getView(type: ShownType): RecordView {
  if (type.view !== undefined) return withFieldsOf(type, type.view)
  const shown = Object.entries(type.fields).filter(([name, field]) => isListed(field) && name !== findTitleField(type))
  const said = shown.filter(([, field]) => field.inListView || field.required)
  const short = shown.filter(([, field]) => ['Select', 'Link', 'Date', 'Check', 'Currency'].includes(field.type))
  const columns = [...new Set([...said, ...short].map(([name]) => name))].slice(0, 5)
  const quickFilters = short.filter(([, { type: kind }]) => kind === 'Select' || kind === 'Link').map(([name]) => name)
  return { type: type.name, columns, quickFilters: quickFilters.slice(0, 3), sections: [], related: [] }
}

/** A view without the fields that somebody does not see. */
function withFieldsOf({ fields, listedBy = {} }: RecordType, view: RecordView): RecordView {
  const seen = (names: readonly string[]) =>
    names.filter((name) => Object.hasOwn(fields, name) || Object.hasOwn(listedBy, name))
  const sections = view.sections.map((section) => ({ ...section, fields: seen(section.fields) }))
  const added = Object.entries(fields).filter(([, { customId, inListView }]) => customId !== undefined && inListView)
  return {
    ...view,
    columns: [...seen(view.columns), ...added.map(([name]) => name)],
    quickFilters: seen(view.quickFilters),
    sections: sections.filter((section) => section.fields.length > 0),
  }
}

/** The field that tells people which record it is, beside its name; undefined where the name does. */
export function findTitleField(type: RecordType): string | undefined {
  const field = type.titleField === undefined ? undefined : type.fields[type.titleField]
  return field !== undefined && field.type !== 'Table' ? type.titleField : undefined
}

/** A field of a type, what other records say of its records, or a field that every record has. */
export function findField(type: RecordType, name: string): Field | undefined {
  return type.fields[name] ?? type.listedBy?.[name] ?? (standardFields as Readonly<Record<string, Field>>)[name]
}

/** What lists show, sort and filter by: the type's own fields, and what other records say. */
export function listedFields({ fields, listedBy = {} }: RecordType): [string, Field][] {
  return [...Object.entries(listedBy), ...Object.entries(fields).filter(([, field]) => isListed(field))]
}

/** By what a list is counted in parts: what other records say, and of its usual filters those of a few values. */
export function countedFields(type: ShownType): [string, Field][] {
  const { quickFilters } = getView(type)
  const usual = quickFilters.filter((name) => ['Select', 'Link', 'Check'].includes(type.fields[name]?.type ?? ''))
  const names = new Set([...Object.keys(type.listedBy ?? {}), ...usual])
  return [...names].map((name) => [name, findField(type, name) as Field])
}

/** Whether lists show a field, sort and filter by it. */
export function isListed(field: Field): boolean {
  return !field.hidden && !['Table', 'Password', 'Text Editor', 'Attach', 'Attach Image'].includes(field.type)
}

/** What is searched where somebody types into a list: the name, the title, what the type says, and texts that tell people apart. */
export function searchedFields(type: RecordType): string[] {
  const reported = [type.titleField, ...(type.searchFields ?? [])].filter((name) => name !== undefined)
  const texts = reported.filter((name) =>
    ['Data', 'Read Only', 'Small Text', 'Link'].includes(type.fields[name]?.type ?? ''),
  )
  return [...new Set(['name', ...texts])]
}

/** A part of a form. */
export interface FormSection {
  readonly title: string | null
  readonly fields: readonly string[]
}

/** The form of a type in parts: as its view has it, then what nobody placed. Tables have parts of their own at the end. */
export function getForm(type: ShownType): FormSection[] {
  const { sections } = getView(type)
  const shown = Object.entries(type.fields).filter(([name, field]) => !field.hidden && !internal.has(name))
  const placed = new Set(sections.flatMap(({ fields }) => fields))
  const rest = shown.filter(([name]) => !placed.has(name))
  const values = rest.filter(([, field]) => field.type !== 'Table')
  const first = values.filter(([name, field]) => field.required || name === type.titleField)
  const others = values.filter((entry) => !first.includes(entry))
  const tables = rest.filter(([, field]) => field.type === 'Table')
  const own = sections.length > 0 ? sections : []
  const loose = sections.length > 0 ? values : [...first, ...others]
  return [
    ...own,
    ...(loose.length > 0 ? [{ title: null, fields: loose.map(([name]) => name) }] : []),
    ...tables.map(([name, field]) => ({ title: field.label, fields: [name] })),
  ]
}

/** What the form of a new record has in it; today is `YYYY-MM-DD`, now `HH:MM:SS`, both in the institution's time zone. */
export function blankRecord(type: RecordType, today: string, now: string): Values {
  return Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, getDefault(field, today, now)]))
}

function getDefault(field: Field, today: string, now: string): unknown {
  if (field.type === 'Table') return []
  if (field.default === 'Today') return today
  if (field.default === 'Now') return field.type === 'Time' ? now : `${today} ${now}`
  if (field.default !== undefined) return field.default
  if (field.type === 'Select') return field.options[0] ?? ''
  return field.type === 'Check' ? 0 : ''
}

/** A value as it is compared: nothing, an empty text and an absent field are the same, and numbers are as their texts. */
function comparable(field: Field | undefined, value: unknown): string {
  if (field?.type === 'Table') return JSON.stringify(rowsIn(value).map((row) => comparableRow(field.rows, row)))
  if (value === null || value === undefined || value === '') return isNumber(field) ? '0' : ''
  return isNumber(field) ? String(Number(value)) : String(value)
}

function comparableRow(rows: RecordType, row: Values): unknown {
  return [row.name ?? '', ...Object.entries(rows.fields).map(([name, field]) => comparable(field, row[name]))]
}

function isNumber(field: Field | undefined): boolean {
  return ['Check', 'Int', 'Float', 'Currency', 'Percent'].includes(field?.type ?? '')
}

/** The rows in a value. */
export function rowsIn(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value : []
}

/** Whether two values of a field mean the same. */
export function isSame(field: Field | undefined, one: unknown, other: unknown): boolean {
  return comparable(field, one) === comparable(field, other)
}

/** The fields whose values differ, with what they have now. */
export function getChanges(type: RecordType, before: Values, now: Values): Values {
  return Object.fromEntries(
    Object.entries(type.fields)
      .filter(([name, field]) => !isSame(field, before[name], now[name]))
      .map(([name, field]) => [name, sent(field, now[name])]),
  )
}

/** A new record as it is sent: everything that has a value, and numbers even where they are 0. */
export function getNewRecord(type: RecordType, values: Values): Values {
  return Object.fromEntries(
    Object.entries(type.fields)
      .map(([name, field]) => [name, sent(field, values[name])] as const)
      .filter(([name, value]) => value !== null && values[name] !== undefined && values[name] !== ''),
  )
}

/** A value as the Resource API takes it: an empty one is null, rows have their own fields and names alone. */
function sent(field: Field, value: unknown): unknown {
  if (field.type === 'Table') {
    return rowsIn(value).map((row) => ({
      ...(row.name !== undefined && { name: row.name }),
      ...Object.fromEntries(Object.entries(field.rows.fields).map(([name, own]) => [name, sent(own, row[name])])),
    }))
  }
  if (value === '' || value === undefined) return isNumber(field) ? 0 : null
  return value
}

/** Something that is wrong with a value: its field, and the row and the field in it. */
export interface ValueError {
  readonly field: string
  readonly row?: number
  readonly rowField?: string
  /** What is wrong; absent where a value is missing. */
  readonly text?: string
}

/** What must have a value and has none. What the service fetches by itself is its own business. */
export function missingIn(type: RecordType, values: Values): ValueError[] {
  return Object.entries(type.fields).flatMap(([name, field]): ValueError[] => {
    if (field.hidden || internal.has(name) || field.fetchFrom !== undefined) return []
    const own: ValueError[] = field.required && isEmpty(field, values[name]) ? [{ field: name }] : []
    if (field.type !== 'Table') return own
    const inRows = rowsIn(values[name]).flatMap((row, index) =>
      missingIn(field.rows, row).map((validationError) => ({
        field: name,
        row: index,
        rowField: validationError.field,
      })),
    )
    return [...own, ...inRows]
  })
}

function isEmpty(field: Field, value: unknown): boolean {
  if (field.type === 'Table') return rowsIn(value).length === 0
  if (isNumber(field)) return false
  return value === null || value === undefined || value === ''
}
