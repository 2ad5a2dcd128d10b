import { setImmediate } from 'node:timers/promises'
import type { BatchOutcome, Fault, Operation, Static } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { atOnce, BatchConflict, undoneByFailure } from '../../concurrency/index.ts'
import { type Database, type Transaction, TransactionRestart } from '../../database/index.ts'
import type { SeriesNames, Versioned } from '../../entities/index.ts'
import {
  createOrChange,
  leavesUnchanged,
  lockAll,
  lookUpAll,
  prepareUpsert,
  RecentInserts,
  readLocked,
  type Upsert,
  type Upserted,
  type Upserting,
  whichAreThere,
} from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import { inChunks } from '../../values/index.ts'
import { problemDocument } from './problem-response.ts'
import { requireRecordSize } from './record-size.ts'
import { getValidator } from './validation.ts'

type Outcome = Static<typeof BatchOutcome>

/** The services that upserts need. */
export interface UpsertPlatform {
  readonly names: SeriesNames
  readonly publicUrl: string
}

interface Sent {
  readonly externalId: string
}

/** An item of a batch while it is processed. */
interface BatchItem<Body> {
  readonly externalId: string
  /** Null where the item breaks the schema of the upsert. */
  readonly upsert: Upsert<Body> | null
  problem: Problem | null
  /** The outcome, once known. */
  done: { readonly outcome: Outcome['outcome']; readonly id: string } | null
  name: string | undefined
  /**
   * Whether it is written after the batched items, in a savepoint of its own, so that it sees their writes and is
   * rolled back by itself.
   */
  isAlone: boolean
}

/** Number of items whose records are read and locked at once. */
const chunkSize = 50

/** Maximum number of errors reported per item. */
const maxErrors = 5

