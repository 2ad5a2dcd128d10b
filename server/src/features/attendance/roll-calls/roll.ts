import type { RollCall as RollCallRecord, Static } from '@matricula/contract'
import {
  attendanceCode,
  courseSchedule,
  instructor,
  room,
  studentAttendance,
  studentGroup,
} from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { isCalendarDate } from '../../../http/index.ts'
import { mayDo, type RecordEngine, RecordError, type RecordOf, requireOwn } from '../../../record-engine/index.ts'
import { type GroupMember, readGroupMembers, requireOwnGroup } from '../../groups/index.ts'
import { loadEducationSettings } from '../../settings/index.ts'
import { findHolidays } from '../holidays.ts'
import { type Leave, loadLeaves, loadMarked, type Marked, type RollCall } from '../marking.ts'

type Shown = Static<typeof RollCallRecord>
type Place = Pick<Shown, 'of' | 'kind' | 'date' | 'studentGroup' | 'course' | 'room' | 'instructor' | 'from' | 'to'>

/** A student of a roll as the operations show it. */
export type RollStudent = Shown['students'][number]

/** A lesson, or a group on a day. */
export interface Roll {
  readonly place: Place
  readonly call: RollCall
  readonly members: readonly GroupMember[]
}

/**
 * The lesson of a name on its day, or the group of that name on any day, with those who are in the group then.
 *
 * @throws RecordError `DoesNotExistError`, also for another day than that of the lesson, and `PermissionError`.
 */
export async function findRoll(engine: RecordEngine, of: string, date: string): Promise<Roll> {
  engine.require(studentAttendance, 'read')
  engine.require(studentGroup, 'read')
  if (!isCalendarDate(date)) throw new RecordError('DoesNotExistError', `${date} is no day.`)
  const lesson = await engine.find(courseSchedule, of)
  const roll = lesson === null ? await ofGroup(engine, of, date) : await ofLesson(engine, lesson, date)
  return { ...roll, members: await readGroupMembers(engine, roll.place.studentGroup, { day: date }) }
}

async function ofGroup(engine: RecordEngine, of: string, date: string): Promise<Omit<Roll, 'members'>> {
  await requireOwnGroup(engine, of)
  const { name } = await engine.get(studentGroup, of)
  return {
    place: {
      ...{ of: name, kind: 'group', date, studentGroup: name },
      ...{ course: null, room: null, instructor: null, from: null, to: null },
    },
    call: { course_schedule: null, student_group: name, date },
  }
}

async function ofLesson(
  engine: RecordEngine,
  lesson: RecordOf<typeof courseSchedule>,
  date: string,
): Promise<Omit<Roll, 'members'>> {
  await requireOwn(engine, courseSchedule, lesson.name)
  if (lesson.schedule_date !== date) {
    throw new RecordError('DoesNotExistError', `The lesson ${lesson.name} is on ${lesson.schedule_date}.`)
  }
  const place = await engine.linked(room, lesson.room)
  const teacher = await engine.linked(instructor, lesson.instructor)
  return {
    place: {
      of: lesson.name,
      kind: 'lesson',
      date,
      studentGroup: lesson.student_group ?? '',
      course: lesson.course,
      room: place?.room_name ?? lesson.room,
      instructor: teacher?.instructor_name ?? lesson.instructor,
      from: lesson.from_time?.slice(0, 5) ?? null,
      to: lesson.to_time?.slice(0, 5) ?? null,
    },
    call: { course_schedule: lesson.name, student_group: lesson.student_group, date },
  }
}

/** A roll with its students, the codes, and whether the caller may mark it. */
export async function readRoll(engine: RecordEngine, { place, call, members }: Roll): Promise<Shown> {
  const students = members.map(({ student }) => student)
  const marked = await loadMarked(engine, call, students)
  const leaves = await loadLeaves(engine, call, students)
  const { attendance_freeze_date: frozenUntil } = await loadEducationSettings(engine)
  const isHoliday = (await findHolidays(engine)).has(place.date)
  const closed = isHoliday ? 'holiday' : frozenUntil !== null && place.date <= frozenUntil ? 'frozen' : null
  const may = (right: 'create' | 'submit') => mayDo(engine.caller, studentAttendance, right)
  return {
    ...place,
    mayMark: closed === null && may('create') && may('submit'),
    closed,
    frozenUntil,
    codes: await readCodes(engine),
    students: members.map((member) => toStudent(member, marked.get(member.student), leaves.get(member.student))),
  }
}

/** The state of a student's mark, which changes with each change of it. */
export function getVersion(marked: Marked | undefined): string | null {
  return marked === undefined ? null : `${marked.name}.${marked.version}`
}

/** A student of a roll as the operations show it. */
export function toStudent(
  { student, student_name, group_roll_number }: GroupMember,
  marked: Marked | undefined,
  leave: Leave | undefined,
): RollStudent {
  return {
    student,
    studentName: student_name ?? student,
    rollNumber: Math.max(group_roll_number ?? 0, 0),
    attendance: marked?.name ?? null,
    version: getVersion(marked),
    status: marked?.status ?? null,
    code: marked?.attendance_code || null,
    minutesLate: marked?.minutes_late ?? 0,
    excused: marked?.excused === 1,
    halfDay: marked?.half_day === 1,
    leave: leave === undefined ? null : { name: leave.name, halfDay: leave.half_day === 1 },
  }
}

async function readCodes(engine: RecordEngine): Promise<Shown['codes']> {
  if (!mayDo(engine.caller, attendanceCode, 'read')) return []
  const { tenantId } = engine.tx
  return engine.tx.query<Shown['codes'][number]>(sql`
    select c.name as code, coalesce(nullif(c.label, ''), c.name) as label, c.counts_as as "countsAs", c.minutes,
           coalesce((select jsonb_object_agg(t.language, t.label) from attendance_codes_translations t
                      where t.tenant_id = c.tenant_id and t.parent_id = c.id and t.language is not null), '{}') as labels
      from attendance_codes c
     where c.tenant_id = ${tenantId} and c.disabled = 0 and c.counts_as is not null
     order by c.position, c.name`)
}
