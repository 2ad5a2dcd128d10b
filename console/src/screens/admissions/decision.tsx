import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type Application,
  alike,
  changeApplication,
  enrol,
  pipeline,
  requirementsOf,
} from '../../calls/application-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { LongText } from '../../elements/long-text.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { tellingOf } from '../../session/telling.ts'
import { addressOf, Link } from '../../shell/router.tsx'
import { lackingOf } from './lacking.ts'
import { useApplicationMessages } from './use-application-messages.ts'
import { useSaveNote } from './use-save-note.ts'

interface Props {
  readonly record: Application
  readonly entityTag: string
}

/** Where an application may go from here, what keeps it, and the student that may come of it. */
export function Decision({ record, entityTag }: Props) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const { has, may, ownerElsewhere } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const saveNote = useSaveNote(record.applicationCode)
  const [chosen, setChosen] = useState('')
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isEnrolling, setEnrolling] = useState(false)
  const statuses = useQuery({ queryKey: ['pipeline'], queryFn: pipeline, staleTime: 300_000 })
  const asked = useQuery({
    queryKey: ['vault_document', 'requirements', record.id],
    queryFn: () => requirementsOf(record.id),
    enabled: has('vault:read'),
  })
  const owner = ownerElsewhere('enrollment')
  if (owner !== null)
    return <p className="quiet">{owner === '' ? messages.record.elsewhereUnknown : messages.record.elsewhere(owner)}</p>
  if (!has('admissions:write')) return null
  const here = statuses.data?.find(({ key }) => key === record.status)
  const open = (statuses.data ?? []).filter(
    ({ key, isActive }) => isActive && key !== record.status && (here?.allowedNext?.includes(key) ?? true),
  )
  const lacking = asked.data === undefined ? '' : lackingOf(asked.data)
  const keptBy = (to: (typeof open)[number]) => (to.requiresComplete && lacking !== '' ? lacking : null)
  const chosenStatus = open.find(({ key }) => key === chosen)
  const mayNote = may('Comment', 'create') && may('Student Applicant', 'read')
  const decide = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || chosenStatus === undefined) return
    setBusy(true)
    try {
      await changeApplication(record.id, entityTag, { status: chosenStatus.key })
      setChosen('')
      tell(own.decided(chosenStatus.label))
      if (note.trim() !== '') {
        await saveNote(note.trim()).then(
          () => setNote(''),
          () => tell(own.noteOpen, { isBad: true }),
        )
      }
    } catch (error) {
      tell(tellingOf(error, messages), { isBad: true })
    } finally {
      await queries.invalidateQueries({ queryKey: ['admission_application', record.id] })
      void queries.invalidateQueries({ queryKey: ['timeline'] })
      // Whoever goes on to the next one goes through those who were there.
      void queries.invalidateQueries({ queryKey: ['board'], refetchType: 'none' })
      setBusy(false)
    }
  }
  const mayEnrol = record.studentId === null && may('Student', 'create') && may('Program Enrollment', 'create')
  return (
    <section className="card">
      <h2>{own.decide}</h2>
      <form className="stack" onSubmit={(event) => void decide(event)}>
        <Field id="move-to" label={own.moveTo}>
          <select
            id="move-to"
            className="input"
            required
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">{messages.record.empty}</option>
            {open.map((status) => (
              <option key={status.key} value={status.key} disabled={keptBy(status) !== null}>
                {keptBy(status) === null ? status.label : `${status.label} (${own.lacks(lacking)})`}
              </option>
            ))}
          </select>
        </Field>
        {mayNote && <LongText id="decision-note" label={own.note} most={2000} value={note} onChange={setNote} />}
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {own.decide}
          </Button>
          {mayEnrol && <Button onClick={() => setEnrolling(true)}>{own.enrol}</Button>}
        </div>
      </form>
      {isEnrolling && <Enrolment record={record} entityTag={entityTag} onClose={() => setEnrolling(false)} />}
    </section>
  )
}

/** Makes a student of the applicant, unless it is one of those who are there already. */
function Enrolment({ record, entityTag, onClose }: Props & { readonly onClose: () => void }) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const { has } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const [isBusy, setBusy] = useState(false)
  const others = useQuery({
    queryKey: ['search', 'student', record.fullName],
    queryFn: () => alike('student', record.fullName.slice(0, 200)),
  })
  const send = async (work: () => Promise<void>, done: string) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
      tell(done)
      onClose()
    } catch (error) {
      tell(tellingOf(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey: ['board'], refetchType: 'none' })
      for (const key of ['admission_application', 'timeline', 'list']) {
        void queries.invalidateQueries({ queryKey: [key] })
      }
    }
  }
  return (
    <Dialog title={own.enrol} onClose={onClose}>
      <div className="stack">
        <p>{own.enrolText}</p>
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
                    {has('admissions:write') && (
                      <Button
                        onClick={() =>
                          void send(() => changeApplication(record.id, entityTag, { studentId: hit.id }), own.linked)
                        }
                      >
                        {own.same(hit.title)}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        {/* Nobody is made twice: it is looked first who is there. */}
        {others.isSuccess && (
          <Button
            kind="main"
            isBusy={isBusy}
            onClick={() => void send(() => enrol(record.applicationCode), own.enrolled)}
          >
            {own.enrolNow}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
