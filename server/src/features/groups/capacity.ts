import type { studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import type { RecordOf, RecordWork } from '../../record-engine/index.ts'
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

/** How many are in a stored group on the busiest day from today on: a place that is free on all of them is free. */
export async function countFutureMembers(group: Group, work: RecordWork): Promise<number> {
  const { today } = work
  const days = (await loadMembershipDays(group, work)).filter(({ to_date: to }) => to === null || to >= today)
  const fromToday = days.map(({ from_date: from, to_date }) => ({
    from_date: from !== null && from > today ? from : null,
    to_date,
  }))
  return findBusiestDay(fromToday, today).members
}
