import { searchText, serviceUser } from '../../values/index.ts'
import { type ApplicationRecord, applicationTable } from './application-store.ts'

/** What a new application keeps where nothing was said. */
export const emptyApplication = { ...applicationTable.nothing, program: '', customFields: {} } as const

/** The fields of an application that a change may be about. */
export type ApplicationFields = Pick<
  ApplicationRecord,
  keyof typeof emptyApplication | 'applicationCode' | 'fullName' | 'status'
>

/** What the row of an application keeps of its record. */
export function storedApplication(record: ApplicationRecord): ApplicationFields {
  const { id, programRef, contactId, primaryContact, contacts, createdAt, updatedAt, ...fields } = record
  return fields
}

/** Adds what follows from other fields, and who wrote them. A program with a record is kept by its id alone. */
export function withDerived(fields: ApplicationFields, modifiedBy = serviceUser) {
  const { fullName, givenNames, familyNames, applicationCode, email, externalId, programId } = fields
  return {
    ...fields,
    program: programId === null ? fields.program : '',
    searchText: searchText(fullName, givenNames, familyNames, applicationCode, email, externalId),
    modifiedBy,
  }
}
