import type { SheetStudent } from '../../calls/academics/grade-sheet-api.ts'
import { Button } from '../../elements/button.tsx'
import { cellText } from './sheet-cells.ts'
import type { CellState } from './use-entry.ts'
import { useGradeMessages } from './use-grade-messages.ts'

interface Props {
  readonly states: ReadonlyMap<string, CellState>
  readonly students: readonly SheetStudent[]
  readonly locale: string
  readonly onMine: (key: string) => void
  readonly onTheirs: (key: string) => void
}

/** The cells that were refused, each with what to do: what somebody else entered meanwhile is decided here. */
export function Conflicts({ states, students, locale, onMine, onTheirs }: Props) {
  const own = useGradeMessages()
  const refused = [...states].flatMap(([key, state]) => (state.kind === 'refused' ? [[key, state.fault] as const] : []))
  if (refused.length === 0) return null
  return (
    <section className="told section" role="alert">
      <strong>{own.refused(refused.length)}</strong>
      <ul>
        {refused.map(([key, { student, criterion, code, detail }]) => {
          const found = students.find((each) => each.student === student)
          const theirs = cellText(
            found?.scores.find((score) => score.criterion === criterion),
            locale,
          )
          const cell = own.cell(criterion, found?.studentName ?? student)
          return (
            <li key={key}>
              {cell}: {code === 'changed_meanwhile' ? own.meanwhile(theirs === '' ? own.nothing : theirs) : detail}{' '}
              {code === 'changed_meanwhile' && (
                <Button onClick={() => onMine(key)}>
                  {own.mine}
                  <span className="unseen">: {cell}</span>
                </Button>
              )}
              <Button onClick={() => onTheirs(key)}>
                {own.theirs}
                <span className="unseen">: {cell}</span>
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
