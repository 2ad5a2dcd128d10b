import { useId, useState } from 'react'
import type { AttendanceCode, Mark, RollStudent } from '../../calls/academics/roll-call-api.ts'
import { Icon } from '../../elements/icon.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { firstMinutes, toggled, withCode, withMinutes } from './marks.ts'
import { useAttendanceMessages } from './use-attendance-messages.ts'

interface Props {
  readonly student: RollStudent
  /** What is marked or tapped; null for who is away with a leave. */
  readonly mark: Mark | null
  readonly isTapped: boolean
  readonly codes: readonly AttendanceCode[]
  readonly isReadOnly: boolean
  readonly onMark: (mark: Mark) => void
}

/** A day has no more minutes. */
const maxMinutes = 1440

/** A student of a roll: a tap on the name says that the student is not there, and another one takes it back. */
export function PersonRow({
  student: { studentName, leave, halfDay },
  mark,
  isTapped,
  codes,
  isReadOnly,
  onMark,
}: Props) {
  const own = useAttendanceMessages()
  const { language } = useMessages()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const labelOf = ({ code, label, labels }: AttendanceCode) => `${code} – ${labels[language] ?? label}`
  const code = codes.find((each) => each.code === mark?.code)
  const isLate = (mark?.minutesLate ?? 0) > 0
  const state = () => {
    if (mark === null) return halfDay || leave?.halfDay ? `${own.leave}, ${own.halfDay}` : own.leave
    if (isLate) return own.lateBy(mark.minutesLate)
    const text = mark.status === 'Present' ? own.present : mark.excused ? own.excused : own.absent
    return [text, mark.code === null ? '' : mark.code, mark.halfDay ? own.halfDay : ''].filter(Boolean).join(', ')
  }
  const kind = mark === null || isLate ? 'wait' : mark.status === 'Present' ? 'good' : mark.excused ? 'wait' : 'bad'
  const isFixed = isReadOnly || mark === null
  return (
    <li className={isTapped ? 'person tapped' : 'person'}>
      <button type="button" className="name" disabled={isFixed} onClick={() => mark !== null && onMark(toggled(mark))}>
        <span>{studentName}</span>
        <span className="unseen">: </span>
        <span className={`badge ${kind}`}>{state()}</span>
      </button>
      {mark !== null && !isReadOnly && (
        <>
          <button
            type="button"
            className="button"
            aria-pressed={isLate}
            aria-label={own.of(own.late, studentName)}
            onClick={() => {
              onMark(withMinutes(mark, isLate ? 0 : firstMinutes(codes), codes))
              setOpen(!isLate)
            }}
          >
            {own.late}
          </button>
          <button
            type="button"
            className="button icon plain"
            aria-expanded={isOpen}
            aria-controls={`${id}-details`}
            aria-label={own.of(own.more, studentName)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of="more" />
          </button>
          <div id={`${id}-details`} className="details" hidden={!isOpen}>
            <div className="field">
              <label htmlFor={`${id}-minutes`}>{own.minutes}</label>
              <input
                id={`${id}-minutes`}
                className="input"
                type="number"
                inputMode="numeric"
                min={0}
                max={maxMinutes}
                value={mark.minutesLate}
                onChange={({ target }) => {
                  const minutes = Math.trunc(Number(target.value))
                  if (minutes >= 0 && minutes <= maxMinutes) onMark(withMinutes(mark, minutes, codes))
                }}
              />
            </div>
            {codes.length > 0 && (
              <div className="field">
                <label htmlFor={`${id}-code`}>{own.code}</label>
                <select
                  id={`${id}-code`}
                  className="input"
                  value={mark.code ?? ''}
                  onChange={({ target }) =>
                    onMark(
                      withCode(
                        mark,
                        codes.find((each) => each.code === target.value),
                      ),
                    )
                  }
                >
                  <option value="">{own.noCode}</option>
                  {mark.code !== null && code === undefined && <option value={mark.code}>{mark.code}</option>}
                  {codes.map((each) => (
                    <option key={each.code} value={each.code}>
                      {labelOf(each)}
                    </option>
                  ))}
                </select>
              </div>
            )}
            {mark.status === 'Absent' && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={mark.halfDay}
                  onChange={({ target }) => onMark({ ...mark, halfDay: target.checked })}
                />
                {own.halfDay}
              </label>
            )}
          </div>
        </>
      )}
    </li>
  )
}
