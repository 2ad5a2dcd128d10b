import type { AnyImportKind } from '@matricula/contract'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { SeriesNames } from '../../entities/index.ts'
import { addedTo } from '../../tenancy/custom-fields/index.ts'
import { newId } from '../../values/index.ts'
import { ColumnFinder } from './columns.ts'
import { type FileFacts, openFile } from './files/open-file.ts'
import type { OpenedFile } from './files/table-file.ts'
import { type ImportCaller, type ImportPlatform, makeSession } from './import-session.ts'
import { KeyChecks } from './key-checks.ts'
import { getImportKind, type ImportKind, type ImportSession, type KindWriter, type RowOutcome } from './kinds/index.ts'
import type { Mapping } from './mapping.ts'
import { type ReadRow, type RowReader, rowReader } from './read-rows.ts'
import { RefusedRows } from './refused-rows.ts'
import { ErrorList, type FieldError, getRemedy, type ImportError, UnreadableFile } from './row-errors.ts'
import { storeRun } from './runs.ts'

/** What is to be imported, and how. */
export interface ImportRequest {
  readonly kind: AnyImportKind
  readonly file: FileFacts
  /** The name of the file as the report shows it. */
  readonly fileName: string
  readonly mapping: Mapping
  readonly isDryRun: boolean
  readonly skipsRefused: boolean
  /** The share of the existing records that may change, from 0 to 1; null where all may. */
  readonly maxChange: number | null
  /** Where refused rows go, also of a dry run; null where there is no report. */
  readonly reportPath: string | null
  /** The id of the run; a new one where it is absent. */
  readonly runId?: string
  /** What a check has said that the import does: where it would do something else, nothing is written. */
  readonly expected?: { readonly created: number; readonly updated: number }
  /** Told how many rows are done. */
  progress?(rows: number): void
  /** Does what else belongs to the import, in its transaction, before it is committed. */
  settle?(tx: Transaction, report: ImportReport): void
}

/** What came of an import. */
export interface ImportReport {
  readonly run: {
    readonly id: string
    readonly kind: AnyImportKind
    readonly created: number
    readonly updated: number
    readonly unchanged: number
    readonly refused: number
    readonly file: string
    readonly dryRun: boolean
  }
  readonly errors: readonly ImportError[]
  readonly errorCount: number
  readonly conflicts: readonly ImportError[]
  /** Where the refused rows are; null where none were written. */
  readonly report: string | null
  /** Why nothing was written; null where it was, or would have been. */
  readonly refusal: 'invalid_file' | 'too_many_changes' | 'changed_since_check' | null
}

/** Ends a transaction whose writes are not wanted. */
class RolledBack extends Error {
  readonly reports: readonly ImportReport[]

  constructor(reports: readonly ImportReport[]) {
    super('the import is rolled back')
    this.reports = reports
  }
}

/**
 * Imports a file in one transaction: all of it or, where a row is faulty and faulty rows are not skipped, nothing. A dry run is
 * the same, rolled back. Imports of a tenant run one after the other.
 */
export async function runImport(
  platform: ImportPlatform,
  caller: ImportCaller,
  request: ImportRequest,
): Promise<ImportReport> {
  const [report] = await runImports(platform, caller, [request])
  return report as ImportReport
}

/**
 * Imports files in one transaction, each as `runImport` does: all of them or, where one is refused, none. What comes behind a
 * file that cannot be read is not looked at.
 */
