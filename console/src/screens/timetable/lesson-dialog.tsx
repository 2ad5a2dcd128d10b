import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isStoredRejection } from '../../calls/http.ts'
import { create, remove, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { LinkControl } from '../../records/form/link-control.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { clashesOf, type Lesson, mondayOf, toFields, toMinutes, toTime } from './lesson.ts'
import { useClashText } from './use-clash-text.ts'
import { useTimetableMessages } from './use-timetable-messages.ts'
import { useWeek } from './use-week.ts'

interface Props {
  readonly lesson: Lesson
  readonly onClose: () => void
}

const links = [
  ['group', 'Student Group'],
  ['course', 'Course'],
  ['instructor', 'Instructor'],
  ['room', 'Room'],
] as const

/** A lesson that is made or changed: what it clashes with is told while it is typed. */
export function LessonDialog({ lesson, onClose }: Props) {
  const own = useTimetableMessages()
  const { messages } = useMessages()
  const { may } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const clashText = useClashText()
  const [mine, setMine] = useState(lesson)
  const [refused, setRefused] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // The key is that of the intention: a lesson that is sent again because the answer was lost is made once.
  const [key, setKey] = useState(() => crypto.randomUUID())
  // It may go to another week than the one that is shown.
  const { data: week = [] } = useWeek(mondayOf(mine.day))
  const isNew = lesson.name === ''
  const mayChange = may('Course Schedule', isNew ? 'create' : 'write')
  const clashes = clashesOf(mine, week)
  const isBackwards = mine.to <= mine.from
  const labels = { group: own.group, course: own.course, instructor: own.teacher, room: own.room }
  const finish = (told: string) => {
    tell(told)
    onClose()
  }
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setRefused(null)
    try {
      await work()
    } catch (error) {
      if (isStoredRejection(error)) setKey(crypto.randomUUID())
      setRefused(getErrorText(error, messages))
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey: ['list', 'Course Schedule'] })
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (clashes.length > 0 || isBackwards) return
    void attempt(async () => {
      if (isNew) await create('Course Schedule', toFields(mine), key)
      else await update('Course Schedule', mine.name, { ...toFields(mine), modified: lesson.modified })
      finish(own.saved)
    })
  }
  return (
    <Dialog title={isNew ? own.new : own.edit} onClose={onClose} className="wide">
      <form onSubmit={save}>
        {refused !== null && <ErrorSummary title={refused} />}
        <div className="fields">
          {links.map(([member, target]) => (
            <Field key={member} id={`lesson-${member}`} label={labels[member]} isRequired>
              <LinkControl
                id={`lesson-${member}`}
                field={{ type: 'Link', label: labels[member], target, required: true }}
                target={target}
                value={mine[member]}
                isReadOnly={!mayChange}
                onChange={(value) => setMine((before) => ({ ...before, [member]: String(value ?? '') }))}
              />
            </Field>
          ))}
          <Field id="lesson-day" label={own.day} isRequired>
            <input
              id="lesson-day"
              type="date"
              className="input"
              required
              readOnly={!mayChange}
              value={mine.day}
              onChange={({ target }) => target.value !== '' && setMine({ ...mine, day: target.value })}
            />
          </Field>
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} id={`lesson-${end}`} label={own[end]} isRequired>
              <input
                id={`lesson-${end}`}
                type="time"
                className="input"
                required
                readOnly={!mayChange}
                value={toTime(mine[end])}
                onChange={({ target }) => target.value !== '' && setMine({ ...mine, [end]: toMinutes(target.value) })}
              />
            </Field>
          ))}
        </div>
        <div role="status">
          {(clashes.length > 0 || isBackwards) && (
            <div className="told">
              <strong>{own.clashes}</strong>
              <ul>
                {isBackwards && <li>{own.order}</li>}
                {clashes.map((clash) => (
                  <li key={`${clash.what} ${clash.lesson.name}`}>{clashText(clash)}</li>
                ))}
              </ul>
            </div>
          )}
        </div>
        {mayChange && (
          <div className="row">
            <Button type="submit" kind="main" isBusy={isBusy}>
              {own.save}
            </Button>
            {!isNew && may('Course Schedule', 'delete') && (
              <Button
                kind="danger"
                isBusy={isBusy}
                onClick={() =>
                  void attempt(async () => {
                    await remove('Course Schedule', lesson.name)
                    finish(own.removed)
                  })
                }
              >
                {own.remove}
              </Button>
            )}
          </div>
        )}
      </form>
    </Dialog>
  )
}
