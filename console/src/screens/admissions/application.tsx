import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import {
  type Application,
  application,
  loadSubmissions,
  neighboursIn,
  pipeline,
} from '../../calls/admissions/application-api.ts'
import { timeline } from '../../calls/console-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { useKeys } from '../../shell/keys.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { ApplicantFacts } from './applicant-facts.tsx'
import { Contacts } from './application-contacts.tsx'
import { Documents } from './application-documents.tsx'
import { Decision } from './decision.tsx'
import { useApplicationMessages } from './use-application-messages.ts'

const Outcome = lazy(async () => ({ default: (await import('./outcome.tsx')).Outcome }))
const Notes = lazy(async () => ({ default: (await import('./application-notes.tsx')).Notes }))

/** Everything about one application, and what is decided of it. */
export default function ApplicationScreen({ name: id }: { readonly name: string }) {
  const own = useApplicationMessages()
  const { has } = useSession()
  const mayRead = has('admissions:read')
  const known = useQuery({
    queryKey: ['admission_application', id],
    queryFn: () => application(id),
    enabled: mayRead,
  })
  useEffect(() => {
    document.title = own.title
  }, [own])
  if (!mayRead) return <NoPage />
  if (known.isPending) return <Waiting lines={10} />
  if (known.isError) return <Failed error={known.error} again={() => void known.refetch()} />
  const { record, entityTag } = known.data
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{record.fullName}</h1>
          <p className="row">
            <span className="quiet">{record.applicationCode}</span> <StatusBadge status={record.status} />
          </p>
        </div>
        <Neighbours id={id} />
      </div>
      <div className="record">
        <div>
          <ApplicantFacts record={record} />
          <Contacts record={record} entityTag={entityTag} />
          {has('vault:read') && <Documents record={record} />}
          {has('forms:read') && <Submissions record={record} />}
          {record.studentId !== null && (
            <Suspense>
              <Outcome studentId={record.studentId} />
            </Suspense>
          )}
        </div>
        <aside className="aside">
          <Decision record={record} entityTag={entityTag} />
          <Suspense>
            <Notes applicationCode={record.applicationCode} />
          </Suspense>
          <History applicationCode={record.applicationCode} />
        </aside>
      </div>
    </>
  )
}

function StatusBadge({ status }: { readonly status: string }) {
  const statuses = useQuery({ queryKey: ['pipeline'], queryFn: pipeline, staleTime: 300_000 })
  return <span className="badge">{statuses.data?.find(({ key }) => key === status)?.label ?? status}</span>
}

/** The one before and the one after in the status that was gone out from, as the address says it. */
function Neighbours({ id }: { readonly id: string }) {
  const own = useApplicationMessages()
  const query = useQueryText()
  const status = new URLSearchParams(query).get('status')
  const others = useQuery({
    queryKey: ['board', 'neighbours', status],
    queryFn: () => neighboursIn(status ?? ''),
    enabled: status !== null,
    // Whoever is moved away keeps a place, so that one goes on from there.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const ids = others.data ?? []
  const at = ids.indexOf(id)
  const before = at > 0 ? ids[at - 1] : undefined
  const after = at >= 0 ? ids[at + 1] : undefined
  const to = (other: string) => `${addressOf.application(other)}${query}`
  useKeys({
    k: () => before !== undefined && go(to(before)),
    j: () => after !== undefined && go(to(after)),
  })
  return (
    <nav className="row" aria-label={own.title}>
      <Link className="button" to={addressOf.board}>
        {own.back}
      </Link>
      {before !== undefined && (
        <Link className="button" to={to(before)} aria-keyshortcuts="k">
          {own.previous}
        </Link>
      )}
      {at >= 0 && <span className="quiet numbers">{own.place(at + 1, ids.length)}</span>}
      {after !== undefined && (
        <Link className="button" to={to(after)} aria-keyshortcuts="j">
          {own.next}
        </Link>
      )}
    </nav>
  )
}

function Submissions({ record }: { readonly record: Application }) {
  const own = useApplicationMessages()
  const sent = useQuery({
    queryKey: ['form_submission', record.id],
    queryFn: () => loadSubmissions(record.id),
  })
  if (sent.data === undefined || sent.data.length === 0) return null
  return (
    <section className="card section">
      <h2>{own.submissions}</h2>
      {sent.data.map((submission) => (
        <details key={submission.id}>
          <summary>
            {submission.templateName}{' '}
            <span className="badge">{own.states[submission.status] ?? submission.status}</span>
          </summary>
          <dl className="stack small">
            {submission.answers.map((response) => (
              <div key={response.fieldKey}>
                <dt className="quiet">{response.label}</dt>
                <dd>{Array.isArray(response.value) ? response.value.join(', ') : String(response.value ?? '')}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  )
}

function History({ applicationCode }: { readonly applicationCode: string }) {
  const { messages, named, locale } = useMessages()
  const { may } = useSession()
  const type = 'Student Applicant'
  const entries = useQuery({
    queryKey: ['timeline', type, applicationCode],
    queryFn: () => timeline(type, applicationCode),
    enabled: may(type, 'read'),
  })
  if (entries.data === undefined || entries.data.length === 0) return null
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const known: Readonly<Record<string, string>> = messages.done
  return (
    <section className="card">
      <h2>{messages.record.timeline}</h2>
      <ol className="timeline small">
        {entries.data.map(({ id, action, occurredAt, actor, changes }) => (
          <li key={id}>
            <strong>{known[action.slice(action.lastIndexOf('.') + 1)] ?? messages.done.other}</strong>{' '}
            <span className="quiet">
              {when.format(new Date(occurredAt))} {messages.record.by(actor.name ?? actor.type)}
            </span>
            {!action.endsWith('.created') && changes.length > 0 && (
              <span className="quiet">: {changes.map(({ label }) => named(label)).join(', ')}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
