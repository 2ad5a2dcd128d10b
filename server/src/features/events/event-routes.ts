import { eventOperations, feedBounds } from '@matricula/contract'
import { Problem, validationProblem } from '../../errors/index.ts'
import { implement } from '../../http/index.ts'
import { type EventItem, type FeedPart, loadFeedBounds, PositionUnknown, readEvents } from './event-feed.ts'
import { parseEventTypes, readableEvents, requireReadable } from './event-types.ts'
import type { EventWatch } from './event-watch.ts'

/** The feed of events as an operation of the Client API. */
export function eventRoutes(watch: EventWatch) {
  const reads = new SharedReads()
  return implement(eventOperations, {
    listEvents: {
      read: async (database, { context, query }, location) => {
        const { tenant, caller } = context
        const { types, limit = feedBounds.limit.default } = query
        const selection = types === undefined ? readableEvents(caller.scopes) : parseEventTypes(types)
        requireReadable(selection, caller.scopes)
        if (location === undefined && query.after === 'latest') {
          const { last } = await loadFeedBounds(database, tenant.id)
          return findPage({ events: [], next: last, hasMore: false })
        }
        const after = location ?? query.after
        const asked = { after: after === undefined ? null : Number(after), limit, selection }
        try {
          return findPage(await (location === undefined ? readEvents : reads.read)(database, tenant.id, asked))
        } catch (error) {
          throw error instanceof PositionUnknown ? positionProblem(after as string, error) : error
        }
      },
      getPosition: ({ position }) => position,
      wait: ({ context }, next, signal) => watch.eventAfter(context.tenant.id, Number(next), signal),
    },
  })
}

function findPage({ events, next, hasMore }: FeedPart): { records: EventItem[]; next: string; hasMore: boolean } {
  return { records: events, next: String(next), hasMore }
}

/** The problem of an unreadable position. */
export function positionProblem(after: string, { earliest }: PositionUnknown): Problem {
  if (earliest === null) {
    const detail = 'is beyond the newest position. If the database was restored from a backup, start over'
    return validationProblem([{ in: 'query', name: 'after', code: 'too_large', detail }])
  }
  const stored = String(earliest)
  const detail = `Events after the position ${after} have been deleted. Events after ${stored} are available.`
  return new Problem('position_expired', detail, { earliest: stored })
}

/** Request coalescing: readers at the same position, woken by the same event, share one result. */
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
