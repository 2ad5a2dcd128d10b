import type { ChangeContext } from '../changes/index.ts'
import { lockRows } from '../concurrency/index.ts'
import { type Database, identifier, literal, type Sql, sql, type Transaction } from '../database/index.ts'
import { inBatches, type Job } from './jobs.ts'

/** Records that one transaction moves, so that none of them is locked for long. */
const batchSize = 200

/** Records of a table that the clock ends. */
export interface Expiring {
  /** The name of the job. */
  readonly name: string
  /** In whose name the change is kept. */
  readonly actorName: string
  readonly table: string
  /** A condition on the table: which records are over and not stored so. */
  readonly isOver: Sql
  /** Stores that a record which the transaction has locked is over, with its audit and event. */
  readonly store: (tx: Transaction, context: ChangeContext, id: string) => Promise<unknown>
}

/**
 * A job that stores, once a minute, that records have expired. They read so from the very moment on; this counts them so, and
 * tells it.
 */
export function expiryJob({ name, actorName, table, isOver, store }: Expiring): Job {
  return {
    name,
    everySeconds: 60,
    run: async (database: Database, tenant, hasTime = () => true) => {
      const actor = { type: 'system', id: null, name: actorName } as const
      const context: ChangeContext = { tenant, actor, requestId: null, address: null }
      await inBatches(batchSize, hasTime, () =>
        database.transaction(tenant.id, async (tx) => {
          const over = await tx.query<{ id: string }>(sql`
            select id from ${identifier(table)}
             where tenant_id = ${tx.tenantId} and ${isOver} order by id limit ${literal(batchSize)}`)
          const ids = over.map(({ id }) => id)
          await lockRows(tx, table, ids)
          for (const id of ids) await store(tx, context, id)
          return over.length
        }),
      )
    },
  }
}
