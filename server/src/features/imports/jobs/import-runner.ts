import { AsyncResource } from 'node:async_hooks'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Scope } from '@matricula/contract'
import { Cancelled, type Database, DatabaseUnavailable, sql, type Transaction } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { findEnabledUser } from '../../../identity/users/index.ts'
import type { Caller, RecordRegistry } from '../../../record-engine/index.ts'
import type { FileStore } from '../../../storage/index.ts'
import { readRoleLimits, scopesOfRoles, type Tenant } from '../../../tenancy/index.ts'
import { newId } from '../../../values/index.ts'
import { inspectFile } from '../files/open-file.ts'
import type { ImportCaller } from '../import-session.ts'
import { UnreadableFile } from '../row-errors.ts'
import { type ImportReport, runImport, unreadableReport } from '../run-import.ts'
import { undoImport } from '../undo-import.ts'
import { fetchFile, inFolder, removeFile, storeFile } from './import-files.ts'
import { type ImportJobRecord, type ImportJobRow, selectJobs } from './import-job-store.ts'
import { requireMayImport } from './import-rights.ts'

/** Dependencies of imports of the console. */
export interface ImportJobsPlatform {
  readonly database: Database
  readonly registry: RecordRegistry
  readonly store: FileStore
  readonly report: (error: unknown) => void
}

/** After how long without a sign of the process that works at an import another one takes it over, in seconds. */
const silenceSeconds = 30

/** How often a process gives a sign, in milliseconds. */
const signEvery = 1000

const isBusy = sql`j.status in ('checking', 'importing', 'undoing')`

/**
 * Does what is asked of imports: checks, imports and undoes. An import is one transaction that also says that it is done, so
 * what a killed process leaves behind is done again as a whole, once.
 */
export class ImportRunner {
  readonly #platform: ImportJobsPlatform
  readonly #running = new Map<string, Promise<void>>()
  /** The asynchronous context of the runner's creation, so that its work belongs to no request. */
  readonly #outside = new AsyncResource('ImportRunner')
  #isShuttingDown = false

  constructor(platform: ImportJobsPlatform) {
    this.#platform = platform
  }

  /** Does what a transaction asks for once it has committed; nothing where it is rolled back. */
  wakeSoon(tenant: Tenant, jobId: string): void {
    const key = newId()
    const run = this.#outside
      .runInAsyncScope(async () => {
        for (let look = 0; look < 20 && !this.#isShuttingDown; look += 1) {
          await pause(100)
          if (await this.#runOne(tenant, sql`j.id = ${jobId}`)) return
        }
      })
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable || error instanceof Cancelled)) this.#platform.report(error)
      })
      .finally(() => this.#running.delete(key))
    this.#running.set(key, run)
  }

  /** Graceful shutdown: what is under way is finished. */
  async stop(): Promise<void> {
    this.#isShuttingDown = true
    await Promise.all(this.#running.values())
  }

  /** Does what killed processes of a tenant have left, one after the other, while there is time. */
  async runAll(tenant: Tenant, hasTime: () => boolean): Promise<void> {
    while (hasTime() && (await this.#runOne(tenant, sql`true`))) {}
  }

  /** False where nothing is to be done. */
  async #runOne(tenant: Tenant, condition: ReturnType<typeof sql>): Promise<boolean> {
    const { database } = this.#platform
    const job = await database.transaction(tenant.id, async (tx) => {
      const [row] = await tx.query<ImportJobRow>(sql`
        ${selectJobs(
          tenant.id,
          sql`${isBusy} and ${condition}
          and (j.heard_at is null or j.heard_at < now() - make_interval(secs => ${silenceSeconds}))`,
        )}
        order by j.updated_at limit 1 for update skip locked`)
      if (row !== undefined) await recordSign(tx, row.id, 0)
      return row
    })
    if (job === undefined) return false
    const signs = new Signs(database, tenant.id, job.id)
    try {
      await this.#do(tenant, job, signs)
    } catch (error) {
      if (error instanceof DatabaseUnavailable || error instanceof Cancelled) throw error
      const text = error instanceof UnreadableFile ? `The file ${error.message}.` : 'The service failed. Try again.'
      if (!(error instanceof UnreadableFile)) this.#platform.report(error)
      await this.#settle(tenant, job, sql`status = 'failed', error = ${text}`)
    } finally {
      await signs.end()
    }
    return true
  }

  async #do(tenant: Tenant, job: ImportJobRow, signs: Signs): Promise<void> {
    const { database, registry } = this.#platform
    const detail = await this.#denied(tenant, job)
    if (detail !== null) {
      await this.#settle(tenant, job, sql`status = 'failed', error = ${detail}`)
      return
    }
    const requestId = job.run_id
    const actor = { type: 'user', id: job.actor_id, name: job.actor_name } as const
    const caller: ImportCaller = { tenant, actor, requestId, address: job.address }
    if (job.status === 'undoing') {
      const undone = await undoImport({ database, registry }, caller, job.run_id as string, (count) =>
        signs.progress(count),
      )
      const kept = JSON.stringify(undone.kept.slice(0, 100))
      const counts = sql`undone = coalesce(undone, 0) + ${undone.run.undone}, kept_count = ${undone.run.kept}`
      await this.#settle(tenant, job, sql`status = 'undone', kept = ${kept}::jsonb, ${counts}`)
      return
    }
    await inFolder((folder) => this.#import(caller, job, signs, folder))
  }

  /** Why whoever asked may not do this any more, by the rights of now; null where nothing was taken since. */
  async #denied(tenant: Tenant, job: ImportJobRow): Promise<string | null> {
    const { database, registry } = this.#platform
    const [user, roleLimits] = await database.transaction(tenant.id, async (tx) => {
      return [await findEnabledUser(tx, job.actor_name), await readRoleLimits(tx)] as const
    })
    if (user === null) return `${job.actor_name} may not log in any more.`
    const { actor_id: id, actor_name: name, address } = job
    const caller: Caller = {
      ...{ tenant: { ...tenant, roleLimits }, kind: 'user', user: name, fullName: user.fullName, roles: user.roles },
      ...{ actor: { type: 'user', id, name }, requestId: job.run_id, address },
    }
    const scopes = scopesOfRoles(roleLimits, user.roles)
    const requireScope = (scope: Scope) => {
      if (scopes.has(scope)) return
      const detail = `${name} may not import ${job.kind} any more.`
      throw new Problem('insufficient_scope', detail, { requiredScope: scope })
    }
    try {
      requireMayImport(registry, caller, requireScope, job.kind, job.status === 'undoing')
      return null
    } catch (error) {
      if (error instanceof Problem) return error.message
      throw error
    }
  }

  async #import(caller: ImportCaller, job: ImportJobRow, signs: Signs, folder: string): Promise<void> {
    const { database, registry, store } = this.#platform
    const { tenant } = caller
    const isDryRun = job.status === 'checking'
    const { kind, file_name: fileName, expected } = job
    const path = await fetchFile(store, tenant.id, job.id, folder)
    const reportPath = join(folder, 'refused')
    const refusedId = newId()
    let report: ImportReport
    try {
      report = await runImport({ database, registry }, caller, {
        kind,
        file: await inspectFile(path, fileName),
        fileName,
        mapping: job.mapping,
        isDryRun,
        skipsRefused: expected?.skipFaulty === true,
        maxChange: null,
        reportPath: isDryRun ? reportPath : null,
        ...(job.run_id !== null && !isDryRun && { runId: job.run_id }),
        ...(expected !== null && !isDryRun && { expected }),
        progress: (rows) => signs.progress(rows),
        settle: (tx, written) => {
          signs.pause()
          const set = sql`
            status = 'imported', report = ${toJson(written, job.report?.hasRefusedRows === true)}::jsonb,
            finished_at = current_stamp(), rows = ${signs.rows}`
          tx.send(settleStatement(tenant.id, job, set))
        },
      })
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      report = unreadableReport({ kind, fileName, isDryRun }, error)
    }
    if (!isDryRun && report.refusal === null) return
    const hasRefused = report.report !== null
    if (hasRefused) await storeFile(store, tenant.id, refusedId, reportPath)
    await this.#settle(
      tenant,
      job,
      sql`status = 'checked', report = ${toJson(report, hasRefused)}::jsonb,
          refused_file_id = ${hasRefused ? refusedId : null}, rows = ${signs.rows}`,
    )
    if (job.refused_file_id !== null) await removeFile(store, tenant.id, job.refused_file_id)
  }

  /** Says what came of an import, unless somebody else has said so. */
  async #settle(tenant: Tenant, job: ImportJobRow, set: ReturnType<typeof sql>): Promise<void> {
    await this.#platform.database.transaction(tenant.id, (tx) => tx.query(settleStatement(tenant.id, job, set)))
  }
}

