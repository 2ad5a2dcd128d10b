/** What the console calls things where the label that clients read from the wire is not what people say. */
export const englishNames: Readonly<Record<string, string>> = {
  Abbr: 'Abbreviation',
  'Amended From': 'Amended from',
  'Attached To DocType': 'Attached to record type',
  Batch: 'Intake',
  'Batch Name': 'Intake name',
  'Desk Access': 'Console access',
  DocType: 'Record type',
  'Document Status': 'Status',
  Docstatus: 'Status',
  Fieldname: 'Field name',
  'GL Entry': 'Ledger entry',
  'New Student Batch': 'New intake',
  Pincode: 'Postal code',
  'Reference Document Type': 'Reference record type',
  'Student Batch': 'Intake',
  'Student Batch Name': 'Intake',
  'Student Log': 'Student note',
  ToDo: 'Task',
  lft: 'Left in the tree',
  old_parent: 'Previous parent',
  rgt: 'Right in the tree',
  student_groups: 'Student groups',
}

/** What several records of a type are called, where it is not the plural of the type's name on the wire. */
export const englishPlurals: Readonly<Record<string, string>> = {
  'GL Entry': 'Ledger entries',
  'Student Batch Name': 'Intakes',
  'Student Log': 'Student notes',
  ToDo: 'Tasks',
}
