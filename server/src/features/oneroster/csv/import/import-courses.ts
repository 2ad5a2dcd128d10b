import { importCourse } from '../../../courses/index.ts'
import { importProgram } from '../../../programs/index.ts'
import { isGone, readCell, required } from '../bundle-values.ts'
import { readUnmapped } from '../row-metadata.ts'
import { type BundleState, courses, programs } from './bundle-state.ts'

/** Courses, and the programs of homerooms. */
export async function importCourses(state: BundleState): Promise<void> {
  const taken = new Map<string, string>()
  for await (const row of state.bundle.rows('courses')) {
    const sourcedId = required(row, state.faults, 'sourcedId')
    const title = required(row, state.faults, 'title')
    if (sourcedId === null || title === null || isGone(row)) continue
    await state.requireOrgs(row, 'orgSourcedId')
    const code = readCell(row, 'courseCode')
    const isHome = state.homes.has(sourcedId)
    const name = (taken.get(title) ?? sourcedId) === sourcedId ? title : `${title} (${code ?? sourcedId})`
    taken.set(name, sourcedId)
    const department = await state.findDepartment(readCell(row, 'orgSourcedId', 'orgId'))
    const entry = {
      externalId: sourcedId.slice(0, 160),
      name,
      ...(code !== null && code !== title && { code }),
      ...(department !== null && { department }),
    }
    const save = isHome ? importProgram : importCourse
    const outcome = await save(state.tx, state.change, entry as never)
    if (outcome === 'created') state.counts.created += 1
    else if (outcome === 'updated') state.counts.updated += 1
    else state.counts.unchanged += 1
    state.names.set(`${isHome ? 'Program' : 'Course'} ${sourcedId}`, name)
    state.records.remember(isHome ? programs : courses, name, sourcedId, readUnmapped(row))
  }
}
