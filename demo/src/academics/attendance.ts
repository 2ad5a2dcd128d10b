import { studentAttendance, studentLeaveApplication } from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { calendarDate, day, hour } from '../records/calendar.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import { type Enrolled, getPresence } from './enrollments.ts'
import type { DemoGroup } from './groups.ts'
import type { RecordLoader } from './record-loader.ts'

/** Some days in a row on which a student is away. */
interface DemoLeave {
  readonly member: Enrolled
  readonly group: string
  readonly days: readonly number[]
}

const reasons = [
  'Medical appointment and recovery',
  'Family matter',
  'Sports tournament of the region',
  'Religious holiday',
  'Journey abroad with the family',
] as const

const shareWithLeave = 0.12

/** Loads the leaves of a term, and whether each student was there on each day that has passed. */
export async function loadAttendance(
  plan: Plan,
  calendar: AcademicCalendar,
  groups: readonly DemoGroup[],
  loader: RecordLoader,
): Promise<void> {
  const batches = groups.filter(({ kind }) => kind === 'Batch')
  const leaves = batches.flatMap(({ name, members }) =>
    members.flatMap((member) => findLeave(plan, calendar, name, member) ?? []),
  )
  const applications = await loader.add(
    studentLeaveApplication,
    leaves.map((leave) => leaveRecord(plan, leave)),
  )
  const onLeave = new Map<string, string>()
  for (const [position, { member, days }] of leaves.entries()) {
    for (const date of days) onLeave.set(`${member.code} ${date}`, applications[position]?.name as string)
  }
  for (const date of calendar.daysPassed) {
    const present = batches.flatMap((group) =>
      group.members.flatMap((member) => {
        const { from, to } = getPresence(member, calendar)
        return date < from || date > to ? [] : [{ group, member }]
      }),
    )
    await loader.add(
      studentAttendance,
      present.map(({ group, member }) =>
        findAttendance(plan, member, group.name, date, onLeave.get(`${member.code} ${date}`) ?? null),
      ),
    )
  }
}

/** Whether a student was there on a day, or which leave the student had. */
export function findAttendance(plan: Plan, member: Enrolled, group: string, date: number, leave: string | null) {
  const { student, code, name, program } = member
  const random = plan.random.of(`attendance ${calendarDate(date)}`, student.index)
  return {
    moment: Math.max(date + 13 * hour, student.createdAt + day),
    fields: {
      student: code,
      student_name: name,
      student_mobile_number: student.phone,
      student_group: group,
      date: calendarDate(date),
      status: leave !== null ? 'Leave' : random.chance(getDiligence(plan, member)) ? 'Present' : 'Absent',
      leave_application: leave,
      link_nvfk: program.name,
    },
  }
}

/** The share of days on which a student is there who is not on leave: mostly nineteen of twenty. */
function getDiligence(plan: Plan, { student }: Enrolled): number {
  const random = plan.random.of('diligence', student.index)
  return random.chance(0.08) ? 0.78 : 0.92 + random.fraction() * 0.075
}

function findLeave(plan: Plan, calendar: AcademicCalendar, group: string, member: Enrolled): DemoLeave | null {
  const random = plan.random.of('leave', member.student.index)
  const { from, to } = getPresence(member, calendar)
  const possible = calendar.daysPassed.filter((date) => date >= from && date <= to)
  if (possible.length < 5 || !random.chance(shareWithLeave)) return null
  const first = random.below(possible.length - 4)
  return { member, group, days: possible.slice(first, first + random.between(1, 4)) }
}

function leaveRecord(plan: Plan, { member, group, days }: DemoLeave) {
  const [first = 0] = days
  const random = plan.random.of('leave row', member.student.index)
  return {
    moment: Math.max(first - random.between(1, 6) * day, member.enrolledAt + hour),
    fields: {
      student: member.code,
      student_name: member.name,
      from_date: calendarDate(first),
      to_date: calendarDate(days.at(-1) ?? first),
      total_leave_days: days.length,
      attendance_based_on: 'Student Group',
      student_group: group,
      reason: random.pick(reasons),
    },
  }
}
