import { AsyncResource } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { bulkBounds, type JsonObject } from '@matricula/contract'
import { lockTenantShared } from '../../concurrency/index.ts'
import { Cancelled, type Database, DatabaseUnavailable, literal, sql, type Transaction } from '../../database/index.ts'
import { findActiveKey, type SecretSeal } from '../../identity/index.ts'
import { findEnabledUser, heldRoles } from '../../identity/users/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'
import {
  type AnyDocument,
  type Caller,
  cancelRecord,
  deleteRecord,
  hasOnlyPersonalRoles,
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

/** Requests documents from the family of a record, with the rights of the job's creator. */
export type AskOne = (
  tx: Transaction,
  caller: Caller,
  job: Pick<BulkJobRow, 'type' | 'changes'>,
  name: string,
) => Promise<void>

/** Dependencies of running jobs. */
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

/** The job was cancelled, or another process handled the record: the transaction is rolled back. */
class OvertakenError extends Error {}

/** The number of records of a job read at a time. */
const batchSize = 100

/**
 * Runs bulk jobs record by record, each in its own transaction that also records the progress: after a kill nothing is
 * done twice, and the next run continues after the last record.
 */
export class BulkRunner {
  readonly #platform: BulkPlatform
  readonly #running = new Map<string, Promise<void>>()
  /** The asynchronous context of the runner's creation, so that its work belongs to no request. */
  readonly #outside = new AsyncResource('BulkRunner')
  #isShuttingDown = false

  constructor(platform: BulkPlatform) {
    this.#platform = platform
  }

  /** Runs the jobs of a tenant after the transaction that creates a job; does nothing when that is rolled back. */
  wakeSoon(tenant: Tenant, jobId: string): void {
    const key = `${tenant.id} ${jobId}`
    const run = this.#outside
      .runInAsyncScope(async () => {
        if (await this.#untilThere(tenant, jobId)) await this.runAll(tenant, () => !this.#isShuttingDown)
      })
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable || error instanceof Cancelled)) this.#platform.report(error)
      })
      .finally(() => this.#running.delete(key))
    this.#running.set(key, run)
  }

  async #untilThere(tenant: Tenant, jobId: string): Promise<boolean> {
    for (let look = 0; look < 20 && !this.#isShuttingDown; look += 1) {
      await pause(100)
      const found = await this.#platform.database.read(
        tenant.id,
        sql`select 1 as found from bulk_jobs where tenant_id = ${tenant.id} and id = ${jobId}`,
      )
      if (found.length > 0) return !this.#isShuttingDown
    }
    return false
  }

  /** Graceful shutdown: ends after the current record. */
  async stop(): Promise<void> {
    this.#isShuttingDown = true
    await Promise.all(this.#running.values())
  }

  /** Runs the jobs of a tenant, oldest first, while there is time. */
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

  /** False when time ran out before the job ended. */
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
          if (error instanceof OvertakenError) break
          await this.#recordRejection(tenant, job, item, error)
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
          : job.action === 'run'
            ? await runMethod(engine, job, item.name).then(() => nothingKept)
            : await change(engine, job.action, job, item)
      await recordOutcome(
        tx,
        job.id,
        item.place,
        sql`status = 'done', before = ${before}, made_version = ${madeVersion}`,
        'done',
      )
    })
  }

  /** Lets the method of a record that failed write down why, where it does. */
  async #tellFailure(tenant: Tenant, job: BulkJobRow, name: string, error: unknown): Promise<void> {
    const { database, registry, seal, sendsMail } = this.#platform
    await database
      .transaction(tenant.id, async (tx) => {
        lockTenantShared(tx)
        const caller = callerOfService(tenant, job)
        const engine = new RecordEngine(tx, caller, registry, { database, seal, sendsMail, isLong: true })
        const { method, document } = await findMethod(engine, job, name)
        await method.failed?.(document as AnyDocument, engine, error)
      })
      .catch((failure: unknown) => this.#platform.report(failure))
  }

  /** Records why a record was rejected. Errors of the database are retried later. */
  async #recordRejection(
    tenant: Tenant,
    job: BulkJobRow,
    { place: position, name }: ItemRow,
    error: unknown,
  ): Promise<void> {
    const rejection = asRecordError(error)
    if (rejection.type === 'SessionStopped') throw error
    if (rejection.type === 'InternalError') this.#platform.report(error)
    if (job.action === 'run') await this.#tellFailure(tenant, job, name, error)
    const set = sql`status = 'refused', fault_code = ${rejection.type}, fault = ${rejection.message.slice(0, 1000)}`
    try {
      await this.#platform.database.transaction(tenant.id, (tx) => recordOutcome(tx, job.id, position, set, 'refused'))
    } catch (failure) {
      if (!(failure instanceof OvertakenError)) throw failure
    }
  }
}

