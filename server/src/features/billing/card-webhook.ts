import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAccess } from '../../changes/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { sql } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { SealError, type SecretSeal } from '../../identity/index.ts'
import { RecordEngine, type RecordRegistry } from '../../record-engine/index.ts'
import type { Tenant, TenantAddresses } from '../../tenancy/index.ts'
import { type Booking, bookCapture } from './book-capture.ts'
import { bookRefund, type Refund } from './book-refund.ts'
import { findWebhookSecret } from './card-account.ts'
import type { CapturedPayment, ProcessorName } from './card-processor.ts'
import { gatewayCaller } from './gateway-caller.ts'
import { isWebhookSignature, parseCapturedPayment } from './razorpay.ts'
import { isStripeSignature, parseStripeEvent } from './stripe.ts'

/** Dependencies of the webhook. */
interface WebhookPlatform {
  readonly database: Database
  readonly addresses: TenantAddresses
  readonly registry: RecordRegistry
  readonly seal: SecretSeal
  readonly log: {
    info(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/** The path of the card gateway's webhook, below the address of the institution. */
const cardWebhookPath = '/hooks/card-gateway'

const maxBytes = 256 * 1024

/** The gateway events of captured payments. */
const captureEvents: ReadonlySet<unknown> = new Set(['payment.captured', 'order.paid'])

/**
 * Serves `POST /t/{slug}/hooks/card-gateway`, without `/t/{slug}` on the host name of a tenant: the processor reports
 * captured payments and refunds, independently of the payer's browser. A call is authenticated by its signature alone
 * (`X-Razorpay-Signature` or `Stripe-Signature`), and booked once. Unknown payments get a success response as well, since
 * accounts at processors are shared with other programs.
 */
export function addCardWebhook(app: FastifyInstance, platform: WebhookPlatform): void {
  const rejections = new RejectionLog(platform)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, bytes, done) =>
      done(null, bytes),
    )
    for (const url of [cardWebhookPath, `/t/:slug${cardWebhookPath}`]) {
      scope.post(url, { config: { operationId: 'cardGatewayWebhook' } }, async (request, reply) => {
        const tenant = await loadTenant(platform.addresses, request)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const processor = 'stripe-signature' in request.headers ? 'stripe' : 'razorpay'
        await requireSignature(platform, rejections, tenant, request, { processor, body })
        const outcome = await receive(platform, tenant, request, findReport[processor](request, parse(body)))
        platform.log.info({ requestId: request.id, tenant: tenant.slug, outcome }, 'card gateway event')
        return reply.code(200).send({})
      })
    }
  })
}

async function loadTenant(addresses: TenantAddresses, request: FastifyRequest): Promise<Tenant> {
  const { slug } = request.params as { slug?: string }
  const tenant = await (slug === undefined ? addresses.byHost(request.hostname) : addresses.bySlug(slug))
  if (tenant === null) throw new Problem('route_not_found', 'There is no institution at this address.')
  if (tenant.status === 'active') return tenant
  throw new Problem('tenant_suspended', 'The institution is suspended. Ask the operator to activate it.')
}

async function requireSignature(
  platform: WebhookPlatform,
  rejections: RejectionLog,
  tenant: Tenant,
  request: FastifyRequest,
  { processor, body }: { readonly processor: ProcessorName; readonly body: Buffer },
): Promise<void> {
  const find = (engine: RecordEngine) => findWebhookSecret(engine, processor)
  const secret = await inEngine(platform, tenant, request, find).catch((error: unknown) => {
    if (!(error instanceof SealError)) throw error
    platform.log.error(
      { requestId: request.id, tenant: tenant.slug, reason: error.message },
      'card webhook cannot be checked',
    )
    const detail = 'The secret of the webhook cannot be read. Its operator has to enter it anew.'
    throw new Problem('service_unavailable', detail, {}, { 'retry-after': '3600' })
  })
  const { header, name, isSigned } = signatures[processor]
  const signature = request.headers[header.toLowerCase()]
  if (secret !== null && typeof signature === 'string' && isSigned(secret, body, signature)) return
  await rejections.record(tenant, request, secret === null ? 'no secret is set' : 'wrong signature')
  const detail =
    secret === null
      ? `The institution has set no ${name} Webhook Secret in Education Settings.`
      : `${header} is not the signature of this body by the secret of the webhook.`
  throw new Problem('signature_invalid', detail)
}

