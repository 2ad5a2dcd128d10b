import type { studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { type Days, leftOn } from '../membership/index.ts'

type Group = RecordOf<typeof studentGroup>

/** The day on which most are in a group, and how many they are. */
interface BusiestDay {
  readonly day: string
  readonly members: number
}

/**
 * The day on which most of these memberships meet. A membership without a first day has been there at least since today: what was
 * before is not known.
 */
export function findBusiestDay(memberships: readonly Days[], today: string): BusiestDay {
  const starts = new Set([today, ...memberships.flatMap(({ from_date: from }) => from ?? [])])
  let busiest = { day: today, members: 0 }
  for (const day of [...starts].sort()) {
    const members = memberships.filter(
      ({ from_date: from, to_date: to }) => (from === null || from <= day) && (to === null || to >= day),
    ).length
    if (members > busiest.members) busiest = { day, members }
  }
  return busiest
}

/** The memberships of a group that may not be stored yet, each until the day before the student leaves. */
export async function loadMembershipDays(group: Group, work: RecordWork): Promise<Days[]> {
  const active = group.students.filter((row) => row.active === 1 && row.student !== null)
  const left = await work.tx.query<{ student: string; last: string }>(sql`
    select * from (
      select m.student, (${leftOn(work)} - 1)::text as last
        from (select ${work.tx.tenantId}::uuid as tenant_id,
                     unnest(${[...new Set(active.map(({ student }) => student))]}::text[]) as student) m,
             (select ${group.academic_year}::text as academic_year, ${group.program}::text as program) g) leaving
     where last is not null`)
  const lastDays = new Map(left.map(({ student, last }) => [student, last]))
  return active.flatMap(({ student, from_date, to_date }) => {
    const last = lastDays.get(student as string)
    if (last === '-infinity') return []
    const until = last === undefined || (to_date !== null && to_date < last) ? to_date : last
    return until !== null && from_date !== null && until < from_date ? [] : [{ from_date, to_date: until }]
  })
}

/**
 * Refuses a group in which more students meet on one day than its strength allows.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireStrength(group: Group, work: RecordWork): Promise<void> {
  const { max_strength: max } = group
  if (max < 0) {
    const text = 'Max Strength cannot be less than zero. Leave it at 0 for a group without a bound.'
    throw new RecordError('ValidationError', text)
  }
  if (max === 0 || group.students.length <= max) return
  const { day, members } = findBusiestDay(await loadMembershipDays(group, work), work.today)
  if (members <= max) return
  throw new RecordError(
    'ValidationError',
    `Cannot enroll more than ${max} students in this group: there would be ${members} on ${day}. Raise Max Strength, or end a membership before that day.`,
  )
}
