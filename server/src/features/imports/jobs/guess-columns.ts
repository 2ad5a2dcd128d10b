import { commonHeadings } from '@matricula/contract'
import { ColumnFinder, reportHeading } from '../columns.ts'
import { type FileFacts, openFile } from '../files/open-file.ts'
import type { ObjectRow, TableRow } from '../files/table-file.ts'
import { cellText } from '../files/table-file.ts'
import { foldHeading, type ImportField } from '../import-fields.ts'
import type { Mapping } from '../mapping.ts'
import type { ImportJobRecord } from './import-job-store.ts'

type Columns = ImportJobRecord['columns']

const maxSamples = 3
const maxSampleLength = 80
/** How many columns of a file are looked at. */
const maxColumns = 300

/** What the columns of a file seem to be, with samples. Throws `UnreadableFile`. */
export async function guessColumns(
  file: FileFacts,
  fields: readonly ImportField[],
): Promise<{ readonly columns: Columns; readonly sheet: string | null }> {
  const opened = await openFile(file)
  const rows: (TableRow | ObjectRow)[] = []
  for await (const batch of opened.rows) {
    rows.push(...batch)
    if (rows.length > 0) break
  }
  const headings =
    opened.format === 'ndjson'
      ? [...new Set((rows as ObjectRow[]).slice(0, 100).flatMap(({ object }) => Object.keys(object ?? {})))]
      : opened.headings
  const sample = (heading: string, index: number): string[] => {
    const values =
      opened.format === 'ndjson'
        ? (rows as ObjectRow[]).map(({ object }) => toText(object?.[heading]))
        : (rows as TableRow[]).map(({ cells }) => cellText(cells[index] ?? ''))
    return values
      .filter((value) => value.trim() !== '')
      .slice(0, maxSamples)
      .map((value) => value.slice(0, maxSampleLength))
  }
  const found = headings.slice(0, maxColumns).map((heading, index) => ({ heading, samples: sample(heading, index) }))
  return { columns: withGuesses(found, fields), sheet: opened.sheet }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The fields of columns: those that a heading names, then guesses for fields that no other column names. */
function withGuesses(
  found: readonly { readonly heading: string; readonly samples: string[] }[],
  fields: readonly ImportField[],
): Columns {
  const finder = new ColumnFinder(fields, {})
  const named = found.map(({ heading }) => {
    const column = finder.find(heading)
    if (column === null || 'code' in column) return null
    return column.member === null ? column.field.name : `${column.field.name}.${column.member}`
  })
  const taken = new Set(named.filter((name) => name !== null))
  return found.map(({ heading, samples }, index) => {
    const own = named[index] ?? null
    if (own !== null || heading === reportHeading) return { heading, samples, field: own, isGuess: false }
    const guess = fields.find(({ name }) => !taken.has(name) && isCommonly(heading, name))?.name ?? null
    if (guess !== null) taken.add(guess)
    return { heading, samples, field: guess, isGuess: guess !== null }
  })
}

function isCommonly(heading: string, field: string): boolean {
  const folded = foldHeading(heading)
  return folded !== '' && (commonHeadings[field] ?? []).some((each) => foldHeading(each) === folded)
}

/** The map that guesses amount to: what is unknown is for a person to say. */
export function mappingOf(columns: Columns): Mapping {
  const guessed = columns.flatMap(({ heading, field, isGuess }) =>
    isGuess && field !== null ? [[heading, field]] : [],
  )
  return guessed.length === 0 ? {} : { columns: Object.fromEntries(guessed) as Record<string, string> }
}
