import type { assessmentPlan, courseSchedule, RecordType } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { column, sql } from '../../database/index.ts'
import { type AnyDocument, RecordError, type RecordWork } from '../../record-engine/index.ts'

/** A lesson or an examination: something that takes people and a room for a while. */
interface Appointment {
  readonly name: string
  readonly schedule_date: string | null
  readonly from_time: string | null
  readonly to_time: string | null
}

/** Somebody or something that cannot be in two places: its name, the type to look in, and the field that names it there. */
export interface Occupied {
  readonly in: typeof courseSchedule | typeof assessmentPlan
  readonly field: 'student_group' | 'room' | 'instructor' | 'supervisor'
  readonly value: string | null
}

/**
 * Refuses an appointment for which somebody, or a room, is taken at that time by another one that is not cancelled. One that
 * begins when the other ends does not conflict.
 *
 * @throws RecordError `OverlapError`, naming the type, the record to whoever may read it, and the field.
 */
export async function requireNoOverlap(
  work: RecordWork,
  type: RecordType,
  appointment: Appointment,
  occupied: readonly Occupied[],
): Promise<void> {
  const { name, schedule_date: day, from_time: from, to_time: to } = appointment
  if (day === null || from === null || to === null) return
  await takeAdvisoryLock(work.tx, `timetable of ${day}`)
  for (const { in: other, field, value } of occupied) {
    if (!value) continue
    const isSelf = other.name === type.name
    const [found] = (await work.select(
      other as RecordType,
      sql`r.schedule_date = ${day} and r.${column(field)} = ${value} and r.docstatus < 2
          and (${!isSelf}::boolean or r.name <> ${name})
          and ((r.from_time > ${from} and r.from_time < ${to})
            or (r.to_time > ${from} and r.to_time < ${to})
            or (${from} > r.from_time and ${from} < r.to_time)
            or (r.from_time = ${from} and r.to_time = ${to}))`,
      sql`order by r.from_time, r.name limit 1`,
    )) as AnyDocument[]
    if (found === undefined) continue
    const isNamed = await work.mayRead(other as RecordType, found.name)
    const label = (other as RecordType).fields[field]?.label
    throw new RecordError(
      'OverlapError',
      `This ${type.name} conflicts with ${isNamed ? `${other.name} ${found.name}` : `another ${other.name}`} (${found.from_time} to ${found.to_time}) for ${label} ${value}. Choose another time.`,
    )
  }
}
