import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Application } from '../../calls/admissions/application-api.ts'
import { read } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import type { ShownType, Values } from '../../records/form/field-model.ts'
import { shownValue } from '../../records/shown-value.ts'
import { useReader, useRights } from '../../records/use-record-type.ts'
import { useShownType } from '../../records/use-shown-type.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { callTo, mailTo } from './reach.ts'
import { useApplicationMessages } from './use-application-messages.ts'

const RecordDialog = lazy(async () => ({
  default: (await import('../../records/form/record-dialog.tsx')).RecordDialog,
}))

const type = 'Student Applicant'

/** What the page shows elsewhere, or what says nothing of a person. */
const left = new Set(['application_status', 'student', 'naming_series', 'amended_from', 'title', 'image'])

/** Everything that is known of an applicant, to be corrected in place; less where the person may not read the record. */
export function ApplicantFacts({ record }: { readonly record: Application }) {
  const own = useApplicationMessages()
  const { may } = useSession()
  const { named, locale } = useMessages()
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const location = [record.address, record.city, record.stateProvince, record.country].filter(Boolean).join(', ')
  const isReadable = may(type, 'read')
  return (
    <section className="card section">
      <h2>{own.person}</h2>
      <dl className="facts">
        <Fact name={named('Program')}>{[record.program, record.academicYear].filter(Boolean).join(', ')}</Fact>
        <Fact name={own.email}>{record.email !== null && <a href={mailTo(record.email)}>{record.email}</a>}</Fact>
        <Fact name={own.phone}>{record.phone !== null && <a href={callTo(record.phone)}>{record.phone}</a>}</Fact>
        <Fact name={named('Address')}>{location}</Fact>
        <Fact name={own.applied}>{when.format(new Date(record.createdAt))}</Fact>
      </dl>
      {isReadable && <Details record={record} />}
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { messages } = useMessages()
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd>{children || messages.record.empty}</dd>
    </div>
  )
}

/** The fields of the record that the page does not show above. */
const shownAbove = new Set([
  ...['first_name', 'middle_name', 'last_name', 'program', 'academic_year', 'student_email_id'],
  ...['student_mobile_number', 'address_line_1', 'city', 'state', 'country'],
])

function Details({ record }: { readonly record: Application }) {
  const name = record.applicationCode
  const loaded = useShownType(type)
  const stored = useQuery({ queryKey: ['record', type, name, record], queryFn: () => read(type, name) })
  const failed = loaded.error ?? stored.error
  if (failed !== null) return <Failed error={failed} again={() => void stored.refetch()} />
  if (loaded.data == null || stored.data === undefined) return <Waiting lines={2} />
  return <KnownDetails shown={loaded.data} values={stored.data} onSaved={() => void stored.refetch()} id={record.id} />
}

interface DetailProps {
  readonly shown: ShownType
  readonly values: Values
  readonly id: string
  readonly onSaved: () => void
}

function KnownDetails({ shown, values, id, onSaved }: DetailProps) {
  const own = useApplicationMessages()
  const { named } = useMessages()
  const mayDo = useRights(shown)
  const reader = useReader(shown, values)
  const queries = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const name = String(values.name)
  const more = Object.entries(shown.fields).filter(
    ([field, declared]) => declared.type !== 'Table' && !declared.hidden && !left.has(field) && !shownAbove.has(field),
  )
  const known = more.filter(([field]) => shownValue(shown.fields[field], values[field], reader) !== '')
  return (
    <>
      <dl className="facts">
        {known.map(([field, declared]) => (
          <Fact key={field} name={named(declared.label)}>
            {shownValue(declared, values[field], reader)}
          </Fact>
        ))}
      </dl>
      <div className="row">
        {mayDo('write') && <Button onClick={() => setEditing(true)}>{own.edit}</Button>}
        <Link className="button plain" to={addressOf.record(type, name)}>
          {own.record}
        </Link>
      </div>
      {isEditing && (
        <Suspense>
          <RecordDialog
            type={type}
            name={name}
            title={own.editTitle}
            isShown={(field) => !left.has(field)}
            onClose={() => setEditing(false)}
            onSaved={() => {
              onSaved()
              void queries.invalidateQueries({ queryKey: ['admission_application', id] })
              void queries.invalidateQueries({ queryKey: ['timeline'] })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
