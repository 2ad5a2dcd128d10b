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
import { problemDocument } from './problem-response.ts'
import { requireRecordSize } from './record-size.ts'
import { getValidator } from './validation.ts'

type Outcome = Static<typeof BatchOutcome>

/** What upserts need of the service. */
export interface UpsertPlatform {
  readonly names: SeriesNames
  readonly publicUrl: string
}

interface Sent {
  readonly externalId: string
}

/** An item of a batch on its way. */
interface BatchItem<Body> {
  readonly externalId: string
  /** Null where the item breaks the schema of the upsert. */
  readonly upsert: Upsert<Body> | null
  problem: Problem | null
  /** What became of the record, once that is known. */
  done: { readonly outcome: Outcome['outcome']; readonly id: string } | null
  name: string | undefined
  /**
   * Whether it is written after those that are written at once, so that it sees what they have made, and undone by itself where it
   * is refused.
   */
  isAlone: boolean
}

/** Items whose records are read and held at once. */
const partSize = 50

/** Faults that are told of one item. */
const maxFaults = 5

/** The handlers of a resource's upsert, one by one and in batches. `operation` is that of one. */
export function getUpserts<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  operation: Operation,
  { names, publicUrl }: UpsertPlatform,
) {
  const validate = getValidator(operation, { mostFaults: maxFaults })
  const place = { names, newOfLate: new RecentInserts() }

  /** An item as the request that it stands for would be read, its faults with pointers below the item. */
  const read = (context: RequestContext, sent: Sent, index: number): BatchItem<Body> => {
    const { externalId, ...body } = sent
    const item = { externalId, done: null, name: undefined, isAlone: false }
    try {
      const valid = validate({ params: { externalId }, query: {}, body })
      const asked = { ...context, ifMatch: null, readOnlyFields: valid.readOnlyFields }
      const own = upserting.getContext(asked, externalId, valid.body as Body)
      return { ...item, upsert: { externalId, body: valid.body as Body, context: own }, problem: null }
    } catch (error) {
      return { ...item, upsert: null, problem: toErrorResponse(error, index) }
    }
  }

  const run = async (
    tx: Transaction,
    context: RequestContext,
    items: readonly BatchItem<Body>[],
    { isAtomic }: { readonly isAtomic: boolean },
  ): Promise<Versioned<Outcome[]>> => {
    const locked = await lockAll(upserting, tx, items.filter(isOpen).map(getExternalId))
    // Two who make the same in different orders would wait for each other.
    const fresh = items.filter((item) => isOpen(item) && !locked.has(item.externalId)).sort(byExternalId)
    const open = [...items.filter(({ externalId }) => locked.has(externalId)), ...fresh]
    const together = open.filter(({ isAlone }) => !isAlone)
    const newUpserts = fresh.flatMap(({ isAlone, upsert }) => (isAlone || upsert === null ? [] : [upsert]))
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
    let areAllWritten = true
    for (const part of inParts(together)) {
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
          areAllWritten = false
        }
      })
    }
    // What such an item has written must go, and what the others have written goes with it.
    if (!areAllWritten) throw new TransactionRestart()
    const rejected = new Map<BatchItem<Body>, Problem>()
    for (const item of open.filter(({ isAlone }) => isAlone)) {
      const current = await read([item])
      try {
        written.set(item, await undoneByFailure(tx, () => write(item, current.get(item.externalId))))
      } catch (error) {
        rejected.set(item, toErrorResponse(error, items.indexOf(item)))
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
    /** Takes all names at once, then runs in one transaction, in which the statements of many items are sent together. */
    batch: {
      prepare: async (
        database: Database,
        { context, body }: { context: RequestContext; body: { atomic?: boolean; items: readonly Sent[] } },
      ) => {
        requireDistinct(body.items)
        const items: BatchItem<Body>[] = []
        for (const part of inParts(body.items)) {
          for (const sent of part) items.push(read(context, sent, items.length))
          await setImmediate() // the largest body is read for longer than others may be held up
        }
        const sound = items.filter(({ upsert }) => upsert !== null)
        const { id: tenantId, timeZone } = context.tenant
        const wanting = new Map<string, BatchItem<Body>[]>()
        const { definition } = upserting
        const there = await whichAreThere(database, tenantId, definition, sound.map(getExternalId))
        for (const part of inParts(sound)) {
          const ofPart = part.map(getExternalId).filter((externalId) => there.has(externalId))
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
              if (series !== null) wanting.set(series, [...(wanting.get(series) ?? []), item])
            } catch (error) {
              item.problem = toErrorResponse(error, items.indexOf(item))
            }
          }
        }
        for (const [series, nameless] of wanting) {
          const taken = await names.take(tenantId, series, timeZone, nameless.length)
          nameless.forEach((item, index) => {
            item.name = taken[index]
          })
        }
        return async (tx: Transaction) => {
          try {
            return await run(tx, context, items, { isAtomic: body.atomic === true })
          } catch (error) {
            // Items that meet in a unique value fail all of them at once; one after the other, the later one is refused.
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

function inParts<Each>(all: readonly Each[]): Each[][] {
  return Array.from({ length: Math.ceil(all.length / partSize) }, (_, index) =>
    all.slice(index * partSize, (index + 1) * partSize),
  )
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

/** The refusal of an item, with its first faults, whose pointers are below the item. Throws what is no refusal. */
function toErrorResponse(error: unknown, index: number): Problem {
  if (!(error instanceof Problem)) throw error
  const { errors, ...extra } = error.extra as { errors?: readonly Fault[] }
  if (errors === undefined) return error
  const below = errors.slice(0, maxFaults).map((validationError): Fault => {
    const { name, ...rest } = validationError
    const pointer = rest.pointer?.replace(/^#/, '') ?? `/${name}`
    return { ...rest, in: 'body', pointer: `#/items/${index}${pointer}` }
  })
  if (error.code === 'validation_failed') return validationProblem(below, errors.length)
  return new Problem(error.code, error.message, { ...extra, errors: below }, { ...error.headers })
}
