import { recordType } from './record-type.ts'

export const emailGroup = recordType({
  name: 'Email Group',
  summary: 'A list of e-mail addresses to write to.',
  kind: 'plain',
  naming: { by: 'field', field: 'title' },
  renameAllowed: true,
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete'],
    'Education Manager': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    title: { type: 'Data', label: 'Title', required: true, unique: true },
    total_subscribers: { type: 'Int', label: 'Total Subscribers', readOnly: true, default: 0 },
  },
})

export const emailGroupMember = recordType({
  name: 'Email Group Member',
  summary: 'An e-mail address of an Email Group.',
  kind: 'plain',
  naming: { by: 'hash' },
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete'],
    'Education Manager': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    email_group: { type: 'Link', label: 'Email Group', target: 'Email Group', required: true },
    email: { type: 'Data', label: 'Email', required: true, format: 'Email' },
    unsubscribed: { type: 'Check', label: 'Unsubscribed', default: 0 },
  },
})
