import { type Database, sql } from '../../../database/index.ts'
import { TenantShares } from '../../../http/index.ts'
import type { DeliverySender } from './delivery-sender.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { type DeliveryContext, type DeliveryLog, runEndpoint } from './endpoint-round.ts'

/** The polling interval, in milliseconds: while there are endpoints, and while there are none. */
const pollMs = { some: 200, none: 1_000 }

/** Polling uses at most this share of the time. */
const maxPollingShare = 0.1

/** How long running attempts may take after shutdown starts, in milliseconds. */
const shutdownTimeoutMs = 5_000

interface WaitingEndpoint {
  tenantId: string
  webhookId: string
  position: number
  isDue: boolean
  isFailing: boolean
}

/**
 * Starts delivering events to endpoints. Returns the function that shuts it down, which waits for running attempts. Any
 * number of processes may deliver at once: a lease gives an endpoint to one of them, and another one finishes what that
 * one leaves. One query polls all endpoints, five times a second.
 */
export function startDeliveries(database: Database, sender: DeliverySender, log: DeliveryLog): () => Promise<void> {
  const shutdown = new AbortController()
  const cancel = new AbortController()
  const context: DeliveryContext = {
    database: database.for({ partition: 'jobs' }),
    sender,
    shares: new TenantShares(),
    log,
    shutdown: shutdown.signal,
    cancel: cancel.signal,
  }
  const slots = new DeliverySlots()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  const start = ({ tenantId, webhookId, isFailing }: WaitingEndpoint) => {
    const run = runEndpoint(context, tenantId, webhookId).catch((error: unknown) => {
      const { name, code } = error as { name: string; code?: string }
      log.error({ webhook: webhookId, error: name, reason: code }, 'deliveries to a webhook failed with an error')
    })
    slots.add(webhookId, isFailing, run)
  }
  const poll = async () => {
    const startedAt = performance.now()
    let isAny = true
    try {
      const waiting = await readWaitingEndpoints(database)
      isAny = waiting.length > 0 || slots.size > 0
      const withDueWork = await filterDue(
        database,
        waiting.filter(({ webhookId }) => !slots.has(webhookId)),
      )
      for (const each of withDueWork) if (slots.hasFreeSlot(each.isFailing) && !shutdown.signal.aborted) start(each)
    } catch {
      // The database is unavailable: deliveries wait until it is back.
    }
    const took = performance.now() - startedAt
    if (!shutdown.signal.aborted) pollIn(Math.max(isAny ? pollMs.some : pollMs.none, took / maxPollingShare))
  }
  const pollIn = (milliseconds: number) => {
    timer = setTimeout(() => {
      polling = poll()
    }, milliseconds)
    timer.unref()
  }
  pollIn(0)

  return async () => {
    shutdown.abort()
    clearTimeout(timer)
    const timeout = setTimeout(() => cancel.abort(), shutdownTimeoutMs)
    await polling
    await slots.settled()
    clearTimeout(timeout)
    sender.close()
  }
}

/** The endpoints of all tenants without a lease: the one statement here that spans tenants. */
function readWaitingEndpoints(database: Database): Promise<WaitingEndpoint[]> {
  return database.readGlobal<WaitingEndpoint>(sql`
    select tenant_id as "tenantId", webhook_id as "webhookId", position, is_due as "isDue", is_failing as "isFailing"
      from webhooks_in_line()`)
}

/** Those with due deliveries or new events. */
async function filterDue(database: Database, waiting: readonly WaitingEndpoint[]): Promise<WaitingEndpoint[]> {
  const tenants = [...new Set(waiting.map(({ tenantId }) => tenantId))]
  if (tenants.length === 0) return []
  const feeds = await database.readAtEach<{ id: string; last: number; isBehind: boolean }>(
    tenants,
    (own) => sql`
      select tenant_id as id, last_position as last, is_behind as "isBehind" from event_feed_states(${own}::uuid[])`,
  )
  const feedByTenant = new Map(feeds.map((feed) => [feed.id, feed]))
  return waiting.filter(({ tenantId, position, isDue }) => {
    const feed = feedByTenant.get(tenantId)
    return isDue || feed?.isBehind === true || (feed?.last ?? 0) !== position
  })
}
