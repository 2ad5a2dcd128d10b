import { type Payment, payments } from '../../calls/fees/billing-api.ts'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { OperationList, operationPageLength } from '../../records/list/operation-list.tsx'
import { moneyText } from '../../records/money.ts'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useDay } from './days.ts'
import { useFeeMessages } from './use-fee-messages.ts'
import './fees.css'

const tones = { pending: 'wait', paid: 'good', overdue: 'bad', cancelled: '', refunded: '' } as const

/** What students are to pay, of all kinds: from fees, made by hand, or by another system. */
export default function Payments() {
  const { messages } = useMessages()
  const own = useFeeMessages()
  const { has } = useSession()
  if (!has('payments:read')) return <NoPage />
  return (
    <OperationList<Payment>
      title={messages.screens.payments}
      path={addressOf.payments}
      queryKey={['payment', 'list']}
      read={({ status, of, page }) => payments({ status, studentId: of, page, limit: operationPageLength })}
      statusLabel={own.status}
      statuses={own.statuses}
      any={own.any}
      ofName="student"
      all={own.allStudents}
      none={{ title: own.noPayments, text: own.noPaymentsText }}
    >
      {(items) => <PaymentTable items={items} />}
    </OperationList>
  )
}

function PaymentTable({ items }: { readonly items: readonly Payment[] }) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const { has } = useSession()
  const showDay = useDay()
  return (
    <ScrolledTable label={own.payments} className="open-payments">
      <thead>
        <tr>
          <th scope="col">{own.what}</th>
          <th scope="col">{own.due}</th>
          <th scope="col">{own.status}</th>
          <th scope="col" className="number">
            {own.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((payment) => (
          <tr key={payment.id}>
            <th scope="row">
              {has('billing:read') ? (
                <Link to={addressOf.familyAtDesk('student', payment.studentId)}>{payment.description}</Link>
              ) : (
                payment.description
              )}
              <span className="quiet small">{payment.studentName}</span>
            </th>
            <td>{showDay(payment.dueDate)}</td>
            <td>
              <span className={`badge ${tones[payment.status]}`}>{own.statuses[payment.status]}</span>
            </td>
            <td className="number">{moneyText(locale, payment.amount, payment.currency)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  )
}
