import { studentGroup, student as studentType } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { type RecordEngine, RecordError, type RecordWork, requireOwn } from '../../record-engine/index.ts'

/** Somebody in a group. */
export interface GroupMember {
  readonly student: string
  readonly student_name: string | null
  readonly group_roll_number: number
}

/** The students of a group by roll number: the active ones, or all of them. A group that does not exist has none. */
export async function groupMembers(
  work: RecordWork,
  group: string,
  options: { readonly withInactive?: boolean } = {},
): Promise<GroupMember[]> {
  return work.tx.query<GroupMember>(sql`
    select m.student, coalesce(s.full_name, m.student_name) as student_name, m.group_roll_number
      from student_groups g
      join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
      left join students s on s.tenant_id = m.tenant_id and s.student_code = m.student
     where g.tenant_id = ${work.tx.tenantId} and g.name = ${group}
       and (m.active = 1 or ${options.withInactive ?? false}::boolean)
     order by m.group_roll_number, m.idx`)
}

/** Refuses with `PermissionError` a group that the caller, who reaches groups as a teacher alone, does not teach. */
export async function requireOwnGroup(engine: RecordEngine, group: string): Promise<void> {
  await requireOwn(engine, studentGroup, group)
}

/** The students of a group as a client asks for them. Throws as `requireOwnGroup` does. */
export async function readGroupMembers(
  engine: RecordEngine,
  group: string,
  options: { readonly withInactive?: boolean } = {},
): Promise<GroupMember[]> {
  await requireOwnGroup(engine, group)
  return groupMembers(engine, group, options)
}

/** The names of the groups that a student is an active member of, of one program where it is given. */
export async function groupsOfStudent(
  work: RecordWork,
  student: string,
  program: string | null = null,
): Promise<string[]> {
  const groups = await work.tx.query<{ name: string }>(sql`
    select g.name
      from student_groups_students m
      join student_groups g on g.tenant_id = m.tenant_id and g.id = m.parent_id
     where m.tenant_id = ${work.tx.tenantId} and m.student = ${student} and m.active = 1 and g.disabled = 0
       and (${program}::text is null or g.program = ${program})
     order by g.name`)
  return groups.map(({ name }) => name)
}

/**
 * Refuses whoever is no active member of a group; who says what is refused.
 *
 * @throws RecordError of the class that the caller names.
 */
export async function requireMember(
  work: RecordWork,
  member: { readonly student: string | null; readonly student_name: string | null; readonly group: string | null },
  errorType: 'ValidationError' | 'StudentNotInGroupError',
): Promise<void> {
  const { student, student_name, group } = member
  if (!student || !group) return
  const [found] = await work.tx.query<{ is_member: boolean }>(sql`
    select exists (select 1 from student_groups_students m
                     join student_groups g on g.tenant_id = m.tenant_id and g.id = m.parent_id
                    where m.tenant_id = ${work.tx.tenantId} and m.student = ${student} and m.active = 1
                      and g.name = ${group}) as is_member`)
  if (found?.is_member) return
  const named = student_name && (await work.mayRead(studentType, student)) ? `${student}: ${student_name}` : student
  throw new RecordError(
    errorType,
    `Student ${named} does not belong to the Student Group ${group}, or is not active in it. Add the student to the group first.`,
  )
}
