import type { StudentRow } from './interchange.ts'
import { changeTo, type Run, syncRows, upsert } from './run.ts'
import type { TenantRecords } from './tenant-records.ts'
import { studentFields } from './wanted.ts'

/** Brings the students in step. One that the files no longer have stays as it is: they do not say what became of it. */
export async function syncStudents(run: Run, rows: readonly StudentRow[], { students }: TenantRecords): Promise<void> {
  const changeOf = (row: StudentRow) => changeTo(students.get(row.studentId), studentFields(row))
  const isInStep = (row: StudentRow) => changeOf(row) === null
  await syncRows(run, 'students', rows, isInStep, async (row) => {
    await upsert(run, 'students', '/students', row.studentId, changeOf(row) ?? {}, students)
  })
}
