import { studentAttendance, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  addDays,
  newRow,
  type RecordEngine,
  RecordError,
  type RecordOf,
  requireOwn,
} from '../../record-engine/index.ts'
import { findDaysOfGroup } from '../calendar/index.ts'
import { type Days, sharesDays } from '../membership/index.ts'
import { requireMember } from './group-members.ts'

type Group = RecordOf<typeof studentGroup>
type Member = Group['students'][number]

/** A student who leaves one group for another: the day is the first in the other one (`YYYY-MM-DD`). */
export interface Move {
  readonly student: string
  readonly from_group: string
  readonly to_group: string
  readonly date: string
}

const refusal = (message: string) => new RecordError('ValidationError', message)

const memberRows = studentGroup.fields.students.rows

/** Ends a membership the day before, and gives the days that are left; one that had not begun is removed. */
function leave(group: Group, { student, date }: Move, firstDay: string | null): Days {
  const onDay = { from_date: date, to_date: date }
  const row = group.students.find(
    (each) => each.student === student && each.active === 1 && sharesDays(each, onDay),
  ) as Member
  const rest = { from_date: date, to_date: row.to_date }
  if ((row.from_date ?? firstDay ?? '') >= date) group.students = group.students.filter((each) => each !== row)
  else row.to_date = addDays(date, -1)
  return rest
}

/** Adds a membership; a row that was made inactive is taken again. */
function join(group: Group, student: string, days: Days): void {
  const inactive = group.students.find((row: Member) => row.student === student && row.active === 0)
  if (inactive !== undefined && sharesDays(inactive, days)) Object.assign(inactive, { active: 1, ...days })
  else group.students.push(newRow(memberRows, { student, active: 1, ...days, idx: group.students.length + 1 }))
}

async function requireGroupsAlike(engine: RecordEngine, { from_group, to_group }: Move): Promise<void> {
  if (from_group === to_group) throw refusal('The student is in that group. Name another group to move to.')
  const [from, to] = [await engine.get(studentGroup, from_group), await engine.get(studentGroup, to_group)]
  if (to.disabled === 1) throw refusal(`The Student Group ${to.name} is disabled. Enable it, or choose another.`)
  if (from.academic_year === to.academic_year) return
  throw refusal(
    `${to.name} is a group of ${to.academic_year}, and ${from.name} of ${from.academic_year}. Enroll the student in the other year instead.`,
  )
}

/** Says how much attendance stands in the former group from the day on: it is evidence, and stays. */
async function reportAttendance(engine: RecordEngine, { student, from_group, date }: Move): Promise<void> {
  const kept = await engine.select(
    studentAttendance,
    sql`r.student = ${student} and r.student_group = ${from_group} and r.date >= ${date} and r.docstatus < 2`,
  )
  if (kept.length === 0) return
  const message = `${kept.length} attendance records of ${from_group} are of ${date} or later. Cancel those that are wrong.`
  engine.messages.push({ message, indicator: 'orange' })
}

/**
 * Moves a student from one group to another on a day: the membership ends the day before, and goes on in the other group until its
 * last day. Both groups change together or not at all.
 *
 * @throws RecordError `PermissionError`, `DoesNotExistError`, and `ValidationError` for who is not in the group on that day, a
 * group of another year, a full one and a student who may not be in it.
 */
export async function moveStudent(engine: RecordEngine, move: Move): Promise<Move> {
  const { student, from_group, to_group } = move
  for (const name of [from_group, to_group]) await requireOwn(engine, studentGroup, name, 'write')
  await engine.lockAll([from_group, to_group].map((name) => ({ type: studentGroup, name })))
  await requireGroupsAlike(engine, move)
  const member = { student, student_name: null, group: from_group, day: move.date }
  await requireMember(engine, member, 'ValidationError')
  const { academic_year, academic_term } = await engine.get(studentGroup, from_group)
  const firstDay = (await findDaysOfGroup(engine, { academic_year, academic_term }))?.start ?? null
  let rest: Days = { from_date: move.date, to_date: null }
  await engine.change(studentGroup, from_group, (group) => {
    rest = leave(group, move, firstDay)
  })
  await engine.change(studentGroup, to_group, (group) => join(group, student, rest))
  await reportAttendance(engine, move)
  return move
}