/** The handlers of the upsert of a resource, single and in batches. `operation` is the single one. */
export function getUpserts<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  operation: Operation,
  { names, publicUrl }: UpsertPlatform,
) {
  const validate = getValidator(operation, { maxErrors })
  const place = { names, recentInserts: new RecentInserts() }

  /** Validates an item as the request that it stands for; error pointers are below the item. */
  const read = (context: RequestContext, sent: Sent, index: number): BatchItem<Body> => {
    const { externalId, ...body } = sent
    const item = { externalId, done: null, name: undefined, isAlone: false }
    try {
      const valid = validate({ params: { externalId }, query: {}, body })
      const asked = { ...context, ifMatch: null, readOnlyFields: valid.readOnlyFields }
      const own = upserting.getContext(asked, externalId, valid.body as Body)
      return { ...item, upsert: { externalId, body: valid.body as Body, context: own }, problem: null }
    } catch (error) {
      return { ...item, upsert: null, problem: toItemProblem(error, index) }
    }
  }

  const run = async (
    tx: Transaction,
    context: RequestContext,
    items: readonly BatchItem<Body>[],
    { isAtomic }: { readonly isAtomic: boolean },
  ): Promise<Versioned<Outcome[]>> => {
    const locked = await lockAll(upserting, tx, items.filter(isOpen).map(getExternalId))
    // A fixed order prevents deadlocks between batches that create the same records.
    const fresh = items.filter((item) => isOpen(item) && !locked.has(item.externalId)).sort(byExternalId)
    const open = [...items.filter(({ externalId }) => locked.has(externalId)), ...fresh]
    const together = open.filter(({ isAlone }) => !isAlone)
    const newUpserts = fresh.flatMap(({ isAlone, upsert, name }) =>
      isAlone || upsert === null ? [] : [{ ...upsert, name }],
    )
    const made = newUpserts.length < 2 ? undefined : await upserting.insertMany?.(tx, newUpserts)
    const read = (part: readonly BatchItem<Body>[]) =>
      readLocked(upserting.definition, tx, locked, part.map(getExternalId))
    const write = async (item: BatchItem<Body>, current: Versioned<Item> | undefined) => {
      const { upsert, externalId, name } = item
      const inserted = made?.get(externalId)
      const written: Upserted<Item> =
        inserted !== undefined
          ? { ...inserted, outcome: 'created' }
          : await createOrChange(upserting, tx, upsert as Upsert<Body>, current ?? null, name)
      if (written.outcome !== 'unchanged') requireRecordSize(JSON.stringify(written.record))
      return { outcome: written.outcome, id: written.record.id }
    }
    const written = new Map<BatchItem<Body>, BatchItem<Body>['done']>()
    let areAllBatched = true
    for (const part of inChunks(together, chunkSize)) {
      const current = await read(part)
      const results = await atOnce(
        tx,
        part.map((item) => () => write(item, current.get(item.externalId))),
      )
      part.forEach((item, index) => {
        const result = results[index] as PromiseSettledResult<BatchItem<Body>['done']>
        if (result.status === 'fulfilled') written.set(item, result.value)
        else {
          if (!(result.reason instanceof BatchConflict || result.reason instanceof Problem)) throw result.reason
          item.isAlone = true
          areAllBatched = false
        }
      })
    }
    // What such an item wrote can only be rolled back with the writes of the others.
    if (!areAllBatched) throw new TransactionRestart()
    const rejected = new Map<BatchItem<Body>, Problem>()
    for (const item of open.filter(({ isAlone }) => isAlone)) {
      const current = await read([item])
      try {
        written.set(item, await undoneByFailure(tx, () => write(item, current.get(item.externalId))))
      } catch (error) {
        rejected.set(item, toItemProblem(error, items.indexOf(item)))
      }
    }
    const outcomes = items.map((item): Outcome => {
      const { externalId } = item
      const done = item.done ?? written.get(item) ?? null
      if (done !== null) return { externalId, ...done, problem: null }
      const problem = (item.problem ?? rejected.get(item)) as Problem
      const document = problemDocument(problem, context.requestId ?? '', publicUrl) as Record<string, unknown>
      return { externalId, outcome: 'refused', id: null, problem: document }
    })
    if (isAtomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
      const detail = 'At least one item was refused, so that nothing was written.'
      const data = outcomes.map((each) => (each.outcome === 'created' ? { ...each, id: null } : each))
      throw new Problem('batch_refused', detail, { data })
    }
    return { record: outcomes, entityTag: null }
  }

  return {
    one: {
      prepare: (database: Database, request: { context: RequestContext; params: Sent; body: Body }) => {
        const { context, params, body } = request
        return prepareUpsert(upserting, place, database, { externalId: params.externalId, body, context })
      },
    },
    /** Takes all names at once, then runs in one transaction that batches the statements of many items. */
    batch: {
      prepare: async (
        database: Database,
        { context, body }: { context: RequestContext; body: { atomic?: boolean; items: readonly Sent[] } },
      ) => {
        requireDistinct(body.items)
        const items: BatchItem<Body>[] = []
        for (const part of inChunks(body.items, chunkSize)) {
          for (const sent of part) items.push(read(context, sent, items.length))
          await setImmediate() // yield to the event loop: a large body takes long
        }
        const sound = items.filter(({ upsert }) => upsert !== null)
        const { id: tenantId, timeZone } = context.tenant
        const itemsBySeries = new Map<string, BatchItem<Body>[]>()
        const { definition } = upserting
        const existing = await whichAreThere(database, tenantId, definition, sound.map(getExternalId))
        for (const part of inChunks(sound, chunkSize)) {
          const ofPart = part.map(getExternalId).filter((externalId) => existing.has(externalId))
          const known = await lookUpAll(database, tenantId, definition, ofPart)
          for (const item of part) {
            const upsert = item.upsert as Upsert<Body>
            const current = known.get(item.externalId)
            if (current !== undefined) {
              const isUnchanged = await leavesUnchanged(upserting, current, upsert)
              if (isUnchanged) item.done = { outcome: 'unchanged', id: current.record.id }
              continue
            }
            try {
              const series = upserting.findSeries(upsert.context, upsert.body)
              if (series !== null) itemsBySeries.set(series, [...(itemsBySeries.get(series) ?? []), item])
            } catch (error) {
              item.problem = toItemProblem(error, items.indexOf(item))
            }
          }
        }
        for (const [series, itemsOfSeries] of itemsBySeries) {
          const taken = await names.take(tenantId, series, timeZone, itemsOfSeries.length)
          itemsOfSeries.forEach((item, index) => {
            item.name = taken[index]
          })
        }
        return async (tx: Transaction) => {
          try {
            return await run(tx, context, items, { isAtomic: body.atomic === true })
          } catch (error) {
            // Items that violate a unique constraint fail together; one after the other, only the later one is
            // rejected.
            if (!(error instanceof Problem || error instanceof TransactionRestart)) {
              for (const item of items) item.isAlone = true
            }
            throw error
          }
        }
      },
    },
  }
}

const getExternalId = ({ externalId }: Sent) => externalId

const byExternalId = (one: Sent, other: Sent) => (one.externalId < other.externalId ? -1 : 1)

function isOpen<Body>({ problem, done }: BatchItem<Body>): boolean {
  return problem === null && done === null
}

function requireDistinct(items: readonly Sent[]): void {
  const seen = new Set<string>()
  const validationErrors = items.flatMap(({ externalId }, index): Fault[] => {
    if (!seen.has(externalId)) {
      seen.add(externalId)
      return []
    }
    const pointer = `#/items/${index}/externalId`
    return [{ in: 'body', pointer, code: 'inconsistent', detail: 'is that of an item before it: send each once' }]
  })
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
}

/** The problem of an item with its first errors, whose pointers are below the item. Rethrows what is no problem. */
function toItemProblem(error: unknown, index: number): Problem {
  if (!(error instanceof Problem)) throw error
  const { errors, ...extra } = error.extra as { errors?: readonly Fault[] }
  if (errors === undefined) return error
  const below = errors.slice(0, maxErrors).map((validationError): Fault => {
    const { name, ...rest } = validationError
    const pointer = rest.pointer?.replace(/^#/, '') ?? `/${name}`
    return { ...rest, in: 'body', pointer: `#/items/${index}${pointer}` }
  })
  if (error.code === 'validation_failed') return validationProblem(below, errors.length)
  return new Problem(error.code, error.message, { ...extra, errors: below }, { ...error.headers })
}
