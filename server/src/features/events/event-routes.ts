import { eventOperations, feedBounds } from '@matricula/contract'
import { Problem, validationProblem } from '../../errors/index.ts'
import { implement } from '../../http/index.ts'
import { type EventItem, type FeedPart, feedBoundsOf, PositionUnknown, readEvents } from './event-feed.ts'
import { parseEventTypes, readableEvents, requireReadable } from './event-types.ts'
import type { EventWatch } from './event-watch.ts'

/** The feed of events as an operation of the Client API. */
export function eventRoutes(watch: EventWatch) {
  const reads = new SharedReads()
  return implement(eventOperations, {
    listEvents: {
      read: async (database, { context, query }, place) => {
        const { tenant, caller } = context
        const { types, limit = feedBounds.limit.default } = query
        const selection = types === undefined ? readableEvents(caller.scopes) : parseEventTypes(types)
        requireReadable(selection, caller.scopes)
        if (place === undefined && query.after === 'latest') {
          const { last } = await feedBoundsOf(database, tenant.id)
          return pageOf({ events: [], next: last, hasMore: false })
        }
        const after = place ?? query.after
        const asked = { after: after === undefined ? null : Number(after), limit, selection }
        try {
          return pageOf(await (place === undefined ? readEvents : reads.read)(database, tenant.id, asked))
        } catch (error) {
          throw error instanceof PositionUnknown ? positionProblem(after as string, error) : error
        }
      },
      positionOf: ({ position }) => position,
      wait: ({ context }, next, signal) => watch.eventAfter(context.tenant.id, Number(next), signal),
    },
  })
}

function pageOf({ events, next, hasMore }: FeedPart): { records: EventItem[]; next: string; hasMore: boolean } {
  return { records: events, next: String(next), hasMore }
}

/** The problem of a position that cannot be read from. */
export function positionProblem(after: string, { earliest }: PositionUnknown): Problem {
  if (earliest === null) {
    const detail =
      'is behind every position that was given. Begin anew where the database was put back to an earlier state'
    return validationProblem([{ in: 'query', name: 'after', code: 'too_large', detail }])
  }
  const kept = String(earliest)
  const detail = `Events after the position ${after} have been forgotten. Those after ${kept} are kept.`
  return new Problem('position_expired', detail, { earliest: kept })
}

/** Lets readers who stand at the same place, and are woken by the same event, have one answer of the database. */
export class SharedReads {
  readonly #reading = new Map<string, Promise<FeedPart>>()

  readonly read: typeof readEvents = (database, tenantId, query) => {
    const key = JSON.stringify([tenantId, query])
    const known = this.#reading.get(key)
    if (known !== undefined) return known
    const reading = readEvents(database, tenantId, query).finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }
}
