import { setTimeout as pause } from 'node:timers/promises'
import { Histogram } from 'prom-client'
import type { Database } from '../database/index.ts'
import { listTenants, type TenantRecord } from '../tenancy/index.ts'
import { traced } from '../tracing/index.ts'
import { recordJobRun, secondsUntilDue } from './job-states.ts'

/** Something that is done again and again for each active tenant, by one process of the deployment at a time, whichever it is. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /** What a run does once for the whole database, before the tenants have their turns. Where it fails they have them all the same. */
  prepare?(database: Database): Promise<unknown>
  /**
   * Does a tenant's work in batches, each in a transaction of its own. Between two it asks `hasTime` and leaves the rest to the
   * next run, which comes soon then, when it returns false.
   */
  run(database: Database, tenant: TenantRecord, hasTime?: HasTime): Promise<void>
}

/** Whether a tenant's turn may go on. */
export type HasTime = () => boolean

/** How long a tenant's turn may take before the others have theirs, in milliseconds. */
const turnMilliseconds = 5_000

/** How soon a job runs again where a tenant's time was over, in seconds. */
const againSeconds = 5

/** How soon one who found the job under way elsewhere looks again, at the latest, in seconds. */
const lookAgainSeconds = 60

/** Does batch after batch, each of which returns how many it did, until one is not full or the tenant's time is over. */
export async function inBatches(size: number, hasTime: HasTime, batch: () => Promise<number>): Promise<void> {
  while ((await batch()) >= size && hasTime()) await pause(20) // requests come first
}

const durations = new Histogram({
  name: 'matricula_job_duration_seconds',
  help: 'How long a run of a job took, over all institutions.',
  labelNames: ['job'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
})

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

  /** Logs a failure, and returns its code. */
  const note = (job: Job, error: unknown, tenant?: TenantRecord): string => {
    const { name, code } = error as { name: string; code?: string }
    log.error({ job: job.name, tenant: tenant?.slug, error: name, reason: code }, 'job failed')
    return code ?? name
  }
  /** Gives each tenant its turn where the job is due. Returns after how many seconds it should be looked at again. */
  const runOnce = async (job: Job, isRest: boolean): Promise<{ seconds: number; isRest: boolean }> => {
    let isMore = false
    let untilDue = 0
    const failures = new Map<string, string>()
    const takeTurn = async (tenant: TenantRecord) => {
      const end = performance.now() + turnMilliseconds
      const hasTime = () => {
        if (performance.now() < end && !isStopping) return true
        isMore = true
        return false
      }
      const run = () => job.run(database, tenant, hasTime)
      await traced(`job ${job.name}`, 'consumer', { 'matricula.tenant': tenant.slug }, run).catch((error: unknown) => {
        failures.set(tenant.id, note(job, error, tenant))
      })
    }
    try {
      const isMine = await database.withExclusiveLock(`matricula.job.${job.name}`, async () => {
        // Asked under the lock: another process may have just done it.
        if (!isRest) untilDue = await secondsUntilDue(database, job.name, job.everySeconds)
        if (untilDue > 0) return
        const begun = performance.now()
        const unprepared = await job.prepare?.(database).then(
          () => null,
          (error: unknown) => note(job, error),
        )
        const failure = await listTenants(database).then(
          async (tenants) => {
            for (const tenant of tenants) if (tenant.status === 'active' && !isStopping) await takeTurn(tenant)
            return null
          },
          (error: unknown) => note(job, error),
        )
        durations.observe({ job: job.name }, (performance.now() - begun) / 1000)
        if (!isStopping) await recordJobRun(database, job.name, failures, failure ?? unprepared ?? null)
      })
      // Whoever does it may be stopped in the middle of it.
      if (!isMine) untilDue = Math.min(lookAgainSeconds, job.everySeconds)
    } catch (error) {
      note(job, error)
    }
    if (isMore) return { seconds: Math.min(againSeconds, job.everySeconds), isRest: true }
    return { seconds: untilDue > 0 ? untilDue : job.everySeconds, isRest: false }
  }
  const schedule = (job: Job, seconds: number, isRest = false) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const run = runOnce(job, isRest).then((next) => {
        running.delete(run)
        if (!isStopping) schedule(job, next.seconds, next.isRest)
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
