import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type Account as AccountRecord,
  type Days,
  documentPdf,
  readAccount,
  readStatement,
  sentReminders,
  statementPdf,
} from '../../calls/fees/billing-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useDay } from './days.ts'
import { useOpenPdf } from './open-pdf.ts'
import { PayOut } from './payout.tsx'
import { useFeeMessages } from './use-fee-messages.ts'
import './fees.css'

/** An account: who it is, its statement between two days, and the reminders that it was sent. */
export default function Account({ name: id }: { readonly name: string }) {
  const own = useFeeMessages()
  const { has } = useSession()
  const isOpen = has('billing:read')
  const account = useQuery({
    queryKey: ['payment', 'account', id],
    queryFn: () => readAccount(id),
    enabled: isOpen,
  })
  useEffect(() => {
    document.title = own.statement
  }, [own])
  if (!isOpen) return <NoPage />
  if (account.isPending) return <Waiting lines={8} />
  if (account.isError) return <Failed error={account.error} again={() => void account.refetch()} />
  return (
    <>
      <Head account={account.data} />
      <StatementCard account={account.data} />
      <Reminders id={id} />
    </>
  )
}

function Head({ account }: { readonly account: AccountRecord }) {
  const { named, locale } = useMessages()
  const own = useFeeMessages()
  const { id, name, accountNumber, kind, currency, balance, overdue, credit, email, phone } = account
  const money = (amount: number) => moneyText(locale, amount, currency)
  return (
    <section className="card section">
      <div className="page-head">
        <div>
          <h1>{name}</h1>
          <p className="quiet">
            {own.kinds[kind]} · {own.account(accountNumber)}
          </p>
        </div>
        <Link className="button main" to={addressOf.familyAtDesk('account', id)}>
          {own.atDesk}
        </Link>
      </div>
      <dl className="facts">
        <div>
          <dt className="label">{own.balance}</dt>
          <dd className="row">
            <span className={`badge ${overdue > 0 ? 'bad' : balance > 0 ? 'wait' : 'good'}`}>{money(balance)}</span>
            {overdue > 0 && own.overdue(money(overdue))}
          </dd>
        </div>
        {credit > 0 && (
          <div>
            <dt className="label">{own.credit}</dt>
            <dd className="row">
              {money(credit)}
              <PayOut account={account} />
            </dd>
          </div>
        )}
        {[
          [named('Email Address'), email],
          [named('Mobile'), phone],
        ].map(
          ([label, address]) =>
            address !== null && (
              <div key={label}>
                <dt className="label">{label}</dt>
                <dd>{address}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}

function StatementCard({ account }: { readonly account: AccountRecord }) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const showDay = useDay()
  const print = useOpenPdf()
  const [days, setDays] = useState<Days>({ from: '', to: '' })
  const { id, currency } = account
  const statement = useQuery({
    queryKey: ['payment', 'statement', id, days.from, days.to],
    queryFn: () => readStatement(id, days),
    placeholderData: (before) => before,
    enabled: days.from === '' || days.to === '' || days.from <= days.to,
  })
  const money = (amount: number) => (amount === 0 ? '' : moneyText(locale, amount, currency))
  const total = (amount: number) => moneyText(locale, amount, currency)
  return (
    <section className="card section" aria-label={own.statement}>
      <h2>{own.statement}</h2>
      <div className="tools">
        {(['from', 'to'] as const).map((end) => (
          <Field key={end} id={`statement-${end}`} label={own[end]}>
            <input
              id={`statement-${end}`}
              type="date"
              className="input"
              value={days[end]}
              onChange={({ target }) => setDays({ ...days, [end]: target.value })}
            />
          </Field>
        ))}
        <Button onClick={() => void print(() => statementPdf(id, days))}>{own.statementPdf}</Button>
      </div>
      {statement.isPending && <Waiting lines={4} />}
      {statement.isError && <Failed error={statement.error} again={() => void statement.refetch()} />}
      {statement.data !== undefined && (
        <ScrolledTable label={own.statement}>
          <thead>
            <tr>
              <th scope="col">{own.date}</th>
              <th scope="col">{own.document}</th>
              <th scope="col" className="number">
                {own.debit}
              </th>
              <th scope="col" className="number">
                {own.credited}
              </th>
              <th scope="col" className="number">
                {own.balance}
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td colSpan={4}>{own.opening}</td>
              <td className="number">{total(statement.data.openingBalance)}</td>
            </tr>
            {statement.data.lines.map((line) => (
              <tr key={`${line.kind} ${line.number} ${line.date} ${line.balance}`}>
                <td>{showDay(line.date)}</td>
                <td className="document">
                  {own.documents[line.kind]}{' '}
                  <Button kind="plain" onClick={() => void print(() => documentPdf(id, line.number))}>
                    <span className="unseen">{own.printDocument} </span>
                    {line.number}
                  </Button>
                </td>
                <td className="number">{money(line.debit)}</td>
                <td className="number">{money(line.credit)}</td>
                <td className="number">{total(line.balance)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4}>{own.closing}</td>
              <td className="number">{total(statement.data.closingBalance)}</td>
            </tr>
          </tfoot>
        </ScrolledTable>
      )}
    </section>
  )
}

function Reminders({ id }: { readonly id: string }) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const showDay = useDay()
  const sent = useQuery({ queryKey: ['payment', 'reminders', id], queryFn: () => sentReminders(id) })
  if (sent.isPending) return <Waiting lines={2} />
  if (sent.isError) return <Failed error={sent.error} again={() => void sent.refetch()} />
  return (
    <section className="card section" aria-label={own.timeline}>
      <h2>{own.timeline}</h2>
      {sent.data.length === 0 && <p className="quiet">{own.noTimeline}</p>}
      <ul className="timeline">
        {sent.data.map((reminder) => (
          <li key={reminder.id}>
            <strong>{reminder.subject}</strong>{' '}
            <span className="quiet">
              {[
                showDay(reminder.at),
                own.level(reminder.level),
                moneyText(locale, reminder.amount, reminder.currency),
                own.channels[reminder.channel],
                reminder.recipient,
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
