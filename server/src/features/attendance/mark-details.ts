import { attendanceCode, studentAttendance } from '@matricula/contract/record-types'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { maxMinutes, statusByMeaning } from './attendance-codes.ts'

type Attendance = RecordOf<typeof studentAttendance>
type Code = RecordOf<typeof attendanceCode>

const refusal = (message: string) => new RecordError('ValidationError', message)

/** Takes status, excuse and minutes from a code. */
function takeFromCode(document: Attendance, { name, counts_as, minutes, disabled }: Code): void {
  if (disabled === 1) throw refusal(`The Attendance Code ${name} is disabled. Enable it, or choose another.`)
  document.status = statusByMeaning[counts_as ?? ''] ?? document.status
  document.excused = counts_as === 'Excused' ? 1 : 0
  if (counts_as === 'Late') document.minutes_late ||= minutes
}

function isAsCoded({ status, excused, minutes_late }: Attendance, { counts_as }: Code): boolean {
  return (
    statusByMeaning[counts_as ?? ''] === status &&
    (counts_as === 'Excused') === (excused === 1) &&
    (counts_as === 'Late' || minutes_late === 0)
  )
}

/** What a detail goes with; one that was sent with something else is refused, one that was there before is cleared. */
const details = [
  {
    field: 'minutes_late',
    fits: ({ status }: Attendance) => status === 'Present',
    advice: 'Minutes Late are of a student who is Present. Change the status, or leave them at 0.',
  },
  {
    field: 'excused',
    fits: ({ status }: Attendance) => status === 'Absent',
    advice: 'Excused is an absence. Change the status to Absent, or leave Excused unset.',
  },
  {
    field: 'half_day',
    fits: ({ status }: Attendance) => status !== 'Present',
    advice: 'Half Day is an absence or a leave of half a day. Change the status, or leave Half Day unset.',
  },
] as const

/**
 * A new code decides status and excuse; a status that is changed afterwards takes the code away, and details that do not go with
 * it. What a leave replaced stays until the leave is cancelled.
 *
 * @throws RecordError `ValidationError` for a disabled code, minutes out of bounds and a detail that does not go with the status.
 */
export async function setMarkDetails(document: Attendance, work: RecordWork, before: Attendance | null): Promise<void> {
  if (document.minutes_late < 0 || document.minutes_late > maxMinutes) {
    throw refusal(`Minutes Late are from 0 to ${maxMinutes}, not ${document.minutes_late}.`)
  }
  const code = await work.linked(attendanceCode, document.attendance_code)
  const isNew = before === null || before.attendance_code !== document.attendance_code
  if (code !== null && isNew) takeFromCode(document, code)
  if (document.status === 'Leave' && before !== null) return
  for (const { field, fits, advice } of details) {
    if (document[field] === 0 || fits(document)) continue
    if (before === null || before[field] === 0) throw refusal(advice)
    document[field] = 0
  }
  if (code !== null && !isAsCoded(document, code)) {
    if (isNew) throw refusal(`Minutes Late do not go with the Attendance Code ${code.name}. Leave them at 0.`)
    document.attendance_code = null
  }
}

/** The same for a submitted attendance of which a client changed a field. */
export async function clearMarkDetails(
  document: Attendance,
  work: RecordWork,
  before: Attendance | null,
): Promise<void> {
  const settled = { ...document }
  await setMarkDetails(settled, work, before)
  const { status, attendance_code, minutes_late, excused, half_day } = settled
  await work.put(studentAttendance, document.name, { status, attendance_code, minutes_late, excused, half_day })
}
