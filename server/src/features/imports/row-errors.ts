import type { FaultCode, FileErrorCode } from '@matricula/contract'

/** Why a file or a row of it is refused. */
export type ImportErrorCode = FileErrorCode | FaultCode

/** What is wrong at one place of a file, and what to do. */
export interface ImportError {
  readonly file: string
  /** The sheet of a workbook; null for other files. */
  readonly sheet: string | null
  /** Where the record starts, from 1; null for the file as a whole. */
  readonly line: number | null
  /** The column, from 1; null for the record as a whole. */
  readonly column: number | null
  readonly heading: string | null
  readonly code: ImportErrorCode
  readonly detail: string
  readonly remedy: string
}

/** A fault of a record, before it is known where its field stands. */
export interface FieldError {
  /** The field of the record; null for the record as a whole. */
  readonly field: string | null
  readonly code: ImportErrorCode
  readonly detail: string
  readonly remedy?: string
}

/** How many faults are reported one by one; the others are counted. */
const maxReportedErrors = 100

/** What to do about each code, where a fault does not say it better. */
const remedies: Readonly<Partial<Record<ImportErrorCode, string>>> = {
  open_quote: 'Close the quotation mark, or double it where it belongs to the text.',
  broken_quote: 'Put the whole cell in quotation marks and double those inside it.',
  short_row: 'Add the missing cells, also where they are empty.',
  long_row: 'Put a cell that contains the delimiter in quotation marks, or remove the extra cells.',
  doubled_heading: 'Rename or remove one of the two columns.',
  unknown_heading: 'Correct the heading, name its field in a map, or list it under ignore there.',
  mojibake: 'Export the file again and choose UTF-8.',
  unknown_encoding: 'Save the file as CSV with the encoding UTF-8.',
  lost_zeros: 'Format the column as text and enter the leading zeros again.',
  scientific: 'Format the column as text and enter the value in full.',
  ambiguous_date: 'Write dates as YYYY-MM-DD, or say dates: dmy or mdy in the map.',
  numeric_key: 'Format the column as text, and check that no leading zeros are lost.',
  formula: 'Replace the formula by its value: copy the column and paste the values only.',
  error_cell: 'Correct the cell, or empty it.',
  duplicate: 'Remove one of the two, or give them different values.',
  reference_not_found: 'Create or import the record first, or correct the value.',
  missing_file: 'Check the name of the file, and the folder from which the command runs.',
  encrypted: 'Save the workbook without a password.',
  broken_workbook: 'Open the workbook in a spreadsheet program and save it again as .xlsx.',
  too_large: 'Split the file into smaller ones.',
  required: 'Fill in the cell, or add the column.',
  not_allowed_null: 'Fill in the cell, or remove the column to leave the field unchanged.',
  read_only: 'Remove the column, or leave the stored value in it.',
  not_in_enum: 'Choose one of the values.',
}

/** What to do about a fault. */
export function getRemedy(code: ImportErrorCode): string {
  return remedies[code] ?? 'Correct the value.'
}

/** A file that cannot be read on, whatever its other rows are. */
export class UnreadableFile extends Error {
  readonly code: ImportErrorCode
  readonly line: number | null
  readonly column: number | null
  readonly heading: string | null

  constructor(
    code: ImportErrorCode,
    detail: string,
    place: { readonly line?: number; readonly column?: number; readonly heading?: string } = {},
  ) {
    super(detail)
    this.code = code
    this.line = place.line ?? null
    this.column = place.column ?? null
    this.heading = place.heading ?? null
  }
}

/** Collects the faults of one attempt: the first hundred, and the number of all. */
export class ErrorList {
  readonly first: ImportError[] = []
  count = 0

  add(error: ImportError): void {
    this.count += 1
    if (this.first.length < maxReportedErrors) this.first.push(error)
  }
}
