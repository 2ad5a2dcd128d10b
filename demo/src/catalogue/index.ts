import type { CatalogueCourse, CatalogueProgram } from './catalogue.ts'
import { schoolCourses, schoolPrograms } from './school.ts'
import { universityCourses, universityPrograms } from './university.ts'
import { vocationalCourses, vocationalPrograms } from './vocational.ts'

export type { CatalogueProgram, ProgramKind } from './catalogue.ts'

/** What the demo institution teaches, by level. */
export const cataloguePrograms: readonly CatalogueProgram[] = [
  ...schoolPrograms,
  ...vocationalPrograms,
  ...universityPrograms,
]

export const catalogueCourses: readonly CatalogueCourse[] = [
  ...schoolCourses,
  ...vocationalCourses,
  ...universityCourses,
]
