import type { StudentRow } from '../files/interchange.ts'
import { changeTo, type Run, rowsNotDeleted } from '../run/run.ts'
import { readStudents, type TenantRecords } from '../run/tenant-records.ts'
import { upsertRows } from './batches.ts'
import { studentFields } from './wanted.ts'

/**
 * Brings the students in step. One that the files no longer have stays as it is: they do not say what became of it. One that
 * was deleted in the tenant is not made again.
 */
export async function syncStudents(
  run: Run,
  rows: readonly StudentRow[],
  { students, deleted }: TenantRecords,
): Promise<void> {
  const wanted = rowsNotDeleted(run, 'students', rows, deleted.students, ({ studentId }) => studentId)
  const findChange = (row: StudentRow) => changeTo(students.get(row.studentId), studentFields(row))
  await upsertRows(run, {
    kind: 'students',
    rows: wanted,
    keyOf: ({ studentId }) => studentId,
    changeOf: findChange,
    records: students,
  })
  // Of those that a batch has made only the ids are known.
  const isKnown = [...students.values()].every(({ studentCode }) => studentCode !== undefined)
  if (isKnown || run.stop.aborted) return
  for (const [externalId, student] of await readStudents(run.client)) students.set(externalId, student)
}
