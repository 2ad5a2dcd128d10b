import { assessmentGroup } from '@matricula/contract/record-types'
import { rootAssessmentGroup } from '../../../assessment/index.ts'
import type { BundleRow } from '../bundle-reader.ts'
import { lastDay, readCell, readDay, required } from '../bundle-values.ts'
import { type BundleState, stored } from './bundle-state.ts'

/** Academic years, their terms, and grading periods as Assessment Groups. */
export async function importSessions(state: BundleState): Promise<void> {
  for await (const row of state.bundle.rows('academicSessions')) {
    if (readCell(row, 'type')?.toLowerCase() !== 'schoolyear') continue
    const session = readSession(state, row)
    if (session === null) continue
    const { sourcedId, title, first, last } = session
    const fields = { academic_year_name: title, year_start_date: first, year_end_date: last }
    const name = await state.save(row, stored.year, sourcedId, fields)
    if (name !== null) state.years.push({ name, first, last })
  }
  for await (const row of state.bundle.rows('academicSessions')) {
    const type = readCell(row, 'type')?.toLowerCase()
    if (type !== 'term' && type !== 'semester') continue
    const session = readSession(state, row)
    // What stands for a year without terms is made of it.
    if (session === null || session.sourcedId.endsWith('_term')) continue
    const { sourcedId, title, first, last } = session
    const parent = readCell(row, 'parentSourcedId', 'parentId')
    const year = parent === null ? null : (state.names.get(`Academic Year ${parent}`) ?? null)
    const within = year ?? state.years.find((each) => each.first <= first && last <= each.last)?.name ?? null
    if (within === null) {
      state.faults.add(row, 'parentSourcedId', 'reference_not_found', 'The bundle has no school year of this term.')
      continue
    }
    const name = title.startsWith(`${within} (`) ? title.slice(within.length + 2, -1) : title
    await state.save(row, stored.term, sourcedId, {
      academic_year: within,
      term_name: name,
      term_start_date: first,
      term_end_date: last,
    })
  }
  for await (const row of state.bundle.rows('academicSessions')) {
    if (readCell(row, 'type')?.toLowerCase() !== 'gradingperiod') continue
    const session = readSession(state, row)
    // What stands for a term without periods is made of it.
    if (session === null || session.sourcedId.endsWith('_gradingPeriod')) continue
    await importPeriod(state, row, session)
  }
}

async function importPeriod(
  state: BundleState,
  row: BundleRow,
  { sourcedId, title, first, last }: NonNullable<ReturnType<typeof readSession>>,
): Promise<void> {
  const known = await state.records.find(stored.period, sourcedId)
  const isTaken = known === null && (await state.engine.find(assessmentGroup, title)) !== null
  const parent = readCell(row, 'parentSourcedId', 'parentId')
  const name = isTaken ? `${title} (${parent ?? sourcedId})` : title
  await state.save(row, stored.period, sourcedId, {
    ...(known === null && {
      assessment_group_name: name,
      parent_assessment_group: rootAssessmentGroup,
    }),
    from_date: first,
    to_date: last,
  })
}

function readSession(state: BundleState, row: BundleRow) {
  const sourcedId = required(row, state.faults, 'sourcedId')
  const title = required(row, state.faults, 'title')
  const first = readDay(row, state.faults, 'startDate')
  const last = lastDay(readDay(row, state.faults, 'endDate'))
  if (first === null || last === null)
    state.faults.add(row, 'startDate', 'required', 'A session needs startDate and endDate.')
  return sourcedId === null || title === null || first === null || last === null
    ? null
    : { sourcedId, title, first, last }
}
