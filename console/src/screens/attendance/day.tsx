import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ListedRoll, type RollDay, readRollDay } from '../../calls/academics/roll-call-api.ts'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { showDate } from '../../records/shown-value.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { useAttendanceMessages } from './use-attendance-messages.ts'
import '../../style/attendance.css'

/** The rolls of a day: what is not marked yet comes first. */
export default function AttendanceDay() {
  const { may } = useSession()
  const date = new URLSearchParams(useQueryText()).get('date') ?? undefined
  const day = useQuery({ queryKey: ['rolls', date ?? ''], queryFn: () => readRollDay(date) })
  if (!may('Student Attendance', 'read') || !may('Student Group', 'read')) return <NoPage />
  if (day.isPending) return <Waiting lines={8} />
  if (day.isError) return <Failed error={day.error} again={() => void day.refetch()} />
  return <RollsOfDay day={day.data} />
}

/** The rolls of a day, those of the person before others. */
export function RollsOfDay({ day }: { readonly day: RollDay }) {
  const own = useAttendanceMessages()
  const { locale } = useMessages()
  const { date, rolls, isHoliday, frozenUntil } = day
  useEffect(() => {
    document.title = own.day
  }, [own])
  const isFrozen = frozenUntil !== null && date <= frozenUntil
  const isMissing = ({ isExpected, marked, students }: ListedRoll) => isExpected && marked < students
  const sorted = [...rolls].sort((one, other) => Number(other.isMine) - Number(one.isMine))
  const open = isHoliday || isFrozen ? [] : sorted.filter(isMissing)
  const done = sorted.filter((roll) => !open.includes(roll) && roll.marked > 0)
  const others = sorted.filter((roll) => !open.includes(roll) && !done.includes(roll))
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{own.day}</h1>
          <p className="quiet">{showDate(locale, date)}</p>
        </div>
        <div className="field">
          <label htmlFor="roll-day">{own.date}</label>
          <input
            id="roll-day"
            className="input"
            type="date"
            value={date}
            onChange={({ target }) =>
              target.value !== '' && go(addressOf.attendanceDay(target.value), { replace: true })
            }
          />
        </div>
      </div>
      {isHoliday && <p className="told wait">{own.holiday}</p>}
      {isFrozen && <p className="told wait">{own.frozen(showDate(locale, frozenUntil))}</p>}
      {rolls.length === 0 && !isHoliday && <Empty title={own.none} text={own.noneText} />}
      <Rolls title={own.open} rolls={open} isOpen />
      <Rolls title={own.done} rolls={done} />
      <Rolls title={own.others} rolls={others} />
    </>
  )
}

interface RollsProps {
  readonly title: string
  readonly rolls: readonly ListedRoll[]
  readonly isOpen?: boolean
}

function Rolls({ title, rolls, isOpen = false }: RollsProps) {
  const own = useAttendanceMessages()
  if (rolls.length === 0) return null
  return (
    <section className="section">
      <h2>
        {title} <span className="badge numbers">{rolls.length}</span>
      </h2>
      <ul className="rolls">
        {rolls.map((roll) => (
          <li key={`${roll.kind} ${roll.of}`}>
            <Link to={addressOf.roll(roll.of, roll.date)}>
              <span className="numbers">{roll.from === null ? own.daily : `${roll.from}–${roll.to}`}</span>
              <strong>{roll.course ?? roll.studentGroup}</strong>
              <span className="quiet">
                {(roll.course === null ? [] : [roll.studentGroup, roll.room, roll.instructor])
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {roll.isMine && <span className="badge">{own.mine}</span>}
              <span className={`badge ${roll.marked === roll.students ? 'good' : isOpen ? 'wait' : ''}`}>
                {own.marked(roll.marked, roll.students)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
