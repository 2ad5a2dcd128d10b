import type { AnyImportKind } from '@matricula/contract'
import { csvLine } from './files/csv-text.ts'
import { getImportKind } from './kinds/index.ts'

/** The names of the fields that a file of a kind may have, in their order. */
export function importColumns(kind: AnyImportKind): string[] {
  return getImportKind(kind).fields.map(({ name }) => name)
}

/** Keys of named records other than the externalId, which people do not have. */
const leftOut: ReadonlySet<string> = new Set([
  'id',
  'programId',
  'studentId',
  'applicationId',
  'customFields',
  'docstatus',
])

/** An empty CSV file of a kind: the headings that people fill in, with the mark by which spreadsheets know UTF-8. */
export function getTemplate(kind: AnyImportKind): string {
  const columns = getImportKind(kind).fields.filter(({ name, isReadOnly }) => !isReadOnly && !leftOut.has(name))
  return `\ufeff${csvLine(columns.map(({ name }) => name))}`
}
