import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import {
  type CalledStudent,
  type Mark,
  type RollCall,
  type RollStudent,
  readRoll,
} from '../../calls/academics/roll-call-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { showDate } from '../../records/shown-value.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { isOpen, knownMark, openStudents } from './marks.ts'
import { PersonRow } from './person-row.tsx'
import { RefusedMarks } from './refused-marks.tsx'
import { useAttendanceMessages } from './use-attendance-messages.ts'
import { type RefusedMark, useRollOutbox } from './use-roll-outbox.ts'
import '../../style/attendance.css'

/** The roll of a lesson, or of a group on a day. */
export default function Roll({ name: of, date }: { readonly name: string; readonly date: string }) {
  const own = useAttendanceMessages()
  const { may } = useSession()
  const roll = useQuery({ queryKey: ['roll', of, date], queryFn: () => readRoll(of, date) })
  useEffect(() => {
    document.title = own.title
  }, [own])
  if (!may('Student Attendance', 'read') || !may('Student Group', 'read')) return <NoPage />
  if (roll.isPending) return <Waiting lines={10} />
  if (roll.isError) return <Failed error={roll.error} again={() => void roll.refetch()} />
  return <RollOf key={`${of} ${date}`} roll={roll.data} />
}

function RollOf({ roll }: { readonly roll: RollCall }) {
  const own = useAttendanceMessages()
  const { messages, locale } = useMessages()
  const queries = useQueryClient()
  const notify = useNotify()
  const { of, date, students, codes, mayMark } = roll
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map())
  const show = useCallback(
    (changed: readonly RollStudent[], sent: readonly CalledStudent[]) => {
      const byName = new Map(changed.map((each) => [each.student, each]))
      queries.setQueryData<RollCall>(
        ['roll', of, date],
        (before) => before && { ...before, students: before.students.map((each) => byName.get(each.student) ?? each) },
      )
      // What was tapped while it was on its way stays to be saved.
      const isSent = (student: string, mark: Mark) => sent.some((each) => each.student === student && isAs(each, mark))
      setMarks((before) => new Map([...before].filter(([student, mark]) => !isSent(student, mark))))
      void queries.invalidateQueries({ queryKey: ['rolls'] })
    },
    [queries, of, date],
  )
  const fail = useCallback(
    (error: unknown) => {
      notify(getErrorText(error, messages), { isBad: true })
      void queries.invalidateQueries({ queryKey: ['roll', of, date] })
    },
    [notify, messages, queries, of, date],
  )
  const outbox = useRollOutbox({ of, date }, show, fail)
  const open = openStudents(students, marks)
  const isNew = students.some(({ status }) => status === null)
  const absent = open.filter(({ status }) => status === 'Absent').length
  const isBusy = outbox.state !== 'idle'
  const markOf = (student: RollStudent) => marks.get(student.student) ?? knownMark(student)
  const keepMine = ({ student, sent: { version: _, ...sent } }: RefusedMark) => {
    outbox.drop(student)
    outbox.enter([sent])
  }
  const status = {
    idle: open.length === 0 && outbox.refused.length === 0 ? own.saved : '',
    saving: own.saving,
    waiting: own.waiting,
  }
  return (
    <>
      <div className="page-head">
        <div>
          <Link className="small" to={addressOf.attendanceDay(date)}>
            {own.all}
          </Link>
          <h1>{roll.course ?? roll.studentGroup}</h1>
          <p className="quiet">
            {[
              roll.from === null ? own.daily : `${roll.from}–${roll.to}`,
              showDate(locale, date),
              ...(roll.course === null ? [] : [roll.studentGroup, roll.room]),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      {roll.closed !== null && (
        <p className="told wait">
          {roll.closed === 'holiday' ? own.holiday : own.frozen(showDate(locale, roll.frozenUntil ?? date))}
        </p>
      )}
      {students.length === 0 ? (
        <Empty title={own.empty} text={own.emptyText} />
      ) : (
        <>
          {roll.closed === null && (
            <p className="quiet">{!mayMark ? own.notMine : isNew ? own.hint : own.correction}</p>
          )}
          <ul className="roll" aria-label={own.students(students.length)}>
            {students.map((student) => (
              <PersonRow
                key={student.student}
                student={student}
                mark={markOf(student)}
                isTapped={marks.has(student.student) && isOpen(student, marks.get(student.student))}
                codes={codes}
                isReadOnly={!mayMark}
                onMark={(mark) => setMarks((before) => new Map(before).set(student.student, mark))}
              />
            ))}
          </ul>
          <RefusedMarks refused={outbox.refused} students={students} onMine={keepMine} onTheirs={outbox.drop} />
          {mayMark && (
            <div className="roll-save">
              <p role="status" className={outbox.state === 'waiting' ? 'told wait' : 'quiet'}>
                {status[outbox.state]}
              </p>
              {open.length > 0 && (
                <Button kind="main" isBusy={isBusy} onClick={() => outbox.enter(open)}>
                  {isNew ? own.save(open.length - absent, absent) : own.saveChanges(open.length)}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </>
  )
}

const isAs = (sent: CalledStudent, mark: Mark) =>
  sent.status === mark.status &&
  sent.code === mark.code &&
  sent.minutesLate === mark.minutesLate &&
  sent.excused === mark.excused &&
  sent.halfDay === mark.halfDay