export async function runImports(
  platform: ImportPlatform,
  caller: ImportCaller,
  requests: readonly ImportRequest[],
): Promise<readonly ImportReport[]> {
  let attempts: Attempt[] = []
  const discard = async () => {
    for (const attempt of attempts) await attempt.discard()
    attempts = []
  }
  try {
    return await platform.database.for({ partition: 'long' }).transaction(caller.tenant.id, async (tx) => {
      await discard()
      const reports: ImportReport[] = []
      for (const request of requests) {
        const attempt = new Attempt(tx, platform, caller, request)
        attempts.push(attempt)
        reports.push(await attempt.run())
        if (attempt.isUnreadable) break
      }
      const isRefused = reports.some(({ refusal }) => refusal !== null)
      if (isRefused || requests.some(({ isDryRun }) => isDryRun)) throw new RolledBack(reports)
      for (const [index, report] of reports.entries()) requests[index]?.settle?.(tx, report)
      return reports
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.reports.map(asRolledBack)
    await discard()
    throw error
  }
}

/** What was taken back because another file was refused was not written. */
function asRolledBack(report: ImportReport): ImportReport {
  if (report.refusal !== null || report.run.dryRun) return report
  return { ...report, run: { ...report.run, created: 0, updated: 0 } }
}

function soundRows(rows: readonly ReadRow[]): ReadRow['row'][] {
  return rows.flatMap(({ row, errors }) => (errors.length === 0 ? [row] : []))
}

/** One attempt at a transaction that imports a file. */
class Attempt {
  readonly #tx: Transaction
  readonly #caller: ImportCaller
  readonly #request: ImportRequest
  readonly #kind: ImportKind
  readonly #platform: ImportPlatform
  readonly #runId: string
  readonly #errors = new ErrorList()
  readonly #conflicts = new ErrorList()
  readonly #counts = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  #report: RefusedRows | null = null
  /** Whether the file could not be read to its end. */
  isUnreadable = false
  #sheet: string | null = null

  constructor(tx: Transaction, platform: ImportPlatform, caller: ImportCaller, request: ImportRequest) {
    this.#tx = tx
    this.#platform = platform
    this.#caller = caller
    this.#request = request
    this.#runId = request.runId ?? newId()
    this.#kind = getImportKind(request.kind)
  }

  async run(): Promise<ImportReport> {
    const startedAt = new Date().toISOString()
    const { reportPath, skipsRefused, mapping } = this.#request
    await takeAdvisoryLock(this.#tx, 'imports')
    const existing = await this.#countExisting()
    try {
      const finder = new ColumnFinder(this.#kind.fields, mapping)
      const file = await openFile(this.#request.file)
      this.#sheet = file.sheet
      if (reportPath !== null) this.#report = new RefusedRows(reportPath, file)
      const reader = rowReader(file, finder, mapping, this.#customFields())
      this.isUnreadable = !this.#checkHeadings(file, reader)
      if (!this.isUnreadable) await this.#importRows(file, reader, finder)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      this.isUnreadable = true
      const { code, message: detail, line, column, heading } = error
      this.#addError({ field: null, code, detail }, { line, column, heading })
    }
    const hasErrors = this.isUnreadable || (this.#errors.count > 0 && !skipsRefused)
    const refusal = hasErrors ? 'invalid_file' : this.#findFurtherRefusal(existing)
    const isWritten = refusal === null && !this.#request.isDryRun
    if (isWritten) this.#storeRun(startedAt)
    const isComplete = !this.isUnreadable && (refusal === null || refusal === 'invalid_file')
    const hasReport = isComplete && this.#report !== null && (await this.#report.end())
    if (!isComplete) await this.discard()
    return this.#getReport(refusal, hasReport ? reportPath : null)
  }

  #findFurtherRefusal(existing: number): ImportReport['refusal'] {
    if (this.#changesTooMany(existing)) return 'too_many_changes'
    const { expected } = this.#request
    if (expected === undefined) return null
    const { created, updated } = this.#counts
    return created === expected.created && updated === expected.updated ? null : 'changed_since_check'
  }

  /** Removes a report of refused rows that is not complete. */
  async discard(): Promise<void> {
    await this.#report?.discard()
  }

  #customFields() {
    const { tenant } = this.#caller
    const types: Readonly<Record<string, string>> = {
      students: 'Student',
      applications: 'Student Applicant',
      payments: 'Payment',
    }
    const { defined } = addedTo(tenant.customFields, types[this.#kind.name] ?? '')
    return new Map(defined.map((field) => [field.name, field]))
  }

  #checkHeadings(file: OpenedFile, reader: RowReader): boolean {
    if (file.format === 'ndjson') return true
    for (const error of reader.headingErrors) {
      const place = { line: file.headingLine, column: error.index + 1, heading: file.headings[error.index] ?? null }
      this.#addError(error, place)
    }
    if (reader.headingErrors.length > 0) return false
    if (reader.has('id') || reader.has('externalId')) return true
    const remedy = 'Add a column externalId with the key of each record in your own system.'
    const error = { field: 'externalId', code: 'required', detail: 'has no column externalId or id', remedy } as const
    this.#addError(error, { line: file.headingLine, column: null, heading: null })
    return false
  }

  async #importRows(file: OpenedFile, reader: RowReader, finder: ColumnFinder): Promise<void> {
    const session = this.#makeSession(finder, reader)
    const writer = this.#kind.open(session)
    const checks = await KeyChecks.open(this.#tx, this.#kind)
    let done = 0
    let writing: Promise<void> = Promise.resolve()
    let ahead: Promise<void> = writing
    try {
      for await (const batch of file.rows) {
        const rows = reader.read(batch)
        const checked = rows.map((each) => ({ ...each, errors: [...each.errors, ...checks.check(each)] }))
        // The next rows are read and looked up while these are written.
        ahead = writer.lookAhead?.(soundRows(checked)) ?? ahead
        await writing
        await ahead
        writing = (async () => {
          await checks.confirm(checked)
          await this.#write(writer, reader, checked)
          this.#tx.send(sql`select analyze_grown_tables()`)
          done += batch.length
          this.#request.progress?.(done)
        })()
        writing.catch(() => {})
      }
    } finally {
      await ahead
      await writing
    }
  }

  async #write(writer: KindWriter, reader: RowReader, rows: readonly ReadRow[]): Promise<void> {
    const sound = rows.filter(({ errors }) => errors.length === 0)
    const outcomes = sound.length === 0 ? [] : await writer.write(sound.map(({ row }) => row))
    const byRow = new Map(sound.map((each, index) => [each, outcomes[index] as RowOutcome]))
    for (const each of rows) {
      const outcome = byRow.get(each) ?? { errors: each.errors }
      if ('errors' in outcome) await this.#refuse(each, outcome.errors, reader)
      else {
        this.#counts[outcome.outcome] += 1
        for (const { field, detail } of outcome.conflicts) {
          const remedy = 'Correct the file, or name the field under overwrite in a map.'
          const error = { field, code: 'inconsistent', detail, remedy } as const
          this.#conflicts.add(this.#placed(error, this.#placeOf(each, field, reader)))
        }
      }
    }
  }

  async #refuse(each: ReadRow, errors: readonly FieldError[], reader: RowReader): Promise<void> {
    this.#counts.refused += 1
    const placed = errors.map((error) => this.#addError(error, this.#placeOf(each, error.field, reader)))
    await this.#report?.add(each.source, placed)
  }

  #placeOf({ row }: ReadRow, field: string | null, reader: RowReader) {
    const place =
      reader.place(field) ?? reader.place(this.#columnsOf(field).find((column) => reader.has(column)) ?? null)
    return { line: row.line, column: place?.column ?? null, heading: place?.heading ?? field }
  }

  /** The columns that name another record for a field. */
  #columnsOf(field: string | null): string[] {
    return this.#kind.references.flatMap((each) => (each.field === field ? [each.column] : []))
  }

  #addError(error: FieldError, place: Pick<ImportError, 'line' | 'column' | 'heading'>): ImportError {
    const placed = this.#placed(error, place)
    this.#errors.add(placed)
    return placed
  }

  #placed({ code, detail, remedy }: FieldError, place: Pick<ImportError, 'line' | 'column' | 'heading'>): ImportError {
    const { line, column, heading } = place
    const file = this.#request.fileName
    return { file, sheet: this.#sheet, line, column, heading, code, detail, remedy: remedy ?? getRemedy(code) }
  }

  #makeSession(finder: ColumnFinder, reader: RowReader): ImportSession {
    const { tenant } = this.#caller
    const session = makeSession(this.#tx, this.#platform, this.#caller, this.#runId)
    const names = new SeriesNames(this.#platform.database, { isBeside: true })
    return {
      ...session,
      takeNames: (series, count) => {
        // What is rolled back in the end takes no numbers.
        const isRolledBack = this.#errors.count > 0 && !this.#request.skipsRefused
        if (this.#request.isDryRun || isRolledBack) {
          return Promise.resolve(Array.from({ length: count }, () => `${series}-${newId()}`))
        }
        // A file with codes of its own moves the series in this transaction, so nobody else could give them.
        return reader.has('studentCode')
          ? session.takeNames(series, count)
          : names.take(tenant.id, series, tenant.timeZone, count)
      },
      overwrites: (field) => [field, ...this.#columnsOf(field)].some((each) => finder.overwrites(each)),
    }
  }

  async #countExisting(): Promise<number> {
    if (this.#request.maxChange === null) return 0
    const [row] = await this.#tx.query<{ count: number }>(sql`
      select count(*)::integer as count from ${identifier(this.#kind.table)} where tenant_id = ${this.#tx.tenantId}`)
    return row?.count ?? 0
  }

  #changesTooMany(existing: number): boolean {
    const { maxChange } = this.#request
    return maxChange !== null && existing > 0 && this.#counts.updated / existing > maxChange
  }

  #storeRun(startedAt: string): void {
    const { actor } = this.#caller
    const { kind, fileName, file } = this.#request
    storeRun(this.#tx, {
      id: this.#runId,
      kind,
      fileName,
      sha256: file.sha256,
      ...this.#counts,
      conflicts: this.#conflicts.count,
      actor,
      startedAt,
    })
  }

  #getReport(refusal: ImportReport['refusal'], report: string | null): ImportReport {
    const { kind, fileName: file, isDryRun: dryRun } = this.#request
    const { created, updated, unchanged, refused } = this.#counts
    // What differs from a check is told as it would be.
    const isNothingWritten = refusal !== null && refusal !== 'changed_since_check' && !dryRun
    const counts = {
      created: isNothingWritten ? 0 : created,
      updated: isNothingWritten ? 0 : updated,
      unchanged,
      refused,
    }
    return {
      run: { id: this.#runId, kind, ...counts, file, dryRun },
      errors: this.#errors.first,
      errorCount: this.#errors.count,
      conflicts: this.#conflicts.first,
      report,
      refusal,
    }
  }
}

/** The report of a file that cannot be opened. */
export function unreadableReport(
  request: Pick<ImportRequest, 'kind' | 'fileName' | 'isDryRun'>,
  { code, message: detail, line, column, heading }: UnreadableFile,
): ImportReport {
  const { kind, fileName: file, isDryRun: dryRun } = request
  const error = { file, sheet: null, line, column, heading, code, detail, remedy: getRemedy(code) }
  return {
    run: { id: newId(), kind, created: 0, updated: 0, unchanged: 0, refused: 0, file, dryRun },
    errors: [error],
    errorCount: 1,
    conflicts: [],
    report: null,
    refusal: 'invalid_file',
  }
}
