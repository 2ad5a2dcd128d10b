import { academicYear, studentGroup } from '@matricula/contract/record-types'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

/**
 * Rejects an attendance on or before the freeze date of the institution's settings.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireNotFrozen(
  work: RecordWork,
  ...days: readonly (string | null | undefined)[]
): Promise<void> {
  const { attendance_freeze_date: frozen } = await loadEducationSettings(work)
  const day = days.find((each) => frozen !== null && each && each <= frozen)
  if (!day) return
  throw new RecordError(
    'ValidationError',
    `Attendance of ${day} is frozen: it can be made, submitted and changed for days after ${frozen} only. Move the Attendance Freeze Date in Education Settings to correct it.`,
  )
}

/**
 * Rejects an attendance outside the academic year of its group, when the institution requires that.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireInGroupYear(work: RecordWork, day: string, group: string): Promise<void> {
  if ((await loadEducationSettings(work)).validate_attendance_year !== 1) return
  const year = await work.linked(academicYear, (await work.linked(studentGroup, group))?.academic_year ?? null)
  if (year === null) return
  const { year_start_date: start, year_end_date: end } = year
  if ((start === null || day >= start) && (end === null || day <= end)) return
  throw new RecordError(
    'ValidationError',
    `Attendance of ${day} is outside the academic year ${year.name} of the Student Group ${group} (${start} to ${end}).`,
  )
}
