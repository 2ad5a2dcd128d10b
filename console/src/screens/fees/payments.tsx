import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { payments } from '../../calls/billing-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { useDay } from './days.ts'
import { useFeeMessages } from './use-fee-messages.ts'
import './fees.css'

const tones = { pending: 'wait', paid: 'good', overdue: 'bad', cancelled: '', refunded: '' } as const

/** What students are to pay, of all kinds: from fees, made by hand, or by another system. */
export default function Payments() {
  const { messages, locale } = useMessages()
  const own = useFeeMessages()
  const { has } = useSession()
  const showDay = useDay()
  const asked = new URLSearchParams(useQueryText())
  const status = asked.get('status') ?? ''
  const studentId = asked.get('student') ?? ''
  const page = Math.max(1, Number(asked.get('page')) || 1)
  const found = useQuery({
    queryKey: ['payment', 'list', status, studentId, page],
    queryFn: () => payments({ status, studentId, page }),
    placeholderData: (before) => before,
    enabled: has('payments:read'),
  })
  useEffect(() => {
    document.title = messages.screens.payments
  }, [messages])
  if (!has('payments:read')) return <NoPage />
  const show = (change: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries({ page: '', ...change })) {
      if (value === '') asked.delete(name)
      else asked.set(name, value)
    }
    const text = asked.toString()
    go(`${addressOf.payments}${text === '' ? '' : `?${text}`}`)
  }
  const { items = [], total = 0, pages = 1 } = found.data ?? {}
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.payments}</h1>
      </div>
      <div className="tools">
        <Field id="status" label={own.status}>
          <select
            id="status"
            className="input"
            value={status}
            onChange={({ target }) => show({ status: target.value })}
          >
            <option value="">{own.any}</option>
            {Object.entries(own.statuses).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        {studentId !== '' && <Button onClick={() => show({ student: '' })}>{own.allStudents}</Button>}
      </div>
      {found.isPending && <Waiting lines={8} />}
      {found.isError && <Failed error={found.error} again={() => void found.refetch()} />}
      {found.data !== undefined && (
        <div className="card">
          {items.length === 0 ? (
            <Empty title={own.noPayments} text={own.noPaymentsText} />
          ) : (
            <section className="sheet open-payments" aria-label={own.payments} tabIndex={-1}>
              <table>
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
              </table>
            </section>
          )}
          <div className="pager">
            <span role="status" className="quiet">
              {own.allPayments(total)}
              {pages > 1 && ` · ${own.page(page, pages)}`}
            </span>
            <span className="row">
              {page > 1 && <Button onClick={() => show({ page: String(page - 1) })}>{messages.list.previous}</Button>}
              {page < pages && <Button onClick={() => show({ page: String(page + 1) })}>{messages.list.next}</Button>}
            </span>
          </div>
        </div>
      )}
    </>
  )
}
