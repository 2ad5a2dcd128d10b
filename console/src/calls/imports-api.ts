import { call } from './http.ts'
import { institutionPath } from './place.ts'

/** How the columns of a file are read. */
export interface ImportMapping {
  readonly columns?: Readonly<Record<string, string>>
  readonly dates?: 'iso' | 'dmy' | 'mdy'
  readonly decimal?: 'point' | 'comma'
  readonly ignore?: readonly string[]
  readonly overwrite?: readonly string[]
}

/** What is wrong at one place of a file. */
export interface ImportFault {
  readonly sheet: string | null
  readonly line: number | null
  readonly column: number | null
  readonly heading: string | null
  readonly code: string
  readonly detail: string
  readonly remedy: string
}

/** What a check found, or an import did. */
export interface ImportReport {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly faults: readonly ImportFault[]
  readonly faultCount: number
  readonly conflicts: readonly ImportFault[]
  readonly refusal: 'invalid_file' | 'changed_since_check' | null
  readonly hasRefusedRows: boolean
}

/** A column of a file, and what it seems to stand for. */
export interface ImportColumn {
  readonly heading: string
  readonly field: string | null
  readonly isGuess: boolean
  readonly samples: readonly string[]
}

/** A file that is imported, and where it stands. */
export interface ImportJob {
  readonly id: string
  readonly kind: string
  readonly fileName: string
  readonly format: 'csv' | 'xlsx' | 'ndjson'
  readonly columns: readonly ImportColumn[]
  readonly fields: readonly { readonly name: string; readonly titles: readonly string[] }[]
  readonly mapping: ImportMapping
  readonly status: 'uploaded' | 'checking' | 'checked' | 'importing' | 'imported' | 'undoing' | 'undone' | 'failed'
  readonly rows: number
  readonly report: ImportReport | null
  readonly undone: number | null
  readonly kept: readonly { readonly externalId: string | null; readonly id: string; readonly detail: string }[]
  readonly keptCount: number
  readonly error: string | null
  readonly by: string
  readonly createdAt: string
}

/** The latest imports of this person, or of everybody. Throws `CommandError`, as all of these do. */
export async function importJobs(): Promise<ImportJob[]> {
  return (await call('GET', '/console/v1/imports')).body.data
}

/** One import. Nobody's doing: it is asked again and again. */
export async function importJob(id: string): Promise<ImportJob> {
  return (await call('GET', `/console/v1/imports/${id}`, { isByItself: true })).body.data
}

/** Uploads a file. The same one again, before it was imported, is the import that is there. */
export async function uploadImport(kind: string, file: File): Promise<ImportJob> {
  const options = { query: { kind, fileName: file.name }, body: file, headers: { 'content-type': octets } }
  return (await call('POST', '/console/v1/imports', options)).body.data
}

const octets = 'application/octet-stream'

/** Begins to check a file, as its columns are read. */
export async function checkImport(id: string, mapping: ImportMapping): Promise<ImportJob> {
  return (await call('POST', `/console/v1/imports/${id}/check`, { body: { mapping } })).body.data
}

/** Begins to import what was checked; nothing else than that is done. */
export async function commitImport(
  id: string,
  said: { readonly created: number; readonly updated: number; readonly skipFaulty: boolean },
): Promise<ImportJob> {
  return (await call('POST', `/console/v1/imports/${id}/commit`, { body: said })).body.data
}

/** Begins to take back what an import made or changed. */
export async function undoImport(id: string): Promise<ImportJob> {
  return (await call('POST', `/console/v1/imports/${id}/undo`, { body: {} })).body.data
}

/** The address of the rows that were refused, as a file. */
export function refusedRowsAddress({ id }: ImportJob): string {
  return `${institutionPath}/console/v1/imports/${id}/refused-rows`
}
