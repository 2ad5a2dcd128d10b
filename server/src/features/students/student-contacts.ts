import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { findMany } from '../../entities/index.ts'
import { findPrimary, type LinkedContact, updateLinkedRecords } from '../contacts/index.ts'
import { students } from './student-store.ts'

/**
 * Gives every student to whom a person is linked a new version, with audit and event, because the student reads differently
 * now. `asBefore` makes of the contacts of one what they were before.
 */
export async function retellStudents(
  tx: Transaction,
  context: ChangeContext,
  contactId: string,
  asBefore: (contacts: readonly LinkedContact[]) => LinkedContact[],
): Promise<void> {
  await updateLinkedRecords(tx, 'student_contacts', 'students', contactId, null, async (batch) => {
    const stamps = new Map(batch.map(({ id, updatedAt }) => [id, updatedAt]))
    const after = await findMany(tx, students, sql`s.id = any(${[...stamps.keys()]}::uuid[])`)
    recordChanges(
      tx,
      context,
      after.map((student) => {
        const contacts = asBefore(student.contacts)
        return {
          type: 'student.updated',
          list: students,
          entityId: student.id,
          externalId: student.externalId,
          before: {
            ...student,
            primaryContact: findPrimary(contacts),
            contacts,
            updatedAt: stamps.get(student.id),
          },
          after: student,
        }
      }),
    )
  })
}