/** How each processor signs its calls. */
const signatures: Readonly<
  Record<ProcessorName, { header: string; name: string; isSigned(secret: string, body: Buffer, sent: string): boolean }>
> = {
  razorpay: { header: 'X-Razorpay-Signature', name: 'Razorpay', isSigned: isWebhookSignature },
  stripe: { header: 'Stripe-Signature', name: 'Stripe', isSigned: isStripeSignature },
}

function parse(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // reported below
  }
  throw new Problem('malformed_json', 'The body is not a JSON object.')
}

/** What an event reports, with the id by which it is known again; null for what is of no concern. */
type Report = { readonly eventId: string | null } & (
  | { readonly kind: 'captured'; readonly captured: CapturedPayment }
  | { readonly kind: 'refunded'; readonly paymentId: string; readonly orderId: string }
)

const findReport: Readonly<Record<ProcessorName, (request: FastifyRequest, event: object) => Report | null>> = {
  razorpay: (request, event) => {
    const { event: kind, payload } = event as { event?: unknown; payload?: { payment?: { entity?: unknown } } }
    const captured = captureEvents.has(kind) ? parseCapturedPayment(payload?.payment?.entity) : null
    const eventId = asEventId(request.headers['x-razorpay-event-id'])
    return captured === null ? null : { kind: 'captured', captured, eventId }
  },
  stripe: (_, event) => {
    const report = parseStripeEvent(event)
    return report === null ? null : { ...report, eventId: asEventId((event as { id?: unknown }).id) }
  },
}

const asEventId = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,140}$/.test(value) ? value : null)

type Outcome = Booking | Refund | 'repeated' | 'no concern'

async function receive(
  platform: WebhookPlatform,
  tenant: Tenant,
  request: FastifyRequest,
  report: Report | null,
): Promise<Outcome> {
  if (report === null) return 'no concern'
  const { eventId } = report
  return inEngine(platform, tenant, request, async (engine) => {
    if (eventId !== null && (await isKnown(engine.tx, eventId))) return 'repeated'
    const booking =
      report.kind === 'captured' ? await bookCapture(engine, report.captured) : await bookRefund(engine, report)
    if (eventId !== null && !booking.startsWith('unknown')) recordEvent(engine.tx, eventId)
    return booking
  })
}

async function isKnown(tx: Transaction, eventId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 as known from card_gateway_events where tenant_id = ${tx.tenantId} and event_id = ${eventId}`)
  return rows.length > 0
}

function recordEvent(tx: Transaction, eventId: string): void {
  tx.send(sql`
    insert into card_gateway_events (tenant_id, event_id) values (${tx.tenantId}, ${eventId})
    on conflict (tenant_id, event_id) do nothing`)
}

function inEngine<Result>(
  { database, registry, seal }: WebhookPlatform,
  tenant: Tenant,
  request: FastifyRequest,
  work: (engine: RecordEngine) => Promise<Result>,
): Promise<Result> {
  const caller = gatewayCaller(tenant, { requestId: request.id, address: request.ip })
  return database.transaction(tenant.id, (tx) => work(new RecordEngine(tx, caller, registry, { database, seal })))
}

const quietMilliseconds = 60_000
const maxTenants = 10_000

/**
 * Records rejected calls without their content: each in the log, and in the audit at most once a minute per tenant, so
 * that strangers cannot fill it.
 */
class RejectionLog {
  readonly #platform: WebhookPlatform
  readonly #lastAudited = new Map<string, number>()

  constructor(platform: WebhookPlatform) {
    this.#platform = platform
  }

  async record(tenant: Tenant, request: FastifyRequest, reason: string): Promise<void> {
    const { database, log } = this.#platform
    log.warn({ requestId: request.id, tenant: tenant.slug, address: request.ip, reason }, 'card webhook refused')
    const now = performance.now()
    if (now - (this.#lastAudited.get(tenant.id) ?? Number.NEGATIVE_INFINITY) < quietMilliseconds) return
    if (this.#lastAudited.size >= maxTenants) this.#lastAudited.clear()
    this.#lastAudited.set(tenant.id, now)
    const { actor, requestId, address } = gatewayCaller(tenant, { requestId: request.id, address: request.ip })
    await database.transaction(tenant.id, async (tx) => {
      const facts = { reason }
      recordAccess(
        tx,
        { actor: { ...actor, name: 'unknown caller of the card webhook' }, requestId, address },
        { action: 'card_webhook.refused', entityType: 'tenant', entityId: tenant.id, facts },
      )
    })
  }
}
