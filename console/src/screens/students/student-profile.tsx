import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect } from 'react'
import { type StudentProfile as Profile, studentProfile } from '../../calls/profile-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { useKeys } from '../../shell/keys.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link } from '../../shell/router.tsx'

/** The parts of a profile, in the order of the keys 1 to 5, with the record type whose list has all of them. */
const parts = [
  { name: 'enrollments', type: 'Program Enrollment' },
  { name: 'payments', type: null },
  { name: 'papers', type: null },
  { name: 'requests', type: null },
  { name: 'results', type: 'Assessment Result' },
] as const

/** The page that answers the phone: who it is, which group, what is owed, which papers are missing, whether there today. */
export default function StudentProfile({ name: address }: { readonly name: string }) {
  const { messages } = useMessages()
  const { may, has } = useSession()
  const profile = useQuery({
    queryKey: ['record', 'Student', address, 'profile'],
    queryFn: () => studentProfile(address),
  })
  const name = profile.data?.name
  useEffect(() => {
    document.title = messages.screens.profile
  }, [messages])
  const jump = (part: string) => () => document.getElementById(`part-${part}`)?.focus()
  useKeys({
    ...Object.fromEntries(parts.map((part, index) => [String(index + 1), jump(part.name)])),
    e: () => may('Student', 'read') && name !== undefined && go(addressOf.record('Student', name)),
  })
  if (!may('Student', 'read') && !has('students:read')) return <NoPage />
  if (profile.isPending) return <Waiting lines={10} />
  if (profile.isError) return <Failed error={profile.error} again={() => void profile.refetch()} />
  return (
    <>
      <Head profile={profile.data} />
      <div className="parts">
        {parts.map(({ name: part, type }) => (
          <PartCard key={part} part={part} type={type} profile={profile.data} />
        ))}
      </div>
    </>
  )
}

/** What is owed, a currency each; nothing at all is nothing in the institution's. */
function getOwed(money: NonNullable<Profile['money']>) {
  return money.byCurrency.length > 0 ? money.byCurrency : [money]
}

