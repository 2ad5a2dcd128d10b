import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/index.ts'
import { noteJobRun } from './job-states.ts'
import { listTenants, type TenantRecord } from './tenants.ts'

/** Something that is done again and again for each active tenant, by one process of the deployment at a time. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /**
   * Does a tenant's work in batches, each in a transaction of its own. Between two it asks `hasTime` and leaves the rest to the
   * next run, which comes soon then, when it answers false.
   */
  run(database: Database, tenant: TenantRecord, hasTime?: HasTime): Promise<void>
}

/** Whether a tenant's turn may go on. */
export type HasTime = () => boolean

/** How long a tenant's turn may take before the others have theirs, in milliseconds. */
const turnMilliseconds = 5_000

/** How soon a job runs again where a tenant's time was over, in seconds. */
const againSeconds = 5

/** Does batch after batch, each of which answers how many it did, until one is not full or the tenant's time is over. */
export async function inBatches(size: number, hasTime: HasTime, batch: () => Promise<number>): Promise<void> {
  while ((await batch()) >= size && hasTime()) await pause(20) // requests come first
}

interface JobLog {
  info(facts: object, message: string): void
  error(facts: object, message: string): void
}

/**
 * Runs jobs until the returned function is called, which waits for the batches that are running. A tenant whose turn fails does
 * not keep the others from theirs, nor does one that has much to do.
 */
export function startJobs(database: Database, jobs: readonly Job[], log: JobLog): () => Promise<void> {
  let isStopping = false
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  /** Logs a failure and answers its code. */
  const note = (job: Job, error: unknown, tenant?: TenantRecord): string => {
    const { name, code } = error as { name: string; code?: string }
    log.error({ job: job.name, tenant: tenant?.slug, error: name, reason: code }, 'job failed')
    return code ?? name
  }
  /** Gives each tenant its turn; true when somebody's time was over before its work. */
  const runOnce = async (job: Job): Promise<boolean> => {
    let isMore = false
    const failures = new Map<string, string>()
    const takeTurn = async (tenant: TenantRecord) => {
      const end = performance.now() + turnMilliseconds
      const hasTime = () => {
        if (performance.now() < end && !isStopping) return true
        isMore = true
        return false
      }
      await job.run(database, tenant, hasTime).catch((error: unknown) => {
        failures.set(tenant.id, note(job, error, tenant))
      })
    }
    try {
      await database.withExclusiveLock(`matricula.job.${job.name}`, async () => {
        const failure = await listTenants(database).then(
          async (tenants) => {
            for (const tenant of tenants) if (tenant.status === 'active' && !isStopping) await takeTurn(tenant)
            return null
          },
          (error: unknown) => note(job, error),
        )
        if (!isStopping) await noteJobRun(database, job.name, failures, failure)
      })
    } catch (error) {
      note(job, error)
    }
    return isMore
  }
  const schedule = (job: Job, seconds: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const run = runOnce(job).then((isMore) => {
        running.delete(run)
        if (!isStopping) schedule(job, isMore ? Math.min(againSeconds, job.everySeconds) : job.everySeconds)
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
