import { attemptsShown, type disabledReasons } from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { literal, sql, type Transaction } from '../../../database/index.ts'
import { readBack } from '../../../entities/index.ts'
import { systemManager } from '../../../identity/users/index.ts'
import { putOut } from '../../../mail/index.ts'
import { webhooks } from '../endpoints/webhook-store.ts'
import { recordWebhookChange } from '../webhooks.ts'
import type { AttemptOutcome } from './delivery-sender.ts'
import { getRetryDelay } from './retry-plan.ts'

/** An attempt with its outcome. */
export interface RecordedAttempt {
  readonly deliveryId: string
  /** The number of earlier attempts since it was queued. */
  readonly tried: number
  readonly outcome: AttemptOutcome
}

/** After this many days of failures an endpoint is disabled. */
const maxFailingDays = 5

/** The status of an endpoint that is gone for good (RFC 9110 §15.5.11). */
const goneStatus = 410

/** The statuses by which an endpoint asks for a pause of all deliveries (RFC 6585 §4, RFC 9110 §15.6.4). */
const pauseStatuses = [429, 503]

/** The state of an endpoint after its attempts are recorded. */
export interface RecordedState {
  readonly failingSince: string | null
  readonly disabledReason: (typeof disabledReasons)[number] | null
}

/** Since when the endpoint fails, after attempts in the order in which they ended; null while it works. */
function failingSince(before: string | null, attempts: readonly RecordedAttempt[]): string | null {
  return attempts.reduce<string | null>(
    (since, { outcome }) => (outcome.error === null ? null : (since ?? outcome.at)),
    before,
  )
}

/**
 * Records attempts at one endpoint and schedules retries. An endpoint that is gone, or has failed for five days, is
 * disabled, with an event and a mail to the institution's administrators.
 */
export async function recordAttempts(
  tx: Transaction,
  context: ChangeContext,
  webhookId: string,
  before: { readonly failingSince: string | null },
  attempts: readonly RecordedAttempt[],
): Promise<RecordedState> {
  const since = failingSince(before.failingSince, attempts)
  const isGone = attempts.some(({ outcome }) => outcome.httpStatus === goneStatus)
  const isOver = since !== null && Date.now() - Date.parse(since) > maxFailingDays * 24 * 3600 * 1000
  const reason = isGone ? 'gone' : isOver ? 'failing' : null
  // The common lock order: the endpoint, its state, its deliveries.
  const isDisabled = reason !== null && (await disable(tx, context, webhookId, reason))
  writeState(tx, webhookId, since, attempts)
  writeDeliveries(tx, attempts)
  return { failingSince: since, disabledReason: isDisabled ? reason : null }
}

function writeState(
  tx: Transaction,
  webhookId: string,
  since: string | null,
  attempts: readonly RecordedAttempt[],
): void {
  const arrived = attempts.filter(({ outcome }) => outcome.error === null)
  const failed = attempts.filter(({ outcome }) => outcome.error !== null)
  const rest = Math.max(
    0,
    ...failed.map(({ outcome }) => (pauseStatuses.includes(outcome.httpStatus ?? 0) ? (outcome.pauseSeconds ?? 0) : 0)),
  )
  tx.send(sql`
    update webhook_states
       set last_success_at = greatest(last_success_at, ${latest(arrived)}::timestamptz),
           last_failure_at = greatest(last_failure_at, ${latest(failed)}::timestamptz),
           last_error = case when ${since}::timestamptz is not null then coalesce(${failed.at(-1)?.outcome.error ?? null}, last_error) end,
           failing_since = ${since},
           resume_at = ${rest > 0 ? sql`current_stamp() + make_interval(secs => ${rest})` : sql`resume_at`},
           delivered = delivered + ${arrived.length}, failed = failed + ${failed.length}
     where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId}`)
}

function latest(attempts: readonly RecordedAttempt[]): string | null {
  return (
    attempts
      .map(({ outcome }) => outcome.at)
      .sort()
      .at(-1) ?? null
  )
}

function writeDeliveries(tx: Transaction, attempts: readonly RecordedAttempt[]): void {
  const rows = JSON.stringify(
    attempts.map(({ deliveryId, tried, outcome }) => {
      const { at, httpStatus, durationMs, error, pauseSeconds } = outcome
      const wait = error === null ? null : getRetryDelay(tried + 1, pauseSeconds)
      const status = error === null ? 'delivered' : wait === null ? 'failed' : 'pending'
      // Computed here: on a Citus cluster a stable function is not evaluated per row.
      const next = wait === null ? null : new Date(Date.now() + wait * 1000).toISOString()
      return { id: deliveryId, tried, status, next_attempt_at: next, attempts: [{ at, httpStatus, durationMs, error }] }
    }),
  )
  // When it was redelivered meanwhile, or another process has sent it, the attempt is listed but changes nothing else.
  const isLatest = sql`d.status = 'pending' and d.tried = recorded.tried`
  tx.send(sql`
    update webhook_deliveries d
       set status = case when ${isLatest} then recorded.status else d.status end,
           tried = case when ${isLatest} then d.tried + 1 else d.tried end,
           updated_at = greatest(current_stamp(), d.updated_at),
           next_attempt_at = case when ${isLatest} then recorded.next_attempt_at else d.next_attempt_at end,
           attempts = case when jsonb_array_length(d.attempts) >= ${literal(attemptsShown)} then d.attempts - 0 else d.attempts end
                      || recorded.attempts
      from jsonb_to_recordset(${rows}::jsonb) as recorded (id uuid, tried integer, status text, next_attempt_at timestamptz, attempts jsonb)
     where d.tenant_id = ${tx.tenantId} and d.id = recorded.id`)
}

/** Disables an endpoint, with audit, event and mails; false when it was disabled or deleted before. */
async function disable(
  tx: Transaction,
  context: ChangeContext,
  webhookId: string,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  await lockRows(tx, 'webhooks', [webhookId])
  const [row] = await tx.query<{ status: string }>(
    sql`select status from webhooks where tenant_id = ${tx.tenantId} and id = ${webhookId}`,
  )
  if (row?.status !== 'enabled') return false
  const { record: before } = await readBack(tx, webhooks, webhookId)
  tx.send(sql`
    update webhooks
       set status = 'disabled', disabled_reason = ${reason}, version = version + 1,
           updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${webhookId}`)
  const { record: after } = await readBack(tx, webhooks, webhookId)
  recordWebhookChange(tx, context, 'webhook.disabled', before, after)
  const administrators = await tx.query<{ email: string }>(sql`
    select distinct u.email
      from users u
      join users_roles r on r.tenant_id = ${tx.tenantId} and r.parent_id = u.id and r.role = ${systemManager}
     where u.tenant_id = ${tx.tenantId} and u.enabled = 1
     order by u.email`)
  for (const { email } of administrators) {
    putOut(tx, { kind: 'webhook_disabled', entityId: webhookId, recipient: email, locale: 'en' })
  }
  return true
}
