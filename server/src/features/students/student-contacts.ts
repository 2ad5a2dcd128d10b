import { sql, type Transaction } from '../../database/index.ts'
import { recordChanges } from '../../platform/changes.ts'
import { lockOne, readBack } from '../../platform/reading.ts'
import type { ChangeContext } from '../../platform/request-context.ts'
import { type StudentRecord, students } from './student-store.ts'

/**
 * Changes a person by `change` and gives every student who is linked to that person a new version, with audit and event,
 * because the student reads differently now.
 */
export async function changePersonOfStudents(
  tx: Transaction,
  context: ChangeContext,
  contactId: string,
  change: () => Promise<void>,
): Promise<void> {
  const linked = await tx.query<{ id: string }>(sql`
    select distinct l.student_id as id from student_contacts l
     where l.tenant_id = ${tx.tenantId} and l.contact_id = ${contactId} order by l.student_id`)
  const before: StudentRecord[] = []
  for (const { id } of linked) {
    const student = await lockOne(tx, students, sql`s.id = ${id}`)
    if (student !== null) before.push(student.record)
  }
  await change()
  for (const student of before) {
    tx.send(sql`
      update students set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${tx.tenantId} and id = ${student.id}`)
    const { record } = await readBack(tx, students, student.id)
    recordChanges(tx, context, [
      {
        type: 'student.updated',
        entityType: 'student',
        entityId: record.id,
        externalId: record.externalId,
        before: student,
        after: record,
      },
    ])
  }
}
