import { searchText, serviceUser } from '../../values/index.ts'
import { type ProgramRecord, programFields } from './program-store.ts'

/** What a new program keeps where nothing was said. */
export const emptyProgram = {
  ...programFields.nothing,
  code: '',
  description: '',
  educationLevel: '',
  organizationProfile: '',
  status: 'active',
} as const

/** The fields of a program that its row keeps. */
export type ProgramFields = Omit<ProgramRecord, 'id' | 'courseCount' | 'customFields' | 'createdAt' | 'updatedAt'>

/** What the row of a program keeps of its record. */
export function storedProgram({
  id,
  courseCount,
  customFields,
  createdAt,
  updatedAt,
  ...fields
}: ProgramRecord): ProgramFields {
  return fields
}

/** Adds what follows from the fields, and who wrote them. */
export function withDerived(fields: ProgramFields, modifiedBy = serviceUser) {
  return { ...fields, searchText: searchText(fields.name, fields.code, fields.externalId), modifiedBy }
}
