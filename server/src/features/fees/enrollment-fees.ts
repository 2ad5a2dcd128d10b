import { feeStructure, fees, type programEnrollment } from '@matricula/contract/record-types'
import type { RecordOf, RecordWork } from '../../record-engine/index.ts'
import { requireMayCharge } from './fees.ts'

type Enrollment = RecordOf<typeof programEnrollment>

/** Sets the fees of an enrolment to the totals of their structures, where no schedule sets them. */
export async function setFeeAmounts(enrollment: Enrollment, work: RecordWork): Promise<void> {
  for (const row of enrollment.fees) {
    if (row.fee_schedule) continue
    row.amount = (await work.linked(feeStructure, row.fee_structure))?.total_amount ?? 0
  }
}

/** Creates and submits the fees of an enrolment, and reports their names. */
export async function chargeEnrollment(enrollment: Enrollment, work: RecordWork): Promise<void> {
  const made: string[] = []
  for (const row of enrollment.fees) {
    const structure = row.fee_structure ? await work.find(feeStructure, row.fee_structure) : null
    if (structure === null) continue
    requireMayCharge(work)
    const fee = await work.insert(fees, {
      docstatus: 1,
      student: enrollment.student,
      program_enrollment: enrollment.name,
      program: enrollment.program,
      academic_year: enrollment.academic_year,
      academic_term: row.academic_term,
      student_category: row.student_category,
      student_batch: enrollment.student_batch_name,
      fee_structure: structure.name,
      fee_schedule: row.fee_schedule,
      company: structure.company,
      posting_date: work.today,
      due_date: row.due_date ?? work.today,
    })
    made.push(fee.name)
  }
  if (made.length > 0) work.messages.push({ message: `Fees made: ${made.join(', ')}.`, indicator: 'green' })
}
