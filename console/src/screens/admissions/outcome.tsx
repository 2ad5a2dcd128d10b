import { useQuery } from '@tanstack/react-query'
import { loadPayments, loadRecords, studentCode } from '../../calls/admissions/application-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useApplicationMessages } from './use-application-messages.ts'

/** What came into being when the applicant became a student. */
export function Outcome({ studentId }: { readonly studentId: string }) {
  const own = useApplicationMessages()
  const { named, namedMany } = useMessages()
  const { has, may } = useSession()
  const student = useQuery({
    queryKey: ['student-code', studentId],
    queryFn: () => studentCode(studentId),
    enabled: has('students:read'),
  })
  const code = student.data
  if (code === undefined) return null
  return (
    <section className="card section">
      <h2>{own.became}</h2>
      {may('Student', 'read') && (
        <p>
          <Link className="button" to={addressOf.profile(code)}>
            {own.student}: {code}
          </Link>
        </p>
      )}
      {may('Program Enrollment', 'read') && (
        <>
          <h3>{namedMany('Program Enrollment')}</h3>
          <Made type="Program Enrollment" student={code} title="program" />
        </>
      )}
      {may('Fees', 'read') && (
        <>
          <h3>{named('Fees')}</h3>
          <Made type="Fees" student={code} title="grand_total" empty={own.noFees} />
        </>
      )}
      {has('payments:read') && <Payments studentId={studentId} />}
    </section>
  )
}

interface MadeProps {
  readonly type: string
  readonly student: string
  readonly title: string
  readonly empty?: string
}

function Made({ type, student, title, empty = '' }: MadeProps) {
  const own = useApplicationMessages()
  const made = useQuery({
    queryKey: ['list', type, 'of', student],
    queryFn: () => loadRecords(type, student, [title]),
  })
  const state = (docstatus: unknown) => [own.draft, own.official, own.cancelled][Number(docstatus)]
  if (made.data === undefined) return null
  if (made.data.length === 0) return <p className="quiet">{empty}</p>
  return (
    <ul className="timeline">
      {made.data.map((row) => (
        <li key={row.name}>
          <Link to={addressOf.record(type, row.name)}>{row.name}</Link> {String(row[title] ?? '')}{' '}
          <span className="badge">{state(row.docstatus)}</span>
        </li>
      ))}
    </ul>
  )
}

function Payments({ studentId }: { readonly studentId: string }) {
  const own = useApplicationMessages()
  const { locale } = useMessages()
  const paid = useQuery({ queryKey: ['payment', studentId], queryFn: () => loadPayments(studentId) })
  if (paid.data === undefined || paid.data.length === 0) return null
  return (
    <>
      <h3>{own.payments}</h3>
      <ul className="timeline">
        {paid.data.map(({ id, amount, currency, status, description }) => (
          <li key={id}>
            {moneyText(locale, Number(amount), currency)} {description}{' '}
            <span className="badge">{own.states[status] ?? status}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
