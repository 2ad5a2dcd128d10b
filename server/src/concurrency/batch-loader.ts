import { atEndOfTick, getWhole, perTransaction, type Statement, type Transaction } from '../database/index.ts'

interface Asked<Item, Answer> {
  readonly item: Item
  readonly give: (response: Answer) => void
  readonly fail: (error: unknown) => void
}

// biome-ignore lint/suspicious/noExplicitAny: each line is of one subject, and so of one kind
const linesOf = perTransaction(() => new Map<string, Asked<any, any>[]>())

/**
 * Does something for an item, together with all items for which it is asked under the same subject in the same turn of the event
 * loop: where parts of a transaction go on at once, one statement does it for all of them, in the whole that `work` is given. `work`
 * answers for each item, in their order; what it throws is thrown to all.
 */
export function together<Item, Answer>(
  tx: Transaction,
  subject: string,
  item: Item,
  work: (items: readonly Item[], whole: Transaction) => Promise<readonly Answer[]>,
): Promise<Answer> {
  tx.touch?.()
  return findBatched(tx, subject, item, work)
}

const writingsOf = perTransaction(() => new Map<string, unknown[]>())

/**
 * Sends what writes an item, whose outcome nobody waits for: at once where the transaction is not shared, else at its end by one statement
 * for the items of all parts. Nobody reads it back in the same transaction.
 */
export function loadBatched<Item>(
  tx: Transaction,
  subject: string,
  item: Item,
  write: (tenantId: string, items: readonly Item[]) => Statement,
): void {
  const { whole } = tx
  if (whole === undefined) {
    tx.send(write(tx.tenantId, [item]))
    return
  }
  tx.touch?.()
  const ofWhole = writingsOf(tx)
  const items = ofWhole.get(subject)
  if (items !== undefined) {
    items.push(item)
    return
  }
  const all = [item]
  ofWhole.set(subject, all)
  whole.atEnd(() => whole.send(write(whole.tenantId, all)))
}

/** The same of what writes nothing, so that a part which is then refused leaves nothing behind. */
export function findBatched<Item, Answer>(
  tx: Transaction,
  subject: string,
  item: Item,
  work: (items: readonly Item[], whole: Transaction) => Promise<readonly Answer[]>,
): Promise<Answer> {
  const whole = getWhole(tx)
  const ofTransaction: Map<string, Asked<Item, Answer>[]> = linesOf(tx)
  return new Promise((give, fail) => {
    const line = ofTransaction.get(subject)
    if (line !== undefined) {
      line.push({ item, give, fail })
      return
    }
    const asked: Asked<Item, Answer>[] = [{ item, give, fail }]
    ofTransaction.set(subject, asked)
    atEndOfTick(async () => {
      ofTransaction.delete(subject)
      try {
        const answers = await work(
          asked.map((each) => each.item),
          whole,
        )
        for (const [index, each] of asked.entries()) each.give(answers[index] as Answer)
      } catch (error) {
        for (const each of asked) each.fail(error)
      }
    })
  })
}
