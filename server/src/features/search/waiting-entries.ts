import { type Database, DatabaseUnavailable, literal, sql } from '../../database/index.ts'
import { inBatches, type Job } from '../../platform/jobs.ts'

/** Changes that one transaction takes over: a few hundredths of a second, which whoever searches waits for. */
const batchSize = 500

/**
 * Takes over what writes have left waiting for the search of a tenant, a batch of it at most, and answers how many changes it took.
 * So whoever has written finds it at once, unless very much was written just before.
 */
async function takeWaiting(database: Database, tenantId: string): Promise<number> {
  const [state] = await database.read<{ waits: boolean }>(
    tenantId,
    sql`select exists (select from search_waiting where tenant_id = ${tenantId}) as waits`,
  )
  if (state?.waits !== true) return 0
  const [row] = await database.transaction(tenantId, (tx) =>
    tx.query<{ taken: number }>(sql`select take_waiting_for_search(${tenantId}, ${literal(batchSize)}) as taken`),
  )
  return row?.taken ?? 0
}

/** Takes over what waits before somebody searches. Where nothing can be written just now, a search finds what was noted before. */
export async function takeWaitingIfPossible(database: Database, tenantId: string): Promise<void> {
  try {
    await takeWaiting(database, tenantId)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}

/** Takes over what waits where nobody searches, so that the first search does not find it all, and what is gone is in no index for long. */
export const searchEntriesJob: Job = {
  name: 'search-entries',
  everySeconds: 15,
  run: (database, tenant, hasTime = () => true) =>
    inBatches(batchSize, hasTime, () => takeWaiting(database, tenant.id)),
}
