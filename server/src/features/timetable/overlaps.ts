import { assessmentPlan, courseSchedule, type RecordType, student } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { column, sql } from '../../database/index.ts'
import { type AnyDocument, RecordError, type RecordWork } from '../../record-engine/index.ts'
import { isMemberOn } from '../membership/index.ts'

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
 * Refuses an appointment of a group at which a student who is in it on that day is taken by a lesson or an examination of
 * another group.
 *
 * @throws RecordError `OverlapError`, naming the student and the record to whoever may read them.
 */
export async function requireFreeStudents(
  work: RecordWork,
  type: RecordType,
  { name, schedule_date: day, from_time: from, to_time: to, student_group: group }: Appointment & GroupOf,
): Promise<void> {
  if (day === null || from === null || to === null || !group) return
  await takeAdvisoryLock(work.tx, `timetable of ${day}`)
  const { tenantId } = work.tx
  const [found] = await work.tx.query<Taken>(sql`
    with appointments as (
      select 'Course Schedule' as type, name, student_group, from_time, to_time from course_schedules
       where tenant_id = ${tenantId} and schedule_date = ${day} and docstatus < 2
      union all
      select 'Assessment Plan', name, student_group, from_time, to_time from assessment_plans
       where tenant_id = ${tenantId} and schedule_date = ${day} and docstatus < 2)
    select a.type, a.name, a.from_time::text, a.to_time::text, other.student
      from appointments a
      join student_groups g on g.tenant_id = ${tenantId} and g.name = a.student_group
      join student_groups_students other on other.tenant_id = ${tenantId} and other.parent_id = g.id
     where a.from_time < ${to} and a.to_time > ${from} and a.student_group <> ${group}
       and not (a.type = ${type.name} and a.name = ${name})
       and ${isMemberOn(work, sql`${day}::date`, { member: 'other' })}
       and other.student in (
         select s.student from student_groups own
           join student_groups_students s on s.tenant_id = own.tenant_id and s.parent_id = own.id
          where own.tenant_id = ${tenantId} and own.name = ${group}
            and ${isMemberOn(work, sql`${day}::date`, { member: 's', group: 'own' })})
     order by a.from_time, a.name, other.student
     limit 1`)
  if (found === undefined) return
  const other = found.type === courseSchedule.name ? courseSchedule : assessmentPlan
  const isNamed = await work.mayRead(other, found.name)
  const isStudentNamed = await work.mayRead(student, found.student)
  throw new RecordError(
    'OverlapError',
    `This ${type.name} conflicts with ${isNamed ? `${found.type} ${found.name}` : `another ${found.type}`} (${found.from_time} to ${found.to_time}) for ${isStudentNamed ? `Student ${found.student}` : 'a student'}, who is in both groups. Choose another time.`,
  )
}

interface GroupOf {
  readonly student_group: string | null
}

interface Taken {
  readonly type: string
  readonly name: string
  readonly from_time: string
  readonly to_time: string
  readonly student: string
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
          and r.from_time < ${to} and r.to_time > ${from}`,
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
