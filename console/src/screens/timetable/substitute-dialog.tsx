import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { read, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { LinkControl } from '../../records/form/link-control.tsx'
import { getErrorText } from '../../session/telling.ts'
import { clashesOf, type Lesson } from './lesson.ts'
import { useClashText } from './use-clash-text.ts'
import { useTimetableMessages } from './use-timetable-messages.ts'

interface Props {
  readonly day: string
  /** The lessons of the teacher on that day. */
  readonly lessons: readonly Lesson[]
  readonly week: readonly Lesson[]
  readonly onClose: () => void
}

/** Gives the lessons of a teacher on a day to another one, who is told of clashes before. */
export function SubstituteDialog({ day, lessons, week, onClose }: Props) {
  const own = useTimetableMessages()
  const { messages, locale } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const clashText = useClashText()
  const [instructor, setInstructor] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { data: chosen } = useQuery({
    queryKey: ['record', 'Instructor', instructor, 'substitute'],
    queryFn: () => read('Instructor', instructor),
    enabled: instructor !== '',
    retry: false,
  })
  const teacher = String(chosen?.instructor_name ?? instructor)
  const clashes =
    instructor === '' ? [] : lessons.flatMap((lesson) => clashesOf({ ...lesson, instructor, teacher }, week))
  const shownDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
  /** Gives lessons to somebody; how many were given, and what refused the next one. */
  const give = async (
    to: readonly { readonly lesson: Lesson; readonly instructor: string; readonly modified: string }[],
  ) => {
    const given: { lesson: Lesson; instructor: string; modified: string }[] = []
    try {
      for (const { lesson, instructor: next, modified } of to) {
        const changed = await update('Course Schedule', lesson.name, { instructor: next, modified })
        given.push({ lesson, instructor: lesson.instructor, modified: String(changed.modified) })
      }
      return { given, error: null }
    } catch (error) {
      return { given, error }
    } finally {
      void queries.invalidateQueries({ queryKey: ['list', 'Course Schedule'] })
    }
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || instructor === '' || clashes.length > 0) return
    setBusy(true)
    const { given, error } = await give(lessons.map((lesson) => ({ lesson, instructor, modified: lesson.modified })))
    const undo = () =>
      void give(given).then((back) => {
        if (back.error !== null) tell(getErrorText(back.error, messages), { isBad: true })
      })
    if (error === null) tell(own.substituted(given.length, teacher), { undo })
    else tell(own.substitutedPartly(given.length, lessons.length, getErrorText(error, messages)), { isBad: true, undo })
    onClose()
  }
  return (
    <Dialog title={own.substituteTitle(lessons[0]?.teacher ?? '', shownDay)} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <p className="quiet">{own.substituteText(lessons.length)}</p>
        <Field id="substitute" label={own.teacher} isRequired>
          <LinkControl
            id="substitute"
            field={{ type: 'Link', label: own.teacher, target: 'Instructor', required: true }}
            target="Instructor"
            value={instructor}
            onChange={(value) => setInstructor(String(value ?? ''))}
          />
        </Field>
        <div role="status">
          {clashes.length > 0 ? (
            <ul className="told">
              {clashes.map((clash) => (
                <li key={`${clash.what} ${clash.lesson.name}`}>{clashText(clash)}</li>
              ))}
            </ul>
          ) : (
            instructor !== '' && <p>{own.free(teacher)}</p>
          )}
        </div>
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
