import type { BatchOutcome, Fault, Operation, Static } from '@matricula/contract'
import { BeginAgain, type Database, type Transaction } from '../database/index.ts'
import type { SeriesNames } from '../platform/naming-series.ts'
import { Problem, validationProblem } from '../platform/problem.ts'
import type { Versioned } from '../platform/reading.ts'
import type { RequestContext } from '../platform/request-context.ts'
import {
  createOrChange,
  leavesUnchanged,
  lockAll,
  lookUpAll,
  prepareUpsert,
  type Upsert,
  type Upserted,
  type Upserting,
} from '../platform/upserting.ts'
import { problemDocument } from './problem-answer.ts'
import { validatorOf } from './validation.ts'

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
interface BatchItem<Item, Body> {
  readonly externalId: string
  /** Null where the item breaks the schema of the upsert. */
  readonly upsert: Upsert<Body> | null
  problem: Problem | null
  /** The record that the item leaves as it is. */
  unchanged: Versioned<Item> | null
  name: string | undefined
}

/** The handlers of a resource's upsert, one by one and in batches. `operation` is that of one. */
export function upsertsOf<Row extends object, Item extends { readonly id: string }, Body>(
  upserting: Upserting<Row, Item, Body>,
  operation: Operation,
  { names, publicUrl }: UpsertPlatform,
) {
  const validate = validatorOf(operation)

  /** An item as the request that it stands for would be read, its faults with pointers below the item. */
  const read = (context: RequestContext, sent: Sent, index: number): BatchItem<Item, Body> => {
    const { externalId, ...body } = sent
    const item = { externalId, unchanged: null, name: undefined }
    try {
      const valid = validate({ params: { externalId }, query: {}, body })
      const asked = { ...context, ifMatch: null, readOnlyFields: valid.readOnlyFields }
      const own = upserting.contextOf(asked, externalId, valid.body as Body)
      return { ...item, upsert: { externalId, body: valid.body as Body, context: own }, problem: null }
    } catch (error) {
      return { ...item, upsert: null, problem: refusalOf(error, index) }
    }
  }

  const run = async (
    tx: Transaction,
    context: RequestContext,
    items: readonly BatchItem<Item, Body>[],
    known: ReadonlyMap<string, Versioned<Item>>,
    isAtomic: boolean,
    isOneByOne: boolean,
  ): Promise<Versioned<Outcome[]>> => {
    const open = items.filter(({ problem, unchanged }) => problem === null && unchanged === null)
    const ids = open.flatMap(({ externalId }) => known.get(externalId)?.record.id ?? [])
    const locked = await lockAll(
      upserting,
      tx,
      ids,
      open.map(({ externalId }) => externalId),
    )
    const fresh = open.flatMap(({ externalId, upsert }) => (locked.has(externalId) || upsert === null ? [] : [upsert]))
    const made = isOneByOne || fresh.length < 2 ? undefined : await upserting.insertMany?.(tx, fresh)
    const write = async ({ upsert, externalId, name }: BatchItem<Item, Body>): Promise<Upserted<Item>> => {
      const together = made?.get(externalId)
      if (together !== undefined) return { ...together, outcome: 'created' }
      return createOrChange(upserting, tx, upsert as Upsert<Body>, locked.get(externalId) ?? null, name)
    }
    const results = isOneByOne ? await oneByOne(open, write) : await Promise.allSettled(open.map(write))
    const refused = new Map<BatchItem<Item, Body>, Problem>()
    open.forEach((item, index) => {
      const result = results[index] as PromiseSettledResult<unknown>
      if (result.status === 'rejected') refused.set(item, refusalOf(result.reason, items.indexOf(item)))
    })
    const written = new Map(open.map((item, index) => [item, results[index]] as const))
    const outcomes = items.map((item): Outcome => {
      const { externalId, unchanged } = item
      const problem = item.problem ?? refused.get(item) ?? null
      if (problem !== null) {
        const document = problemDocument(problem, context.requestId ?? '', publicUrl) as Record<string, unknown>
        return { externalId, outcome: 'refused', id: null, problem: document }
      }
      if (unchanged !== null) return { externalId, outcome: 'unchanged', id: unchanged.record.id, problem: null }
      const { value } = written.get(item) as PromiseFulfilledResult<Upserted<Item>>
      return { externalId, outcome: value.outcome, id: value.record.id, problem: null }
    })
    if (isAtomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
      const detail = 'At least one item was refused, so that nothing was written.'
      const data = outcomes.map((each) => (each.outcome === 'created' ? { ...each, id: null } : each))
      throw new Problem('batch_refused', detail, { data })
    }
    if (refused.size > 0) {
      // What a refused item has written before it was refused must go, and what the others have written goes with it.
      for (const [item, problem] of refused) item.problem = problem
      throw new BeginAgain(async () => {})
    }
    return { record: outcomes, entityTag: null }
  }

  return {
    one: {
      prepare: (database: Database, request: { context: RequestContext; params: Sent; body: Body }) => {
        const { context, params, body } = request
        return prepareUpsert(upserting, names, database, { externalId: params.externalId, body, context })
      },
    },
    /** Takes all names at once, then runs in one transaction, in which the statements of all items are sent together. */
    batch: {
      prepare: async (
        database: Database,
        { context, body }: { context: RequestContext; body: { atomic?: boolean; items: readonly Sent[] } },
      ) => {
        requireDistinct(body.items)
        const items = body.items.map((sent, index) => read(context, sent, index))
        const sound = items.filter(({ upsert }) => upsert !== null)
        const { id: tenantId, timeZone } = context.tenant
        const known = await lookUpAll(
          database,
          tenantId,
          upserting.definition,
          sound.map(({ externalId }) => externalId),
        )
        const wanting = new Map<string, BatchItem<Item, Body>[]>()
        for (const item of sound) {
          const upsert = item.upsert as Upsert<Body>
          const current = known.get(item.externalId)
          if (current !== undefined) {
            if (await leavesUnchanged(upserting, current, upsert)) item.unchanged = current
            continue
          }
          try {
            const series = upserting.seriesOf(upsert.context, upsert.body)
            if (series !== null) wanting.set(series, [...(wanting.get(series) ?? []), item])
          } catch (error) {
            item.problem = refusalOf(error, items.indexOf(item))
          }
        }
        for (const [series, nameless] of wanting) {
          const taken = await names.take(tenantId, series, timeZone, nameless.length)
          nameless.forEach((item, index) => {
            item.name = taken[index]
          })
        }
        let isOneByOne = false
        return async (tx: Transaction) => {
          try {
            return await run(tx, context, items, known, body.atomic === true, isOneByOne)
          } catch (error) {
            // Items that meet in a unique value fail all of them at once; one after the other, the later one is refused.
            isOneByOne ||= !(error instanceof Problem || error instanceof BeginAgain)
            throw error
          }
        }
      },
    },
  }
}