function settleStatement(tenantId: string, { id, status }: ImportJobRow, set: ReturnType<typeof sql>) {
  return sql`
    update import_jobs set ${set}, heard_at = null, updated_at = current_stamp()
     where tenant_id = ${tenantId} and id = ${id} and status = ${status}`
}

function toJson({ run, errors, errorCount, conflicts, refusal }: ImportReport, hasRefusedRows: boolean): string {
  const { created, updated, unchanged, refused } = run
  const report: ImportJobRecord['report'] = {
    ...{ created, updated, unchanged, refused },
    faults: [...errors],
    faultCount: errorCount,
    conflicts: [...conflicts],
    refusal: refusal === 'too_many_changes' ? null : refusal,
    hasRefusedRows,
  }
  return JSON.stringify(report)
}

async function recordSign(tx: Transaction, jobId: string, rows: number): Promise<void> {
  await tx.query(sql`
    update import_jobs set rows = ${rows}, heard_at = now()
     where tenant_id = ${tx.tenantId} and id = ${jobId} and status in ('checking', 'importing', 'undoing')`)
}

/** Tells every second that a process is at work, and how far it is. */
class Signs {
  readonly #database: Database
  readonly #tenantId: string
  readonly #jobId: string
  readonly #timer: NodeJS.Timeout
  #rows = 0
  #sending: Promise<unknown> = Promise.resolve()

  constructor(database: Database, tenantId: string, jobId: string) {
    this.#database = database
    this.#tenantId = tenantId
    this.#jobId = jobId
    this.#timer = setInterval(() => this.#send(), signEvery)
  }

  /** How many rows were read last. */
  get rows(): number {
    return this.#rows
  }

  progress(rows: number): void {
    this.#rows = rows
  }

  #send(): void {
    const rows = this.#rows
    this.#sending = this.#sending
      .then(() => this.#database.transaction(this.#tenantId, (tx) => recordSign(tx, this.#jobId, rows)))
      .catch(() => {}) // The next one tells it.
  }

  /** Sends no further sign. */
  pause(): void {
    clearInterval(this.#timer)
  }

  async end(): Promise<void> {
    this.pause()
    await this.#sending
  }
}
