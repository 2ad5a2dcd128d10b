import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type Application,
  alike,
  changeApplication,
  enrol,
  pipeline,
  type Requirements,
} from '../../calls/admissions/application-api.ts'
import { type Document, read, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getChanges, missingIn, type ShownType, type ValueError, type Values } from '../../records/form/field-model.ts'
import { FormFields } from '../../records/form/form-fields.tsx'
import { narrowed } from '../../records/form/record-dialog.tsx'
import { useShownType } from '../../records/use-shown-type.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, Link } from '../../shell/router.tsx'
import { getLacking } from './lacking.ts'
import { useApplicationMessages } from './use-application-messages.ts'

const type = 'Student Applicant'

/** What a student and an enrolment are made of, beside the name. */
const facts = ['program', 'academic_year', 'academic_term', 'date_of_birth', 'student_email_id']

interface Props {
  readonly record: Application
  readonly entityTag: string
  /** Null where the person may not see documents. */
  readonly requirements: Requirements | null
  readonly onClose: () => void
}

/** Makes a student of the applicant, unless it is one of those who are there already; says what is missing for it. */
export function Enrolment(props: Props) {
  const own = useApplicationMessages()
  const name = props.record.applicationCode
  const loaded = useShownType(type)
  const stored = useQuery({ queryKey: ['record', type, name], queryFn: () => read(type, name) })
  const statuses = useQuery({ queryKey: ['pipeline'], queryFn: pipeline, staleTime: 300_000 })
  const failed = loaded.error ?? stored.error
  const lacking = props.requirements === null ? '' : getLacking(props.requirements)
  const target = statuses.data?.find(({ category, isActive }) => isActive && category === 'enrolled')
  return (
    <Dialog title={own.enrol} className="wide" onClose={props.onClose}>
      <div className="stack">
        <p>{own.enrolText}</p>
        {lacking !== '' && <p className="told wait">{own.lacks(lacking)}</p>}
        <Duplicates {...props} />
        {failed !== null && (
          <Failed error={failed} again={() => void Promise.all([loaded.refetch(), stored.refetch()])} />
        )}
        {failed === null && (loaded.data == null || stored.data === undefined) && <Waiting lines={4} />}
        {loaded.data != null && stored.data !== undefined && (
          <NewStudent
            {...props}
            shown={loaded.data}
            stored={stored.data}
            isBlocked={target?.requiresComplete === true && lacking !== ''}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Renews what shows the application after it was changed. */
function useRenewal(id: string) {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: ['board'], refetchType: 'none' })
    for (const key of ['timeline', 'list', 'record']) void queries.invalidateQueries({ queryKey: [key] })
    return queries.invalidateQueries({ queryKey: ['admission_application', id] })
  }
}

/** Students of a like name. */
function useAlike({ fullName }: Application) {
  return useQuery({
    queryKey: ['search', 'student', fullName],
    queryFn: () => alike('student', fullName.slice(0, 200)),
  })
}

/** Students who may be the applicant, each to be taken in place of a new one. */
function Duplicates({ record, entityTag, onClose }: Props) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const { has } = useSession()
  const tell = useNotify()
  const renew = useRenewal(record.id)
  const [isBusy, setBusy] = useState(false)
  const others = useAlike(record)
  const take = async (studentId: string) => {
    if (isBusy) return
    setBusy(true)
    try {
      await changeApplication(record.id, entityTag, { studentId })
      tell(own.linked)
      onClose()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void renew()
    }
  }
  return (
    <div role="status">
      {others.isError && <Failed error={others.error} again={() => void others.refetch()} />}
      {others.data?.length === 0 && <p className="quiet">{own.noDuplicates}</p>}
      {others.data !== undefined && others.data.length > 0 && (
        <div className="told wait">
          <strong>{own.duplicates}</strong>
          <ul className="stack">
            {others.data.map((hit) => (
              <li key={hit.id} className="row">
                {hit.name !== null && <Link to={addressOf.profile(hit.name)}>{hit.title}</Link>}
                <span className="quiet small">{hit.detail}</span>
                {has('admissions:write') && <Button onClick={() => void take(hit.id)}>{own.same(hit.title)}</Button>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

interface NewStudentProps extends Props {
  readonly shown: ShownType
  readonly stored: Document
  /** Whether documents that are missing keep the applicant from being enrolled. */
  readonly isBlocked: boolean
}

/** What the student is made of; what is missing or refused is told at its field. */
function NewStudent({ record, shown, stored, isBlocked, onClose }: NewStudentProps) {
  const own = useApplicationMessages()
  const { messages, named } = useMessages()
  const tell = useNotify()
  const renew = useRenewal(record.id)
  const queries = useQueryClient()
  const isLooked = useAlike(record).isSuccess
  const [form] = useState(() => narrowed(shown, (name) => facts.includes(name)))
  const [base, setBase] = useState<Document>(stored)
  const [values, setValues] = useState<Values>(stored)
  const [isBusy, setBusy] = useState(false)
  const [faults, setFaults] = useState<readonly ValueError[]>([])
  const [rejected, setRejected] = useState<{ readonly text: string; readonly count: number } | null>(null)
  const make = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const missing = missingIn(form, values)
    setFaults(missing)
    if (isBusy || isBlocked || missing.length > 0) return
    setBusy(true)
    try {
      const changes = getChanges(form, base, values)
      if (Object.keys(changes).length > 0) {
        const saved = await update(type, base.name, { ...changes, modified: base.modified })
        queries.setQueryData(['record', type, base.name], saved)
        setBase(saved)
      }
      await enrol(record.applicationCode)
      tell(own.enrolled)
      onClose()
    } catch (error) {
      const text = getErrorText(error, messages)
      const field = Object.keys(form.fields).find((name) => isAbout(text, form.fields[name]?.label, values[name]))
      setFaults(field === undefined ? [] : [{ field, text }])
      setRejected((before) => ({
        text: field === undefined ? text : `${named(form.fields[field]?.label ?? field)}: ${text}`,
        count: (before?.count ?? 0) + 1,
      }))
      setBusy(false)
    } finally {
      void renew()
    }
  }
  return (
    <form className="stack" noValidate onSubmit={(event) => void make(event)}>
      {rejected !== null && (
        <ErrorSummary key={rejected.count} title={own.notEnrolled}>
          <p>{rejected.text}</p>
        </ErrorSummary>
      )}
      <FormFields
        type={form}
        values={values}
        isNew={false}
        docstatus={0}
        mayWrite
        faults={faults}
        onChange={setValues}
      />
      {isBlocked && <p className="told">{own.blockedByDocuments}</p>}
      {/* Nobody is made twice: it is looked first who is there. */}
      {!isBlocked && isLooked && (
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.enrolNow}
        </Button>
      )}
    </form>
  )
}

/** Whether a refusal is about a field: it has its label, or quotes its value. */
function isAbout(text: string, label: string | undefined, value: unknown): boolean {
  return (
    (label !== undefined && text.includes(label)) ||
    (typeof value === 'string' && value.length > 2 && text.includes(value))
  )
}
