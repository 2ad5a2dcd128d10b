import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

/** Where a row stands, for whoever has to mend it. */
export interface Place {
  readonly file: string
  /** Line of the file, from 1. */
  readonly line: number
}

/** A row of a file, by column; null where the file is silent. */
export interface Row<Column extends string> {
  readonly place: Place
  readonly values: Readonly<Record<Column, string | null>>
}

/** A file cannot be read at all, so that the run must not begin: what it lacks would look like being removed. */
export class FileError extends Error {}

interface Parsed {
  readonly record: Record<string, string>
  readonly info: { readonly lines: number }
}

/** The rows of a file that has these columns, in its order. Throws `FileError`, also for a file that ends half way. */
export async function readRows<Column extends string>(
  folder: string,
  file: string,
  columns: readonly Column[],
): Promise<Row<Column>[]> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new FileError(`${join(folder, file)} cannot be read: ${error.code ?? error.message}`)
  })
  const [header, ...rows] = parseText(file, text)
  const names = Object.values(header?.record ?? {})
  const missing = columns.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new FileError(`${file} lacks the columns ${missing.join(', ')}.`)
  const positions = columns.map((column) => [column, names.indexOf(column)] as const)
  return rows.map(({ record, info }) => ({
    place: { file, line: info.lines },
    values: Object.fromEntries(positions.map(([column, at]) => [column, record[at] || null])) as Row<Column>['values'],
  }))
}

function parseText(file: string, text: string): Parsed[] {
  try {
    return parse(text, { bom: true, trim: true, info: true, skip_empty_lines: true }) as unknown as Parsed[]
  } catch (error) {
    throw new FileError(`${file} is not whole: ${(error as Error).message}`)
  }
}
