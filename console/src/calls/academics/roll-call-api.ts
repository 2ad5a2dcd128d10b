import { call } from '../http.ts'

/** What a lesson or the daily roll of a group is called over. */
export interface RollPlace {
  readonly of: string
  readonly kind: 'lesson' | 'group'
  readonly date: string
  readonly studentGroup: string
  readonly course: string | null
  readonly room: string | null
  readonly instructor: string | null
  readonly from: string | null
  readonly to: string | null
}

/** A roll in the list of a day. */
export interface ListedRoll extends RollPlace {
  readonly isMine: boolean
  readonly isExpected: boolean
  readonly students: number
  readonly marked: number
}

/** The rolls of a day. */
export interface RollDay {
  readonly date: string
  readonly now: string
  readonly today: string
  readonly isHoliday: boolean
  readonly frozenUntil: string | null
  readonly rolls: readonly ListedRoll[]
}

/** An attendance code of the institution. */
export interface AttendanceCode {
  readonly code: string
  readonly label: string
  readonly labels: Readonly<Record<string, string>>
  readonly countsAs: 'Present' | 'Absent' | 'Late' | 'Excused'
  readonly minutes: number
}

/** What is said of a student. */
export interface Mark {
  readonly status: 'Present' | 'Absent'
  readonly code: string | null
  readonly minutesLate: number
  readonly excused: boolean
  readonly halfDay: boolean
}

/** A student of a roll, with what is marked. */
export interface RollStudent extends Omit<Mark, 'status'> {
  readonly student: string
  readonly studentName: string
  readonly version: string | null
  readonly status: 'Present' | 'Absent' | 'Leave' | null
  readonly leave: { readonly name: string; readonly halfDay: boolean } | null
}

/** A roll with its students. */
export interface RollCall extends RollPlace {
  readonly mayMark: boolean
  readonly closed: 'holiday' | 'frozen' | null
  readonly frozenUntil: string | null
  readonly codes: readonly AttendanceCode[]
  readonly students: readonly RollStudent[]
}

/** A student as the roll is called, with the version that was read; without one it holds whatever was marked. */
export interface CalledStudent extends Mark {
  readonly student: string
  readonly version?: string | null
}

/** Why a student was not marked. */
export interface RefusedStudent {
  readonly student: string
  readonly code: 'unknown_student' | 'unknown_code' | 'detail_does_not_fit' | 'changed_meanwhile'
  readonly detail: string
}

const addressOf = (of: string, date: string) => `/console/v1/roll-calls/${encodeURIComponent(of)}/${date}`

/** The rolls of a day, today unless said otherwise. Throws `CallError`. */
export async function readRollDay(date?: string): Promise<RollDay> {
  return (await call('GET', '/console/v1/roll-calls', { query: { date } })).body.data
}

/** A lesson, or a group on a day, with its students. Throws `CallError`. */
export async function readRoll(of: string, date: string): Promise<RollCall> {
  return (await call('GET', addressOf(of, date))).body.data
}

/** Marks students, or corrects them, each by itself; the key is that of the intention. Throws `CallError`. */
export async function callRoll(
  { of, date }: Pick<RollPlace, 'of' | 'date'>,
  students: readonly CalledStudent[],
  key: string,
): Promise<{ readonly students: readonly RollStudent[]; readonly refused: readonly RefusedStudent[] }> {
  const options = { headers: { 'idempotency-key': key }, body: { students } }
  return (await call('PUT', addressOf(of, date), options)).body.data
}
