import { studentGroup, waitingListEntry } from '@matricula/contract/record-types'
import { newRow, type RecordEngine, RecordError, type RecordOf } from '../../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../../resource-api/index.ts'
import { requireOwnGroup } from '../group-members.ts'
import { lockWaitingList, offerPlaces } from './offers.ts'

type Entry = RecordOf<typeof waitingListEntry>

const memberRows = studentGroup.fields.students.rows

/** Takes the waiting list, the group and the entry, in lock order, and reads the entry. */
async function lockEntry(engine: RecordEngine, name: string): Promise<Entry & { student_group: string }> {
  const { student_group } = await engine.get(waitingListEntry, name)
  const group = student_group as string
  await lockWaitingList(engine, group)
  await engine.lockAll([
    { type: studentGroup, name: group },
    { type: waitingListEntry, name },
  ])
  return { ...(await engine.get(waitingListEntry, name)), student_group: group }
}

const refusal = (message: string) => new RecordError('ValidationError', message)

/** Adds who was offered a place to the group, from today on. */
async function acceptOffer(engine: RecordEngine, name: string): Promise<object> {
  const { student, student_group, status, offer_expires_on: expires } = await lockEntry(engine, name)
  if (status !== 'Offered') throw refusal(`${name} is ${status}, not Offered. A place is accepted while it is offered.`)
  if (expires !== null && expires < engine.today) {
    throw refusal(`The offer of ${name} ended on ${expires}. Put the student on the waiting list again.`)
  }
  await engine.change(studentGroup, student_group, (group) => {
    const idx = group.students.length + 1
    group.students.push(newRow(memberRows, { student, active: 1, from_date: engine.today, idx }))
  })
  return { name, student, student_group, status: (await engine.get(waitingListEntry, name)).status }
}

/** Takes a student off a waiting list: an offer is declined, and goes to the next. */
async function leaveWaitingList(engine: RecordEngine, name: string): Promise<object> {
  const { student, student_group, status: before } = await lockEntry(engine, name)
  if (before !== 'Waiting' && before !== 'Offered')
    throw refusal(`${name} is ${before}: it waits for nothing any more.`)
  const status = before === 'Offered' ? 'Declined' : 'Withdrawn'
  await engine.put(waitingListEntry, name, { status })
  await offerPlaces(engine, student_group)
  return { name, student, student_group, status }
}

const answer = {
  verbs: ['POST', 'PUT'],
  parameters: { name: { type: 'string', required: true, about: 'The Waiting List Entry.' } },
  result: { type: 'object', description: '`name`, `student`, `student_group` and `status`.' },
} as const

/** What staff do with waiting lists. */
export const waitingListMethods: readonly RecordMethod[] = [
  recordMethod({
    ...answer,
    path: 'education.education.api.accept_waiting_list_offer',
    rights: [
      { type: waitingListEntry, right: 'write' },
      { type: studentGroup, right: 'write' },
    ],
    summary: 'Accepts the place that is offered to a student, who is in the group from today on.',
    run: (engine, { name }) => acceptOffer(engine, name),
  }),
  recordMethod({
    ...answer,
    path: 'education.education.api.leave_waiting_list',
    rights: [{ type: waitingListEntry, right: 'write' }],
    summary: 'Takes a student off a waiting list. A place that was offered is declined, and offered to the next.',
    run: (engine, { name }) => leaveWaitingList(engine, name),
  }),
  recordMethod({
    path: 'education.education.api.offer_free_places',
    rights: [
      { type: waitingListEntry, right: 'write' },
      { type: studentGroup, right: 'read' },
    ],
    summary:
      'Offers the free places of a group to those who wait, in order, without waiting for the next round of the service.',
    verbs: ['POST', 'PUT'],
    parameters: { student_group: { type: 'string', required: true } },
    result: { type: 'array', items: { type: 'string' }, description: 'The entries that were offered a place.' },
    run: async (engine, { student_group }) => {
      await requireOwnGroup(engine, student_group)
      const { name } = await engine.get(studentGroup, student_group)
      return offerPlaces(engine, name)
    },
  }),
]
