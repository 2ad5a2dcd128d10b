import { type RecordType, recordType, rowFields, standardFields } from './record-type.ts'

/** What a field of an institution's own may hold; the names are those of Frappe v15. */
export const customFieldTypes = [
  'Data',
  'Small Text',
  'Text',
  'Select',
  'Link',
  'Date',
  'Datetime',
  'Time',
  'Check',
  'Int',
  'Float',
  'Currency',
  'Percent',
  'Duration',
] as const

export type CustomFieldType = (typeof customFieldTypes)[number]

/** What a payment of the Client API, which is no record type, is called where its custom fields are defined. */
export const paymentRecords = 'Payment'

/** The maximum custom fields of a record type in one institution. */
export const mostCustomFields = 100

/** What names a custom field; it is also a member of the records that programs read. */
export const customFieldName = /^[a-z][a-z0-9_]{0,63}$/

/** Names that mean something else in a record, or in what is sent with one, on either surface. */
const takenNames: ReadonlySet<string> = new Set([
  ...['tenant_id', 'id', 'version', 'created_at', 'updated_at', 'custom_fields', 'doctype', 'amended_from'],
  ...['cmd', 'sid', 'csrf_token', 'data', 'doc', 'docs', 'run_method', 'constructor', 'prototype', 'naming_series'],
  ...Object.keys(standardFields),
  ...Object.keys(rowFields),
])

/** Whether a name means something else already: everywhere, or among the declared ones of these fields. */
export function isTakenFieldName(name: string, fields: RecordType['fields']): boolean {
  const isDeclared = Object.hasOwn(fields, name) && fields[name]?.customId === undefined
  return takenNames.has(name) || name in Object.prototype || isDeclared
}

export const customField = recordType({
  name: 'Custom Field',
  summary: 'A field that the institution has added to a type of records.',
  kind: 'plain',
  naming: { by: 'rule' },
  titleField: 'label',
  searchFields: ['dt', 'label', 'fieldtype', 'options'],
  permissions: {},
  fields: {
    dt: { type: 'Data', label: 'DocType', required: true, setOnlyOnce: true },
    label: { type: 'Data', label: 'Label' },
    fieldname: { type: 'Data', label: 'Fieldname', setOnlyOnce: true },
    insert_after: { type: 'Data', label: 'Insert After' },
    fieldtype: { type: 'Select', label: 'Field Type', required: true, options: [...customFieldTypes] },
    options: { type: 'Small Text', label: 'Options', maxLength: 20_000 },
    reqd: { type: 'Check', label: 'Is Mandatory Field' },
    unique: { type: 'Check', label: 'Unique' },
    default: { type: 'Text', label: 'Default Value', maxLength: 1000 },
    description: { type: 'Text', label: 'Field Description', maxLength: 2000 },
    read_only: { type: 'Check', label: 'Read Only' },
    hidden: { type: 'Check', label: 'Hidden' },
    in_list_view: { type: 'Check', label: 'In List View' },
    allow_on_submit: { type: 'Check', label: 'Allow on Submit' },
    no_copy: { type: 'Check', label: 'No Copy' },
    precision: {
      type: 'Select',
      label: 'Precision',
      options: ['', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    },
  },
})