function Head({ profile }: { readonly profile: Profile }) {
  const { messages, named, locale } = useMessages()
  const { has, may } = useSession()
  const { fullName, name, program, academicYear, groups, money, documents, attendance, contacts } = profile
  const born =
    profile.dateOfBirth === null
      ? null
      : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(profile.dateOfBirth))
  return (
    <section className="card section">
      <div className="page-head">
        <div>
          <h1>{fullName}</h1>
          <p className="row">
            <span className="quiet">{name}</span>
            <span className="badge">{named(inCapital(profile.status))}</span>
          </p>
        </div>
        {has('vault:write') && (
          <Link className="button" to={`${addressOf.askFamilies}?student=${profile.id}`}>
            {messages.screens.requests}
          </Link>
        )}
        {may('Student', 'read') && (
          <Link className="button" to={addressOf.record('Student', name)} aria-keyshortcuts="e">
            {messages.profile.record}
          </Link>
        )}
      </div>
      <dl className="facts">
        <Fact name={messages.profile.group}>{groups?.join(', ') || messages.record.empty}</Fact>
        <Fact name={named('Program')}>
          {[program, academicYear].filter(Boolean).join(', ') || messages.record.empty}
        </Fact>
        {money !== null && (
          <Fact name={messages.profile.owes}>
            {getOwed(money).map(({ currency, outstanding, overdue }, index) => (
              <Fragment key={currency}>
                {index > 0 && ', '}
                <span className={overdue > 0 ? 'badge bad' : 'badge good'}>
                  {moneyText(locale, outstanding, currency)}
                </span>
                {overdue > 0 && ` ${messages.profile.overdue(moneyText(locale, overdue, currency))}`}
              </Fragment>
            ))}
          </Fact>
        )}
        {documents !== null && (
          <Fact name={messages.profile.documents}>
            <span className={documents.complete < documents.required ? 'badge wait' : 'badge good'}>
              {messages.board.documents(documents.complete, documents.required)}
            </span>
            {documents.missing.length > 0 && ` ${documents.missing.join(', ')}`}
          </Fact>
        )}
        {attendance !== null && (
          <Fact name={messages.profile.today}>
            <span className={attendance.today === 'Absent' ? 'badge bad' : 'badge'}>
              {attendance.today === null ? messages.profile.unmarked : named(attendance.today)}
            </span>{' '}
            {messages.profile.absences(attendance.absences)}
          </Fact>
        )}
        {born !== null && <Fact name={named('Date of Birth')}>{born}</Fact>}
        <Reach email={profile.email} phone={profile.phone} address={profile.address} />
        {contacts?.map((contact) => (
          <Fact
            key={contact.guardian}
            name={contact.relationship === null ? messages.profile.contact : named(contact.relationship)}
          >
            {may('Guardian', 'read') ? (
              <Link to={addressOf.record('Guardian', contact.guardian)}>{contact.name}</Link>
            ) : (
              contact.name
            )}{' '}
            {contact.phone !== null && <Telephone number={contact.phone} />}{' '}
            {contact.email !== null && <Mail address={contact.email} />}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

/** How the student is reached; what is not known is left out. */
function Reach({ email, phone, address }: Pick<Profile, 'email' | 'phone' | 'address'>) {
  const { named } = useMessages()
  return (
    <>
      {email !== null && (
        <Fact name={named('Student Email Address')}>
          <Mail address={email} />
        </Fact>
      )}
      {phone !== null && (
        <Fact name={named('Student Mobile Number')}>
          <Telephone number={phone} />
        </Fact>
      )}
      {address !== null && <Fact name={named('Address')}>{address}</Fact>}
    </>
  )
}

function Telephone({ number }: { readonly number: string }) {
  return <a href={`tel:${number.replace(/[^+\d]/g, '')}`}>{number}</a>
}

function Mail({ address }: { readonly address: string }) {
  return <a href={`mailto:${encodeURIComponent(address)}`}>{address}</a>
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface PartProps {
  readonly part: (typeof parts)[number]['name']
  readonly type: string | null
  readonly profile: Profile
}

/** A status as the record types spell it: `in_review` is `In review`. */
function inCapital(status: string): string {
  return (status.slice(0, 1).toUpperCase() + status.slice(1)).replaceAll('_', ' ')
}

/** The newest of a part, and the way to all of it. */
function PartCard({ part, type, profile }: PartProps) {
  const { messages, named, locale } = useMessages()
  const { may, has } = useSession()
  const shown = profile[part]
  if (shown === null) return null
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const day = (at: string) => (Number.isNaN(Date.parse(at)) ? at : when.format(new Date(at)))
  const all = type !== null && may(type, 'read')
  return (
    <section className="card section" id={`part-${part}`} tabIndex={-1} aria-label={messages.profile.parts[part]}>
      <h2>
        {messages.profile.parts[part]} <span className="badge numbers">{shown.total}</span>
      </h2>
      <ul className="timeline">
        {shown.newest.map(({ id, name, title, status, at }) => (
          <li key={id}>
            {name !== null && all ? <Link to={addressOf.record(type, name)}>{title}</Link> : title}{' '}
            <span className="quiet">
              {[status === null ? null : named(inCapital(status)), at === null ? null : day(at)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {part === 'payments' && shown.total > 0 && (
        <p className="row">
          <Link to={`${addressOf.payments}?student=${profile.id}`}>{messages.profile.all}</Link>
          {has('billing:read') && (
            <Link to={addressOf.familyAtDesk('student', profile.id)}>{messages.screens.feeDesk}</Link>
          )}
        </p>
      )}
      {all && shown.total > shown.newest.length && (
        <Link to={addressOf.list(type, { filters: [{ field: 'student', operator: '=', value: profile.name }] })}>
          {messages.profile.all}
        </Link>
      )}
    </section>
  )
}
