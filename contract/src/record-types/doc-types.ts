import { recordType } from './record-type.ts'

export const docField = recordType({
  name: 'DocField',
  summary: 'A field of a record type.',
  kind: 'child',
  naming: { by: 'rule' },
  permissions: {},
  fields: {
    fieldname: { type: 'Data', label: 'Name' },
    fieldtype: { type: 'Data', label: 'Type' },
    label: { type: 'Data', label: 'Label' },
    options: { type: 'Small Text', label: 'Options' },
    reqd: { type: 'Check', label: 'Mandatory' },
    unique: { type: 'Check', label: 'Unique' },
    default: { type: 'Small Text', label: 'Default' },
    read_only: { type: 'Check', label: 'Read Only' },
    hidden: { type: 'Check', label: 'Hidden' },
    fetch_from: { type: 'Small Text', label: 'Fetch From' },
    fetch_if_empty: { type: 'Check', label: 'Fetch on Save if Empty' },
    allow_on_submit: { type: 'Check', label: 'Allow on Submit' },
    set_only_once: { type: 'Check', label: 'Set only once' },
    no_copy: { type: 'Check', label: 'No Copy' },
    length: { type: 'Int', label: 'Length' },
    precision: { type: 'Data', label: 'Precision' },
  },
})

export const docPerm = recordType({
  name: 'DocPerm',
  summary: 'What a role may do with the records of a type.',
  kind: 'child',
  naming: { by: 'rule' },
  permissions: {},
  fields: {
    role: { type: 'Data', label: 'Role' },
    permlevel: { type: 'Int', label: 'Level' },
    read: { type: 'Check', label: 'Read' },
    write: { type: 'Check', label: 'Write' },
    create: { type: 'Check', label: 'Create' },
    delete: { type: 'Check', label: 'Delete' },
    submit: { type: 'Check', label: 'Submit' },
    cancel: { type: 'Check', label: 'Cancel' },
    amend: { type: 'Check', label: 'Amend' },
  },
})

export const docType = recordType({
  name: 'DocType',
  summary:
    'A record type as it is declared, with its fields and what each role may do. Whoever may read its records sees it.',
  kind: 'plain',
  naming: { by: 'rule' },
  isComputed: true,
  searchFields: ['module'],
  permissions: { All: ['read'] },
  fields: {
    module: { type: 'Data', label: 'Module' },
    description: { type: 'Small Text', label: 'Description' },
    issingle: { type: 'Check', label: 'Is Single' },
    istable: { type: 'Check', label: 'Is Child Table' },
    is_submittable: { type: 'Check', label: 'Is Submittable' },
    custom: { type: 'Check', label: 'Custom?' },
    allow_rename: { type: 'Check', label: 'Allow Rename' },
    autoname: { type: 'Data', label: 'Auto Name' },
    title_field: { type: 'Data', label: 'Title Field' },
    search_fields: { type: 'Data', label: 'Search Fields' },
    sort_field: { type: 'Data', label: 'Default Sort Field' },
    sort_order: { type: 'Data', label: 'Default Sort Order' },
    fields: { type: 'Table', label: 'Fields', rows: docField },
    permissions: { type: 'Table', label: 'Permissions', rows: docPerm },
  },
})
