import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import type { GradeSheet, Score, SheetStudent } from '../../calls/academics/grade-sheet-api.ts'
import { cellText, readBlock, readCell } from './sheet-cells.ts'
import type { CellState } from './use-entry.ts'
import { useGradeMessages } from './use-grade-messages.ts'

interface Props {
  readonly student: SheetStudent
  readonly criterion: GradeSheet['criteria'][number]
  readonly score: Score | undefined
  readonly state: CellState | undefined
  readonly locale: string
  readonly isReadOnly: boolean
  readonly at: { readonly row: number; readonly column: number }
  readonly onType: (text: string) => void
  readonly onPaste: (block: string[][]) => void
}

/** Goes to the cell of a row and column, where there is one. */
function goToCell(from: Element, row: number, column: number): void {
  const cell = from.closest('table')?.querySelector<HTMLInputElement>(`[data-cell="${row}.${column}"]`)
  cell?.focus()
  cell?.select()
}

/** A cell of a grade sheet: typed, left by Enter and arrows, red at once where no score of the criterion can be meant. */
export function ScoreCell({ student, criterion, score, state, locale, isReadOnly, at, onType, onPaste }: Props) {
  const own = useGradeMessages()
  const [typed, setTyped] = useState<string | null>(null)
  const stored = cellText(score, locale)
  const text = typed ?? stored
  const isWrong = readCell(text, criterion, locale) === null
  const leave = () => {
    if (typed === null) return
    if (!isWrong) setTyped(null)
    if (typed.trim() !== stored) onType(typed)
  }
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const { row, column } = at
    const by = event.shiftKey ? -1 : 1
    const to = { Enter: row + by, ArrowDown: row + 1, ArrowUp: row - 1 }[event.key]
    if (event.key === 'Escape' && typed !== null) return setTyped(null)
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    leave()
    goToCell(event.currentTarget, to, column)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const block = readBlock(event.clipboardData.getData('text/plain'))
    if (block.length === 1 && block[0]?.length === 1) return
    event.preventDefault()
    setTyped(null)
    onPaste(block)
  }
  const isRefused = state?.kind === 'refused'
  const id = `score-${at.row}-${at.column}`
  return (
    <td className="number">
      <input
        id={id}
        className={['input', 'score', state?.kind ?? ''].join(' ')}
        data-cell={`${at.row}.${at.column}`}
        inputMode="decimal"
        autoComplete="off"
        aria-label={own.cell(criterion.criterion, student.studentName)}
        aria-invalid={isWrong || isRefused || undefined}
        aria-describedby={isWrong ? `${id}-fault` : undefined}
        readOnly={isReadOnly}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={leave}
        onKeyDown={move}
        onPaste={isReadOnly ? undefined : paste}
      />
      {isWrong && (
        <span id={`${id}-fault`} className="fault small">
          {own.range(String(criterion.maximum))}
        </span>
      )}
    </td>
  )
}
