import type { course } from '@matricula/contract/record-types'
import { sql, table } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import { ownValues, type RecordOf, type RecordStorage, removeRow, sharedValues } from '../../record-engine/index.ts'
import { moveCourseRows } from '../programs/index.ts'
import { type CourseRecord, courseColumns, courseFields, courses, courseTable } from './course-store.ts'
import { type CourseFields, emptyCourse, storedCourse, withDerived } from './course-values.ts'

/** The fields of the Resource API only, by column. */
const ownColumns = {
  owner: 'owner',
  hero_image: 'hero_image',
  default_grading_scale: 'default_grading_scale',
} as const

const recordTable = table('courses', { ...courseColumns, ...ownColumns }, 'name')

function findValues(document: RecordOf<typeof course>, fields: CourseFields) {
  // A number that is not set reads as 0 here and as none in the Client API.
  const credits = document.credits === 0 && (fields.credits ?? null) === null ? null : document.credits
  const written = { ...fields, ...sharedValues(document, courseFields), credits }
  return { ...withDerived(written, document.modified_by), ...ownValues(document, ownColumns) }
}

/** Courses are stored as those of the Client API. */
export const courseStorage: RecordStorage<typeof course, CourseRecord> = {
  relation: 'course_records',
  table: 'courses',
  list: courses,
  linkColumns: {
    department: { table: 'courses', column: 'department' },
    default_grading_scale: { table: 'courses', column: 'default_grading_scale' },
  },
  insert: async ({ tx }, id, document) => {
    const values = findValues(document, { ...emptyCourse, name: document.name })
    const inserted = await tx.query(
      sql`${recordTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
    )
    return inserted.length > 0
  },
  update: async ({ tx }, id, document, _before, shared) => {
    const stored = storedCourse(shared as CourseRecord)
    await tx.query(recordTable.update(tx.tenantId, id, findValues(document, stored), stored))
  },
  remove: ({ tx }, id, document) => removeRow(tx, 'courses', id, `Course ${document.name}`),
  rename: async ({ tx, caller }, id, name, shared) => {
    const stored = storedCourse(shared as CourseRecord)
    await tx.query(courseTable.update(tx.tenantId, id, withDerived({ ...stored, name }, caller.user)))
  },
  merge: moveCourseRows,
  read: async ({ tx }, id) => (await readBack(tx, courses, id)).record,
  ownFields: [...Object.keys(ownColumns), 'topics', 'assessment_criteria'],
  eventType: (verb) => (verb === 'renamed' ? 'course.updated' : null),
}
