import type { FastifyRequest } from 'fastify'
import { lockTenantShared } from '../../concurrency/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { errorFacts } from '../../http/index.ts'
import type { SecretSeal } from '../../identity/index.ts'
import type { Caller, RecordRegistry } from '../../record-engine/index.ts'
import { RecordEngine, TakesLong } from '../../record-engine/index.ts'
import { fileKey } from '../../storage/index.ts'
import type { ProtocolPlatform } from './call.ts'

/** The caller and records of a piece of work, and whether it only reads. */
interface Circumstances {
  readonly database: Database
  readonly caller: Caller
  readonly registry: RecordRegistry
  readonly isRead: boolean
  readonly sendsMail: boolean
  readonly seal: SecretSeal
}

/** The result of work, with its engine. */
interface Done<Result> {
  readonly engine: RecordEngine
  readonly result: Result
}

type Work<Result> = (engine: RecordEngine) => Promise<Result>

/**
 * Runs work with records in one transaction, which is rolled back where a call only reads. On `TakesLong` it runs
 * `announce` in a transaction of its own, then the work in the partition for long work, and `failed` when that fails.
 */
export async function inTransaction<Result>(circumstances: Circumstances, work: Work<Result>): Promise<Done<Result>> {
  try {
    return await inOneTransaction(circumstances, work)
  } catch (error) {
    if (!(error instanceof TakesLong)) throw error
    const apart = { ...circumstances, database: circumstances.database.for({ partition: 'long' }) }
    await inOneTransaction(apart, error.announce, { isLong: true })
    try {
      return await inOneTransaction(apart, work, { isLong: true })
    } catch (failure) {
      await inOneTransaction(apart, (engine) => error.failed(engine, failure), { isLong: true })
      throw failure
    }
  }
}

async function inOneTransaction<Result>(
  { database, caller, registry, isRead, sendsMail, seal }: Circumstances,
  work: Work<Result>,
  { isLong = false }: { readonly isLong?: boolean } = {},
): Promise<Done<Result>> {
  const inside = async (tx: Transaction) => {
    if (!isRead) lockTenantShared(tx)
    const context = { database: isRead ? null : database, sendsMail, isLong, seal }
    const engine = new RecordEngine(tx, caller, registry, context)
    return { engine, result: await work(engine) }
  }
  const tenantId = caller.tenant.id
  if (!isRead) return database.transaction(tenantId, inside)
  return withoutCommit((undo) => database.transaction(tenantId, async (tx) => undo(await inside(tx))))
}

/** Deletes discarded files; failures are left to the cleanup job. */
export async function removeFiles(
  { storage }: ProtocolPlatform,
  request: FastifyRequest,
  tenantId: string,
  fileIds: readonly string[],
): Promise<void> {
  for (const id of fileIds) {
    await storage.store.remove('frozen', fileKey(tenantId, id)).catch((error: unknown) => {
      request.log.warn({ requestId: request.id, error: errorFacts(error) }, 'file not removed yet')
    })
  }
}

/** Runs a transaction that is always rolled back, and returns its result. */
async function withoutCommit<Result>(
  transaction: (undo: (result: Result) => never) => Promise<never>,
): Promise<Result> {
  class Undone extends Error {
    readonly result: Result
    constructor(result: Result) {
      super('undone')
      this.result = result
    }
  }
  try {
    return await transaction((result) => {
      throw new Undone(result)
    })
  } catch (error) {
    if (error instanceof Undone) return error.result
    throw error
  }
}
