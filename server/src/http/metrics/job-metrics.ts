import { Gauge, register } from 'prom-client'
import { CachedReading } from '../../concurrency/index.ts'
import type { Database } from '../../database/index.ts'
import { type JobState, jobStatesStatement } from '../../jobs/index.ts'

/**
 * Lets `/metrics` tell how the jobs of the deployment fare, whichever process runs them: when each last did all that it had to
 * do, since when it fails, and for how many tenants. Without the tenants' names.
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
          const reported = value(state)
          if (reported !== null) this.set({ job: state.job }, reported)
        }
      },
    })
  }
  gauge('matricula_job_last_success_timestamp_seconds', 'When a job last ran without a failure.', ({ succeededAt }) =>
    succeededAt === null ? null : Date.parse(succeededAt) / 1000,
  )
  gauge(
    'matricula_job_failing_seconds',
    'For how long a job has been failing; 0 when it is not.',
    ({ failingSince }) => (failingSince === null ? 0 : (Date.now() - Date.parse(failingSince)) / 1000),
  )
  gauge(
    'matricula_job_failing_tenants',
    'For how many tenants a job failed at its last run.',
    ({ failingTenants }) => failingTenants,
  )
}
