import type { CatalogueCourse, CourseImportBody, Static } from '@matricula/contract'
import { course } from '@matricula/contract/record-types'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import {
  findTakenProblem,
  followRename,
  lockOne,
  readBack,
  takenProblem,
  type UniqueValue,
  type Upserting,
  type Versioned,
} from '../../entities/index.ts'
import { referenceProblem, validationProblem } from '../../errors/index.ts'
import { followRenameByType } from '../../record-engine/index.ts'
import { newId, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import { type ImportOutcome, lockProgramByName, touchProgram, withDepartment } from '../programs/index.ts'
import { type CourseRecord, type CourseRow, courses, courseTable } from './course-store.ts'
import { emptyCourse, storedCourse, withDerived } from './course-values.ts'

type Entry = Static<typeof CatalogueCourse>

/**
 * Creates or updates a course, found by externalId, else by name. Absent members stay; given programs replace the
 * current ones. Throws `reference_not_found` for an unknown program or department.
 */
export async function importCourse(
  tx: Transaction,
  context: ChangeContext,
  given: Static<typeof CatalogueCourse>,
): Promise<ImportOutcome> {
  const current = await findCourse(tx, given.externalId ?? null, given.name)
  const entry = await withDepartment(tx, given, current?.department ?? null)
  const { outcome } = await storeCourse(tx, context, current, entry)
  return outcome
}

type CourseBody = Static<typeof CourseImportBody>

/** Courses by their externalId, as rows of files say them. */
export const courseUpserting: Upserting<CourseRow, CourseRecord, CourseBody> = {
  definition: courses,
  getContext: (context) => context,
  findSeries: (_, body) => {
    requireName(body)
    return null
  },
  insert: async (tx, context, externalId, body) => {
    const name = requireName(body)
    const taken = await findTakenProblem(tx, courses, uniqueValues({ ...body, externalId }), null)
    if (taken !== null) throw taken
    const fields = await withDepartment(tx, body, null)
    return (await storeCourse(tx, context, null, { ...fields, name, externalId })).written
  },
  change: async (tx, context, current, body) => {
    requireReadOnlyUnchanged(context.readOnlyFields, current.record)
    const { name = current.record.name, ...fields } = await withDepartment(tx, body, current.record.department)
    if (isSameCourse(current.record, { ...fields, name })) return current
    const taken = await findTakenProblem(tx, courses, uniqueValues(body), current.record.id)
    if (taken !== null) throw taken
    return (await storeCourse(tx, context, current.record, { ...fields, name })).written
  },
  takenError: (tx, externalId, body) => takenProblem(tx, courses, uniqueValues({ ...body, externalId })),
}

/** The name of one that is to be made. Throws `validation_failed` without one. */
function requireName({ name }: CourseBody): string {
  if (name !== undefined) return name
  const detail = 'is required, because no course has this externalId yet'
  throw validationProblem([{ in: 'body', pointer: '#/name', code: 'required', detail }])
}

function uniqueValues({ externalId, name }: CourseBody): UniqueValue[] {
  return [
    { field: 'externalId', column: 'external_id', value: externalId, code: 'external_id_taken' },
    { field: 'name', column: 'name', value: name, code: 'already_exists' },
  ]
}

function isSameCourse(current: CourseRecord, { programs, ...fields }: Entry): boolean {
  const stored = storedCourse(current)
  return sameJson({ ...stored, ...fields }, stored) && (programs === undefined || hasPrograms(current, programs))
}

function hasPrograms(current: CourseRecord | null, programs: readonly string[]): boolean {
  return sameJson([...new Set(programs)].sort(), (current?.programs ?? []).map(({ name }) => name).sort())
}

/** Creates or updates a course, and makes its programs those that are given. */
async function storeCourse(
  tx: Transaction,
  context: ChangeContext,
  current: CourseRecord | null,
  entry: Entry,
): Promise<{ readonly outcome: ImportOutcome; readonly written: Versioned<CourseRecord> }> {
  const { programs, ...fields } = entry
  const id = current?.id ?? newId()
  if (current !== null && isSameCourse(current, entry)) {
    return { outcome: 'unchanged', written: await readBack(tx, courses, id) }
  }
  const stored = current === null ? null : storedCourse(current)
  const values = { ...(stored ?? emptyCourse), ...fields }
  const written = withDerived(values)
  if (current !== null && values.name !== current.name) {
    await followRename(tx, {
      recordType: 'Course',
      table: 'courses',
      column: 'name',
      from: current.name,
      to: values.name,
    })
    followRenameByType(tx, course, current.name, values.name)
  }
  await tx.query(
    current === null
      ? courseTable.insert(tx.tenantId, id, written)
      : courseTable.update(tx.tenantId, id, written, stored ?? {}),
  )
  if (programs !== undefined && !hasPrograms(current, programs)) {
    const currentNames = (current?.programs ?? []).map(({ name }) => name)
    await storePrograms(tx, context, id, [...new Set(programs)], currentNames)
  }
  const read = await readBack(tx, courses, id)
  const { record: after } = read
  const type = current === null ? 'course.created' : 'course.updated'
  recordChanges(tx, context, [
    { type, list: courses, entityId: id, externalId: after.externalId, before: current, after },
  ])
  return { outcome: current === null ? 'created' : 'updated', written: read }
}

async function findCourse(tx: Transaction, externalId: string | null, name: string): Promise<CourseRecord | null> {
  const found = externalId === null ? null : await lockOne(tx, courses, sql`c.external_id = ${externalId}`)
  return (found ?? (await lockOne(tx, courses, sql`c.name = ${name}`)))?.record ?? null
}

/** Programs are locked in the order of their names, which prevents deadlocks between imports. */
async function storePrograms(
  tx: Transaction,
  context: ChangeContext,
  courseId: string,
  names: readonly string[],
  currentNames: readonly string[],
): Promise<void> {
  for (const name of [...new Set([...names, ...currentNames])].sort()) {
    const isWanted = names.includes(name)
    if (isWanted === currentNames.includes(name)) continue
    const program = await lockProgramByName(tx, name)
    if (program === null) throw referenceProblem('programs', `program ${name}`)
    tx.send(
      isWanted
        ? sql`
            insert into program_courses (tenant_id, id, program_id, course_id, position)
            select ${tx.tenantId}, ${newId()}, ${program.id}, ${courseId}, coalesce(max(position), 0) + 1
              from program_courses where tenant_id = ${tx.tenantId} and program_id = ${program.id}`
        : sql`
            delete from program_courses
             where tenant_id = ${tx.tenantId} and program_id = ${program.id} and course_id = ${courseId}`,
    )
    await touchProgram(tx, context, program)
  }
}
