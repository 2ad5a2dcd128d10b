import { type Client, type DeletedRecord, Problem } from '@matricula/client'
import type { Place } from '../files/csv-rows.ts'
import type { StudentRow } from '../files/interchange.ts'
import { atOnce } from './at-once.ts'
import { difference, type Fields, withoutNulls } from './difference.ts'
import type { Progress } from './progress.ts'
import type { RecordKind, Report } from './report.ts'
import type { StoredRecord } from './tenant-records.ts'

/** How a run goes about its rows. */
export interface Work {
  readonly report: Report
  readonly progress: Progress
  readonly stop: AbortSignal
  readonly concurrency: number
}

/** A run, as the parts of it share it that speak the Client API. */
export interface Run extends Work {
  readonly client: Client
}

/**
 * Sends the rows that are not in step. One that the service refuses is told and passed over; a refusal that every other
 * row would meet too ends the run. After `stop` the rest is counted as not reached.
 */
export async function syncRows<Row extends { readonly place: Place }>(
  run: Work,
  kind: RecordKind,
  rows: readonly Row[],
  isInStep: (row: Row) => boolean,
  send: (row: Row) => Promise<void>,
): Promise<void> {
  const rest = rows.filter((row) => !isInStep(row))
  const done = rows.length - rest.length
  run.report.count(kind, 'unchanged', done)
  run.progress.start(kind, rows.length, done)
  let reached = 0
  await atOnce(rest, run.concurrency, run.stop, async (row) => {
    try {
      await send(row)
    } catch (error) {
      if (!reportRejection(run, kind, row, error)) return
    }
    reached += 1
    run.progress.step()
  })
  run.report.count(kind, 'not reached', rest.length - reached)
}

/**
 * Tells of a row that the service refused, as itself and no other. False when the row was not reached because of `stop`. Throws
 * what is no refusal of this row.
 */
export function reportRejection(run: Work, kind: RecordKind, row: { readonly place: Place }, error: unknown): boolean {
  if (!(error instanceof Problem) || concernsEveryRequest(error)) {
    if (run.stop.aborted) return false
    throw error
  }
  run.report.count(kind, 'refused')
  run.report.fail(row.place, error.code, error.explanation)
  return true
}

/** Whether every other request would be refused for the same reason. */
export function concernsEveryRequest({ status }: Problem): boolean {
  return [401, 403, 429, 502, 503, 504].includes(status)
}

/** The rows whose student is in the tenant. Why another's is not there is told already. */
export function rowsWithStudent(
  run: Run,
  kind: RecordKind,
  rows: readonly StudentRow[],
  students: ReadonlyMap<string, StoredRecord>,
): StudentRow[] {
  const present = rows.filter(({ studentId }) => students.has(studentId))
  run.report.count(kind, run.stop.aborted ? 'not reached' : 'left out', rows.length - present.length)
  return present
}

/** The rows whose record nobody deleted in the tenant. What was deleted there is told, and is not made again. */
export function rowsNotDeleted<Row extends { readonly place: Place }>(
  run: Run,
  kind: RecordKind,
  rows: readonly Row[],
  deleted: ReadonlyMap<string, DeletedRecord>,
  keyOf: (row: Row) => string,
): Row[] {
  return rows.filter((row) => {
    const gone = deleted.get(keyOf(row))
    if (gone === undefined) return true
    const became = gone.mergedInto === null ? 'deleted' : `merged into ${gone.mergedInto}`
    run.report.count(kind, 'left out')
    run.report.note(
      row.place,
      'deleted_there',
      `${kind} ${keyOf(row)} was ${became} in the tenant at ${gone.deletedAt}`,
    )
    return false
  })
}

/** The id of a student that is in the tenant. */
export function getId(students: ReadonlyMap<string, StoredRecord>, studentId: string): string {
  const student = students.get(studentId)
  if (student === undefined) throw new Error(`the tenant has no student ${studentId}`)
  return student.id
}

/** The body that gives the record these fields, or null when it has them. */
export function changeTo(stored: StoredRecord | undefined, fields: Fields): Fields | null {
  return stored === undefined ? withoutNulls(fields) : difference(fields, stored)
}

const upserts = {
  students: 'upsertStudentByExternalId',
  applications: 'upsertApplicationByExternalId',
  payments: 'upsertPaymentByExternalId',
} as const

/** Creates or updates a record by its externalId, and keeps what the service answered among `records`. */
export async function upsert<Item extends StoredRecord>(
  run: Run,
  kind: keyof typeof upserts,
  externalId: string,
  body: Fields,
  records: Map<string, Item>,
): Promise<{ record: Item; isNew: boolean }> {
  const response = await run.client.call(upserts[kind], { path: { externalId }, body })
  const record = response.body.data as StoredRecord as Item
  const before = records.get(externalId)
  // One that was not there before and is not new now was made by a try whose answer was lost.
  const outcome = before === undefined ? 'created' : record.updatedAt === before.updatedAt ? 'unchanged' : 'updated'
  run.report.count(kind, outcome)
  records.set(externalId, record)
  return { record, isNew: response.status === 201 }
}
