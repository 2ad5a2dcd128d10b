import { importBounds, type Json } from '@matricula/contract'
import { readCell } from './cell-values.ts'
import { type Column, type ColumnFinder, findColumns, reportHeading } from './columns.ts'
import { type CustomField, definedField } from './custom-columns.ts'
import { findMojibake } from './files/encoding.ts'
import { type Cell, cellText, type ObjectRow, type OpenedFile, type TableRow } from './files/table-file.ts'
import type { ImportField } from './import-fields.ts'
import type { ImportRow } from './kinds/index.ts'
import type { Mapping } from './mapping.ts'
import type { FieldError } from './row-errors.ts'

/** A row whose cells are read, with what is wrong with them. */
export interface ReadRow {
  readonly row: ImportRow
  readonly errors: readonly FieldError[]
  /** The row as the file has it, for the report of refused rows. */
  readonly source: TableRow | ObjectRow
}

/** Reads the rows of a file as values of fields. */
export interface RowReader {
  /** The faults of the headings; with any of them no row can be read. */
  readonly headingErrors: readonly (FieldError & { readonly index: number })[]
  read(batch: readonly (TableRow | ObjectRow)[]): ReadRow[]
  /** Where a field stands, from 1, and under which heading; null where it has no column. */
  place(field: string | null): { readonly column: number; readonly heading: string } | null
  /** Whether a field has a column. */
  has(field: string): boolean
}

/** What reads the rows of a file that was opened. */
export function rowReader(
  file: OpenedFile,
  finder: ColumnFinder,
  mapping: Mapping,
  customFields: ReadonlyMap<string, CustomField>,
): RowReader {
  return file.format === 'ndjson'
    ? objectReader(finder, mapping, customFields)
    : tableReader(file.headings, finder, mapping, customFields)
}

function tableReader(
  headings: readonly string[],
  finder: ColumnFinder,
  mapping: Mapping,
  customFields: ReadonlyMap<string, CustomField>,
): RowReader {
  const { columns, errors: headingErrors } = findColumns(finder, headings)
  const places = new Map<string, { column: number; heading: string }>()
  for (const [index, column] of columns.entries()) {
    if (column === null) continue
    const place = { column: index + 1, heading: headings[index] as string }
    if (!places.has(column.field.name)) places.set(column.field.name, place)
    if (column.member !== null) places.set(`${column.field.name}.${column.member}`, place)
  }
  const fields = columns.map((column) => (column === null ? null : definedField(column, customFields)))
  const width = headings.length
  const read = (source: TableRow): ReadRow => {
    const { line, cells } = source
    const errors: FieldError[] = []
    const values: Record<string, Json> = {}
    let suspects: Map<string, string> | null = null
    if (cells.length !== width) {
      const isShort = cells.length < width
      // A workbook leaves out empty cells at the end of a row.
      const detail = `has ${cells.length} cells, and the headings are ${width}`
      errors.push({ field: null, code: isShort ? 'short_row' : 'long_row', detail })
      return { row: { line, values, suspects: new Map() }, errors, source }
    }
    for (let index = 0; index < width; index += 1) {
      const column = columns[index] as Column | null
      if (column === null) continue
      const cell = cells[index] as Cell
      const found = readCell(fields[index] as ImportField, cell, mapping)
      if ('error' in found) {
        errors.push({ ...found.error, field: toPath(column) })
        continue
      }
      setValue(values, column, found.value)
      if (typeof found.value !== 'string') continue
      const meant = findMojibake(found.value)
      if (meant === null) continue
      suspects ??= new Map()
      suspects.set(column.field.name, meant)
    }
    return { row: { line, values, suspects: suspects ?? noSuspects }, errors, source }
  }
  return {
    headingErrors,
    read: (batch) => (batch as readonly TableRow[]).map(read),
    place: (field) => (field === null ? null : (places.get(field) ?? null)),
    has: (field) => places.has(field),
  }
}

const noSuspects: ReadonlyMap<string, string> = new Map()

function toPath({ field, member }: Column): string {
  return member === null ? field.name : `${field.name}.${member}`
}

function setValue(values: Record<string, Json>, { field, member }: Column, value: Json): void {
  if (member === null) values[field.name] = value
  else {
    const object = (values[field.name] ?? {}) as Record<string, Json>
    object[member] = value
    values[field.name] = object
  }
}

function objectReader(
  finder: ColumnFinder,
  mapping: Mapping,
  customFields: ReadonlyMap<string, CustomField>,
): RowReader {
  const known = new Map<string, Column | null | FieldError>()
  const find = (heading: string) => {
    const found = known.get(heading)
    if (found !== undefined) return found
    const column = heading === reportHeading ? null : finder.find(heading)
    if (known.size < 10_000) known.set(heading, column)
    return column
  }
  const seen = new Set<string>()
  const read = (source: ObjectRow): ReadRow => {
    const { line, object } = source
    const errors: FieldError[] = []
    const values: Record<string, Json> = {}
    const suspects = new Map<string, string>()
    if (object === null) errors.push({ field: null, code: 'format', detail: 'must be a JSON object' })
    const members = Object.entries(object ?? {})
    if (members.length > importBounds.columns) {
      const detail = `has ${members.length} members; send at most ${importBounds.columns}`
      return { row: { line, values, suspects }, errors: [{ field: null, code: 'long_row', detail }], source }
    }
    for (const [heading, sent] of members) {
      const column = find(heading)
      if (column === null) continue
      if ('code' in column) {
        errors.push({ ...column, field: heading })
        continue
      }
      const field = definedField(column, customFields)
      seen.add(field.name)
      const isText = typeof sent === 'string' && field.type !== 'object' && field.type !== 'list'
      const found = isText && sent !== '' ? readCell({ ...field, isKey: false }, sent, mapping) : { value: sent }
      if ('error' in found) {
        errors.push({ ...found.error, field: toPath(column) })
        continue
      }
      if (field.isKey && typeof sent === 'number') {
        const detail = 'is a number and not a text, so zeros before it may be lost'
        errors.push({ field: field.name, code: 'numeric_key', detail })
        continue
      }
      const value = isText && field.type !== 'text' ? found.value : sent
      setValue(values, column, value)
      const meant = typeof value === 'string' ? findMojibake(value) : null
      if (meant !== null) suspects.set(column.field.name, meant)
    }
    return { row: { line, values, suspects }, errors, source }
  }
  return {
    headingErrors: [],
    read: (batch) => (batch as readonly ObjectRow[]).map(read),
    place: () => null,
    has: (field) => seen.has(field),
  }
}

/** The text of a row's cells, as a report of refused rows writes them. */
export function sourceCells(source: TableRow): string[] {
  return source.cells.map(cellText)
}
