import type { StudentRow } from '../files/interchange.ts'
import { difference, type Fields } from '../run/difference.ts'
import { getId, type Run, rowsNotDeleted, rowsWithStudent } from '../run/run.ts'
import type { Payment, TenantRecords } from '../run/tenant-records.ts'
import { upsertRows } from './batches.ts'
import { tuitionExternalId, tuitionFields } from './wanted.ts'

/** The tuition of a term. */
export interface Tuition {
  readonly term: string
  readonly amount: number
  /** Null where the files do not tell. */
  readonly dueDateOf: (studentId: string) => string | null
}

/** Brings the payments of a term's tuition in step. They follow their students, which must be there. */
export async function syncPayments(
  run: Run,
  rows: readonly StudentRow[],
  { term, amount, dueDateOf }: Tuition,
  { students, payments, deleted }: TenantRecords,
): Promise<void> {
  const getKey = ({ studentId }: StudentRow) => tuitionExternalId(studentId, term)
  const findChange = (row: StudentRow): Fields | null => {
    const fields = tuitionFields(getId(students, row.studentId), term, amount, dueDateOf(row.studentId))
    const stored = payments.get(getKey(row))
    return stored === undefined ? fields : difference(fields, asSent(stored))
  }
  const ofStudents = rowsWithStudent(run, 'payments', rows, students)
  const present = rowsNotDeleted(run, 'payments', ofStudents, deleted.payments, getKey)
  await upsertRows(run, { kind: 'payments', rows: present, keyOf: getKey, changeOf: findChange, records: payments })
}

/** A payment that was sent without a due date is due on creation. */
function asSent(payment: Payment): object {
  return { ...payment, dueDate: payment.dueDate === payment.createdAt ? null : payment.dueDate }
}
