import type { Database } from '../../database/index.ts'
import type { SecretSeal } from '../../identity/index.ts'
import type { Job } from '../../jobs/index.ts'
import { RecordEngine, type RecordRegistry } from '../../record-engine/index.ts'
import { readCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { bookCapture } from './book-capture.ts'
import { findAccount } from './card-account.ts'
import { type CardGateway, GatewayError } from './card-gateway.ts'
import { gatewayCaller } from './gateway-caller.ts'
import { claimOrder, forgetOld } from './order-checks.ts'

interface JobPlatform {
  readonly gateway: CardGateway
  readonly registry: RecordRegistry
  readonly seal: SecretSeal
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** Orders of a tenant that one run asks for, so that no tenant holds up the others. */
const maxAtOnce = 20

/**
 * Asks the gateway what became of orders that nobody told of, and books what was captured. An order is asked for after five
 * minutes, then ever more rarely, for a week. When the gateway does not answer, the rest waits for the next run.
 */
export function cardPaymentsJob({ gateway, registry, seal, log }: JobPlatform): Job {
  return {
    name: 'card-payments',
    everySeconds: 60,
    run: async (database, tenant, hasTime = () => true) => {
      await forgetOld(database, tenant.id, hasTime)
      for (let asked = 0; asked < maxAtOnce && hasTime(); asked += 1) {
        const orderId = await database.transaction(tenant.id, claimOrder)
        if (orderId === null || !(await reconcile(database, tenant, orderId))) return
      }
    },
  }

  /** False when there is no sense in asking for more orders now. */
  async function reconcile(database: Database, tenant: TenantRecord, orderId: string): Promise<boolean> {
    const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
    const known = { ...tenant, systemOfRecord: tenant.sorByDomain, customFields }
    const caller = gatewayCaller(known, { requestId: null, address: null })
    const inEngine = <Result>(work: (engine: RecordEngine) => Promise<Result>) =>
      database.transaction(tenant.id, (tx) => work(new RecordEngine(tx, caller, registry, { database, seal })))
    const account = await inEngine(findAccount)
    if (account === null) return false
    try {
      for (const captured of await gateway.capturedPayments(account, orderId)) {
        const outcome = await inEngine((engine) => bookCapture(engine, captured))
        log.info({ tenant: tenant.slug, outcome }, 'card payment reconciled')
      }
      return true
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      log.warn({ tenant: tenant.slug, reason: error.message }, 'an order could not be asked for')
      return error.isRefused
    }
  }
}
