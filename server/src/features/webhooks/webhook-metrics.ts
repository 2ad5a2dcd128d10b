import { Gauge, register } from 'prom-client'
import { CachedReading } from '../../concurrency/index.ts'
import { type Database, sql } from '../../database/index.ts'

interface Totals {
  readonly delivered: number
  readonly failed: number
  readonly failing: number
  readonly oldest_due_seconds: number
}

/**
 * Metrics of all deliveries of the deployment, whichever process makes them: attempts by outcome, failing endpoints,
 * and the age of the oldest due delivery to a working endpoint. Without names of tenants or addresses.
 */
export function observeWebhooks(database: Database): void {
  const reading = new CachedReading<Totals>(database, sql`select * from webhook_totals()`)
  const gauge = (name: string, help: string, set: (this: Gauge, totals: Totals) => void, labelNames: string[] = []) => {
    register.removeSingleMetric(name)
    new Gauge({
      name,
      help,
      labelNames,
      aggregator: 'max', // every process reads the same totals
      async collect() {
        const [totals] = await reading.rows()
        this.reset()
        if (totals !== undefined) set.call(this, totals)
      },
    })
  }
  gauge(
    'matricula_webhook_attempts',
    'Delivery attempts to existing webhook endpoints, by outcome.',
    function ({ delivered, failed }) {
      this.set({ outcome: 'delivered' }, delivered)
      this.set({ outcome: 'failed' }, failed)
    },
    ['outcome'],
  )
  gauge('matricula_webhooks_failing', 'Webhook endpoints that are failing.', function ({ failing }) {
    this.set(failing)
  })
  gauge(
    'matricula_webhook_oldest_due_seconds',
    'Age of the oldest due delivery to a working webhook endpoint, in seconds.',
    function ({ oldest_due_seconds: seconds }) {
      this.set(seconds)
    },
  )
}
