import type { StudentRow } from './interchange.ts'
import { changeTo, type Run, rowsNotDeleted, syncRows, upsert } from './run.ts'
import type { TenantRecords } from './tenant-records.ts'
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
  const changeOf = (row: StudentRow) => changeTo(students.get(row.studentId), studentFields(row))
  const isInStep = (row: StudentRow) => changeOf(row) === null
  await syncRows(run, 'students', wanted, isInStep, async (row) => {
    await upsert(run, 'students', '/students', row.studentId, changeOf(row) ?? {}, students)
  })
}
