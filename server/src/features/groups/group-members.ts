import { studentGroup, student as studentType } from '@matricula/contract/record-types'
import { findBatched } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { type RecordEngine, RecordError, type RecordWork, requireOwn } from '../../record-engine/index.ts'
import { isMemberOn, leftOn } from '../membership/index.ts'

/** Somebody in a group. */
export interface GroupMember {
  readonly student: string
  readonly student_name: string | null
  readonly group_roll_number: number
}

/** Which members of a group are asked for. */
export interface MemberSelection {
  /** Those who are there on the day (`YYYY-MM-DD`); without one, whoever is active whatever the dates. */
  readonly day?: string | null
  readonly withInactive?: boolean
}

/** The students of a group by roll number, each once. A group that does not exist has none. */
export async function groupMembers(
  work: RecordWork,
  group: string,
  { day = null, withInactive = false }: MemberSelection = {},
): Promise<GroupMember[]> {
  const isMeant = withInactive ? sql`true` : day === null ? sql`m.active = 1` : isMemberOn(work, sql`${day}::date`)
  const rows = await work.tx.query<GroupMember>(sql`
    select m.student, coalesce(s.full_name, m.student_name) as student_name, m.group_roll_number
      from student_groups g
      join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
      left join students s on s.tenant_id = m.tenant_id and s.student_code = m.student
     where g.tenant_id = ${work.tx.tenantId} and g.name = ${group} and ${isMeant}
     order by m.group_roll_number, m.idx`)
  const seen = new Set<string>()
  return rows.filter(({ student }) => !seen.has(student) && seen.add(student))
}

/** Refuses with `PermissionError` a group that the caller, who reaches groups as a teacher alone, does not teach. */
export async function requireOwnGroup(engine: RecordEngine, group: string): Promise<void> {
  await requireOwn(engine, studentGroup, group)
}

/** The students of a group as a client asks for them. Throws as `requireOwnGroup` does. */
export async function readGroupMembers(
  engine: RecordEngine,
  group: string,
  selection: MemberSelection = {},
): Promise<GroupMember[]> {
  await requireOwnGroup(engine, group)
  return groupMembers(engine, group, selection)
}

/** The names of the groups that a student is in today, of one program where it is given. */
export async function groupsOfStudent(
  work: RecordWork,
  student: string,
  program: string | null = null,
): Promise<string[]> {
  const { today } = work
  return [
    ...new Set((await findMemberships(work, student, { program, from: today, to: today })).map((each) => each.group)),
  ]
}

/** The days of a student in a group, both inclusive (`YYYY-MM-DD`). */
export interface Membership {
  readonly group: string
  readonly from: string
  readonly to: string
}

/** The days within which memberships are asked for, both inclusive, and of which group or groups. */
export interface MembershipSelection {
  readonly from: string
  readonly to: string
  /** This group, also a disabled one; without it, all groups that are not disabled. */
  readonly group?: string | null
  readonly program?: string | null
}

/** When a student is in which groups within some days, by group. */
export async function findMemberships(
  work: RecordWork,
  student: string,
  { from, to, group = null, program = null }: MembershipSelection,
): Promise<Membership[]> {
  return work.tx.query<Membership>(sql`
    select * from (
      select g.name as "group", greatest(m.from_date, ${from}::date) as "from",
             least(m.to_date, ${to}::date, ${leftOn(work)} - 1) as "to"
        from student_groups_students m
        join student_groups g on g.tenant_id = m.tenant_id and g.id = m.parent_id
       where m.tenant_id = ${work.tx.tenantId} and m.student = ${student} and m.active = 1
         and (${group}::text is null and g.disabled = 0 or g.name = ${group})
         and (${program}::text is null or g.program = ${program})) membership
     where "from" <= "to"
     order by "group", "from"`)
}

/** Who is to be in which group, on a day or at any time. */
interface WantedMember {
  readonly student: string | null
  readonly student_name: string | null
  readonly group: string | null
  readonly day?: string | null
}

/**
 * Refuses whoever is no active member of a group, or not on the day; who says what is refused.
 *
 * @throws RecordError of the class that the caller names.
 */
export async function requireMember(
  work: RecordWork,
  { student, student_name, group, day = null }: WantedMember,
  errorType: 'ValidationError' | 'StudentNotInGroupError',
): Promise<void> {
  if (!student || !group) return
  const wanted = { student, group, day }
  if (await findBatched(work.tx, 'membership', wanted, (all) => areMembers(work, all))) return
  const named = student_name && (await work.mayRead(studentType, student)) ? `${student}: ${student_name}` : student
  throw new RecordError(
    errorType,
    `Student ${named} does not belong to the Student Group ${group}, or is not active in it${day === null ? '' : ` on ${day}`}. Add the student to the group first.`,
  )
}

/** For each of some students whether the student is in a group on a day, or is active in it at all, by one statement. */
async function areMembers(
  work: RecordWork,
  wanted: readonly { readonly student: string; readonly group: string; readonly day: string | null }[],
): Promise<boolean[]> {
  const rows = JSON.stringify(wanted.map((each, position) => ({ ...each, position })))
  const found = await work.tx.query<{ position: number }>(sql`
    select w.position from jsonb_to_recordset(${rows}::jsonb) w (position integer, student text, "group" text, day date)
     where exists (select from student_groups_students m
                     join student_groups g on g.tenant_id = m.tenant_id and g.id = m.parent_id
                    where m.tenant_id = ${work.tx.tenantId} and m.student = w.student and g.name = w."group"
                      and case when w.day is null then m.active = 1 else ${isMemberOn(work, sql`w.day`)} end)`)
  const members = new Set(found.map(({ position }) => position))
  return wanted.map((_, position) => members.has(position))
}
