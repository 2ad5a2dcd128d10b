import { Gauge, register } from 'prom-client'
import { CachedReading } from '../../concurrency/index.ts'
import type { Database } from '../../database/index.ts'
import { type JobState, jobStatesStatement } from '../../jobs/index.ts'

/**
 * Exports the jobs of the deployment, whichever process runs them: the last success, since when a job fails, and for
 * how many tenants, without their names.
 */
export function observeJobs(database: Database): void {
  const reading = new CachedReading<JobState>(database, jobStatesStatement)
  const gauge = (name: string, help: string, value: (state: JobState) => number | null) => {
    register.removeSingleMetric(name)
    new Gauge({
      name,
      help,
      labelNames: ['job'],
      aggregator: 'max', // every service reads the same
      async collect() {
        const states = await reading.rows()
        this.reset()
        for (const state of states) {
          const sample = value(state)
          if (sample !== null) this.set({ job: state.job }, sample)
        }
      },
    })
  }
  gauge('matricula_job_last_success_timestamp_seconds', 'When a job last succeeded.', ({ succeededAt }) =>
    succeededAt === null ? null : Date.parse(succeededAt) / 1000,
  )
  gauge(
    'matricula_job_failing_seconds',
    'Seconds since a job began to fail; 0 when it succeeds.',
    ({ failingSince }) => (failingSince === null ? 0 : (Date.now() - Date.parse(failingSince)) / 1000),
  )
  gauge(
    'matricula_job_failing_tenants',
    'Tenants for which the last run of a job failed.',
    ({ failingTenants }) => failingTenants,
  )
}
