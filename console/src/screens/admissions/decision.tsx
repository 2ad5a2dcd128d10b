import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import {
  type Application,
  changeApplication,
  pipeline,
  requirementsOf,
} from '../../calls/admissions/application-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { LongText } from '../../elements/long-text.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useQueryText } from '../../shell/router.tsx'
import { getLacking } from './lacking.ts'
import { useApplicationMessages } from './use-application-messages.ts'
import { useSaveNote } from './use-save-note.ts'

const Enrolment = lazy(async () => ({ default: (await import('./enrolment.tsx')).Enrolment }))

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
  // The board leads here with somebody who is to be enrolled.
  const isAsked = new URLSearchParams(useQueryText()).has('enrol')
  const [isEnrolling, setEnrolling] = useState(isAsked)
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
  const lacking = asked.data === undefined ? '' : getLacking(asked.data)
  const blockedBy = (to: (typeof open)[number]) => (to.requiresComplete && lacking !== '' ? lacking : null)
  const chosenStatus = open.find(({ key }) => key === chosen)
  const mayEnrol = record.studentId === null && may('Student', 'create') && may('Program Enrollment', 'create')
  const mayNote = may('Comment', 'create') && may('Student Applicant', 'read')
  const decide = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || chosenStatus === undefined) return
    if (chosenStatus.category === 'enrolled' && record.studentId === null) {
      if (mayEnrol) setEnrolling(true)
      else tell(own.whoEnrols, { isBad: true })
      return
    }
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
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      await queries.invalidateQueries({ queryKey: ['admission_application', record.id] })
      void queries.invalidateQueries({ queryKey: ['timeline'] })
      // Whoever goes on to the next one goes through those who were there.
      void queries.invalidateQueries({ queryKey: ['board'], refetchType: 'none' })
      setBusy(false)
    }
  }
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
              <option key={status.key} value={status.key} disabled={blockedBy(status) !== null}>
                {blockedBy(status) === null ? status.label : `${status.label} (${own.lacks(lacking)})`}
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
      {isEnrolling && mayEnrol && (
        <Suspense>
          <Enrolment
            record={record}
            entityTag={entityTag}
            requirements={asked.data ?? null}
            onClose={() => setEnrolling(false)}
          />
        </Suspense>
      )}
    </section>
  )
}
