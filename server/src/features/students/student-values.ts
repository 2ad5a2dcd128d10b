import { searchText, serviceUser } from '../../values/index.ts'
import { type StudentRecord, studentTable } from './student-store.ts'

/** What a new student keeps where nothing was said. */
export const emptyStudent = { ...studentTable.nothing, status: 'active', program: '', customFields: {} } as const

/** The fields of a student that a change may be about. */
export type StudentFields = Pick<StudentRecord, keyof typeof emptyStudent | 'studentCode' | 'fullName'>

/** What the row of a student keeps of its record. */
export function storedStudent(record: StudentRecord): StudentFields {
  const { id, programRef, primaryContact, contacts, createdAt, updatedAt, ...fields } = record
  return fields
}

/** Adds what follows from other fields, and who wrote them. A program with a record is kept by its id alone. */
export function withDerived(fields: StudentFields, modifiedBy = serviceUser) {
  const { fullName, givenNames, familyNames, preferredName, studentCode, email, externalId, programId } = fields
  return {
    ...fields,
    program: programId === null ? fields.program : '',
    searchText: searchText(fullName, givenNames, familyNames, preferredName, studentCode, email, externalId),
    modifiedBy,
  }
}
