import { sql, type Transaction } from '../../database/index.ts'
import { referenceProblem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'

/** Throws `reference_not_found` unless the tenant has the student. Null names none. */
export async function requireStudentReference(tx: Transaction, studentId: string | null): Promise<void> {
  if (studentId === null) return
  const [student] = isUuid(studentId)
    ? await tx.query(sql`select 1 as found from students where tenant_id = ${tx.tenantId} and id = ${studentId}`)
    : []
  if (student === undefined) throw referenceProblem('studentId', 'student')
}
