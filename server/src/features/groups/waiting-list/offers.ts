import { educationSettings, studentGroup, waitingListEntry } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../../concurrency/index.ts'
import { sql } from '../../../database/index.ts'
import { addDays, type RecordOf, type RecordWork } from '../../../record-engine/index.ts'
import { isMemberOn } from '../../membership/index.ts'
import { loadEducationSettings } from '../../settings/index.ts'
import { countFutureMembers } from '../capacity.ts'
import { putOutOffer } from './offer-mails.ts'

type Entry = RecordOf<typeof waitingListEntry>

/** Takes the advisory lock on the waiting list of a group. */
export const lockWaitingList = (work: RecordWork, group: string) =>
  takeAdvisoryLock(work.tx, `waiting list of ${group}`)

/** The entries of a group that wait for a place or for an answer, in the order in which places are offered. */
export function openEntries(work: RecordWork, group: string): Promise<Entry[]> {
  return work.select(
    waitingListEntry,
    sql`r.student_group = ${group} and r.status in ('Waiting', 'Offered')`,
    sql`order by r.position, r.created_at, r.id`,
  )
}

/** Those of some students who are in a group today or later. */
async function findMembers(work: RecordWork, group: string, students: readonly (string | null)[]) {
  const rows = await work.tx.query<{ student: string }>(sql`
    select m.student
      from student_groups g
      join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
     where g.tenant_id = ${work.tx.tenantId} and g.name = ${group} and m.student = any(${students}::text[])
       and ${isMemberOn(work, sql`greatest(m.from_date, ${work.today}::date)`)}`)
  return new Set(rows.map(({ student }) => student))
}

/** Those of some students who are enabled. */
async function findEnabled(work: RecordWork, students: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  const rows = await work.tx.query<{ name: string }>(sql`
    select name from student_records
     where tenant_id = ${work.tx.tenantId} and name = any(${students}::text[]) and enabled = 1`)
  return new Set(rows.map(({ name }) => name))
}

/** Until when a place is offered, today included in the days. */
async function getExpiry(work: RecordWork): Promise<string> {
  const { waiting_list_offer_days: days } = await loadEducationSettings(work)
  return addDays(work.today, days > 0 ? days : educationSettings.fields.waiting_list_offer_days.default)
}

/**
 * Brings the waiting list of a group up to date: offers of which the last day is over lapse, who is in the group waits no more, nor
 * who is disabled; then each free place that is not offered yet is offered to the next. Returns the names of the entries that got
 * an offer.
 */
export async function offerPlaces(work: RecordWork, groupName: string): Promise<string[]> {
  await lockWaitingList(work, groupName)
  const entries = await openEntries(work, groupName)
  if (entries.length === 0) return []
  const students = entries.map(({ student }) => student)
  const [members, enabled] = [await findMembers(work, groupName, students), await findEnabled(work, students)]
  const waiting: Entry[] = []
  let offered = 0
  for (const entry of entries) {
    const { name, student, status, offer_expires_on: expires } = entry
    if (members.has(student as string)) await work.put(waitingListEntry, name, { status: 'Accepted' })
    else if (!enabled.has(student as string)) await work.put(waitingListEntry, name, { status: 'Withdrawn' })
    else if (status === 'Waiting') waiting.push(entry)
    else if (expires !== null && expires < work.today) await work.put(waitingListEntry, name, { status: 'Lapsed' })
    else offered += 1
  }
  const group = await work.get(studentGroup, groupName)
  if (group.disabled === 1) return []
  const free =
    group.max_strength === 0 ? waiting.length : group.max_strength - offered - (await countFutureMembers(group, work))
  const next = waiting.slice(0, Math.max(0, free))
  const offer = { status: 'Offered', offered_on: work.today, offer_expires_on: await getExpiry(work) }
  for (const { name } of next) {
    await work.put(waitingListEntry, name, offer)
    await putOutOffer(work, name)
  }
  return next.map(({ name }) => name)
}

/** How many places of a group are offered to others than some students. */
export async function countOffers(
  work: RecordWork,
  group: string,
  students: readonly (string | null)[],
): Promise<number> {
  const [row] = await work.tx.query<{ offers: number }>(sql`
    select count(*)::integer as offers from waiting_list_entries
     where tenant_id = ${work.tx.tenantId} and student_group = ${group} and status = 'Offered'
       and offer_expires_on >= ${work.today} and student <> all(${students}::text[])`)
  return row?.offers ?? 0
}
