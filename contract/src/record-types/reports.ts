import { recordType } from './record-type.ts'

export const reportFilter = recordType({
  name: 'Report Filter',
  summary: 'Something that a report is narrowed by.',
  kind: 'child',
  naming: { by: 'rule' },
  permissions: {},
  fields: {
    label: { type: 'Data', label: 'Label' },
    fieldname: { type: 'Data', label: 'Fieldname' },
    fieldtype: { type: 'Data', label: 'Fieldtype' },
    options: { type: 'Small Text', label: 'Options' },
    mandatory: { type: 'Check', label: 'Mandatory' },
  },
})

export const report = recordType({
  name: 'Report',
  summary: 'A report of the institution. Whoever may run it sees it.',
  kind: 'plain',
  naming: { by: 'rule' },
  isComputed: true,
  permissions: { 'Desk User': ['read'] },
  fields: {
    report_name: { type: 'Data', label: 'Report Name' },
    ref_doctype: { type: 'Link', label: 'Ref DocType', target: 'DocType' },
    module: { type: 'Data', label: 'Module' },
    is_standard: { type: 'Select', label: 'Is Standard', options: ['No', 'Yes'] },
    report_type: {
      type: 'Select',
      label: 'Report Type',
      options: ['Report Builder', 'Query Report', 'Script Report', 'Custom Report'],
    },
    add_total_row: { type: 'Check', label: 'Add Total Row' },
    disabled: { type: 'Check', label: 'Disabled' },
    prepared_report: { type: 'Check', label: 'Prepared Report' },
    filters: { type: 'Table', label: 'Filters', rows: reportFilter },
  },
})
