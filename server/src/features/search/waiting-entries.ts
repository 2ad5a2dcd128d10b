import { type Database, DatabaseUnavailable, literal, sql, type Transaction } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'

/** Changes that one transaction takes over: a few hundredths of a second, which whoever searches waits for. */
const batchSize = 500

/**
 * Takes over what writes have left waiting for the search of a tenant, a batch of it at most, and returns how many changes it took.
 * So whoever has written finds it at once, unless very much was written just before.
 */
async function takeWaiting(database: Database, tenantId: string, timeout: string): Promise<number> {
  const [state] = await database.read<{ waits: boolean }>(
    tenantId,
    sql`select exists (select from search_waiting where tenant_id = ${tenantId}) as waits`,
  )
  if (state?.waits !== true) return 0
  const [row] = await database.transaction(tenantId, (tx) => {
    tx.send(sql`select set_config('lock_timeout', ${timeout}, true)`)
    return tx.query<{ taken: number }>(sql`select take_waiting_for_search(${tenantId}, ${literal(batchSize)}) as taken`)
  })
  return row?.taken ?? 0
}

/**
 * Takes over all that waits of a tenant as part of a transaction, so that what it takes away is in no index once it is committed. A
 * search that comes meanwhile finds what was noted before.
 */
export async function takeAllWaiting(tx: Transaction): Promise<void> {
  for (let taken = batchSize; taken >= batchSize; ) {
    const [row] = await tx.query<{ taken: number }>(
      sql`select take_waiting_for_search(${tx.tenantId}, ${literal(batchSize)}) as taken`,
    )
    taken = row?.taken ?? 0
  }
}

/** What takes over changes of a tenant in this process, and what does so next. */
interface Turn {
  running: Promise<void>
  next: Promise<void> | null
}

const turns = new Map<string, Turn>()

/**
 * Takes over what waits before somebody searches, once for all in this process who come while one run is under way. Where nothing can be
 * written just now, or another process is at it for long, a search finds what was noted before.
 */
export function takeWaitingIfPossible(database: Database, tenantId: string): Promise<void> {
  const run = async () => {
    try {
      // It is for those who come later as well, whoever of them hangs up.
      await takeWaiting(database.for({ partition: 'writes', signal: null }), tenantId, '500ms')
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }
  const turn = turns.get(tenantId)
  if (turn !== undefined) {
    turn.next ??= turn.running.then(run, run)
    return turn.next
  }
  const begun: Turn = { running: run(), next: null }
  turns.set(tenantId, begun)
  void goOn(tenantId, begun)
  return begun.running
}

/** Lets the next run follow the one that is under way, until nobody waits. */
async function goOn(tenantId: string, turn: Turn): Promise<void> {
  for (;;) {
    await turn.running.catch(() => {})
    if (turn.next === null) break
    turn.running = turn.next
    turn.next = null
  }
  turns.delete(tenantId)
}

/** Takes over what waits where nobody searches, so that the first search does not find it all, and what is gone is in no index for long. */
export const searchEntriesJob: Job = {
  name: 'search-entries',
  everySeconds: 15,
  run: (database, tenant, hasTime = () => true) =>
    inBatches(batchSize, hasTime, () => takeWaiting(database, tenant.id, '0')),
}