/** The long method of a record that a job runs. Throws `DoesNotExistError` for a method that its type does not have. */
async function findMethod(engine: RecordEngine, { type, changes }: BulkJobRow, name: string) {
  const { methods, type: of } = engine.registry.require(type)
  const method = methods[String(changes.method)]
  if (method === undefined || typeof method === 'function') {
    throw new RecordError('DoesNotExistError', `${type} has no method ${String(changes.method)} that a job runs.`)
  }
  return { method, document: await engine.get(of, name) }
}

async function runMethod(engine: RecordEngine, job: BulkJobRow, name: string): Promise<unknown> {
  const { method, document } = await findMethod(engine, job, name)
  return method.run(document as AnyDocument, engine, {})
}

/** The key that created a job, with its current roles. Throws `PermissionError` for one that is revoked. */
async function callerOfKey(tx: Transaction, tenant: Tenant, job: BulkJobRow): Promise<Caller> {
  const key = await findActiveKey(tx, job.user_id)
  if (key === null) throw new RecordError('PermissionError', `The key ${job.user_name} was revoked.`)
  const roles = new Set(key.roles)
  const user = roles.has('System Manager') ? 'Administrator' : key.name
  return {
    tenant: { ...tenant, roleLimits: await readRoleLimits(tx) },
    ...{ kind: 'key', user, fullName: user },
    roles: heldRoles(key.roles, { isStaff: !hasOnlyPersonalRoles({ kind: 'key', roles }) }),
    actor: { type: 'api_key', id: key.id, name: key.name },
    requestId: job.id,
    address: job.address,
  }
}

/** The service itself, which notes what became of a job whose creator has gone. */
function callerOfService(tenant: Tenant, job: BulkJobRow): Caller {
  const name = 'bulk-jobs'
  const actor = { type: 'system', id: null, name } as const
  return {
    ...{ tenant, kind: 'key', user: name, fullName: name, roles: new Set(), actor },
    ...{ requestId: job.id, address: job.address },
  }
}

/** The creator of a job with its current roles. Throws `PermissionError` when that user may no longer log in. */
async function callerOfJob(tx: Transaction, tenant: Tenant, job: BulkJobRow): Promise<Caller> {
  return job.changes.by === 'api_key' ? callerOfKey(tx, tenant, job) : callerOfCreator(tx, tenant, job)
}

/** A user who asked for work in the background, with the roles of now. Throws `PermissionError` when that user may no longer log in. */
export async function callerOfCreator(
  tx: Transaction,
  tenant: Tenant,
  job: Pick<BulkJobRow, 'id' | 'user_id' | 'user_name' | 'address'>,
): Promise<Caller> {
  const user = await findEnabledUser(tx, job.user_name)
  if (user === null) throw new RecordError('PermissionError', `${job.user_name} may not log in any more.`)
  return {
    // With the current role limits of the institution.
    tenant: { ...tenant, roleLimits: await readRoleLimits(tx) },
    kind: 'user',
    user: job.user_name,
    fullName: user.fullName,
    roles: user.roles,
    actor: { type: 'user', id: job.user_id, name: job.user_name },
    // The request id of the audit and events of all its changes.
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
  action: Exclude<BulkJobRow['action'], 'ask' | 'run'>,
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

/**
 * Records the outcome of a record, once, and counts it. Throws `OvertakenError` when the job has ended or the record is
 * done.
 */
async function recordOutcome(
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
  if (recorded.length === 0 || counted.length === 0) throw new OvertakenError('the job is over, or the record is done')
}

async function finish(tx: Transaction, tenant: Tenant, jobId: string): Promise<void> {
  const before = await requireJob(tx, sql`j.id = ${jobId}`)
  const finished = await tx.query(sql`
    update bulk_jobs set status = 'done', updated_at = current_stamp(), finished_at = current_stamp()
     where tenant_id = ${tx.tenantId} and id = ${jobId} and status in ('queued', 'running')
    returning id`)
  if (finished.length === 0) return
  const type = before.changes.by === 'api_key' ? 'api_key' : 'user'
  const actor = { type, id: before.user_id, name: before.user_name } as const
  const context = { tenant, actor, requestId: jobId, address: before.address }
  saveJob(tx, context, 'bulk_job.updated', toJob(before), toJob(await requireJob(tx, sql`j.id = ${jobId}`)))
}

/** The job that continues bulk jobs of ended processes and deletes old ones. */
export function bulkJobsJob(getRunner: (database: Database) => BulkRunner): Job {
  return {
    name: 'bulk-jobs',
    everySeconds: 30,
    run: async (database, tenant, hasTime = () => true) => {
      const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
      await getRunner(database).runAll({ ...tenant, systemOfRecord: tenant.sorByDomain, customFields }, hasTime)
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
