import { recordType } from './record-type.ts'

export const file = recordType({
  name: 'File',
  summary: 'A file that was uploaded, by itself or attached to a record. `upload_file` makes one.',
  kind: 'plain',
  naming: { by: 'hash' },
  titleField: 'file_name',
  searchFields: ['file_name', 'file_url'],
  permissions: { 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    file_name: { type: 'Data', label: 'File Name', readOnly: true, maxLength: 255 },
    file_url: { type: 'Small Text', label: 'File URL', required: true },
    is_private: { type: 'Check', label: 'Is Private', default: 0 },
    file_size: { type: 'Int', label: 'File Size', readOnly: true },
    file_type: { type: 'Data', label: 'File Type', readOnly: true },
    content_hash: { type: 'Data', label: 'Content Hash', readOnly: true },
    folder: { type: 'Data', label: 'Folder', default: 'Home' },
    is_folder: { type: 'Check', label: 'Is Folder', default: 0, readOnly: true },
    attached_to_doctype: { type: 'Data', label: 'Attached To DocType' },
    attached_to_name: { type: 'Dynamic Link', label: 'Attached To Name', typeField: 'attached_to_doctype' },
    attached_to_field: { type: 'Data', label: 'Attached To Field' },
  },
})
