import { sql, type Transaction } from '../../database/index.ts'
import { recordChanges } from '../../platform/changes.ts'
import { findMany } from '../../platform/reading.ts'
import type { ChangeContext } from '../../platform/request-context.ts'
import { linksBefore, primaryOf, retellLinked, type ShownPerson } from '../contacts/index.ts'
import { students } from './student-store.ts'

/**
 * Gives every student to whom a changed person is linked a new version, with audit and event, because the student reads
 * differently now. `before` is what was shown of the person.
 */
export async function retellStudents(tx: Transaction, context: ChangeContext, before: ShownPerson): Promise<void> {
  await retellLinked(tx, 'student_contacts', 'students', before, null, async (batch) => {
    const stamps = new Map(batch.map(({ id, updatedAt }) => [id, updatedAt]))
    const after = await findMany(tx, students, sql`s.id = any(${[...stamps.keys()]}::uuid[])`)
    recordChanges(
      tx,
      context,
      after.map((student) => {
        const contacts = linksBefore(student.contacts, before)
        return {
          type: 'student.updated',
          list: students,
          entityId: student.id,
          externalId: student.externalId,
          before: {
            ...student,
            primaryContact: primaryOf(contacts),
            contacts,
            updatedAt: stamps.get(student.id),
          },
          after: student,
        }
      }),
    )
  })
}
