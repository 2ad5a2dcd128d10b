import { recordType } from './record-type.ts'

/** What every kind of record may have beside its own fields, for the staff who may read it. */

export const comment = recordType({
  name: 'Comment',
  summary:
    'What somebody of the staff said about a record. Whoever may read the record reads it, its author changes it.',
  kind: 'plain',
  naming: { by: 'hash' },
  sort: { field: 'creation', order: 'desc' },
  permissions: { 'Desk User': ['read', 'write', 'create', 'delete'] },
  fields: {
    comment_type: {
      type: 'Select',
      label: 'Comment Type',
      options: [
        'Comment',
        'Like',
        'Info',
        'Label',
        'Workflow',
        'Created',
        'Submitted',
        'Cancelled',
        'Updated',
        'Deleted',
        'Assigned',
        'Assignment Completed',
        'Attachment',
        'Attachment Removed',
        'Shared',
        'Unshared',
        'Bot',
        'Relinked',
        'Edit',
      ],
      default: 'Comment',
      setOnlyOnce: true,
    },
    comment_email: { type: 'Data', label: 'Comment Email', readOnly: true },
    comment_by: { type: 'Data', label: 'Comment By', readOnly: true },
    subject: { type: 'Text', label: 'Subject', maxLength: 1000 },
    published: { type: 'Check', label: 'Published' },
    seen: { type: 'Check', label: 'Seen' },
    reference_doctype: {
      type: 'Link',
      label: 'Reference Document Type',
      target: 'DocType',
      required: true,
      setOnlyOnce: true,
    },
    reference_name: {
      type: 'Dynamic Link',
      label: 'Reference Name',
      typeField: 'reference_doctype',
      required: true,
      setOnlyOnce: true,
    },
    content: { type: 'Text Editor', label: 'Content', required: true, maxLength: 20_000 },
  },
})

export const tagLink = recordType({
  name: 'Tag Link',
  summary: 'A word under which the staff keep a record. `add_tag` and `remove_tag` make and remove it.',
  kind: 'plain',
  naming: { by: 'hash' },
  searchFields: ['tag'],
  permissions: { 'Desk User': ['read'] },
  fields: {
    document_type: { type: 'Link', label: 'Document Type', target: 'DocType', required: true },
    document_name: { type: 'Dynamic Link', label: 'Document Name', typeField: 'document_type', required: true },
    tag: { type: 'Data', label: 'Document Tag', required: true },
  },
})
