import type { AttemptFailure } from '@matricula/contract'
import { SealError, SecretSeal } from '../../../identity/index.ts'
import { AddressGuard, type CallResponse, type Network, OutgoingCalls } from '../../../outbound-http/index.ts'
import { traced } from '../../../tracing/index.ts'
import { programVersion } from '../../../values/index.ts'
import { openSecret, signatureHeader } from '../endpoints/webhook-secrets.ts'
import type { Endpoint } from '../endpoints/webhook-store.ts'
import { parseRetryAfter } from './retry-plan.ts'

/** The event of a delivery. */
export interface DeliveredEvent {
  readonly id: string
  readonly type: string
  readonly occurredAt: string
  readonly entityType: string
  readonly entityId: string
  readonly externalId: string | null
  readonly changed: readonly string[]
  /** Null for a ping. */
  readonly position: number | null
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly at: string
  readonly httpStatus: number | null
  readonly durationMs: number
  /** Null for success. */
  readonly error: AttemptFailure | null
  /** The pause that the endpoint asked for by Retry-After, in seconds. */
  readonly pauseSeconds: number | null
}

/** What the sender of a service is made from. */
export interface DeliverySettings {
  /** Opens the secrets of endpoints. */
  readonly secretKey: string
  readonly webhookAllowedNetworks: readonly Network[]
  /** How webhooks are called, where it is not the usual way: other name servers, certificates or limits. */
  readonly webhookCalls?: {
    readonly nameServers?: readonly string[]
    readonly ca?: string
    readonly timeoutMs?: number
  }
}

/** What sends deliveries of webhooks. */
export function deliverySender(config: DeliverySettings): DeliverySender {
  const { nameServers, ...calls } = config.webhookCalls ?? {}
  const guard = new AddressGuard(config.webhookAllowedNetworks, nameServers)
  return new DeliverySender(guard, new SecretSeal(config.secretKey), calls)
}

/** Limits of a call: its whole duration, and the size of the response, which is discarded. */
const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Sends deliveries, each once, and returns the outcome. */
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

  /** Attempts a delivery. Rejects only when `signal` is aborted: then the outcome is unknown. */
  send(endpoint: Endpoint, event: DeliveredEvent, signal: AbortSignal): Promise<AttemptOutcome> {
    const facts = { 'matricula.tenant': endpoint.tenantSlug, 'matricula.event': event.type }
    return traced('webhook delivery', 'consumer', facts, () => this.#send(endpoint, event, signal))
  }

  async #send(endpoint: Endpoint, event: DeliveredEvent, signal: AbortSignal): Promise<AttemptOutcome> {
    const startedAt = performance.now()
    const now = Date.now()
    const outcome = (error: AttemptFailure | null, response: CallResponse | null): AttemptOutcome => ({
      at: new Date(now).toISOString(),
      httpStatus: response?.status ?? null,
      durationMs: Math.round(performance.now() - startedAt),
      error,
      pauseSeconds: parseRetryAfter(response?.retryAfter ?? null, now),
    })
    try {
      const body = Buffer.from(JSON.stringify(buildBody(endpoint, event)))
      const response = await this.#calls.post(
        endpoint.url,
        this.#buildHeaders(endpoint, event.id, now, body),
        body,
        signal,
      )
      return outcome(statusFailure(response.status), response)
    } catch (error) {
      if (signal.aborted) throw error
      return outcome(toFailure(error as Error), null)
    }
  }

  close(): void {
    this.#calls.close()
  }

  #buildHeaders(
    { tenantId, id, secrets }: Endpoint,
    eventId: string,
    now: number,
    body: Buffer,
  ): Record<string, string> {
    const timestamp = Math.floor(now / 1000)
    const open = (sealed: string) => openSecret(this.#seal, tenantId, id, sealed)
    const [current = '', ...previous] = secrets
    // A previous secret that cannot be decrypted does not stop delivery with the current one.
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

/** The body of a delivery (a thin event): receivers read the record by its own operation. */
function buildBody({ tenantSlug }: Endpoint, event: DeliveredEvent): object {
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

function statusFailure(status: number): AttemptFailure | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'http_status'
}

/** The failures of Node, DNS and TLS, by error code. */
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

function toFailure(error: Error): AttemptFailure {
  if (error instanceof SealError) return 'secret_unreadable'
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return failures.find(([pattern]) => pattern.test(code))?.[1] ?? 'network'
}
