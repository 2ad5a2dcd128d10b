import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type OwnTimetable, readOwnTimetable } from '../../calls/academics/own-timetable-api.ts'
import { Button } from '../../elements/button.tsx'
import { Icon } from '../../elements/icon.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { showDate } from '../../records/shown-value.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { useAttendanceMessages } from './use-attendance-messages.ts'
import '../../style/attendance.css'

/** The own timetable of a teacher by week: a day below the other on a phone, beside it on a desk. */
export default function OwnTimetableScreen() {
  const own = useAttendanceMessages()
  const { may } = useSession()
  const day = new URLSearchParams(useQueryText()).get('day') ?? undefined
  const week = useQuery({ queryKey: ['own_timetable', day ?? ''], queryFn: () => readOwnTimetable(day) })
  useEffect(() => {
    document.title = own.timetable
  }, [own])
  if (!may('Course Schedule', 'read')) return <NoPage />
  if (week.isPending) return <Waiting lines={8} />
  if (week.isError) return <Failed error={week.error} again={() => void week.refetch()} />
  return <Week week={week.data} />
}

/** A day later or earlier, `YYYY-MM-DD`. */
function moved(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** From Monday to Friday, and further days on which there are lessons. */
const usualDays = 5

function Week({ week: { week, today, now, holidays, lessons } }: { readonly week: OwnTimetable }) {
  const own = useAttendanceMessages()
  const { locale } = useMessages()
  const { may } = useSession()
  const days = Array.from({ length: 7 }, (_, index) => moved(week, index)).filter(
    (day, index) => index < usualDays || lessons.some(({ date }) => date === day),
  )
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const turn = (to: string) => go(addressOf.ownWeek(to), { replace: true })
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{own.timetable}</h1>
          <p className="quiet">{`${showDate(locale, week)} – ${showDate(locale, moved(week, 6))}`}</p>
        </div>
        <div className="row">
          <Button label={own.earlier} onClick={() => turn(moved(week, -7))}>
            <Icon of="left" />
          </Button>
          <Button onClick={() => turn(today)}>{own.thisWeek}</Button>
          <Button label={own.later} onClick={() => turn(moved(week, 7))}>
            <Icon of="right" />
          </Button>
        </div>
      </div>
      <div className="own-week">
        {days.map((day) => {
          const ofDay = lessons.filter(({ date }) => date === day)
          return (
            <section key={day} aria-current={day === today ? 'date' : undefined}>
              <h2>{name.format(new Date(`${day}T00:00:00Z`))}</h2>
              {holidays.includes(day) && <span className="badge wait">{own.dayOff}</span>}
              {ofDay.length === 0 && !holidays.includes(day) && <p className="quiet small">{own.noLessons}</p>}
              <ul className="rolls">
                {ofDay.map(({ lesson, from, to, course, studentGroup, room, isMarked }) => {
                  const isNow = day === today && from <= now && now < to
                  const parts = (
                    <>
                      <span className="numbers">{`${from}–${to}`}</span>
                      <strong>{course}</strong>
                      <span className="quiet">{[studentGroup, room].filter(Boolean).join(' · ')}</span>
                      {isNow && <span className="badge wait">{own.now}</span>}
                      {isMarked && <span className="badge good">{own.done}</span>}
                    </>
                  )
                  return (
                    <li key={lesson}>
                      {may('Student Attendance', 'read') ? (
                        <Link to={addressOf.roll(lesson, day)} aria-current={isNow ? 'time' : undefined}>
                          {parts}
                        </Link>
                      ) : (
                        <Link to={addressOf.record('Course Schedule', lesson)}>{parts}</Link>
                      )}
                    </li>
                  )
                })}
              </ul>
            </section>
          )
        })}
      </div>
    </>
  )
}
