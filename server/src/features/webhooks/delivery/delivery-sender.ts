import type { AttemptFailure } from '@matricula/contract'
import { SealError, type SecretSeal } from '../../../identity/index.ts'
import { type AddressGuard, type CallResponse, OutgoingCalls } from '../../../outbound-http/index.ts'
import { traced } from '../../../tracing/index.ts'
import { programVersion } from '../../../values/index.ts'
import { openSecret, signatureHeader } from '../endpoints/webhook-secrets.ts'
import type { Endpoint } from '../endpoints/webhook-store.ts'
import { findSeconds } from './retry-plan.ts'

/** What a delivery tells of an event. */
export interface DeliveredEvent {
  readonly id: string
  readonly type: string
  readonly occurredAt: string
  readonly entityType: string
  readonly entityId: string
  readonly externalId: string | null
  readonly changed: readonly string[]
  /** Null of a ping. */
  readonly position: number | null
}

/** How one try to deliver went. */
export interface AttemptOutcome {
  readonly at: string
  readonly httpStatus: number | null
  readonly durationMs: number
  /** Null where it arrived. */
  readonly error: AttemptFailure | null
  /** How long the endpoint asks to be left alone. */
  readonly restSeconds: number | null
}

/** How long an endpoint may take for its whole answer, and how much it may say, of which nothing is kept. */
const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Sends deliveries, each once, and says how it went. */
export class DeliverySender {
  readonly guard: AddressGuard
  readonly #calls: OutgoingCalls
  readonly #seal: SecretSeal

  constructor(
    guard: AddressGuard,
    seal: SecretSeal,
    options: { readonly timeoutMs?: number | undefined; readonly ca?: string | undefined } = {},
  ) {
    const { timeoutMs = limits.timeoutMs, ca } = options
    this.guard = guard
    this.#calls = new OutgoingCalls(guard, { ...limits, timeoutMs }, ca === undefined ? {} : { ca })
    this.#seal = seal
  }

  /** Tries to deliver an event. Throws only when `stop` was aborted meanwhile: then nothing is known of it. */
  send(endpoint: Endpoint, event: DeliveredEvent, stop: AbortSignal): Promise<AttemptOutcome> {
    const facts = { 'matricula.tenant': endpoint.tenantSlug, 'matricula.event': event.type }
    return traced('webhook delivery', 'consumer', facts, () => this.#send(endpoint, event, stop))
  }

  async #send(endpoint: Endpoint, event: DeliveredEvent, stop: AbortSignal): Promise<AttemptOutcome> {
    const begun = performance.now()
    const now = Date.now()
    const outcome = (error: AttemptFailure | null, response: CallResponse | null): AttemptOutcome => ({
      at: new Date(now).toISOString(),
      httpStatus: response?.status ?? null,
      durationMs: Math.round(performance.now() - begun),
      error,
      restSeconds: findSeconds(response?.retryAfter ?? null, now),
    })
    try {
      const body = Buffer.from(JSON.stringify(getBody(endpoint, event)))
      const response = await this.#calls.post(endpoint.url, this.#getHeaders(endpoint, event.id, now, body), body, stop)
      return outcome(failureOfStatus(response.status), response)
    } catch (error) {
      if (stop.aborted) throw error
      return outcome(getFailure(error as Error), null)
    }
  }

  close(): void {
    this.#calls.close()
  }

  #getHeaders({ tenantId, id, secrets }: Endpoint, eventId: string, now: number, body: Buffer): Record<string, string> {
    const timestamp = Math.floor(now / 1000)
    const open = (sealed: string) => openSecret(this.#seal, tenantId, id, sealed)
    const [current = '', ...previous] = secrets
    // One of before that cannot be read any more keeps nobody from the one that was made since.
    const opened = [open(current), ...previous.flatMap((sealed) => readable(() => open(sealed)))]
    return {
      'content-type': 'application/json',
      'user-agent': `Matricula/${programVersion}`,
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(opened, { id: eventId, timestamp, body }),
    }
  }
}

function readable<Value>(open: () => Value): Value[] {
  try {
    return [open()]
  } catch {
    return []
  }
}

/** The body of a delivery: thin, because the record is read by its own operation. */
function getBody({ tenantSlug }: Endpoint, event: DeliveredEvent): object {
  const { type, occurredAt, entityId, externalId, entityType, changed, position } = event
  return {
    type,
    timestamp: occurredAt,
    data: {
      id: entityId,
      externalId,
      entityType,
      changed,
      position: position === null ? null : String(position),
      tenant: tenantSlug,
    },
  }
}

function failureOfStatus(status: number): AttemptFailure | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'http_status'
}

/** What the failures of node, DNS and TLS are told as. */
const failures: readonly (readonly [RegExp, AttemptFailure])[] = [
  [/^CALL_TIMEOUT$|^ETIMEDOUT$/, 'timeout'],
  [/^ADDRESS_NOT_ALLOWED$/, 'address_not_allowed'],
  [/^ANSWER_TOO_LONG$/, 'answer_too_long'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EBADQUERY|EBADRESP|EFORMERR)$/, 'name_not_found'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection_lost'],
  [/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/, 'certificate'],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls'],
  [/^HPE_/, 'answer_malformed'],
]

function getFailure(error: Error): AttemptFailure {
  if (error instanceof SealError) return 'secret_unreadable'
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return failures.find(([pattern]) => pattern.test(code))?.[1] ?? 'network'
}
