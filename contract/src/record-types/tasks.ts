import { recordType } from './record-type.ts'

export const toDo = recordType({
  name: 'ToDo',
  summary:
    'Something that the staff have to do, such as giving back money that paid nothing. One that names a record and a user gives the record to the user.',
  kind: 'plain',
  naming: { by: 'hash' },
  searchFields: ['description', 'reference_type', 'reference_name'],
  permissions: {
    'Accounts Manager': ['read', 'write', 'create', 'delete'],
    'Accounts User': ['read', 'write', 'create'],
    'Desk User': ['read', 'write', 'create'],
  },
  fields: {
    status: { type: 'Select', label: 'Status', options: ['Open', 'Closed', 'Cancelled'], default: 'Open' },
    priority: { type: 'Select', label: 'Priority', options: ['High', 'Medium', 'Low'], default: 'Medium' },
    color: { type: 'Color', label: 'Color' },
    date: { type: 'Date', label: 'Due Date', default: 'Today' },
    allocated_to: { type: 'Link', label: 'Allocated To', target: 'User' },
    description: { type: 'Text Editor', label: 'Description', required: true },
    reference_type: { type: 'Link', label: 'Reference Type', target: 'DocType' },
    reference_name: { type: 'Dynamic Link', label: 'Reference Name', typeField: 'reference_type' },
    role: { type: 'Link', label: 'Role', target: 'Role' },
    assigned_by: { type: 'Link', label: 'Assigned By', target: 'User' },
    assigned_by_full_name: {
      type: 'Read Only',
      label: 'Assigned By Full Name',
      readOnly: true,
      fetchFrom: 'assigned_by.full_name',
    },
    sender: { type: 'Data', label: 'Sender', hidden: true, readOnly: true, format: 'Email' },
    assignment_rule: { type: 'Link', label: 'Assignment Rule', target: 'Assignment Rule', readOnly: true },
  },
})
