import { studentGroup, student as studentType, waitingListEntry } from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../../record-engine/index.ts'
import { lockWaitingList, offerPlaces, openEntries } from './offers.ts'

type Entry = RecordOf<typeof waitingListEntry>

const refusal = (message: string) => new RecordError('ValidationError', message)

const isOpen = ({ status }: Entry) => status === 'Waiting' || status === 'Offered'

/** A new entry waits, as the last of its group; from then on methods alone change the state. */
async function setState(document: Entry, work: RecordWork, before: Entry | null): Promise<void> {
  const { status, offered_on, offer_expires_on } = before ?? {
    status: 'Waiting',
    offered_on: null,
    offer_expires_on: null,
  }
  if ((document.status ?? status) !== status) {
    throw refusal('Status is not typed: accept the offer, or take the student off the waiting list.')
  }
  Object.assign(document, { status, offered_on, offer_expires_on })
  if (before !== null) return
  const group = document.student_group ?? ''
  await lockWaitingList(work, group)
  if (document.position !== 0) return
  const [last] = await work.tx.query<{ position: number }>(sql`
    select coalesce(max(position), 0) as position from waiting_list_entries
     where tenant_id = ${work.tx.tenantId} and student_group = ${group}`)
  document.position = (last?.position ?? 0) + 1
}

function requirePosition({ position }: Entry): void {
  if (position < 1) throw refusal('Position is a number from 1. Leave it empty for the last one.')
}

async function requireMayWait(document: Entry, work: RecordWork, before: Entry | null): Promise<void> {
  if (before !== null) return
  const { student, student_group: name } = document
  const group = await work.linked(studentGroup, name)
  if (group?.disabled === 1) throw refusal(`The Student Group ${name} is disabled. Enable it, or choose another.`)
  if (group?.max_strength === 0) {
    throw refusal(`The Student Group ${name} has no Max Strength, so nobody has to wait. Add the student to the group.`)
  }
  if ((await work.linked(studentType, student))?.enabled === 0) {
    throw refusal(`The student ${student} is disabled. Enable the student, or choose another.`)
  }
  const same = (await openEntries(work, name ?? '')).find((entry) => entry.student === student)
  if (same !== undefined) throw refusal(`${student} waits for a place in ${name} already: ${same.name}.`)
  const [member] = await work.tx.query(sql`
    select 1 from student_groups g
      join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
     where g.tenant_id = ${work.tx.tenantId} and g.name = ${name} and m.student = ${student} and m.active = 1
       and coalesce(m.to_date >= ${work.today}, true)`)
  if (member !== undefined) throw refusal(`${student} is in the Student Group ${name} already.`)
}

/** Whoever asks for a place that is free is offered it at once. */
async function offerIfFree(document: Entry, work: RecordWork): Promise<void> {
  if (document.student_group !== null) await offerPlaces(work, document.student_group)
}

/** The place of a deleted offer is for the next. */
async function passOn(document: Entry, work: RecordWork): Promise<void> {
  if (!isOpen(document) || document.student_group === null) return
  await work.put(waitingListEntry, document.name, { status: 'Withdrawn' })
  await offerPlaces(work, document.student_group)
}

/** The record type of waiting lists. */
export const waitingListRecord = defineRecord(waitingListEntry, {
  rules: {
    validate: [setState, requirePosition, requireMayWait],
    afterInsert: [offerIfFree],
    beforeDelete: [passOn],
  },
})
