// Generated from console/messages/names.en.json by npm run generate; do not edit.
export const englishNames: Readonly<Record<string, string>> = {
"GL Entry": "Ledger entry",
"Student Batch Name": "Intake",
"Student Log": "Student note",
ToDo: "Task",
Abbr: "Abbreviation",
"Amended From": "Amended from",
"Attached To DocType": "Attached to record type",
Batch: "Intake",
"Batch Name": "Intake name",
"Desk Access": "Console access",
DocType: "Record type",
"Document Status": "Status",
Fieldname: "Field name",
"New Student Batch": "New intake",
Pincode: "Postal code",
"Reference Document Type": "Reference record type",
"Student Batch": "Intake",
lft: "Left in the tree",
old_parent: "Previous parent",
rgt: "Right in the tree",
student_groups: "Student groups",
Docstatus: "Status",
}

export const englishPlurals: Readonly<Record<string, string>> = {
"GL Entry": "Ledger entries",
"Student Batch Name": "Intakes",
"Student Log": "Student notes",
ToDo: "Tasks",
}
