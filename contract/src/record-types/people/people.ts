import { recordType } from '../record-type.ts'

export const role = recordType({
  name: 'Role',
  summary: 'What somebody may do.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'role_name' },
  permissions: {},
  fields: {
    role_name: { type: 'Data', label: 'Role Name', required: true, unique: true },
    desk_access: { type: 'Check', label: 'Desk Access', default: 1 },
    disabled: { type: 'Check', label: 'Disabled', default: 0 },
    is_custom: { type: 'Check', label: 'Is Custom', default: 0 },
  },
})

export const hasRole = recordType({
  name: 'Has Role',
  summary: 'A role of a user.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: { role: { type: 'Link', label: 'Role', target: 'Role', required: true } },
})

export const user = recordType({
  name: 'User',
  summary: 'Somebody who logs in.',
  kind: 'plain',
  naming: { by: 'rule' },
  titleField: 'full_name',
  permissions: { 'Education Manager': ['read'] },
  fields: {
    email: { type: 'Data', label: 'Email', required: true, format: 'Email', setOnlyOnce: true },
    first_name: { type: 'Data', label: 'First Name', required: true },
    middle_name: { type: 'Data', label: 'Middle Name' },
    last_name: { type: 'Data', label: 'Last Name' },
    full_name: { type: 'Data', label: 'Full Name', readOnly: true },
    username: { type: 'Data', label: 'Username' },
    enabled: { type: 'Check', label: 'Enabled', default: 1 },
    user_type: {
      type: 'Select',
      label: 'User Type',
      options: ['System User', 'Website User'],
      default: 'Website User',
    },
    user_image: { type: 'Attach Image', label: 'User Image' },
    language: { type: 'Link', label: 'Language', target: 'Language' },
    time_zone: { type: 'Data', label: 'Time Zone' },
    mobile_no: { type: 'Data', label: 'Mobile No' },
    gender: { type: 'Link', label: 'Gender', target: 'Gender' },
    birth_date: { type: 'Date', label: 'Birth Date' },
    roles: { type: 'Table', label: 'Roles', rows: hasRole },
  },
})
