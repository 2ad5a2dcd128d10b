import { recordType } from './record-type.ts'

export const company = recordType({
  name: 'Company',
  summary: 'The institution as it keeps its books.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'company_name' },
  renameAllowed: true,
  permissions: {
    'Accounts User': ['read'],
    'Accounts Manager': ['read', 'write', 'create', 'delete'],
    'Academics User': ['read'],
    'Education Manager': ['read'],
    Instructor: ['read'],
  },
  fields: {
    company_name: { type: 'Data', label: 'Company', required: true, unique: true },
    abbr: { type: 'Data', label: 'Abbr', required: true },
    default_currency: { type: 'Link', label: 'Default Currency', target: 'Currency', required: true },
    country: { type: 'Link', label: 'Country', target: 'Country' },
    default_holiday_list: { type: 'Link', label: 'Default Holiday List', target: 'Holiday List' },
    default_receivable_account: { type: 'Link', label: 'Default Receivable Account', target: 'Account' },
    default_income_account: { type: 'Link', label: 'Default Income Account', target: 'Account' },
    default_cash_account: { type: 'Link', label: 'Default Cash Account', target: 'Account' },
    default_bank_account: { type: 'Link', label: 'Default Bank Account', target: 'Account' },
    default_unapplied_account: { type: 'Link', label: 'Default Account of Unapplied Payments', target: 'Account' },
    cost_center: { type: 'Link', label: 'Default Cost Center', target: 'Cost Center' },
  },
})

export const account = recordType({
  name: 'Account',
  summary: 'A ledger account.',
  kind: 'plain',
  naming: { by: 'rule' },
  renameAllowed: true,
  titleField: 'account_name',
  permissions: {
    'Accounts User': ['read', 'write', 'create', 'delete'],
    'Accounts Manager': ['read', 'write', 'create', 'delete'],
    'Academics User': ['read'],
  },
  fields: {
    account_name: { type: 'Data', label: 'Account Name', required: true },
    account_number: { type: 'Data', label: 'Account Number' },
    company: { type: 'Link', label: 'Company', target: 'Company', required: true },
    parent_account: { type: 'Link', label: 'Parent Account', target: 'Account' },
    is_group: { type: 'Check', label: 'Is Group', default: 0 },
    disabled: { type: 'Check', label: 'Disable', default: 0 },
    root_type: {
      type: 'Select',
      label: 'Root Type',
      options: ['', 'Asset', 'Liability', 'Income', 'Expense', 'Equity'],
    },
    report_type: {
      type: 'Select',
      label: 'Report Type',
      options: ['', 'Balance Sheet', 'Profit and Loss'],
      readOnly: true,
    },
    account_type: {
      type: 'Select',
      label: 'Account Type',
      options: ['', 'Bank', 'Cash', 'Receivable', 'Payable', 'Income Account', 'Expense Account', 'Equity'],
    },
    account_currency: { type: 'Link', label: 'Currency', target: 'Currency' },
  },
})

export const costCenter = recordType({
  name: 'Cost Center',
  summary: 'A part of the institution that income and costs belong to.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'rule' },
  renameAllowed: true,
  titleField: 'cost_center_name',
  permissions: {
    'Accounts User': ['read'],
    'Accounts Manager': ['read', 'write', 'create', 'delete'],
    'Academics User': ['read'],
  },
  fields: {
    cost_center_name: { type: 'Data', label: 'Cost Center Name', required: true },
    company: { type: 'Link', label: 'Company', target: 'Company', required: true },
    parent_cost_center: { type: 'Link', label: 'Parent Cost Center', target: 'Cost Center' },
    is_group: { type: 'Check', label: 'Is Group', default: 0 },
    disabled: { type: 'Check', label: 'Disabled', default: 0 },
  },
})

export const glEntry = recordType({
  name: 'GL Entry',
  summary: 'A line of the ledger. The service writes it; nobody else does.',
  kind: 'submittable',
  naming: { by: 'series', series: 'ACC-GLE-.YYYY.-#####' },
  permissions: { 'Accounts User': ['read'], 'Accounts Manager': ['read'] },
  fields: {
    posting_date: { type: 'Date', label: 'Posting Date', required: true },
    account: { type: 'Link', label: 'Account', target: 'Account', required: true },
    party_type: { type: 'Data', label: 'Party Type' },
    party: { type: 'Dynamic Link', label: 'Party', typeField: 'party_type' },
    cost_center: { type: 'Link', label: 'Cost Center', target: 'Cost Center' },
    debit: { type: 'Currency', label: 'Debit Amount' },
    credit: { type: 'Currency', label: 'Credit Amount' },
    account_currency: { type: 'Link', label: 'Account Currency', target: 'Currency' },
    against: { type: 'Text', label: 'Against' },
    against_voucher_type: { type: 'Data', label: 'Against Voucher Type' },
    against_voucher: { type: 'Dynamic Link', label: 'Against Voucher', typeField: 'against_voucher_type' },
    voucher_type: { type: 'Data', label: 'Voucher Type' },
    voucher_no: { type: 'Dynamic Link', label: 'Voucher No', typeField: 'voucher_type' },
    remarks: { type: 'Text', label: 'Remarks' },
    fiscal_year: { type: 'Data', label: 'Fiscal Year' },
    company: { type: 'Link', label: 'Company', target: 'Company', required: true },
    is_cancelled: { type: 'Check', label: 'Is Cancelled', default: 0 },
  },
})

