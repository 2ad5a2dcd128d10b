import { searchText } from '../../platform/search-text.ts'
import { serviceUser } from '../../platform/service-user.ts'
import type { StudentRecord } from './student-store.ts'

/** What a new student keeps where nothing was said. */
export const emptyStudent = {
  externalId: null,
  givenNames: null,
  familyNames: null,
  preferredName: null,
  status: 'active',
  email: null,
  phone: null,
  dateOfBirth: null,
  gender: null,
  nationality: null,
  documentType: null,
  documentNumber: null,
  country: null,
  stateProvince: null,
  city: null,
  address: null,
  postalCode: null,
  photoUrl: null,
  programId: null,
  program: '',
  academicYear: null,
  academicPeriod: null,
  enrolledAt: null,
  withdrawnAt: null,
  customFields: {},
} satisfies Partial<StudentRecord>

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
