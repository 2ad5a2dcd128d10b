import { AsyncResource } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { bulkBounds, type JsonObject } from '@matricula/contract'
import { lockTenantShared } from '../../concurrency/index.ts'
import { Cancelled, type Database, DatabaseUnavailable, literal, sql, type Transaction } from '../../database/index.ts'
import type { SecretSeal } from '../../identity/index.ts'
import { findEnabledUser } from '../../identity/users/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import {
  type AnyDocument,
  type Caller,
  cancelRecord,
  deleteRecord,
  RecordEngine,
  RecordError,
  type RecordRegistry,
  updateRecord,
} from '../../record-engine/index.ts'
import { asRecordError } from '../../resource-api/index.ts'
import { readCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { readRoleLimits } from '../../tenancy/index.ts'
import { type BulkJobRow, requireJob, saveJob, selectJobs, toJob } from './bulk-job-store.ts'

/** Asks the family of a record for documents, by the rights of whoever asked for it. */
export type AskOne = (
  tx: Transaction,
  caller: Caller,
  job: Pick<BulkJobRow, 'type' | 'changes'>,
  name: string,
) => Promise<void>

/** What jobs are run with. */
export interface BulkPlatform {
  readonly database: Database
  readonly registry: RecordRegistry
  readonly seal: SecretSeal
  readonly sendsMail: boolean
  readonly askOne: AskOne
  readonly report: (error: unknown) => void
}

interface ItemRow {
  readonly place: number
  readonly name: string
  readonly before: JsonObject | null
  readonly made_version: string | null
}

/** The job was cancelled, or somebody else did the record meanwhile: what this one did is undone. */
class Overtaken extends Error {}

/** How many records are read of a job at once. */
const batchSize = 100

/**
 * Does what bulk jobs ask for, one record after the other, each in a transaction of its own in which the record changes and is noted as
 * done: a process that is killed leaves none done twice, and whoever comes next goes on behind the last one.
 */
export class BulkRunner {
  readonly #platform: BulkPlatform
  readonly #running = new Map<string, Promise<void>>()
  /** Where the runner was made: what it does belongs to no transaction that asked for it. */
  readonly #outside = new AsyncResource('BulkRunner')
  #isStopping = false

  constructor(platform: BulkPlatform) {
    this.#platform = platform
  }

  /** Runs the jobs of a tenant once one that is being made is there; where it is not made after all, nothing. */
  wakeSoon(tenant: Tenant, jobId: string): void {
    const key = `${tenant.id} ${jobId}`
    const run = this.#outside
      .runInAsyncScope(async () => {
        if (await this.#untilThere(tenant, jobId)) await this.runAll(tenant, () => !this.#isStopping)
      })
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable || error instanceof Cancelled)) this.#platform.report(error)
      })
      .finally(() => this.#running.delete(key))
    this.#running.set(key, run)
  }

  async #untilThere(tenant: Tenant, jobId: string): Promise<boolean> {
    for (let look = 0; look < 20 && !this.#isStopping; look += 1) {
      await pause(100)
      const found = await this.#platform.database.read(
        tenant.id,
        sql`select 1 as found from bulk_jobs where tenant_id = ${tenant.id} and id = ${jobId}`,
      )
      if (found.length > 0) return !this.#isStopping
    }
    return false
  }

  /** Ends after the record that is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#running.values())
  }

  /** Runs what jobs a tenant has, the oldest first, while there is time. */
  async runAll(tenant: Tenant, hasTime: () => boolean): Promise<void> {
    const { database } = this.#platform
    while (hasTime()) {
      const open = sql`j.status in ('queued', 'running')`
      const [job] = await database.readSlowly<BulkJobRow>(
        tenant.id,
        sql`${selectJobs(tenant.id, open)} order by j.created_at, j.id limit 1`,
      )
      if (job === undefined || !(await this.#runOne(tenant, job, hasTime))) return
    }
  }

  /** False where time was over before the job was. */
  async #runOne(tenant: Tenant, job: BulkJobRow, hasTime: () => boolean): Promise<boolean> {
    const { database } = this.#platform
    for (;;) {
      const items = await database.readSlowly<ItemRow>(
        tenant.id,
        sql`select place, name, before, made_version from bulk_job_items
             where tenant_id = ${tenant.id} and job_id = ${job.id} and status = 'waiting'
             order by place limit ${literal(batchSize)}`,
      )
      if (items.length === 0) {
        await database.transaction(tenant.id, (tx) => finish(tx, tenant, job.id))
        return true
      }
      for (const item of items) {
        if (!hasTime()) return false
        try {
          await this.#do(tenant, job, item)
        } catch (error) {
          if (error instanceof Overtaken) break
          await this.#refuse(tenant, job, item, error)
        }
      }
      const [now] = await database.readSlowly<{ status: string }>(
        tenant.id,
        sql`select status from bulk_jobs where tenant_id = ${tenant.id} and id = ${job.id}`,
      )
      if (now?.status !== 'queued' && now?.status !== 'running') return true
    }
  }

  async #do(tenant: Tenant, job: BulkJobRow, item: ItemRow): Promise<void> {
    const { database, registry, seal, sendsMail, askOne } = this.#platform
    const slow = database.for({ partition: 'long' })
    await slow.transaction(tenant.id, async (tx) => {
      lockTenantShared(tx)
      const caller = await callerOfJob(tx, tenant, job)
      const engine = new RecordEngine(tx, caller, registry, { database: slow, seal, sendsMail, isLong: true })
      const { before, madeVersion } =
        job.action === 'ask'
          ? await askOne(tx, caller, job, item.name).then(() => nothingKept)
          : await change(engine, job.action, job, item)
      await note(
        tx,
        job.id,
        item.place,
        sql`status = 'done', before = ${before}, made_version = ${madeVersion}`,
        'done',
      )
    })
  }

  /** Notes why a record was refused. What the database cannot do now is left for later. */
  async #refuse(
    { id: tenantId }: Tenant,
    job: BulkJobRow,
    { place: position }: ItemRow,
    error: unknown,
  ): Promise<void> {
    const rejection = asRecordError(error)
    if (rejection.type === 'SessionStopped') throw error
    if (rejection.type === 'InternalError') this.#platform.report(error)
    const set = sql`status = 'refused', fault_code = ${rejection.type}, fault = ${rejection.message.slice(0, 1000)}`
    try {
      await this.#platform.database.transaction(tenantId, (tx) => note(tx, job.id, position, set, 'refused'))
    } catch (failure) {
      if (!(failure instanceof Overtaken)) throw failure
    }
  }
}

