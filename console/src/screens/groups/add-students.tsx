import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Document, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { Icon } from '../../elements/icon.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useQueryText } from '../../shell/router.tsx'
import { membersOf } from './members.ts'
import { type PickedStudent, StudentField } from './student-field.tsx'
import { useGroupMessages } from './use-group-messages.ts'

interface Props {
  readonly group: Document
  readonly today: string
}

/** Those whom a list picked, as the address has them. */
function pickedBefore(query: string, group: Document): PickedStudent[] {
  const names = (new URLSearchParams(query).get('students') ?? '').split(',').filter(Boolean)
  const members = new Set(membersOf(group).map(({ student }) => student))
  return names.filter((name) => !members.has(name)).map((student) => ({ student, called: student }))
}

/** Adds students to a group together, from a day on. */
export function AddStudents({ group, today }: Props) {
  const own = useGroupMessages()
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const query = useQueryText()
  const [picked, setPicked] = useState(() => pickedBefore(query, group))
  const [from, setFrom] = useState(today)
  const [refused, setRefused] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || picked.length === 0) return
    setBusy(true)
    setRefused(null)
    try {
      const added = picked.map(({ student }) => ({ student, active: 1, from_date: from }))
      await update('Student Group', group.name, {
        students: [...membersOf(group), ...added],
        modified: group.modified,
      })
      setPicked([])
      tell(own.added(added.length))
    } catch (error) {
      setRefused(getErrorText(error, messages))
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: ['record', 'Student Group', group.name] })
    }
  }
  return (
    <form className="card section stack" onSubmit={(event) => void send(event)} aria-label={own.add}>
      <h2>{own.add}</h2>
      {refused !== null && <ErrorSummary title={refused} />}
      <div className="fields">
        <StudentField
          id="add-student"
          label={own.student}
          about={own.addAbout}
          onPick={(one) => setPicked([...picked.filter(({ student }) => student !== one.student), one])}
        />
        <Field id="add-from" label={own.from}>
          <input
            id="add-from"
            type="date"
            className="input"
            required
            value={from}
            onChange={({ target }) => setFrom(target.value || today)}
          />
        </Field>
      </div>
      {picked.length > 0 && (
        <>
          <ul className="chips">
            {picked.map(({ student, called }) => (
              <li key={student}>
                <button
                  type="button"
                  className="chip"
                  aria-label={own.unpick(called)}
                  onClick={() => setPicked(picked.filter((each) => each.student !== student))}
                >
                  {called}
                  <Icon of="close" />
                </button>
              </li>
            ))}
          </ul>
          <p>
            <Button type="submit" kind="main" isBusy={isBusy}>
              {own.addNow(picked.length)}
            </Button>
          </p>
        </>
      )}
    </form>
  )
}
