/**
 * Does the work for every item, with at most so many under way at once. After `stop`, or once a piece of work has failed,
 * no further item is begun; those under way are waited for. Throws what the first of them threw.
 */
export async function atOnce<Item>(
  items: readonly Item[],
  max: number,
  stop: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const failures: unknown[] = []
  const worker = async () => {
    while (next < items.length && failures.length === 0 && !stop.aborted) {
      const item = items[next++] as Item
      await work(item).catch((error) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: max }, worker))
  if (failures.length > 0) throw failures[0]
}
