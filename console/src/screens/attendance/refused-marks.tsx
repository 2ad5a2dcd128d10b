import type { RollStudent } from '../../calls/academics/roll-call-api.ts'
import { Button } from '../../elements/button.tsx'
import { useAttendanceMessages } from './use-attendance-messages.ts'
import type { RefusedMark } from './use-roll-outbox.ts'

interface Props {
  readonly refused: readonly RefusedMark[]
  readonly students: readonly RollStudent[]
  readonly onMine: (refused: RefusedMark) => void
  readonly onTheirs: (student: string) => void
}

/** The students who were not marked, each with what to do: what somebody else marked meanwhile is decided here. */
export function RefusedMarks({ refused, students, onMine, onTheirs }: Props) {
  const own = useAttendanceMessages()
  if (refused.length === 0) return null
  const status = { Present: own.present, Absent: own.absent, Leave: own.leave }
  return (
    <section className="told section" role="alert">
      <strong>{own.refused(refused.length)}</strong>
      <ul>
        {refused.map((each) => {
          const found = students.find(({ student }) => student === each.student)
          const name = found?.studentName ?? each.student
          const theirs = found?.status == null ? own.nothing : status[found.status]
          const isConflict = each.code === 'changed_meanwhile'
          return (
            <li key={each.student}>
              {isConflict ? own.meanwhile(name, theirs) : `${name}: ${each.detail}`}{' '}
              {isConflict && (
                <Button onClick={() => onMine(each)}>
                  {own.keepMine}
                  <span className="unseen">: {name}</span>
                </Button>
              )}
              <Button onClick={() => onTheirs(each.student)}>
                {own.keepTheirs}
                <span className="unseen">: {name}</span>
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