async function oneByOne<Item, Result>(
  items: readonly Item[],
  write: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  for (const item of items) results.push(...(await Promise.allSettled([write(item)])))
  return results
}

function requireDistinct(items: readonly Sent[]): void {
  const seen = new Set<string>()
  const faults = items.flatMap(({ externalId }, index): Fault[] => {
    if (!seen.has(externalId)) {
      seen.add(externalId)
      return []
    }
    const pointer = `#/items/${index}/externalId`
    return [{ in: 'body', pointer, code: 'inconsistent', detail: 'is that of an item before it: send each once' }]
  })
  if (faults.length > 0) throw validationProblem(faults)
}

/** The refusal of an item, with its pointers below the item. Throws what is no refusal. */
function refusalOf(error: unknown, index: number): Problem {
  if (!(error instanceof Problem)) throw error
  const { errors, ...extra } = error.extra as { errors?: readonly Fault[] }
  if (errors === undefined) return error
  const below = errors.map((fault): Fault => {
    const { name, ...rest } = fault
    const pointer = rest.pointer?.replace(/^#/, '') ?? `/${name}`
    return { ...rest, in: 'body', pointer: `#/items/${index}${pointer}` }
  })
  if (error.code === 'validation_failed') return validationProblem(below)
  return new Problem(error.code, error.message, { ...extra, errors: below }, { ...error.headers })
}
