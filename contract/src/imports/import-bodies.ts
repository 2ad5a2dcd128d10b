import { CatalogueCourse, CatalogueProgram } from '../catalogue-file.ts'
import { Course } from '../client-api/courses.ts'
import { Program } from '../client-api/programs.ts'
import { allOptional, body } from '../schema.ts'

/** What a row says of a program; `name` is required only when it is created. */
export const ProgramImportBody = body(
  'ProgramImportBody',
  'Fields of a program.',
  allOptional(CatalogueProgram.properties),
  Program,
)

/** What a row says of a course; `name` is required only when it is created. */
export const CourseImportBody = body(
  'CourseImportBody',
  'Fields of a course.',
  allOptional(CatalogueCourse.properties),
  Course,
)
