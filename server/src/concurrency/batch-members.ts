import { perTransaction, type Transaction, TransactionRestart } from '../database/index.ts'

/** The turns that the parts have taken that a transaction does at once. */
const taken = new WeakMap<Transaction, Set<string>>()

/** Which part of a transaction that several share has taken which turn. */
const takersOf = perTransaction(() => new Map<string, Transaction>())

/**
 * Thrown by a part of a transaction that wants a turn which another part has taken that is done at once with it: what the one looks
 * for the other may be about to make, in the same transaction, which waits for no turn of its own. Do it after the others.
 */
export class BatchConflict extends TransactionRestart {}

/** Does parts of a transaction's work at once, so that their statements are sent together, and tells what came of each, in order. */
export async function atOnce<Result>(
  tx: Transaction,
  parts: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  taken.set(tx, new Set())
  const results = await Promise.allSettled(parts.map((part) => part()))
  taken.delete(tx)
  return results
}

/** Says that whoever runs now takes these turns. Throws `BatchConflict` where another part that is done at once has. */
export function takeForPart(tx: Transaction, subjects: readonly string[]): void {
  if (tx.whole !== undefined) {
    const takers = takersOf(tx)
    for (const subject of subjects) {
      if ((takers.get(subject) ?? tx) !== tx) throw new BatchConflict()
      takers.set(subject, tx)
    }
  }
  const turns = taken.get(tx)
  if (turns === undefined) return
  if (subjects.some((subject) => turns.has(subject))) throw new BatchConflict()
  for (const subject of subjects) turns.add(subject)
}
