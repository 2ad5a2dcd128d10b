import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { board } from '../../calls/admissions/admissions-api.ts'
import { type Asked, applicantsIn, maxAsked, type Person, type Whom } from '../../calls/admissions/requests-api.ts'
import { find } from '../../calls/console-api.ts'
import { Button } from '../../elements/button.tsx'
import { Combobox } from '../../elements/combobox.tsx'
import { Field } from '../../elements/field.tsx'
import { Icon } from '../../elements/icon.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useRequestMessages } from './use-request-messages.ts'

interface Props {
  readonly asked: Asked
  readonly people: readonly Person[]
  /** How many are meant where a filter says who; they are not named here. */
  readonly many: number | null
  readonly onMany: (chosen: { readonly whom: Whom; readonly total: number } | null) => void
  readonly onKind: (asked: Asked) => void
  readonly onPeople: (people: readonly Person[]) => void
}

/** Whose papers are asked for: by name, or all applications of a status. */
export function AskedPeople({ asked, people, many, onMany, onKind, onPeople }: Props) {
  const { messages } = useMessages()
  const own = useRequestMessages()
  const { has } = useSession()
  const tell = useNotify()
  const [typed, setTyped] = useState('')
  const [status, setStatus] = useState('')
  const [isBusy, setBusy] = useState(false)
  const sought = useDeferredValue(typed.trim())
  const kind = asked === 'student' ? 'student' : 'applicant'
  const found = useQuery({
    queryKey: ['find', sought],
    queryFn: ({ signal }) => find(sought, signal),
    enabled: sought.length > 1,
    placeholderData: keepPreviousData,
  })
  const hits = sought.length > 1 ? (found.data ?? []).filter((hit) => hit.kind === kind) : []
  const columns = useQuery({ queryKey: ['board'], queryFn: () => board(), enabled: has('admissions:read') })
  const add = (more: readonly Person[]) => {
    const all = new Map([...people, ...more].map((person) => [person.id, person]))
    if (all.size > maxAsked) tell(own.mostNamed(maxAsked), { isBad: true })
    else onPeople([...all.values()])
  }
  const addAll = async () => {
    if (status === '') return
    setBusy(true)
    try {
      const { people: found, total, whom } = await applicantsIn(status)
      if (whom === null) add(found)
      else onMany({ whom, total })
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <fieldset className="stack">
      <legend className="label">{own.whom}</legend>
      <div className="row">
        {has('admissions:read') && (
          <label className="check">
            <input type="radio" name="kind" checked={asked === 'application'} onChange={() => onKind('application')} />
            {own.applications}
          </label>
        )}
        {has('students:read') && (
          <label className="check">
            <input type="radio" name="kind" checked={asked === 'student'} onChange={() => onKind('student')} />
            {own.students}
          </label>
        )}
      </div>
      <Field id="person" label={own.add}>
        <Combobox
          id="person"
          typed={typed}
          onType={setTyped}
          nothing={own.nothing}
          choices={hits.map(({ id, title, detail }) => ({ value: id, text: title, about: detail }))}
          onChoose={({ value, text }) => {
            add([{ id: value, fullName: text }])
            setTyped('')
          }}
        />
      </Field>
      {asked === 'application' && columns.data !== undefined && (
        <div className="row">
          <Field id="all-in" label={own.inStatus}>
            <select id="all-in" className="input" value={status} onChange={({ target }) => setStatus(target.value)}>
              <option value="">{messages.record.empty}</option>
              {columns.data
                .filter(({ count }) => count > 0)
                .map((column) => (
                  <option key={column.status} value={column.status}>
                    {column.label} ({column.count})
                  </option>
                ))}
            </select>
          </Field>
          <Button isBusy={isBusy} onClick={() => void addAll()}>
            {own.addAll}
          </Button>
        </div>
      )}
      <p role="status">{own.people(many ?? people.length)}</p>
      {many !== null && (
        <p>
          <Button onClick={() => onMany(null)}>{own.byName}</Button>
        </p>
      )}
      <div className="chips">
        {(many === null ? people : []).map((person) => (
          <button
            key={person.id}
            type="button"
            className="chip"
            aria-label={own.remove(person.fullName)}
            onClick={() => onPeople(people.filter(({ id }) => id !== person.id))}
          >
            {person.fullName} <Icon of="close" />
          </button>
        ))}
      </div>
    </fieldset>
  )
}