/** Who asked for a job, with the roles that such a one has now. Throws `PermissionError` where nobody of that name may log in any more. */
async function callerOfJob(tx: Transaction, tenant: Tenant, job: BulkJobRow): Promise<Caller> {
  const user = await findEnabledUser(tx, job.user_name)
  if (user === null) throw new RecordError('PermissionError', `${job.user_name} may not log in any more.`)
  return {
    // As the institution has narrowed roles by now.
    tenant: { ...tenant, roleLimits: await readRoleLimits(tx) },
    kind: 'user',
    user: job.user_name,
    fullName: user.fullName,
    roles: user.roles,
    actor: { type: 'user', id: job.user_id, name: job.user_name },
    // By which the audit and the events of all its changes are found.
    requestId: job.id,
    address: job.address,
  }
}

interface Done {
  readonly before: JsonObject | null
  readonly madeVersion: string | null
}

const nothingKept: Done = { before: null, madeVersion: null }

async function change(
  engine: RecordEngine,
  action: Exclude<BulkJobRow['action'], 'ask'>,
  job: BulkJobRow,
  { name, before, made_version }: ItemRow,
): Promise<Done> {
  switch (action) {
    case 'submit':
      await updateRecord(engine, job.type, name, { docstatus: 1 })
      return nothingKept
    case 'cancel':
      await cancelRecord(engine, job.type, name)
      return nothingKept
    case 'delete':
      await deleteRecord(engine, job.type, name)
      return nothingKept
    case 'undo': {
      await updateRecord(engine, job.type, name, (stored) => {
        if (stored.modified === made_version) return before ?? {}
        throw new RecordError('TimestampMismatchError', `${name} was changed since. It stays as it is.`)
      })
      return nothingKept
    }
    case 'update': {
      let was: JsonObject = {}
      const saved = await updateRecord(engine, job.type, name, (stored: AnyDocument) => {
        was = Object.fromEntries(Object.keys(job.changes).map((field) => [field, (stored[field] ?? null) as never]))
        return job.changes
      })
      return { before: was, madeVersion: saved.modified as string }
    }
  }
}

/** Notes what became of a record, once, and counts it. Throws `Overtaken` where the job is over or the record is done. */
async function note(
  tx: Transaction,
  jobId: string,
  position: number,
  set: ReturnType<typeof sql>,
  counter: 'done' | 'refused',
): Promise<void> {
  const recorded = await tx.query(sql`
    update bulk_job_items set ${set}
     where tenant_id = ${tx.tenantId} and job_id = ${jobId} and place = ${position} and status = 'waiting'
    returning place`)
  const count = counter === 'done' ? sql`done = done + 1` : sql`refused = refused + 1`
  const counted = await tx.query(sql`
    update bulk_jobs set ${count}, status = 'running', updated_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = ${jobId} and status in ('queued', 'running')
    returning id`)
  if (recorded.length === 0 || counted.length === 0) throw new Overtaken('the job is over, or the record is done')
}

async function finish(tx: Transaction, tenant: Tenant, jobId: string): Promise<void> {
  const before = await requireJob(tx, sql`j.id = ${jobId}`)
  const finished = await tx.query(sql`
    update bulk_jobs set status = 'done', updated_at = current_stamp(), finished_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = ${jobId} and status in ('queued', 'running')
    returning id`)
  if (finished.length === 0) return
  const actor = { type: 'user', id: before.user_id, name: before.user_name } as const
  const context = { tenant, actor, requestId: jobId, address: before.address }
  saveJob(tx, context, 'bulk_job.updated', toJob(before), toJob(await requireJob(tx, sql`j.id = ${jobId}`)))
}

/** Goes on with what a process left behind that is gone, and forgets jobs that are kept long enough. */
export function bulkJobsJob(runnerOf: (database: Database) => BulkRunner): Job {
  return {
    name: 'bulk-jobs',
    everySeconds: 30,
    run: async (database, tenant, hasTime = () => true) => {
      const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
      await runnerOf(database).runAll({ ...tenant, systemOfRecord: tenant.sorByDomain, customFields }, hasTime)
      await inBatches(20, hasTime, () => forgetOld(database, tenant.id))
    },
  }
}

async function forgetOld(database: Database, tenantId: string): Promise<number> {
  const gone = await database.transaction(tenantId, (tx) =>
    tx.query(sql`
      delete from bulk_jobs
       where tenant_id = ${tx.tenantId} and id in (
         select id from bulk_jobs
          where tenant_id = ${tx.tenantId} and finished_at < now() - make_interval(days => ${literal(bulkBounds.keptDays)})
          limit 20)
      returning id`),
  )
  return gone.length
}
