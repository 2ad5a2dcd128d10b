import { searchText, serviceUser } from '../../values/index.ts'
import { type CourseRecord, courseFields } from './course-store.ts'

/** The default values of a new course. */
export const emptyCourse = { ...courseFields.nothing, code: '', description: '', status: 'active' } as const

/** The stored fields of a course. */
export type CourseFields = Omit<CourseRecord, 'id' | 'programs' | 'customFields' | 'createdAt' | 'updatedAt'>

/** The stored fields of a record. */
export function storedCourse({
  id,
  programs,
  customFields,
  createdAt,
  updatedAt,
  ...fields
}: CourseRecord): CourseFields {
  return fields
}

/** Adds derived fields and the editor. */
export function withDerived(fields: CourseFields, modifiedBy = serviceUser) {
  return { ...fields, searchText: searchText(fields.name, fields.code, fields.externalId), modifiedBy }
}
