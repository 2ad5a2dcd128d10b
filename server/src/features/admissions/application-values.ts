import { searchText, serviceUser } from '../../values/index.ts'
import { type ApplicationRecord, applicationTable } from './application-store.ts'

/** What a new application keeps where nothing was said. */
export const emptyApplication = { ...applicationTable.nothing, program: '', customFields: {} } as const

/** The fields of an application that a change can affect. */
export type ApplicationFields = Pick<
  ApplicationRecord,
  keyof typeof emptyApplication | 'applicationCode' | 'fullName' | 'status'
>

/** The stored fields of a record. */
export function toStoredFields(record: ApplicationRecord): ApplicationFields {
  const { id, programRef, contactId, primaryContact, contacts, createdAt, updatedAt, ...fields } = record
  return fields
}

/** Adds derived fields and the editor. A program with a record is stored by its id only. */
export function withDerived(fields: ApplicationFields, modifiedBy = serviceUser) {
  const { fullName, givenNames, familyNames, applicationCode, email, externalId, programId } = fields
  return {
    ...fields,
    program: programId === null ? fields.program : '',
    searchText: searchText(fullName, givenNames, familyNames, applicationCode, email, externalId),
    modifiedBy,
  }
}
