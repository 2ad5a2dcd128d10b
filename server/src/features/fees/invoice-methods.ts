import { currency, fees } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { amountText } from '../../money/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { findPaymentDay, getFeeState, maySeeFeesOf } from './fee-print.ts'

const api = 'education.education.api'

/** The methods of a student's invoices. */
export const invoiceMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${api}.get_student_invoices`,
    rights: 'own records',
    about: 'Fees',
    isForStudents: true,
    summary: 'The submitted fees of a student, with what was paid and what is owed.',
    result: {
      type: 'object',
      description:
        'Under `invoices` objects with `invoice`, `status`, `program`, `amount`, `due_date` and `payment_date`; and `print_format`.',
    },
    parameters: { student: { type: 'string', required: true } },
    run: async (work, { student }) => {
      if (!(await maySeeFeesOf(work, student))) work.require(fees, 'read')
      const submitted = await work.select(
        fees,
        sql`r.student = ${student} and r.docstatus = 1`,
        sql`order by r.posting_date desc, r.name desc`,
      )
      const invoices = []
      for (const fee of submitted) {
        const status = getFeeState(fee, work.today)
        const isPaid = status === 'Paid'
        const symbol = (await work.linked(currency, fee.currency))?.symbol || fee.currency
        invoices.push({
          status,
          program: fee.program,
          amount: `${symbol} ${amountText(isPaid ? fee.grand_total : fee.outstanding_amount, fee.currency ?? '')}`,
          invoice: fee.name,
          payment_date: isPaid ? ((await findPaymentDay(work, fee.name)) ?? '-') : '-',
          due_date: isPaid ? '-' : fee.due_date,
        })
      }
      invoices.sort((one, other) => (one.status < other.status ? 1 : one.status > other.status ? -1 : 0))
      return { invoices, print_format: 'Standard' }
    },
  }),
  recordMethod({
    path: `${api}.collect_fees`,
    rights: 'public',
    summary: 'Says how fees are paid: by their payments on the Client API.',
    parameters: { fees: { type: 'string' }, amt: { type: 'any' } },
    run: async () => {
      throw new RecordError(
        'ValidationError',
        'A fee is paid by its payment: set the payment of the fee to paid by PATCH /v1/payments/{paymentId} on the Client API.',
      )
    },
  }),
]
