import { type CSSProperties, type DragEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { addDays, clashesOf, type Lesson, moved, toTime } from './lesson.ts'
import { useClashText } from './use-clash-text.ts'
import { useLessonMoves } from './use-lesson-moves.ts'
import { useTimetableMessages } from './use-timetable-messages.ts'

interface Props {
  readonly monday: string
  /** The day that a phone shows. */
  readonly day: string
  readonly lessons: readonly Lesson[]
  /** All lessons of the week, by which a clash is told. */
  readonly all: readonly Lesson[]
  readonly mayMove: boolean
  readonly onEdit: (lesson: Lesson) => void
  /** Null where nobody is substituted. */
  readonly onSubstitute: ((day: string) => void) | null
}

/** By how many minutes a key or the pointer moves a lesson. */
const stepMinutes = 15

/** The lessons of a week, a column for each day. They are moved by pointer, or picked up and put down by keys, which is told as it goes. */
export function WeekGrid({ monday, day: shownDay, lessons, all, mayMove, onEdit, onSubstitute }: Props) {
  const own = useTimetableMessages()
  const { locale } = useMessages()
  const hint = useId()
  const [held, setHeld] = useState<{ readonly from: Lesson; readonly to: Lesson } | null>(null)
  const [said, setSaid] = useState('')
  const dragged = useRef<{ readonly lesson: Lesson; readonly offset: number } | null>(null)
  const followed = useRef<string | null>(null)
  // A lesson that goes to another day is drawn anew there, and takes the focus along.
  useEffect(() => {
    if (followed.current === null || document.activeElement !== document.body) return
    document.getElementById(`lesson-${followed.current}`)?.focus()
  })
  const move = useLessonMoves(all)
  const clashText = useClashText()
  const names = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const nameOf = (day: string) => names.format(new Date(day))
  const shown = lessons.map((lesson) => (held?.from.name === lesson.name ? held.to : lesson))
  const hasWeekend = shown.some(({ day }) => day > addDays(monday, 4)) || shownDay > addDays(monday, 4)
  const days = Array.from({ length: hasWeekend ? 7 : 5 }, (_, at) => addDays(monday, at))
  const first = Math.floor(Math.min(480, ...shown.map(({ from }) => from)) / 60)
  const last = Math.ceil(Math.max(960, ...shown.map(({ to }) => to)) / 60)
  const hours = Array.from({ length: last - first }, (_, at) => first + at)
  const release = () => {
    if (held === null) return
    setHeld(null)
    const isMoved = held.to.day !== held.from.day || held.to.from !== held.from.from
    setSaid(isMoved ? '' : own.left)
    if (isMoved) void move(held.from, held.to)
  }
  const carry = (days: number, minutes: number) => {
    if (held === null) return
    const to = moved(held.to, days, minutes)
    if (to.day < monday || to.day > addDays(monday, 6)) return
    setHeld({ ...held, to })
    const clashes = clashesOf(to, all)
    setSaid([own.heldAt(nameOf(to.day), toTime(to.from), toTime(to.to)), ...clashes.map(clashText)].join('. '))
  }
  const onKeyDown = (lesson: Lesson) => (event: KeyboardEvent) => {
    const { key } = event
    const steps: Record<string, readonly [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -stepMinutes],
      ArrowDown: [0, stepMinutes],
    }
    const step = steps[key]
    if (!mayMove) return
    if (held !== null && (key === ' ' || key === 'Enter')) release()
    else if (held !== null && key === 'Escape') {
      setHeld(null)
      setSaid(own.left)
    } else if (held !== null && step !== undefined) carry(...step)
    else if (held === null && key === ' ') {
      followed.current = lesson.name
      setHeld({ from: lesson, to: lesson })
      setSaid(own.held(lesson.course))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const drop = (day: string) => (event: DragEvent<HTMLElement>) => {
    const { lesson, offset } = dragged.current ?? {}
    dragged.current = null
    if (lesson === undefined || offset === undefined) return
    event.preventDefault()
    const column = event.currentTarget.getBoundingClientRect()
    const minutes = first * 60 + ((event.clientY - column.top - offset) / column.height) * hours.length * 60
    const from = Math.round(minutes / stepMinutes) * stepMinutes
    void move(lesson, { ...moved(lesson, 0, from - lesson.from), day })
  }
  return (
    <>
      {mayMove && (
        <p id={hint} className="quiet small week-wide">
          {own.hint}
        </p>
      )}
      <p role="status" className="unseen">
        {said}
      </p>
      <div className="week card" style={{ '--days': days.length, '--hours': hours.length } as CSSProperties}>
        <div className="hours" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour}>{toTime(hour * 60)}</span>
          ))}
        </div>
        {days.map((day) => {
          const ofDay = shown.filter((lesson) => lesson.day === day)
          return (
            <section key={day} className="day" aria-label={nameOf(day)} data-shown={day === shownDay || undefined}>
              <h3>
                {nameOf(day)}
                {onSubstitute !== null && ofDay.length > 0 && (
                  <Button kind="plain" onClick={() => onSubstitute(day)}>
                    {own.substitute}
                    <span className="unseen"> {nameOf(day)}</span>
                  </Button>
                )}
              </h3>
              {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move a lesson as well */}
              <div
                className="lessons"
                onDragOver={(event) => {
                  if (dragged.current !== null) event.preventDefault()
                }}
                onDrop={drop(day)}
              >
                {ofDay.length === 0 && <p className="quiet week-narrow">{own.nothing}</p>}
                {ofDay.map((lesson) => (
                  <LessonButton
                    key={lesson.name}
                    lesson={lesson}
                    firstHour={first}
                    isHeld={held?.from.name === lesson.name}
                    mayMove={mayMove}
                    describedBy={hint}
                    onKeyDown={onKeyDown(lesson)}
                    onDrag={(offset) => {
                      dragged.current = { lesson, offset }
                    }}
                    onOpen={() => held === null && onEdit(lesson)}
                  />
                ))}
              </div>
            </section>
          )
        })}
      </div>
    </>
  )
}

interface ButtonProps {
  readonly lesson: Lesson
  readonly firstHour: number
  readonly isHeld: boolean
  readonly mayMove: boolean
  readonly describedBy: string
  readonly onKeyDown: (event: KeyboardEvent) => void
  /** Told how far below the upper edge it was taken, in pixels. */
  readonly onDrag: (offset: number) => void
  readonly onOpen: () => void
}

function LessonButton(props: ButtonProps) {
  const { lesson, firstHour, isHeld, mayMove } = props
  const { course, group, teacher, roomName, from, to, color } = lesson
  const place = { '--from': from / 60 - firstHour, '--length': (to - from) / 60 } as CSSProperties
  return (
    <button
      type="button"
      id={`lesson-${lesson.name}`}
      className={`lesson ${color}`}
      style={place}
      draggable={mayMove}
      data-held={isHeld || undefined}
      aria-describedby={mayMove ? props.describedBy : undefined}
      onDragStart={(event) => props.onDrag(event.clientY - event.currentTarget.getBoundingClientRect().top)}
      onKeyDown={props.onKeyDown}
      onClick={props.onOpen}
    >
      <strong>{course}</strong>
      <span className="numbers">
        {toTime(from)}–{toTime(to)}
      </span>
      <span>{[group, teacher, roomName].join(' · ')}</span>
    </button>
  )
}
