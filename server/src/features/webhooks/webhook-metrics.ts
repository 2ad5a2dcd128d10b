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
 * Lets `/metrics` tell how deliveries of the deployment fare, whichever process makes them: how many attempts arrived and failed, how many
 * endpoints fail, and how long the oldest delivery to one that works has been waiting. Without names of tenants or addresses.
 */
export function observeWebhooks(database: Database): void {
  const reading = new CachedReading<Totals>(database, sql`select * from webhook_totals()`)
  const gauge = (name: string, help: string, set: (this: Gauge, totals: Totals) => void, labelNames: string[] = []) => {
    register.removeSingleMetric(name)
    new Gauge({
      name,
      help,
      labelNames,
      aggregator: 'max', // every service reads the same
      async collect() {
        const [totals] = await reading.rows()
        this.reset()
        if (totals !== undefined) set.call(this, totals)
      },
    })
  }
  gauge(
    'matricula_webhook_attempts',
    'How many attempts to deliver were made to the endpoints that there are, by outcome.',
    function ({ delivered, failed }) {
      this.set({ outcome: 'delivered' }, delivered)
      this.set({ outcome: 'failed' }, failed)
    },
    ['outcome'],
  )
  gauge('matricula_webhooks_failing', 'How many endpoints nothing arrives at just now.', function ({ failing }) {
    this.set(failing)
  })
  gauge(
    'matricula_webhook_oldest_due_seconds',
    'For how long the oldest delivery to an endpoint that works has been due.',
    function ({ oldest_due_seconds: seconds }) {
      this.set(seconds)
    },
  )
}
