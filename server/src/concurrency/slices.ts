import { setImmediate } from 'node:timers/promises'

/** How long the event loop is held at once, in milliseconds. */
const sliceMilliseconds = 20

/** Work in many steps: between two of them, at a `yield`, others may have their turn. */
export type Steps<Result> = Generator<void, Result>

/** Does all steps at once and gives their result. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Does steps in time slices of 20 ms, so that a long work holds nobody else up (cooperative scheduling), and gives their result. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (let begun = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (performance.now() - begun < sliceMilliseconds) continue
    await setImmediate()
    begun = performance.now()
  }
}

/** A time slice of 20 ms of work that awaits in a loop what is mostly there already, and so would not let others run by itself. */
export class TimeSlice {
  #begun = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#begun >= sliceMilliseconds
  }

  /** Yields to the event loop, and begins the next slice. */
  async yield(): Promise<void> {
    await setImmediate()
    this.#begun = performance.now()
  }
}

/** What a function makes of each item, a step each. */
export function* mapSteps<Item, Result>(
  items: readonly Item[],
  make: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    results.push(make(item, index))
    yield
  }
  return results
}
