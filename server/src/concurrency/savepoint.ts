import { rememberChanges } from '../changes/index.ts'
import { sql, type Transaction, TransactionRestart } from '../database/index.ts'
import { BatchConflict } from './batch-members.ts'
import { rememberCounters } from './counters.ts'
import { rememberLocks } from './locks.ts'

/**
 * Does a part of a transaction's work that leaves nothing behind where it throws: neither rows, nor changes that would be
 * recorded, nor locks or numbers. Throws what the part threw; the rest of the transaction may go on.
 */
export async function undoneByFailure<Result>(tx: Transaction, part: () => Promise<Result>): Promise<Result> {
  // What another part sends meanwhile would be undone with it.
  if (tx.whole !== undefined) throw new BatchConflict()
  const forgetChanges = rememberChanges(tx)
  const forgetLocks = rememberLocks(tx)
  const forgetCounters = rememberCounters(tx)
  tx.send(sql`savepoint part`)
  try {
    const result = await part()
    await tx.query(sql`release savepoint part`)
    return result
  } catch (error) {
    if (error instanceof TransactionRestart) throw error
    await tx.query(sql`rollback to savepoint part`)
    await tx.query(sql`release savepoint part`)
    forgetChanges()
    forgetLocks()
    forgetCounters()
    throw error
  }
}
