import type { studentGroup } from '@matricula/contract/record-types'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { findBusiestDay, loadMembershipDays } from './capacity.ts'
import { countOffers, lockWaitingList } from './waiting-list/index.ts'

type Group = RecordOf<typeof studentGroup>

const refusal = (message: string) => new RecordError('ValidationError', message)

async function findBusiest(group: Group, work: RecordWork) {
  return findBusiestDay(await loadMembershipDays(group, work), work.today)
}

/**
 * Refuses a group in which more students meet on one day than its strength allows, and one more student where the free places are
 * offered to others.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireStrength(group: Group, work: RecordWork, before: Group | null): Promise<void> {
  const { name, max_strength: max } = group
  if (max < 0) {
    throw refusal(`Max Strength (${max}) cannot be less than zero. Leave it at 0 for a group without a bound.`)
  }
  if (max === 0) return
  await lockWaitingList(work, name)
  const { day, members } = await findBusiest(group, work)
  if (members > max) {
    throw refusal(
      `Cannot enroll more than ${max} students in this group: there would be ${members} on ${day}. Raise Max Strength, end a membership before that day, or put the student on the waiting list.`,
    )
  }
  if (before === null || members <= (await findBusiest(before, work)).members) return
  const students = group.students.map(({ student }) => student)
  const offers = await countOffers(work, name, students)
  if (members + offers <= max) return
  throw refusal(
    `The free places of ${name} are offered to ${offers} students of its waiting list. Put the student on the waiting list, or raise Max Strength.`,
  )
}
