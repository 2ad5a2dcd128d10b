import type { SchoolFiles } from '../files/school-files.ts'
import { difference, type Fields, withoutNulls } from '../run/difference.ts'
import { syncRows } from '../run/run.ts'
import type { Student } from '../run/tenant-records.ts'
import type { ListRow } from './record-client.ts'
import { type RecordRun, send } from './record-run.ts'
import type { SchoolRecords } from './school-records.ts'
import { type WantedGroup, wantedGroups } from './wanted-records.ts'

/** What a group lacks. */
interface Change {
  readonly fields: Fields
  /** Codes of students to add. */
  readonly members: readonly string[]
}

/**
 * Brings the groups in step. Their fields and teachers are what the files say. Students are added and never removed: the
 * files tell who was there, and not who left.
 */
export async function syncGroups(
  run: RecordRun,
  files: SchoolFiles,
  students: ReadonlyMap<string, Student>,
  stored: SchoolRecords,
): Promise<void> {
  const findChange = (group: WantedGroup) => changeOfGroup(group, students, stored)
  const isInStep = (group: WantedGroup) => {
    if (findChange(group) !== null) return false
    run.report.count('members', 'unchanged', getCodes(group, students).length)
    return true
  }
  const disabled = new Set(
    [...students.values()].filter(({ status }) => status !== 'active').map(({ studentCode }) => studentCode),
  )
  await syncRows(run, 'groups', wantedGroups(files), isInStep, async (group) => {
    const change = findChange(group) as Change
    const before = stored.groups.get(group.key)
    const fields = await withMembers(run, before?.name ?? null, change, disabled)
    await send(run, 'groups', 'Student Group', before, fields, [['name', '=', group.key]])
    run.report.count('members', 'linked', change.members.length)
    run.report.count('members', 'unchanged', getCodes(group, students).length - change.members.length)
  })
}

/** What to send so that the group is as the files say; null when it is. */
function changeOfGroup(
  group: WantedGroup,
  students: ReadonlyMap<string, Student>,
  { groups, instructors, teachersOf, membersOf }: SchoolRecords,
): Change | null {
  const before = groups.get(group.key)
  const fields = before === undefined ? withoutNulls(group.fields) : difference(group.fields, before)
  // Where an instructor could not be made, the name of none is sent, and the service says what is missing.
  const teachers = group.teachers?.map((name) => instructors.get(name)?.name ?? name) ?? null
  const areSame = teachers === null || isSame(teachers, teachersOf.get(before?.name ?? '') ?? [])
  const present = new Set(membersOf.get(before?.name ?? ''))
  const members = getCodes(group, students).filter((code) => !present.has(code))
  if (before !== undefined && fields === null && areSame && members.length === 0) return null
  const rows = areSame ? {} : { instructors: teachers.map((instructor) => ({ instructor })) }
  return { fields: { ...fields, ...rows }, members }
}

/**
 * Adds the rows of new members behind those that are there, as they were read in this moment. Who is not active in the
 * tenant cannot be active in a group, and one such row would keep the whole group from being saved.
 */
async function withMembers(
  { records }: RecordRun,
  name: string | null,
  { fields, members }: Change,
  disabled: ReadonlySet<string>,
): Promise<Fields> {
  if (members.length === 0) return fields
  const { students = [], modified } = name === null ? ({} as ListRow) : await records.get('Student Group', name)
  const present = (students as readonly ListRow[]).map((row) =>
    disabled.has(String(row.student)) ? { ...row, active: 0 } : row,
  )
  const added = members.map((student) => ({ student, active: disabled.has(student) ? 0 : 1 }))
  return { ...fields, students: [...present, ...added], ...(modified !== undefined && { modified }) }
}

/** The codes of the group's students that are in the tenant; why another's is not is told with its attendance. */
function getCodes({ members }: WantedGroup, students: ReadonlyMap<string, Student>): string[] {
  return members.flatMap((studentId) => students.get(studentId)?.studentCode ?? [])
}

function isSame(wanted: readonly string[], stored: readonly string[]): boolean {
  return wanted.length === stored.length && wanted.every((name) => stored.includes(name))
}
