import { setTimeout as pause } from 'node:timers/promises'
import type { TenantShares } from '../../../http/index.ts'
import type { Endpoint } from '../endpoints/webhook-store.ts'
import type { DeliveredEvent, DeliverySender } from './delivery-sender.ts'
import type { RecordedAttempt } from './record-attempts.ts'

/** Dependencies and signals of sending. */
export interface SendingContext {
  readonly sender: DeliverySender
  readonly shares: TenantShares
  /** Graceful shutdown: no new attempt starts once it is aborted. */
  readonly shutdown: AbortSignal
  /** Running attempts are cancelled once it is aborted. */
  readonly cancel: AbortSignal
}

/** A delivery that is due. */
export interface Due {
  readonly id: string
  /** The number of failed attempts. */
  readonly tried: number
  /** Null when the event was deleted. */
  readonly event: DeliveredEvent | null
}

/** How long a round starts attempts, in milliseconds. */
const roundMs = 1_000

/**
 * While an endpoint succeeds, the next attempt starts when the one before has ended or has run for this many
 * milliseconds, with a limit of concurrent attempts. While it fails, attempts run one by one.
 */
const headStartMs = 50
const maxConcurrent = 10

/**
 * Sends due deliveries of an endpoint in order, until the time of a round is over or the endpoint asks for a pause.
 * Returns the outcome of each attempt, and the deliveries whose events were deleted.
 */
export async function sendRound(
  { sender, shares, shutdown, cancel }: SendingContext,
  endpoint: Endpoint,
  due: readonly Due[],
  isFailingAlready: boolean,
): Promise<{ attempts: RecordedAttempt[]; forgotten: string[] }> {
  const attempts: RecordedAttempt[] = []
  const forgotten: string[] = []
  const running = new Set<Promise<void>>()
  const end = performance.now() + roundMs
  let isFailing = isFailingAlready
  let isOver = false

  const send = async ({ id, tried }: Due, event: DeliveredEvent, onStarted: () => void) => {
    const outcome = await shares
      .run(endpoint.tenantId, () => {
        onStarted()
        return sender.send(endpoint, event, cancel)
      })
      .catch((error: unknown) => {
        if (cancel.aborted) return null // another process sends it again
        throw error
      })
    if (outcome === null) return
    attempts.push({ deliveryId: id, tried, outcome })
    isFailing = outcome.error !== null
    isOver ||= outcome.httpStatus === 410 || (outcome.error !== null && outcome.pauseSeconds !== null)
  }

  for (const each of due) {
    if (isOver || performance.now() > end || shutdown.aborted) break
    if (each.event === null) {
      forgotten.push(each.id)
      continue
    }
    let onStarted = () => {}
    const started = new Promise<void>((resolve) => {
      onStarted = resolve
    })
    const sending = send(each, each.event, onStarted).finally(() => running.delete(sending))
    running.add(sending)
    // It may wait for its tenant's share of the process, and later ones wait with it.
    await Promise.race([started, sending])
    if (isFailing) await sending
    else await Promise.race([sending, pause(headStartMs)])
    while (running.size >= (isFailing ? 1 : maxConcurrent)) await Promise.race(running)
  }
  await Promise.all(running)
  return { attempts, forgotten }
}
