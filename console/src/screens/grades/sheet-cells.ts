import type { Cell, GradeSheet, Score, SheetStudent } from '../../calls/academics/grade-sheet-api.ts'
import { readDecimal, showDecimal } from '../../records/decimal-text.ts'

type Criterion = GradeSheet['criteria'][number]

/** What is typed for a student who is excused from a criterion, in any language. */
const excusedSign = 'E'

/** What a cell shows: a score in the person's format, the sign of who is excused, or nothing. */
export function cellText(score: Score | undefined, locale: string): string {
  if (score?.outcome === 'Excused') return excusedSign
  return score?.outcome === 'Assessed' && score.score !== null ? showDecimal(locale, String(score.score)) : ''
}

/** What a typed cell says: a score, excused, or not assessed; null for what can be no score of the criterion. */
export function readCell(
  typed: string,
  { maximum, allowsBonus }: Criterion,
  locale: string,
): Pick<Cell, 'outcome' | 'score'> | null {
  const text = typed.trim()
  if (text === '' || text === '-' || text === '–') return { outcome: 'Not Assessed', score: null }
  if (text.toUpperCase() === excusedSign) return { outcome: 'Excused', score: null }
  const read = readDecimal(locale, text)
  const score = read === null ? Number.NaN : Number(read)
  if (!(score >= 0) || (score > maximum && !allowsBonus)) return null
  return { outcome: 'Assessed', score }
}

/** What a cell had, as the service is told of it. */
export function cellValue(score: Score | undefined): number | string | null {
  if (score === undefined) return null
  return score.outcome === 'Assessed' ? score.score : score.outcome
}

/** The texts of a block that was copied from a spreadsheet: rows by lines, cells by tabs. */
export function readBlock(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  return lines.map((line) => line.split('\t'))
}

/** Where each text of a block goes, from a cell downwards and to the right; what goes beyond the sheet is left out. */
export function placeBlock(
  block: readonly (readonly string[])[],
  at: { readonly row: number; readonly column: number },
  { students, criteria }: Pick<GradeSheet, 'students' | 'criteria'>,
): { readonly student: SheetStudent; readonly criterion: Criterion; readonly text: string }[] {
  return block.flatMap((line, down) =>
    line.flatMap((text, right) => {
      const student = students[at.row + down]
      const criterion = criteria[at.column + right]
      return student === undefined || criterion === undefined ? [] : [{ student, criterion, text }]
    }),
  )
}
