import type { Transaction } from '../database/index.ts'

interface Asked<Item, Answer> {
  readonly item: Item
  readonly give: (answer: Answer) => void
  readonly fail: (error: unknown) => void
}

// biome-ignore lint/suspicious/noExplicitAny: each line is of one subject, and so of one kind
const lines = new WeakMap<Transaction, Map<string, Asked<any, any>[]>>()

/**
 * Does something for an item, together with all items for which it is asked under the same subject in the same turn of the event
 * loop: where parts of a transaction go on at once, one statement does it for all of them. `work` answers for each item, in their
 * order; what it throws is thrown to all.
 */
export function together<Item, Answer>(
  tx: Transaction,
  subject: string,
  item: Item,
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer> {
  const ofTransaction = lines.get(tx) ?? new Map<string, Asked<Item, Answer>[]>()
  lines.set(tx, ofTransaction)
  return new Promise((give, fail) => {
    const line = ofTransaction.get(subject)
    if (line !== undefined) {
      line.push({ item, give, fail })
      return
    }
    const asked: Asked<Item, Answer>[] = [{ item, give, fail }]
    ofTransaction.set(subject, asked)
    setImmediate(async () => {
      ofTransaction.delete(subject)
      try {
        const answers = await work(asked.map((each) => each.item))
        for (const [index, each] of asked.entries()) each.give(answers[index] as Answer)
      } catch (error) {
        for (const each of asked) each.fail(error)
      }
    })
  })
}
