import { studentGroup } from '@matricula/contract/record-types'
import type { RecordEngine } from '../../../record-engine/index.ts'

/** A row of a group, by the fields that a bundle sets. */
export type MemberRow = Readonly<Record<string, unknown>>

/** What a bundle says of the members of a class, by their names; null: no longer one. */
export interface ClassMembers {
  readonly students: Map<string, MemberRow | null>
  readonly instructors: Map<string, MemberRow | null>
  /** The instructor who is called primary: the first one of a group leads it. Null where nobody is. */
  lead: string | null
}

/** The rows of a group that a bundle leaves: all that it has, or with a delta those there are with its changes. */
export async function getMemberRows(
  engine: RecordEngine,
  group: string | null,
  { students, instructors, lead }: ClassMembers,
  isBulk: boolean,
) {
  const found = isBulk || group === null ? null : await engine.find(studentGroup, group)
  const taught = laidOver(found?.instructors ?? [], instructors, 'instructor')
  return {
    students: laidOver(found?.students ?? [], students, 'student'),
    instructors: [
      ...taught.filter(({ instructor }) => instructor === lead),
      ...taught.filter(({ instructor }) => instructor !== lead),
    ].map((row, index) => ({ ...row, idx: index + 1 })),
  }
}

function laidOver(
  current: readonly MemberRow[],
  changes: ReadonlyMap<string, MemberRow | null>,
  field: 'student' | 'instructor',
): MemberRow[] {
  const kept = current.flatMap((row) => {
    const change = changes.get(row[field] as string)
    return change === null ? [] : [change === undefined ? row : { ...row, ...change }]
  })
  const known = new Set(kept.map((row) => row[field]))
  return [...kept, ...[...changes.values()].flatMap((row) => (row === null || known.has(row[field]) ? [] : [row]))]
}
