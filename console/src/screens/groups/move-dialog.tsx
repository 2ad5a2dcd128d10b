import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { moveStudent } from '../../calls/academics/groups-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { LinkControl } from '../../records/form/link-control.tsx'
import { getErrorText } from '../../session/telling.ts'
import type { Member } from './members.ts'
import { useGroupMessages } from './use-group-messages.ts'

interface Props {
  readonly group: string
  readonly members: readonly Member[]
  readonly today: string
  /** Told who was moved. */
  readonly onClose: (moved: readonly string[]) => void
}

/** Moves members to another group on a day, one after the other; who is refused stays picked, with the reason. */
export function MoveDialog({ group, members, today, onClose }: Props) {
  const own = useGroupMessages()
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const [to, setTo] = useState('')
  const [date, setDate] = useState(today)
  const [refused, setRefused] = useState<readonly string[]>([])
  const [moved, setMoved] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || to === '') return
    setBusy(true)
    const done = [...moved]
    const told: string[] = []
    for (const { student, student_name } of members.filter(({ student }) => !moved.includes(student))) {
      try {
        await moveStudent(student, group, to, date)
        done.push(student)
      } catch (error) {
        told.push(own.notMoved(student_name ?? student, getErrorText(error, messages)))
      }
    }
    setMoved(done)
    setRefused(told)
    setBusy(false)
    void queries.invalidateQueries({ queryKey: ['record', 'Student Group'] })
    if (done.length > 0) tell(own.moved(done.length, to))
    if (told.length === 0) onClose(done)
  }
  return (
    <Dialog title={own.moveTitle} onClose={() => onClose(moved)}>
      <form onSubmit={(event) => void send(event)}>
        <p className="quiet">{own.moveText(group)}</p>
        {refused.length > 0 && (
          <ErrorSummary title={messages.faults.notSaved}>
            <ul>
              {refused.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </ErrorSummary>
        )}
        <Field id="move-to" label={own.toGroup} isRequired>
          <LinkControl
            id="move-to"
            field={{ type: 'Link', label: own.toGroup, target: 'Student Group', required: true }}
            target="Student Group"
            value={to}
            onChange={(value) => setTo(String(value ?? ''))}
          />
        </Field>
        <Field id="move-date" label={own.from} isRequired>
          <input
            id="move-date"
            type="date"
            className="input"
            required
            value={date}
            onChange={({ target }) => setDate(target.value || today)}
          />
        </Field>
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {own.move(members.length - moved.length)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
