import { currency, fees, salesInvoice } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { amountText } from '../../money/index.ts'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { maySeeFeesOf, seenInvoices } from './fee-print.ts'

const api = 'education.education.api'

/** The invoices that upstream's portal shows. */
const shownStatuses = ['Paid', 'Unpaid', 'Overdue', 'Partly Paid']

/** The methods of a student's invoices. */
export const invoiceMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${api}.get_student_invoices`,
    rights: 'own records',
    about: 'Fees',
    isForStudents: true,
    summary: 'The submitted invoices of a student, with what was paid and what is owed.',
    result: {
      type: 'object',
      description:
        'Under `invoices` objects with `invoice`, `status`, `program`, `amount`, `due_date` and `payment_date`; and `print_format`.',
    },
    parameters: { student: { type: 'string', required: true } },
    run: async (work, { student: name }) => {
      if (!(await maySeeFeesOf(work, name))) work.require(fees, 'read')
      const submitted = await work.select(
        salesInvoice,
        sql`r.student = ${name} and r.docstatus = 1 and r.status = any(${shownStatuses}::text[])
            and ${(await seenInvoices(work, name)) ?? sql`true`}`,
        sql`order by r.posting_date desc, r.name desc`,
      )
      const invoices = []
      for (const { name: number, currency: unit, ...invoice } of submitted) {
        const status = invoice.status ?? ''
        const isPaid = status === 'Paid'
        const symbol = (await work.linked(currency, unit))?.symbol || unit
        invoices.push({
          status,
          program: invoice.program,
          amount: `${symbol} ${amountText(isPaid ? invoice.grand_total : invoice.outstanding_amount, unit ?? '')}`,
          invoice: number,
          payment_date: isPaid ? ((await findLastReceipt(work, number)) ?? '-') : '-',
          due_date: isPaid ? '-' : invoice.due_date,
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

/** The day on which the last money for an invoice came in, or null. */
async function findLastReceipt({ tx }: RecordWork, invoice: string): Promise<string | null> {
  const [last] = await tx.query<{ day: string | null }>(sql`
    select max(r.received_on) as day from obligations o
      join billing_receipt_allocations l on l.tenant_id = o.tenant_id and l.payment_id = o.payment_id
      join billing_receipts r on r.tenant_id = l.tenant_id and r.id = l.receipt_id and r.status = 'posted'
     where o.tenant_id = ${tx.tenantId} and o.invoice_number = ${invoice}`)
  return last?.day ?? null
}
