import { setTimeout as pause } from 'node:timers/promises'
import type { TenantShares } from '../../../http/index.ts'
import type { Endpoint } from '../endpoints/webhook-store.ts'
import type { DeliveredEvent, DeliverySender } from './delivery-sender.ts'
import type { RecordedAttempt } from './record-attempts.ts'

/** What deliveries are sent with. */
export interface SendingContext {
  readonly sender: DeliverySender
  readonly shares: TenantShares
  /** Nothing more is begun once it is aborted. */
  readonly stopping: AbortSignal
  /** What is on its way is broken off once it is aborted. */
  readonly cut: AbortSignal
}

/** A delivery that is due. */
export interface Due {
  readonly id: string
  /** How often it was tried in vain. */
  readonly tried: number
  /** Null where the event is forgotten. */
  readonly event: DeliveredEvent | null
}

/** How long a round begins attempts, in milliseconds. */
const roundMilliseconds = 1_000

/**
 * While an endpoint answers, the next attempt leaves when the one before is answered, or when it has been on its way for so many
 * milliseconds, and no more are on their way at once. While it does not, they go one by one.
 */
const headStartMilliseconds = 50
const maxUnderWay = 10

/**
 * Sends what is due at an endpoint, in its order, until the time of a round is over or the endpoint asks to be left alone. Answers
 * how each attempt went, and which deliveries tell of events that are kept no longer.
 */
export async function sendRound(
  { sender, shares, stopping, cut }: SendingContext,
  endpoint: Endpoint,
  due: readonly Due[],
  isFailingAlready: boolean,
): Promise<{ attempts: RecordedAttempt[]; forgotten: string[] }> {
  const attempts: RecordedAttempt[] = []
  const forgotten: string[] = []
  const underWay = new Set<Promise<void>>()
  const end = performance.now() + roundMilliseconds
  let isFailing = isFailingAlready
  let isOver = false

  const send = async ({ id, tried }: Due, event: DeliveredEvent, leave: () => void) => {
    const outcome = await shares
      .run(endpoint.tenantId, () => {
        leave()
        return sender.send(endpoint, event, cut)
      })
      .catch((error: unknown) => {
        if (cut.aborted) return null // sent again by whoever comes next
        throw error
      })
    if (outcome === null) return
    attempts.push({ deliveryId: id, tried, outcome })
    isFailing = outcome.error !== null
    isOver ||= outcome.httpStatus === 410 || (outcome.error !== null && outcome.restSeconds !== null)
  }

  for (const each of due) {
    if (isOver || performance.now() > end || stopping.aborted) break
    if (each.event === null) {
      forgotten.push(each.id)
      continue
    }
    let leave = () => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const sending = send(each, each.event, leave).finally(() => underWay.delete(sending))
    underWay.add(sending)
    // It may wait for its tenant's share of the process, and those behind it wait with it.
    await Promise.race([left, sending])
    if (isFailing) await sending
    else await Promise.race([sending, pause(headStartMilliseconds)])
    while (underWay.size >= (isFailing ? 1 : maxUnderWay)) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  return { attempts, forgotten }
}
