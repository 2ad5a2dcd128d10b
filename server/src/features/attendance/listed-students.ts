import type { studentAttendance } from '@matricula/contract/record-types'
import { RecordError, type RecordOf } from '../../record-engine/index.ts'

type Attendance = RecordOf<typeof studentAttendance>

/** What a mark says beside present or absent. */
export type MarkDetails = Pick<Attendance, 'attendance_code' | 'minutes_late' | 'excused' | 'half_day'>

/** A mark that says nothing more. */
export const noDetails: MarkDetails = { attendance_code: null, minutes_late: 0, excused: 0, half_day: 0 }

/** A student of a roll call, with the details that were sent, or null. */
export interface ListedStudent {
  readonly student: string
  readonly details: MarkDetails | null
}

const toNumber = (value: unknown): number => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || value === undefined || value === '') return 0
  return typeof value === 'number' || (typeof value === 'string' && /^\d{1,6}$/.test(value))
    ? Number(value)
    : Number.NaN
}

function readDetails(list: string, student: string, sent: Readonly<Record<string, unknown>>): MarkDetails | null {
  const { attendance_code: code } = sent
  if (!Object.keys(noDetails).some((name) => sent[name] !== undefined)) return null
  const refuse = (name: string, wanted: string) =>
    new RecordError('FrappeTypeError', `${list}: ${name} of ${student.slice(0, 140)} must be ${wanted}.`)
  if (code !== undefined && code !== null && typeof code !== 'string') throw refuse('attendance_code', 'a text')
  const minutes_late = toNumber(sent.minutes_late)
  if (!Number.isInteger(minutes_late)) throw refuse('minutes_late', 'a whole number of minutes')
  const [excused, half_day] = [toNumber(sent.excused), toNumber(sent.half_day)]
  if (excused !== 0 && excused !== 1) throw refuse('excused', '0 or 1')
  if (half_day !== 0 && half_day !== 1) throw refuse('half_day', '0 or 1')
  return { attendance_code: code || null, minutes_late, excused, half_day }
}

/**
 * The students in a list of a roll call: objects with `student` and, where more is to be said, `attendance_code`, `minutes_late`,
 * `excused` and `half_day`.
 *
 * @throws RecordError `FrappeTypeError`.
 */
export function readListedStudents(list: string, rows: object): ListedStudent[] {
  const wanted = new RecordError('FrappeTypeError', `The argument ${list} must be a list of objects with a student.`)
  if (!Array.isArray(rows)) throw wanted
  return rows.map((row: unknown) => {
    const sent = (row ?? {}) as Readonly<Record<string, unknown>>
    const { student } = sent
    if (typeof student !== 'string' || student === '') throw wanted
    return { student, details: readDetails(list, student, sent) }
  })
}
