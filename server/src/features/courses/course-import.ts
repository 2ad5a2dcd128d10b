import type { CatalogueCourse, Static } from '@matricula/contract'
import { course } from '@matricula/contract/record-types'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { followRename, lockOne, readBack } from '../../entities/index.ts'
import { referenceProblem } from '../../errors/index.ts'
import { followRenameByType } from '../../record-engine/index.ts'
import { newId, sameJson } from '../../values/index.ts'
import { type ImportOutcome, lockProgramByName, touchProgram } from '../programs/index.ts'
import { type CourseRecord, courses, courseTable } from './course-store.ts'
import { emptyCourse, storedCourse, withDerived } from './course-values.ts'

/**
 * Creates or updates a course, found by externalId, else by name. Absent members stay; given programs replace the
 * current ones. Throws `reference_not_found` for an unknown program.
 */
export async function importCourse(
  tx: Transaction,
  context: ChangeContext,
  entry: Static<typeof CatalogueCourse>,
): Promise<ImportOutcome> {
  const { programs, ...fields } = entry
  const current = await findCourse(tx, fields.externalId ?? null, fields.name)
  const id = current?.id ?? newId()
  const stored = current === null ? null : storedCourse(current)
  const values = { ...(stored ?? emptyCourse), ...fields }
  const isSame = stored !== null && sameJson(values, stored)
  const names = programs === undefined ? null : [...new Set(programs)].sort()
  const currentNames = (current?.programs ?? []).map(({ name }) => name).sort()
  const isSamePlace = names === null || sameJson(names, currentNames)
  if (isSame && isSamePlace) return 'unchanged'
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
  if (names !== null && !isSamePlace) await storePrograms(tx, context, id, names, currentNames)
  const { record: after } = await readBack(tx, courses, id)
  const type = current === null ? 'course.created' : 'course.updated'
  recordChanges(tx, context, [
    { type, list: courses, entityId: id, externalId: after.externalId, before: current, after },
  ])
  return current === null ? 'created' : 'updated'
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
