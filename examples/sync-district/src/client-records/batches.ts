import { type DataOf, Problem } from '@matricula/client'
import type { Place } from '../files/csv-rows.ts'
import { atOnce } from '../run/at-once.ts'
import type { Fields } from '../run/difference.ts'
import { getKey } from '../run/occasions.ts'
import { concernsEveryRequest, type Run, reportRejection, upsert } from '../run/run.ts'
import type { StoredRecord } from '../run/tenant-records.ts'

/** Rows that one request sends: few enough that a run which is stopped is soon over. */
const batchSize = 100

/** What became of one item of a batch. */
type Outcome = DataOf<'batchStudents'>[number]

interface Rows<Row, Item> {
  readonly kind: 'students' | 'payments'
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The body of the row's upsert; null when it is in step. */
  readonly changeOf: (row: Row) => Fields | null
  readonly records: Map<string, Item>
}

/**
 * Upserts the rows that are not in step, in batches. One that the service refuses is told and passed over. A batch that is
 * refused as a whole is sent row by row, so that the others of it are not held up.
 */
export async function upsertRows<Row extends { readonly place: Place }, Item extends StoredRecord>(
  run: Run,
  { kind, rows, keyOf, changeOf, records }: Rows<Row, Item>,
): Promise<void> {
  const rest = rows.flatMap((row) => {
    const body = changeOf(row)
    return body === null ? [] : [{ row, externalId: keyOf(row), body }]
  })
  const done = rows.length - rest.length
  run.report.count(kind, 'unchanged', done)
  run.progress.start(kind, rows.length, done)
  let reached = 0
  const batches: (typeof rest)[] = []
  for (let from = 0; from < rest.length; from += batchSize) batches.push(rest.slice(from, from + batchSize))
  await atOnce(batches, run.concurrency, run.stop, async (batch) => {
    const outcomes = await sendBatch(run, kind, batch, records)
    for (const [index, { row, externalId, body }] of batch.entries()) {
      try {
        if (outcomes === null) await upsert(run, kind, externalId, body, records)
        else keep(run, kind, externalId, body, outcomes[index] as Outcome, records)
      } catch (error) {
        if (!reportRejection(run, kind, row, error)) return
      }
      reached += 1
      run.progress.step()
    }
  })
  run.report.count(kind, 'not reached', rest.length - reached)
}

/** What became of each; null when the batch as such is refused. */
async function sendBatch(
  { client }: Run,
  kind: 'students' | 'payments',
  batch: readonly { readonly externalId: string; readonly body: Fields }[],
  records: ReadonlyMap<string, StoredRecord>,
): Promise<readonly Outcome[] | null> {
  const items = batch.map(({ externalId, body }) => ({ ...body, externalId }))
  // The same items after somebody changed the records are another occasion.
  const occasion = batch.map(({ externalId }) => records.get(externalId)?.updatedAt ?? 'new')
  try {
    return await client[kind].batch(items, { idempotencyKey: getKey(kind, items, occasion) })
  } catch (error) {
    if (error instanceof Problem && !concernsEveryRequest(error)) return null
    throw error
  }
}

function keep<Item extends StoredRecord>(
  run: Run,
  kind: 'students' | 'payments',
  externalId: string,
  body: Fields,
  { outcome, id, problem }: Outcome,
  records: Map<string, Item>,
): void {
  if (problem !== null) {
    // A row is told as if it had been sent alone.
    const document = JSON.parse(JSON.stringify(problem).replace(/#\/items\/\d+/g, '#'))
    throw new Problem(document.status, new Headers(), document)
  }
  // One that was not there before and is not new now was made by a try whose answer was lost.
  run.report.count(kind, records.has(externalId) ? outcome : 'created')
  records.set(externalId, { ...records.get(externalId), ...body, externalId, id } as unknown as Item)
}
