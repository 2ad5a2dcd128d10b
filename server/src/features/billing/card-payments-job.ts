import type { Database } from '../../database/index.ts'
import type { SecretSeal } from '../../identity/index.ts'
import type { Job } from '../../jobs/index.ts'
import { RecordEngine, type RecordRegistry } from '../../record-engine/index.ts'
import { readCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { bookCapture } from './book-capture.ts'
import { findAccountOf } from './card-account.ts'
import type { CardGateway } from './card-gateway.ts'
import { GatewayError } from './card-processor.ts'
import { gatewayCaller } from './gateway-caller.ts'
import { claimOrder, deleteOldChecks } from './order-checks.ts'

interface JobPlatform {
  readonly gateway: CardGateway
  readonly registry: RecordRegistry
  readonly seal: SecretSeal
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** The maximum number of orders of a tenant in one run, for fairness between tenants. */
const maxPerRun = 20

/**
 * The job that reconciles orders without a reported outcome: asks the gateway and books captured payments. An order is
 * checked after five minutes, then at growing intervals, for a week. When the gateway does not respond, the rest waits
 * for the next run.
 */
export function cardPaymentsJob({ gateway, registry, seal, log }: JobPlatform): Job {
  return {
    name: 'card-payments',
    everySeconds: 60,
    run: async (database, tenant, hasTime = () => true) => {
      await deleteOldChecks(database, tenant.id, hasTime)
      for (let checked = 0; checked < maxPerRun && hasTime(); checked += 1) {
        const orderId = await database.transaction(tenant.id, claimOrder)
        if (orderId === null || !(await reconcile(database, tenant, orderId))) return
      }
    },
  }

  /** False when the gateway is unavailable and the run should end. */
  async function reconcile(database: Database, tenant: TenantRecord, orderId: string): Promise<boolean> {
    const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
    const known = { ...tenant, systemOfRecord: tenant.sorByDomain, customFields }
    const caller = gatewayCaller(known, { requestId: null, address: null })
    const inEngine = <Result>(work: (engine: RecordEngine) => Promise<Result>) =>
      database.transaction(tenant.id, (tx) => work(new RecordEngine(tx, caller, registry, { database, seal })))
    const account = await inEngine((engine) => findAccountOf(engine, orderId))
    if (account === null) return true
    try {
      for (const captured of await gateway.listCapturedPayments(account, orderId)) {
        const outcome = await inEngine((engine) => bookCapture(engine, captured))
        log.info({ tenant: tenant.slug, outcome }, 'card payment reconciled')
      }
      return true
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      log.warn({ tenant: tenant.slug, reason: error.message }, 'an order could not be asked for')
      return error.isRejected
    }
  }
}