export const currency = recordType({
  name: 'Currency',
  summary: 'A currency of ISO 4217.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'currency_name' },
  permissions: {
    All: ['read'],
    'Accounts User': ['read'],
    'Accounts Manager': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    currency_name: { type: 'Data', label: 'Currency Name', required: true, unique: true },
    enabled: { type: 'Check', label: 'Enabled', default: 1 },
    fraction: { type: 'Data', label: 'Fraction' },
    fraction_units: { type: 'Int', label: 'Fraction Units' },
    symbol: { type: 'Data', label: 'Symbol' },
    number_format: { type: 'Data', label: 'Number Format', default: '#,###.##' },
  },
})

export const country = recordType({
  name: 'Country',
  summary: 'A country of ISO 3166-1.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'country_name' },
  permissions: { All: ['read'] },
  fields: {
    country_name: { type: 'Data', label: 'Country Name', required: true, unique: true },
    code: { type: 'Data', label: 'Code' },
    date_format: { type: 'Data', label: 'Date Format' },
    time_format: { type: 'Data', label: 'Time Format', default: 'HH:mm:ss' },
  },
})

export const language = recordType({
  name: 'Language',
  summary: 'A language of ISO 639-1.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'language_code' },
  permissions: { All: ['read'] },
  fields: {
    language_code: { type: 'Data', label: 'Language Code', required: true, unique: true },
    language_name: { type: 'Data', label: 'Language Name', required: true },
    enabled: { type: 'Check', label: 'Enabled', default: 1 },
  },
})

export const gender = recordType({
  name: 'Gender',
  summary: 'A gender as the institution records it.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'gender' },
  renameAllowed: true,
  permissions: { All: ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: { gender: { type: 'Data', label: 'Gender', required: true, unique: true } },
})

export const department = recordType({
  name: 'Department',
  summary: 'A department of the institution.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'department_name' },
  renameAllowed: true,
  permissions: {
    'Academics User': ['read', 'write', 'create', 'delete'],
    'Education Manager': ['read', 'write', 'create', 'delete'],
    Instructor: ['read'],
  },
  fields: {
    department_name: { type: 'Data', label: 'Department', required: true },
    parent_department: { type: 'Link', label: 'Parent Department', target: 'Department' },
    company: { type: 'Link', label: 'Company', target: 'Company' },
    is_group: { type: 'Check', label: 'Is Group', default: 0 },
    disabled: { type: 'Check', label: 'Disabled', default: 0 },
    is_school: { type: 'Check', label: 'Is School', default: 0 },
  },
})

export const designation = recordType({
  name: 'Designation',
  summary: 'What somebody is employed as.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'designation_name' },
  renameAllowed: true,
  permissions: { 'Education Manager': ['read', 'write', 'create', 'delete'], 'Academics User': ['read'] },
  fields: {
    designation_name: { type: 'Data', label: 'Designation', required: true, unique: true },
    description: { type: 'Text', label: 'Description' },
  },
})

export const employee = recordType({
  name: 'Employee',
  summary: 'Somebody who works for the institution.',
  kind: 'plain',
  naming: { by: 'series', series: 'HR-EMP-#####' },
  titleField: 'employee_name',
  accountField: 'user_id',
  permissions: { 'Education Manager': ['read', 'write', 'create', 'delete'], 'Academics User': ['read'] },
  fields: {
    first_name: { type: 'Data', label: 'First Name', required: true },
    middle_name: { type: 'Data', label: 'Middle Name' },
    last_name: { type: 'Data', label: 'Last Name' },
    employee_name: { type: 'Data', label: 'Full Name', readOnly: true },
    gender: { type: 'Link', label: 'Gender', target: 'Gender' },
    date_of_birth: { type: 'Date', label: 'Date of Birth' },
    date_of_joining: { type: 'Date', label: 'Date of Joining' },
    status: {
      type: 'Select',
      label: 'Status',
      options: ['Active', 'Inactive', 'Suspended', 'Left'],
      default: 'Active',
    },
    user_id: { type: 'Link', label: 'User ID', target: 'User' },
    company: { type: 'Link', label: 'Company', target: 'Company' },
    department: { type: 'Link', label: 'Department', target: 'Department' },
    designation: { type: 'Link', label: 'Designation', target: 'Designation' },
    company_email: { type: 'Data', label: 'Company Email', format: 'Email' },
    cell_number: { type: 'Data', label: 'Mobile' },
  },
})

export const holiday = recordType({
  name: 'Holiday',
  summary: 'A day without classes.',
  kind: 'child',
  naming: { by: 'hash' },
  permissions: {},
  fields: {
    holiday_date: { type: 'Date', label: 'Date', required: true },
    description: { type: 'Text Editor', label: 'Description', required: true },
    weekly_off: { type: 'Check', label: 'Weekly Off', default: 0 },
  },
})

export const holidayList = recordType({
  name: 'Holiday List',
  summary: 'The days without classes of a year.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'holiday_list_name' },
  renameAllowed: true,
  permissions: {
    'Education Manager': ['read', 'write', 'create', 'delete'],
    'Academics User': ['read', 'write', 'create', 'delete'],
    Instructor: ['read'],
  },
  fields: {
    holiday_list_name: { type: 'Data', label: 'Holiday List Name', required: true, unique: true },
    from_date: { type: 'Date', label: 'From Date', required: true },
    to_date: { type: 'Date', label: 'To Date', required: true },
    total_holidays: { type: 'Int', label: 'Total Holidays', readOnly: true },
    holidays: { type: 'Table', label: 'Holidays', rows: holiday },
  },
})
