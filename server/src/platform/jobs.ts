import type { Database } from '../database/index.ts'
import { listTenants, type TenantRecord } from './tenants.ts'

/** Something that is done again and again for each active tenant, by one process of the deployment at a time. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  run(database: Database, tenant: TenantRecord): Promise<void>
}

interface JobLog {
  info(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Runs jobs until the returned function is called, which waits for the one that is running. */
export function startJobs(database: Database, jobs: readonly Job[], log: JobLog): () => Promise<void> {
  let isStopping = false
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const runOnce = async (job: Job) => {
    try {
      await database.withExclusiveLock(`matricula.job.${job.name}`, async () => {
        for (const tenant of await listTenants(database)) {
          if (isStopping) return
          if (tenant.status === 'active') await job.run(database, tenant)
        }
      })
    } catch (error) {
      log.error(
        { job: job.name, error: (error as Error).name, reason: (error as { code?: string }).code },
        'job failed',
      )
    }
  }
  const schedule = (job: Job, seconds: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const run = runOnce(job).finally(() => {
        running.delete(run)
        if (!isStopping) schedule(job, job.everySeconds)
      })
      running.add(run)
    }, seconds * 1000)
    timer.unref()
    timers.add(timer)
  }
  for (const job of jobs) schedule(job, Math.min(5, job.everySeconds))

  return async () => {
    isStopping = true
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(running)
  }
}
