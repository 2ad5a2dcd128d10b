import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { Icon } from '../../elements/icon.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { LinkControl } from '../../records/form/link-control.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, useQueryText } from '../../shell/router.tsx'
import { addDays, type Lesson, mondayOf } from './lesson.ts'
import { LessonDialog } from './lesson-dialog.tsx'
import { SubstituteDialog } from './substitute-dialog.tsx'
import { useTimetableMessages } from './use-timetable-messages.ts'
import { useWeek } from './use-week.ts'
import { WeekGrid } from './week-grid.tsx'
import './timetable.css'

/** Whose timetable is shown: the record type that is linked, and the field of a lesson that names it. */
const owners = {
  group: { type: 'Student Group', field: 'group' },
  teacher: { type: 'Instructor', field: 'instructor' },
  room: { type: 'Room', field: 'room' },
} as const

type OwnerKind = keyof typeof owners

/** The timetable of a group, a teacher or a room by week; on a phone a day at a time. */
export default function Timetable() {
  const { messages } = useMessages()
  const own = useTimetableMessages()
  const session = useSession()
  const { may, tenant, rights } = session
  const asked = new URLSearchParams(useQueryText())
  const kind = (Object.keys(owners).find((each) => each === asked.get('of')) ?? 'group') as OwnerKind
  const name = asked.get('name') ?? ''
  // The Swedish form of a day is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: tenant.timeZone }).format(new Date())
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(asked.get('day') ?? '')?.[0] ?? today
  const monday = mondayOf(day)
  const isOwn = rights.some(({ type, ownOnly }) => type === 'Course Schedule' && ownOnly)
  const week = useWeek(monday)
  const [edited, setEdited] = useState<Lesson | null>(null)
  const [substituted, setSubstituted] = useState<string | null>(null)
  useEffect(() => {
    document.title = messages.screens.timetable
  }, [messages])
  const lessons = useMemo(() => {
    const all = week.data ?? []
    if (name === '') return isOwn ? all : []
    return all.filter((lesson) => lesson[owners[kind].field] === name)
  }, [week.data, name, kind, isOwn])
  if (!may('Course Schedule', 'read')) return <NoPage />
  const show = (change: Readonly<Record<string, string>>) => {
    for (const [member, value] of Object.entries(change)) {
      if (value === '') asked.delete(member)
      else asked.set(member, value)
    }
    go(`${addressOf.timetable}?${asked}`)
  }
  const step = (days: number) => show({ day: addDays(day, days) })
  const teacher = kind === 'teacher' ? name : ''
  const blank: Lesson = {
    ...{
      name: '',
      course: '',
      group: '',
      instructor: '',
      teacher: '',
      room: '',
      roomName: '',
      color: 'blue',
      modified: '',
    },
    ...{ [owners[kind].field]: name, day, from: 480, to: 540 },
  }
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.timetable}</h1>
        <span className="row">
          {may('Course Schedule', 'create') && <Button onClick={() => setEdited(blank)}>{own.new}</Button>}
          <Button onClick={() => print()}>{own.print}</Button>
        </span>
      </div>
      <div className="tools">
        <Field id="timetable-of" label={own.by}>
          <select
            id="timetable-of"
            className="input"
            value={kind}
            onChange={({ target }) => show({ of: target.value, name: '' })}
          >
            {Object.entries(own.bys).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field id="timetable-name" label={own.bys[kind]}>
          <LinkControl
            key={kind}
            id="timetable-name"
            field={{ type: 'Link', label: own.bys[kind], target: owners[kind].type }}
            target={owners[kind].type}
            value={name}
            onChange={(value) => show({ of: kind, name: String(value ?? '') })}
          />
        </Field>
      </div>
      <WeekHead day={day} monday={monday} onStep={step} onToday={() => show({ day: '' })} />
      {week.isPending && <Waiting lines={8} />}
      {week.isError && <Failed error={week.error} again={() => void week.refetch()} />}
      {week.data !== undefined &&
        (name === '' && !isOwn ? (
          <Empty title={own.choose} text={own.chooseText} />
        ) : (
          <WeekGrid
            monday={monday}
            day={day}
            lessons={lessons}
            all={week.data}
            mayMove={may('Course Schedule', 'write')}
            onEdit={setEdited}
            onSubstitute={teacher === '' || !may('Course Schedule', 'write') ? null : setSubstituted}
          />
        ))}
      {edited !== null && <LessonDialog lesson={edited} onClose={() => setEdited(null)} />}
      {substituted !== null && (
        <SubstituteDialog
          day={substituted}
          lessons={lessons.filter((lesson) => lesson.day === substituted)}
          week={week.data ?? []}
          onClose={() => setSubstituted(null)}
        />
      )}
    </>
  )
}

interface HeadProps {
  readonly day: string
  readonly monday: string
  readonly onStep: (days: number) => void
  readonly onToday: () => void
}

/** Which week is shown, and the ways to others; on a phone which day. */
function WeekHead({ monday, onStep, onToday }: HeadProps) {
  const own = useTimetableMessages()
  const { locale } = useMessages()
  const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(monday))
  return (
    <div className="page-head week-head">
      <h2>{own.week(shown)}</h2>
      <span className="row">
        {(
          [
            [-7, own.previousWeek, 'week-wide', 'left'],
            [-1, own.previousDay, 'week-narrow', 'left'],
          ] as const
        ).map(([days, label, width, icon]) => (
          <span key={label} className={width}>
            <Button label={label} onClick={() => onStep(days)}>
              <Icon of={icon} />
            </Button>
          </span>
        ))}
        <Button onClick={onToday}>{own.thisWeek}</Button>
        {(
          [
            [1, own.nextDay, 'week-narrow', 'right'],
            [7, own.nextWeek, 'week-wide', 'right'],
          ] as const
        ).map(([days, label, width, icon]) => (
          <span key={label} className={width}>
            <Button label={label} onClick={() => onStep(days)}>
              <Icon of={icon} />
            </Button>
          </span>
        ))}
      </span>
    </div>
  )
}
