import type { student } from '@matricula/contract/record-types'
import { sql, table } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import { ownValues, type RecordOf, type RecordStorage, removeRow, sharedValues } from '../../record-engine/index.ts'
import { getPerson, storeGuardians } from '../contacts/index.ts'
import { type StudentRecord, studentColumns, students, studentTable } from './student-store.ts'
import { emptyStudent, type StudentFields, storedStudent, withDerived } from './student-values.ts'

type StudentDocument = RecordOf<typeof student>

/** The fields that only this surface shows, by column. */
const ownColumns = {
  owner: 'owner',
  naming_series: 'naming_series',
  middle_name: 'middle_name',
  joining_date: 'joining_date',
  user: 'user_name',
  blood_group: 'blood_group',
  address_line_2: 'address_line_2',
  customer: 'customer',
  customer_group: 'customer_group',
  date_of_leaving: 'date_of_leaving',
  leaving_certificate_number: 'leaving_certificate_number',
  reason_for_leaving: 'reason_for_leaving',
} as const

const recordTable = table('students', { ...studentColumns, ...ownColumns }, 'studentCode')

/** The row of a student as a record says it; what the record does not know stays as it was. */
function findValues(document: StudentDocument, before: StudentDocument | null, stored: StudentFields) {
  const fields = {
    ...stored,
    ...sharedValues(document, studentTable),
    ...getPerson(document, before, before === null ? null : stored, document.student_name ?? ''),
    status: getStatus(document, before, stored),
    postalCode: document.pincode || null,
  }
  return { ...withDerived(fields, document.modified_by), ...ownValues(document, ownColumns) }
}

/** Enabled means active. A student who is not active for another reason stays so until enabled. */
function getStatus({ enabled }: StudentDocument, before: StudentDocument | null, { status }: StudentFields) {
  if (enabled === (before?.enabled ?? 1)) return status
  return enabled === 1 ? 'active' : 'inactive'
}

/** Students are kept as the Client API's own; their guardians are its contacts. */
export const studentStorage: RecordStorage<typeof student, StudentRecord> = {
  relation: 'student_records',
  table: 'students',
  list: students,
  nameColumn: 'student_code',
  rowRelations: { guardians: 'student_guardian_rows' },
  linkColumns: {
    user: { table: 'students', column: 'user_name' },
    gender: { table: 'students', column: 'gender' },
    country: { table: 'students', column: 'country' },
  },
  insert: async ({ tx }, id, document) => {
    const empty = { ...emptyStudent, studentCode: document.name, fullName: '' }
    const inserted = await tx.query(sql`
      ${recordTable.insert(tx.tenantId, id, findValues(document, null, empty))}
      on conflict do nothing returning 1 as inserted`)
    if (inserted.length === 0) return false
    await storeGuardians(tx, 'student_contacts', id, document.guardians)
    return true
  },
  update: async ({ tx }, id, document, before, shared) => {
    const stored = storedStudent(shared as StudentRecord)
    await tx.query(recordTable.update(tx.tenantId, id, findValues(document, before, stored), stored))
    await storeGuardians(tx, 'student_contacts', id, document.guardians)
  },
  remove: async ({ tx }, id, document) => {
    tx.send(sql`delete from student_contacts where tenant_id = ${tx.tenantId} and student_id = ${id}`)
    await removeRow(tx, 'students', id, `Student ${document.name}`)
  },
  rename: async ({ tx, caller }, id, name, shared) => {
    const values = withDerived({ ...storedStudent(shared as StudentRecord), studentCode: name }, caller.user)
    await tx.query(studentTable.update(tx.tenantId, id, values))
  },
  read: async ({ tx }, id) => (await readBack(tx, students, id)).record,
  ownFields: [...Object.keys(ownColumns), 'siblings'],
  eventType: (verb) => (verb === 'renamed' ? 'student.updated' : null),
}
