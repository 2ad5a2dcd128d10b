import { searchText, serviceUser } from '../../values/index.ts'
import { type CourseRecord, courseFields } from './course-store.ts'

/** What a new course keeps where nothing was said. */
export const emptyCourse = { ...courseFields.nothing, code: '', description: '', status: 'active' } as const

/** The fields of a course that its row keeps. */
export type CourseFields = Omit<CourseRecord, 'id' | 'programs' | 'customFields' | 'createdAt' | 'updatedAt'>

/** What the row of a course keeps of its record. */
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

/** Adds what follows from the fields, and who wrote them. */
export function withDerived(fields: CourseFields, modifiedBy = serviceUser) {
  return { ...fields, searchText: searchText(fields.name, fields.code, fields.externalId), modifiedBy }
}
