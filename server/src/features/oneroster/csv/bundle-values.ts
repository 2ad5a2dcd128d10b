import { isCalendarDate, parseStamp } from '../../../http/index.ts'
import type { BundleFault, BundleRow } from './bundle-reader.ts'

/** Gathers what is wrong with a bundle: the first hundred, and how many there are. */
export class Faults {
  readonly first: BundleFault[] = []
  count = 0

  add(row: BundleRow, heading: string | null, code: string, detail: string): void {
    this.count += 1
    if (this.first.length >= 100) return
    const index = heading === null ? -1 : [...row.headings.keys()].indexOf(heading.toLowerCase())
    const column = index < 0 ? null : index + 1
    this.first.push({ file: row.file, line: row.line, column, heading, code, detail })
  }
}

/** The first value that a row has under one of these headings, in any case. */
export function readCell(row: BundleRow, ...headings: readonly string[]): string | null {
  for (const heading of headings) {
    const value = row.values.get(heading.toLowerCase())
    if (value !== undefined) return value
  }
  return null
}

/** A value that must be there; null with a fault where it is not. */
export function required(row: BundleRow, faults: Faults, ...headings: readonly string[]): string | null {
  const value = readCell(row, ...headings)
  if (value === null) faults.add(row, headings[0] ?? null, 'required', `${headings[0]} is empty.`)
  return value
}

/** A list: separated by commas, with or without spaces, or as JSON. */
export function readList(value: string | null): string[] {
  if (value === null) return []
  if (value.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(value)
      if (Array.isArray(list)) return list.map(String)
    } catch {
      // a list by commas
    }
  }
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** A date, `YYYY-MM-DD`, also of a time; null with a fault for what is none. */
export function readDay(row: BundleRow, faults: Faults, ...headings: readonly string[]): string | null {
  const value = readCell(row, ...headings)
  if (value === null || isCalendarDate(value)) return value
  if (parseStamp(value) !== null) return value.slice(0, 10)
  faults.add(row, headings[0] ?? null, 'format', `${value} is no date: write 2026-09-01.`)
  return null
}

/** The day before an exclusive end. */
export function lastDay(end: string | null): string | null {
  if (end === null) return null
  return new Date(Date.parse(`${end}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

/** Whether a row says that its object is gone. */
export const isGone = (row: BundleRow) => readCell(row, 'status')?.toLowerCase() === 'tobedeleted'

/** Whether a row says that its user may not log in. */
export const isOff = (row: BundleRow) =>
  ['false', '0', 'no'].includes(readCell(row, 'enabledUser')?.toLowerCase() ?? '') ||
  readCell(row, 'status')?.toLowerCase() === 'inactive'
