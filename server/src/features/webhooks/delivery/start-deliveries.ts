import { type Database, sql } from '../../../database/index.ts'
import { TenantShares } from '../../../http/index.ts'
import type { DeliverySender } from './delivery-sender.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { type DeliveryContext, type DeliveryLog, takeTurn } from './endpoint-round.ts'

/** How often is looked what is to be delivered, in milliseconds: while there are endpoints, and while there are none. */
const lookEvery = { some: 200, none: 1_000 }

/** A look takes no more than this part of the time. */
const shareOfLooking = 0.1

/** How long what is on its way may take when the process stops, in milliseconds. */
const lastMilliseconds = 5_000

interface InLine {
  tenantId: string
  webhookId: string
  position: number
  isDue: boolean
  isFailing: boolean
}

/**
 * Delivers events to endpoints until the returned function is called, which waits for what is on its way. Any number of processes
 * may do so at once: an endpoint is in the hands of one of them, and what that one does not bring to its end, another one does.
 * One look serves all endpoints, every fifth of a second.
 */
export function startDeliveries(database: Database, sender: DeliverySender, log: DeliveryLog): () => Promise<void> {
  const stopping = new AbortController()
  const cut = new AbortController()
  const context: DeliveryContext = {
    database: database.for({ partition: 'jobs' }),
    sender,
    shares: new TenantShares(),
    log,
    stopping: stopping.signal,
    cut: cut.signal,
  }
  const turns = new DeliverySlots()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const begin = ({ tenantId, webhookId, isFailing }: InLine) => {
    const turn = takeTurn(context, tenantId, webhookId).catch((error: unknown) => {
      const { name, code } = error as { name: string; code?: string }
      log.error({ webhook: webhookId, error: name, reason: code }, 'a webhook could not be served')
    })
    turns.add(webhookId, isFailing, turn)
  }
  const look = async () => {
    const begun = performance.now()
    let isAny = true
    try {
      const inLine = await readLine(database)
      isAny = inLine.length > 0 || turns.size > 0
      const toDo = await withWork(
        database,
        inLine.filter(({ webhookId }) => !turns.has(webhookId)),
      )
      for (const each of toDo) if (turns.hasPlace(each.isFailing) && !stopping.signal.aborted) begin(each)
    } catch {
      // The database is not there: what is to be delivered waits until it is.
    }
    const took = performance.now() - begun
    if (!stopping.signal.aborted) lookIn(Math.max(isAny ? lookEvery.some : lookEvery.none, took / shareOfLooking))
  }
  const lookIn = (milliseconds: number) => {
    timer = setTimeout(() => {
      looking = look()
    }, milliseconds)
    timer.unref()
  }
  lookIn(0)

  return async () => {
    stopping.abort()
    clearTimeout(timer)
    const late = setTimeout(() => cut.abort(), lastMilliseconds)
    await looking
    await turns.settled()
    clearTimeout(late)
    sender.close()
  }
}

/** The endpoints of all tenants that are in nobody's hands: the one statement here that is not of one tenant. */
function readLine(database: Database): Promise<InLine[]> {
  return database.readGlobal<InLine>(sql`
    select tenant_id as "tenantId", webhook_id as "webhookId", position, is_due as "isDue", is_failing as "isFailing"
      from webhooks_in_line()`)
}

/** Those for which something is due, or has happened. */
async function withWork(database: Database, inLine: readonly InLine[]): Promise<InLine[]> {
  const tenants = [...new Set(inLine.map(({ tenantId }) => tenantId))]
  if (tenants.length === 0) return []
  const feeds = await database.readAtEach<{ id: string; last: number; isBehind: boolean }>(
    tenants,
    (own) => sql`
      select tenant_id as id, last_position as last, is_behind as "isBehind" from event_feed_states(${own}::uuid[])`,
  )
  const feedOf = new Map(feeds.map((feed) => [feed.id, feed]))
  return inLine.filter(({ tenantId, position, isDue }) => {
    const feed = feedOf.get(tenantId)
    return isDue || feed?.isBehind === true || (feed?.last ?? 0) !== position
  })
}
