import { instructor, studentGroup } from '@matricula/contract/record-types'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'

/** Who and what takes part in a lesson or an examination. */
export interface Planned {
  readonly schedule_date: string | null
  readonly student_group: string | null
  /** Names of instructors. */
  readonly instructors: readonly (string | null)[]
}

/**
 * Refuses what is planned anew, for today or later, with an instructor who has left or a group that is disabled. What was held
 * before stays, and so does what was planned with them earlier.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireStillHere(work: RecordWork, planned: Planned, before: Planned | null): Promise<void> {
  const { schedule_date: day, student_group, instructors } = planned
  if (day === null || day < work.today) return
  const known = before?.schedule_date === day ? before : null
  for (const name of instructors) {
    if (known?.instructors.includes(name) || (await work.linked(instructor, name))?.status !== 'Left') continue
    throw new RecordError('ValidationError', `The instructor ${name} has left. Choose another for ${day}.`)
  }
  if (known?.student_group === student_group || (await work.linked(studentGroup, student_group))?.disabled !== 1) return
  throw new RecordError(
    'ValidationError',
    `The Student Group ${student_group} is disabled. Enable it, or choose another for ${day}.`,
  )
}
